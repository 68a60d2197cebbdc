//! Characters, strings and bytes, with their escapes.

use crate::error::DataError;
use crate::text::scan::Scanner;

impl<'s> Scanner<'s> {
    /// Reads a character literal. Its opening `'` is next.
    pub(super) fn char(&mut self) -> Result<char, DataError> {
        let begin = self.at();
        let quoted = String::from_utf8(self.quoted()?);
        let character = quoted.ok().and_then(|quoted| quoted.chars().next());
        let what = "expected `\\x` and a number up to 7f";
        character.ok_or_else(|| DataError::new(what).at(begin))
    }

    /// Reads a byte between `'`, which is next after the `b`.
    pub(super) fn byte(&mut self) -> Result<u8, DataError> {
        let begin = self.at();
        match self.quoted()?[..] {
            [byte] => Ok(byte),
            _ => Err(DataError::new("expected a byte").at(begin)),
        }
    }

    /// Reads one character or escape between `'`, as bytes.
    fn quoted(&mut self) -> Result<Vec<u8>, DataError> {
        let begin = self.at();
        self.eat("'");
        let mut found = Vec::new();
        match self.peek() {
            Some('\\') => self.escape(&mut found)?,
            // `'''` is this character, as in the crate `ron`.
            Some(next) if next != '\'' || self.rest().starts_with("''") => {
                self.skip_bytes(next.len_utf8());
                push(&mut found, next);
            }
            _ => return Err(self.expected("a character")),
        }
        if self.eat("'") {
            return Ok(found);
        }
        let what = "expected one character between `'`; a string is written between `\"`";
        Err(DataError::new(what).at(begin))
    }

    /// Reads a string between `"`, which is next.
    pub(crate) fn string(&mut self) -> Result<String, DataError> {
        let begin = self.at();
        let bytes = self.between_quotes("this string is not closed")?;
        let what = "expected valid UTF-8 after the `\\x`";
        String::from_utf8(bytes).map_err(|_| DataError::new(what).at(begin))
    }

    /// Reads bytes between `"`, which is next.
    pub(super) fn between_quotes(&mut self, endless: &str) -> Result<Vec<u8>, DataError> {
        let begin = self.at();
        self.eat("\"");
        let mut bytes = Vec::new();
        loop {
            let rest = self.rest();
            let Some(stop) = rest.find(['"', '\\']) else {
                let what = format!("{endless}: expected `\"`");
                return Err(DataError::new(what).at(begin));
            };
            bytes.extend_from_slice(&rest.as_bytes()[..stop]);
            self.skip_bytes(stop);
            if self.eat("\"") {
                return Ok(bytes);
            }
            let behind = &self.rest()[1..];
            if behind.starts_with('\n') || behind.starts_with("\r\n") {
                // The end of the line and the blanks that the next begins with are left out.
                let text = behind.trim_start_matches([' ', '\t', '\n', '\r']);
                self.skip_bytes(1 + behind.len() - text.len());
            } else {
                self.escape(&mut bytes)?;
            }
        }
    }

    /// Reads a string between `"` and any number of `#`, after the `r`.
    pub(super) fn raw_string(&mut self) -> Result<&'s str, DataError> {
        let begin = self.at();
        let rest = self.rest();
        let hashes = rest.len() - rest.trim_start_matches('#').len();
        self.skip_bytes(hashes);
        if !self.eat("\"") {
            return Err(self.expected("`\"`"));
        }
        let close = format!("\"{}", &rest[..hashes]);
        let rest = self.rest();
        let Some(end) = rest.find(&close) else {
            let what = format!("this string is not closed: expected `{close}`");
            return Err(DataError::new(what).at(begin));
        };
        self.skip_bytes(end + close.len());
        Ok(&rest[..end])
    }

    /// Reads an escape, and appends its value. Its `\` is next.
    fn escape(&mut self, into: &mut Vec<u8>) -> Result<(), DataError> {
        let begin = self.at();
        self.eat("\\");
        let Some(kind) = self.peek() else {
            return Err(self.expected("an escape"));
        };
        self.skip_bytes(kind.len_utf8());
        let bad = |what: &str| DataError::new(what).at(begin);
        let character = match kind {
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            '0' => '\0',
            '\\' | '"' | '\'' => kind,
            'x' => {
                let number = self.rest().get(..2).and_then(hexadecimal);
                let number = number.and_then(|number| u8::try_from(number).ok());
                let what = "expected `\\x` and two hexadecimal digits";
                into.push(number.ok_or_else(|| bad(what))?);
                self.skip_bytes(2);
                return Ok(());
            }
            'u' => {
                let braced = self.rest().strip_prefix('{').unwrap_or_default();
                let digits = braced.find('}').filter(|&end| end <= 6);
                let digits = digits.map_or("", |end| &braced[..end]);
                let number = hexadecimal(digits).and_then(char::from_u32);
                let what = "expected `\\u{…}` with the number of a character";
                let number = number.ok_or_else(|| bad(what))?;
                self.skip_bytes(digits.len() + 2);
                number
            }
            _ => {
                let what =
                    "unknown escape: expected one of \\n, \\r, \\t, \\0, \\\\, \\\", \\', \\x, \\u";
                return Err(bad(what));
            }
        };
        push(into, character);
        Ok(())
    }
}

fn push(bytes: &mut Vec<u8>, character: char) {
    bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
}

/// Parses a number that consists of hexadecimal digits only.
fn hexadecimal(digits: &str) -> Option<u32> {
    let is_number = digits.chars().all(|digit| digit.is_ascii_hexdigit());
    is_number.then(|| u32::from_str_radix(digits, 16).ok())?
}
