//! Walks over a text: white space, comments, words, numbers, strings.

use crate::data::error::DataError;
use crate::data::text::{begins_word, is_in_word};

/// A position in a text.
pub(super) struct Scanner<'s> {
    source: &'s str,
    at: usize,
}

/// What a number is, without its sign.
pub(super) enum Number {
    Whole(u128),
    Fraction(f64),
}

impl<'s> Scanner<'s> {
    /// The text has to have less than 4 GiB.
    pub(super) fn new(source: &'s str) -> Self {
        Self { source, at: 0 }
    }

    /// Where it stands, in bytes.
    pub(super) fn at(&self) -> u32 {
        u32::try_from(self.at).expect("the text has less than 4 GiB")
    }

    pub(super) fn rest(&self) -> &'s str {
        &self.source[self.at..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Goes over this text, if it is next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let is_next = self.rest().starts_with(text);
        if is_next {
            self.at += text.len();
        }
        is_next
    }

    pub(super) fn error(&self, what: impl std::fmt::Display) -> DataError {
        DataError::new(what).at(self.at())
    }

    /// That something else than this is next.
    pub(super) fn expected(&self, what: &str) -> DataError {
        match self.peek() {
            None => self.error(format_args!("the text ends here: expected {what}")),
            Some(found) => self.error(format_args!(
                "expected {what}, found `{}`",
                found.escape_debug()
            )),
        }
    }

