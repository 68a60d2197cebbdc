//! Parsing of a console line.

/// Returns the first word of a line, or the text in `"`, and the rest of the line.
pub(super) fn word(line: &str) -> Result<(String, &str), String> {
    let line = line.trim_start();
    if let Some(quoted) = line.strip_prefix('"') {
        let end = quoted.split_once('"');
        let (word, rest) = end.ok_or("expected a closing `\"`")?;
        return Ok((word.to_owned(), rest.trim_start()));
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    if word.is_empty() {
        return Err("an argument is missing here: see `help`".to_owned());
    }
    Ok((word.to_owned(), rest.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_ends_at_a_blank_or_at_its_quote() {
        assert_eq!(word("send a b"), Ok(("send".to_owned(), "a b")));
        assert_eq!(word(" \"a b\"  c"), Ok(("a b".to_owned(), "c")));
        assert_eq!(word("a"), Ok(("a".to_owned(), "")));
        assert!(word("\"a b").is_err() && word("  ").is_err());
    }
}
