//! Patterns with wildcards: `*` matches any characters, `?` matches one, and `\` before a character
//! matches that character literally.
//!
//! A pattern is read once into tokens. A name is compared with two positions that only move ahead, and
//! one place to go back to: the last `*`. An earlier `*` never has to be tried again, since the last
//! one can match everything that it would match. The time is therefore bounded by the product of the
//! lengths.

/// Returns the only name that a pattern without wildcards matches.
pub fn literal(pattern: &str) -> Option<String> {
    let tokens = Pattern::new(pattern).0.into_iter();
    let characters = tokens.map(|token| match token {
        Token::Exactly(character) => Some(character),
        Token::Many | Token::One => None,
    });
    characters.collect()
}

/// Returns `true` if a pattern matches a name.
pub fn matches(pattern: &str, name: &str) -> bool {
    Pattern::new(pattern).matches(name)
}

/// A requirement of a pattern for a name at one position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    /// Any number of characters.
    Many,
    /// One character, whichever it is.
    One,
    /// This character.
    Exactly(char),
}

#[derive(Debug)]
pub(super) struct Pattern(Vec<Token>);

impl Pattern {
    /// Reads a pattern. Every text is a valid pattern: a `\` at the end matches itself.
    pub(super) fn new(pattern: &str) -> Self {
        let mut tokens = Vec::new();
        let mut characters = pattern.chars();
        while let Some(character) = characters.next() {
            let token = match character {
                '*' => Token::Many,
                '?' => Token::One,
                '\\' => Token::Exactly(characters.next().unwrap_or('\\')),
                _ => Token::Exactly(character),
            };
            if token != Token::Many || tokens.last() != Some(&Token::Many) {
                tokens.push(token);
            }
        }
        Self(tokens)
    }

    /// Returns `true` if the whole name fits the pattern.
    pub(super) fn matches(&self, name: &str) -> bool {
        let mut at = 0;
        let mut rest = name.chars();
        // Behind the last `Many`, and what of the name it has not taken yet.
        let mut retry = None;
        loop {
            let before = rest.clone();
            match (self.0.get(at), rest.next()) {
                (Some(Token::Many), _) => {
                    at += 1;
                    rest = before;
                    retry = Some((at, rest.clone()));
                }
                (None, None) => return true,
                (Some(Token::One), Some(_)) => at += 1,
                (Some(&Token::Exactly(wanted)), Some(found)) if wanted == found => at += 1,
                // The name is at its end, and whatever `Many` takes, less is left of it.
                (Some(_), None) => return false,
                (_, Some(_)) => {
                    let Some((behind, left)) = &mut retry else {
                        return false;
                    };
                    left.next();
                    at = *behind;
                    rest = left.clone();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Matches by the definition, with every way to divide the name.
    fn matches_by_trying(pattern: &[Token], name: &[char]) -> bool {
        match (pattern.split_first(), name.split_first()) {
            (None, _) => name.is_empty(),
            (Some((Token::Many, rest)), _) => {
                (0..=name.len()).any(|taken| matches_by_trying(rest, &name[taken..]))
            }
            (Some((Token::One, pattern)), Some((_, name))) => matches_by_trying(pattern, name),
            (Some((Token::Exactly(wanted), pattern)), Some((found, name))) => {
                wanted == found && matches_by_trying(pattern, name)
            }
            (Some(_), None) => false,
        }
    }

    /// Returns all texts of these characters up to a length.
    fn texts(characters: &str, length: u32) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut last = all.clone();
        for _ in 0..length {
            let longer = last.iter().flat_map(|text| {
                let characters = characters.chars();
                characters.map(move |character| format!("{text}{character}"))
            });
            last = longer.collect();
            all.extend_from_slice(&last);
        }
        all
    }

    // holds: messagees.find-pattern
    #[test]
    fn a_pattern_matches_as_its_definition_says() {
        let names = texts("aé", 5);
        for pattern in texts("aé*?", 5) {
            let pattern = Pattern::new(&pattern);
            for name in &names {
                let characters: Vec<char> = name.chars().collect();
                let expected = matches_by_trying(&pattern.0, &characters);
                assert_eq!(pattern.matches(name), expected, "{pattern:?} on {name}");
            }
        }
    }

    // holds: messagees.find-pattern
    #[test]
    fn a_pattern_without_wildcards_matches_its_literal_and_nothing_else() {
        let names = texts("a*\\", 4);
        for pattern in texts("a*?\\", 4) {
            let literal = literal(&pattern);
            let is_exact = !Pattern::new(&pattern)
                .0
                .iter()
                .any(|it| !matches!(it, Token::Exactly(_)));
            assert_eq!(literal.is_some(), is_exact, "{pattern}");
            let Some(literal) = literal else { continue };
            for name in &names {
                assert_eq!(
                    matches(&pattern, name),
                    literal == *name,
                    "{pattern} on {name}"
                );
            }
        }
    }

    #[test]
    fn a_backslash_makes_the_next_character_stand_for_itself() {
        assert!(matches(r"\*", "*") && !matches(r"\*", "a"));
        assert!(matches(r"\?", "?") && !matches(r"\?", "a"));
        assert!(matches(r"\\", r"\") && !matches(r"\\", r"\\"));
        assert!(matches(r"\a", "a") && !matches(r"\a", r"\a"));
        assert!(matches("a\\", "a\\") && !matches("a\\", "a"));
        assert!(matches(r"*\**", "a*b") && !matches(r"*\**", "ab"));
    }
}