    /// Goes over white space and comments.
    pub(super) fn skip(&mut self) -> Result<(), DataError> {
        loop {
            let rest = self.rest();
            let blank = |character: char| character.is_whitespace() || character == '\u{feff}';
            self.at += rest.len() - rest.trim_start_matches(blank).len();
            let rest = self.rest();
            if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.skip_block()?;
            } else {
                return Ok(());
            }
        }
    }

    /// A comment between `/*` and `*/`, with others in it.
    fn skip_block(&mut self) -> Result<(), DataError> {
        let begin = self.at();
        let mut depth = 0_usize;
        loop {
            if self.eat("/*") {
                depth += 1;
            } else if self.eat("*/") {
                depth -= 1;
                if depth == 0 {
                    return Ok(());
                }
            } else {
                let Some(next) = self.peek() else {
                    let what = "this comment does not end: expected `*/`";
                    return Err(DataError::new(what).at(begin));
                };
                self.at += next.len_utf8();
            }
        }
    }

    /// Goes over a word, if one is next; `r#` before it is left out.
    pub(super) fn word(&mut self) -> Option<&'s str> {
        let rest = self.rest();
        let raw = rest
            .strip_prefix("r#")
            .filter(|word| word.starts_with(begins_word));
        let word = raw.unwrap_or(rest);
        if !word.starts_with(begins_word) {
            return None;
        }
        // Behind `r#` a word can have what separates others.
        let is_part = |next| is_in_word(next) || raw.is_some() && matches!(next, '-' | '.' | '+');
        let word = &word[..word.find(|next| !is_part(next)).unwrap_or(word.len())];
        self.at += word.len() + if raw.is_some() { 2 } else { 0 };
        Some(word)
    }

    /// A number without its sign.
    pub(super) fn number(&mut self) -> Result<Number, DataError> {
        let begin = self.at();
        let radix = match self.rest().get(..2) {
            Some("0x") => 16,
            Some("0o") => 8,
            Some("0b") => 2,
            _ => 10,
        };
        if radix != 10 {
            self.at += 2;
        }
        let is_part = |next: char| next.is_alphanumeric() || matches!(next, '_' | '.');
        let rest = self.rest();
        let mut end = rest.find(|next| !is_part(next)).unwrap_or(rest.len());
        // The sign of an exponent.
        if radix == 10 && rest[..end].ends_with(['e', 'E']) && rest[end..].starts_with(['+', '-']) {
            let exponent = &rest[end + 1..];
            let digits = exponent.find(|next| !is_part(next));
            end += 1 + digits.unwrap_or(exponent.len());
        }
        let digits = &rest[..end];
        self.at += end;
        let plain: String = digits.chars().filter(|&digit| digit != '_').collect();
        let is_fraction = radix == 10 && plain.contains(['.', 'e', 'E']);
        if is_fraction {
            let is_float = plain
                .chars()
                .all(|c| matches!(c, '0'..='9' | '.' | 'e' | 'E' | '+' | '-'));
            if let (true, Ok(number)) = (is_float, plain.parse()) {
                return Ok(Number::Fraction(number));
            }
        } else if let Ok(number) = u128::from_str_radix(&plain, radix)
            && !plain.starts_with('+')
        {
            return Ok(Number::Whole(number));
        }
        let all_digits = !plain.is_empty() && plain.chars().all(|digit| digit.is_digit(radix));
        let what = if all_digits {
            format!("`{digits}` is too large: the largest number is 2^128 - 1")
        } else {
            format!("`{digits}` is not a number; a number has no suffix")
        };
        Err(DataError::new(what).at(begin))
    }

    /// A character between `'`, which is next.
    pub(super) fn char(&mut self) -> Result<char, DataError> {
        let begin = self.at();
        self.eat("'");
        let character = match self.peek() {
            Some('\\') => self.escape()?,
            Some('\'') | None => return Err(self.expected("a character")),
            Some(next) => {
                self.at += next.len_utf8();
                next
            }
        };
        if self.eat("'") {
            Ok(character)
        } else {
            let what = "expected one character between `'`; a string stands between `\"`";
            Err(DataError::new(what).at(begin))
        }
    }

    /// A string without escapes, as a part of the source, or what its escapes say. `"` is next.
    pub(super) fn string(&mut self) -> Result<Result<&'s str, String>, DataError> {
        let begin = self.at();
        self.eat("\"");
        let rest = self.rest();
        let stop = rest.find(['"', '\\']).unwrap_or(rest.len());
        if rest[stop..].starts_with('"') {
            self.at += stop + 1;
            return Ok(Ok(&rest[..stop]));
        }
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let Some(stop) = rest.find(['"', '\\']) else {
                let what = "this string does not end: expected `\"`";
                return Err(DataError::new(what).at(begin));
            };
            text.push_str(&rest[..stop]);
            self.at += stop;
            if self.eat("\"") {
                return Ok(Err(text));
            }
            if self.rest()[1..].starts_with(['\n', '\r']) {
                // As in Rust: the end of the line and what the next begins with are left out.
                let rest = &self.rest()[1..];
                self.at += 1 + rest.len() - rest.trim_start().len();
            } else {
                text.push(self.escape()?);
            }
        }
    }

    /// Bytes between `"`, behind the `b`.
    pub(super) fn byte_string(&mut self) -> Result<Vec<u8>, DataError> {
        let begin = self.at();
        let mut bytes = Vec::new();
        self.eat("\"");
        loop {
            let rest = self.rest();
            let Some(stop) = rest.find(['"', '\\']) else {
                let what = "these bytes do not end: expected `\"`";
                return Err(DataError::new(what).at(begin));
            };
            bytes.extend_from_slice(&rest.as_bytes()[..stop]);
            self.at += stop;
            if self.eat("\"") {
                return Ok(bytes);
            }
            let digits = self
                .rest()
                .strip_prefix("\\x")
                .and_then(|rest| rest.get(..2));
            if let Some(byte) = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
                self.at += 4;
                bytes.push(byte);
            } else {
                let mut character = [0; 4];
                let character = self.escape()?.encode_utf8(&mut character);
                bytes.extend_from_slice(character.as_bytes());
            }
        }
    }

    /// A string between `"` and any number of `#`, behind the `r`.
    pub(super) fn raw_string(&mut self) -> Result<&'s str, DataError> {
        let begin = self.at();
        let rest = self.rest();
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        self.at += hashes;
        if !self.eat("\"") {
            return Err(self.expected("`\"`"));
        }
        let close = format!("\"{}", &rest[..hashes]);
        let rest = self.rest();
        let Some(end) = rest.find(&close) else {
            let what = format!("this string does not end: expected `{close}`");
            return Err(DataError::new(what).at(begin));
        };
        self.at += end + close.len();
        Ok(&rest[..end])
    }

    /// What stands behind `\`, which is next.
    fn escape(&mut self) -> Result<char, DataError> {
        let begin = self.at();
        self.eat("\\");
        let Some(kind) = self.peek() else {
            return Err(self.expected("an escape"));
        };
        self.at += kind.len_utf8();
        let bad = |what: &str| DataError::new(what).at(begin);
        Ok(match kind {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\0',
            '\\' | '"' | '\'' => kind,
            'x' => {
                let digits = self.rest().get(..2);
                let number = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                let number = number.filter(u8::is_ascii);
                let number = number.ok_or_else(|| bad("expected `\\x` and a number up to 7f"))?;
                self.at += 2;
                number.into()
            }
            'u' => {
                let rest = self.rest();
                let braced = rest.strip_prefix('{').and_then(|rest| rest.split_once('}'));
                let digits = braced.map_or("", |(digits, _)| digits);
                let number = u32::from_str_radix(digits, 16)
                    .ok()
                    .and_then(char::from_u32);
                let what = "expected `\\u{…}` with the number of a character";
                let number = number.ok_or_else(|| bad(what))?;
                self.at += digits.len() + 2;
                number
            }
            _ => {
                let what =
                    "unknown escape: expected one of \\n, \\r, \\t, \\0, \\\\, \\\", \\', \\x, \\u";
                return Err(bad(what));
            }
        })
    }
}
