//! Reads a text onto a tape.

use crate::content::{Content, signed, unsigned};
use crate::error::DataError;
use crate::names::no_such;
use crate::options::{TextExtension, TextOptions};
use crate::tape::{Empty, Kind, MAX_DEPTH, Tape, Token};
use crate::text::brackets;
use crate::text::number::{Number, literal};
use crate::text::scan::Scanner;

/// Reads one value, after which the text has to end.
///
/// # Errors
///
/// Returns an error with the place if the text is not in RON syntax.
///
/// ```
/// use message_format::{TextOptions, text};
///
/// let error = text::read("[1, 2", TextOptions::new()).expect_err("it is not closed");
/// assert_eq!((error.line(), error.column()), (Some(1), Some(6)));
/// ```
pub fn read(source: &str, options: TextOptions) -> Result<Tape, DataError> {
    let mut tape = Tape::default();
    if u32::try_from(source.len()).is_err() {
        return Err(DataError::too_large());
    }
    tape.text.push_str(source);
    tape.source_len = source.len();
    tape.options = options;
    let mut parser = Parser {
        scanner: Scanner::new(source),
        tape: &mut tape,
        depth: 0,
    };
    let outcome = parser.whole();
    outcome.map_err(|error| error.in_text(source))?;
    Ok(tape)
}

/// Decodes bytes as text.
///
/// # Errors
///
/// Returns an error with the place if the bytes are not UTF-8.
///
/// ```
/// use message_format::text::decode;
///
/// assert_eq!(decode(b"[1]")?, "[1]");
/// assert_eq!(decode(b"\n[\xff]").expect_err("no UTF-8").line(), Some(2));
/// # Ok::<(), message_format::DataError>(())
/// ```
pub fn decode(bytes: &[u8]) -> Result<&str, DataError> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        let what = "this text is UTF-16: expected UTF-8; save the file as UTF-8";
        return Err(DataError::new(what).at(0));
    }
    std::str::from_utf8(bytes).map_err(|error| {
        let (good, bad) = bytes.split_at(error.valid_up_to());
        let offset = u32::try_from(good.len()).unwrap_or(u32::MAX);
        let byte = format!("{:#04x}", bad[0]);
        let what = "is not valid UTF-8; save the file as UTF-8";
        let good = String::from_utf8_lossy(good);
        let error = DataError::new(format_args!("the byte {byte} {what}"));
        error.at(offset).in_text(&good)
    })
}

struct Parser<'s, 't> {
    scanner: Scanner<'s>,
    tape: &'t mut Tape,
    depth: u32,
}

impl Parser<'_, '_> {
    fn whole(&mut self) -> Result<(), DataError> {
        self.scanner.skip()?;
        while self.scanner.eat("#") {
            self.attribute()?;
            self.scanner.skip()?;
        }
        self.value()?;
        self.scanner.skip()?;
        if self.scanner.rest().is_empty() {
            Ok(())
        } else {
            Err(self.scanner.expected("the end of the text"))
        }
    }

    /// Skips white space and `part`, which has to be next.
    fn expect(&mut self, part: &str) -> Result<(), DataError> {
        self.scanner.skip()?;
        if self.scanner.eat(part) {
            return Ok(());
        }
        Err(self.scanner.expected(&format!("`{part}`")))
    }

    /// Reads `#![enable(…)]`, or what other programs write there.
    fn attribute(&mut self) -> Result<(), DataError> {
        self.expect("!")?;
        self.expect("[")?;
        self.scanner.skip()?;
        match self.scanner.word().map(|word| word.text) {
            Some("enable") => {
                self.expect("(")?;
                self.extensions()?;
                self.expect(")")?;
            }
            Some("type" | "schema") => {
                self.expect("=")?;
                self.scanner.skip()?;
                let ahead = self.scanner.clone();
                self.value()?;
                let value = self.tape.tokens.pop();
                if value.is_none_or(|value| value.kind != Kind::Str) {
                    return Err(ahead.expected("a string"));
                }
            }
            _ => {
                let what = "`enable(…)`, `type = \"…\"` or `schema = \"…\"`";
                return Err(self.scanner.expected(what));
            }
        }
        self.expect("]")
    }

    /// Reads the names of extensions.
    fn extensions(&mut self) -> Result<(), DataError> {
        loop {
            self.scanner.skip()?;
            let begin = self.scanner.at();
            if let Some(word) = self.scanner.word() {
                let mut all = TextExtension::ALL.iter();
                let Some(&(extension, _)) = all.find(|(_, name)| *name == word.text) else {
                    let known = TextExtension::ALL.map(|(_, name)| name);
                    let error = no_such("unknown extension", word.text, "there are", &known);
                    return Err(error.at(begin));
                };
                self.tape.options = self.tape.options.with_default_extension(extension);
            }
            self.scanner.skip()?;
            if !self.scanner.eat(",") {
                return Ok(());
            }
        }
    }

    /// Appends a token that began at this place and ends here.
    fn put(&mut self, kind: Kind, content: Content<'_>, begin: u32) -> Result<(), DataError> {
        let span = (begin, self.scanner.at());
        self.tape.put(kind, content, span)
    }

    fn value(&mut self) -> Result<(), DataError> {
        let begin = self.scanner.at();
        let Some(next) = self.scanner.peek() else {
            return Err(self.scanner.expected("a value"));
        };
        match next {
            '(' => self.parentheses(),
            '[' => self.entries(Kind::Seq),
            '{' => self.entries(Kind::Map),
            '"' => {
                let string = self.scanner.string()?;
                self.put(Kind::Str, Content::Text(&string), begin)
            }
            '\'' => {
                let character = self.scanner.char()?;
                let number = u32::from(character).into();
                self.put(Kind::Char, Content::Data(number), begin)
            }
            '.' if self.scanner.rest().starts_with("..") => self.range(None),
            '0'..='9' | '.' | '+' | '-' => {
                self.number()?;
                self.range_after_number()
            }
            _ => self.word_or_literal(),
        }
    }

    /// Reads `()`, `(a, b)` or `(a: 1, b: 2)`.
    fn parentheses(&mut self) -> Result<(), DataError> {
        // Fields, if a word and a colon come next: look ahead.
        let mut ahead = self.scanner.clone();
        ahead.eat("(");
        let inside = ahead.rest();
        ahead.skip()?;
        if ahead.eat(")") {
            let begin = self.scanner.at();
            self.scanner = ahead;
            let empty = match inside {
                _ if inside.starts_with(')') => Empty::Unit,
                _ if inside.starts_with("/**/)") => Empty::Tuple,
                _ => Empty::Fields,
            };
            return self.put(Kind::Unit, Content::Data(empty as u64), begin);
        }
        let has_word = ahead.word().is_some() && ahead.skip().is_ok();
        let is_struct = has_word && ahead.rest().starts_with(':');
        self.entries(if is_struct { Kind::Fields } else { Kind::Tuple })
    }

    fn entries(&mut self, kind: Kind) -> Result<(), DataError> {
        let (open, close) = brackets(kind);
        let begin = self.scanner.at();
        self.scanner.eat(open);
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(DataError::too_deep().at(begin));
        }
        let opened = self.tape.open(kind, begin);
        let mut has_comma = false;
        loop {
            self.scanner.skip()?;
            if self.scanner.eat(close) {
                break;
            }
            if kind == Kind::Fields {
                let begin = self.scanner.at();
                let Some(name) = self.scanner.word() else {
                    return Err(self.scanner.expected("the name of a field"));
                };
                self.put(Kind::Word, Content::Text(name.text), begin)?;
            } else {
                self.value()?;
            }
            if kind.parts() == 2 {
                self.expect(":")?;
                self.scanner.skip()?;
                self.value()?;
            }
            self.scanner.skip()?;
            has_comma = self.scanner.eat(",");
            if !has_comma && !self.scanner.rest().starts_with(close) {
                return Err(self.scanner.expected(&format!("`,` or `{close}`")));
            }
        }
        self.depth -= 1;
        self.tape.end(opened, self.scanner.at())?;
        let token = &mut self.tape.tokens[opened];
        if kind == Kind::Tuple && token.len() == 1 && !has_comma {
            token.kind = Kind::Wrapped;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), DataError> {
        let begin = self.scanner.at();
        let number = self.scanner.number()?;
        self.push_number(number, begin)
    }

    fn push_number(&mut self, number: Number, begin: u32) -> Result<(), DataError> {
        let mut put = |kind, content: Content<'_>| self.put(kind, content, begin);
        match number {
            Number::Natural(number) => unsigned(number, put),
            Number::Negative(number) => signed(number, put),
            Number::Float(number) => put(Kind::Float, Content::Data(number.to_bits())),
            Number::Single(number) => put(Kind::Single, Content::Data(number.to_bits().into())),
        }
    }

    /// Reads the rest of the range that the last number begins, if it begins one.
    fn range_after_number(&mut self) -> Result<(), DataError> {
        if !self.scanner.rest().starts_with("..") {
            return Ok(());
        }
        let start = self.tape.tokens.pop();
        self.range(start)
    }

    /// Reads `1..2`, `1..=2`, `1..`, `..2`, `..=2` or `..`, after the first number.
    fn range(&mut self, start: Option<Token>) -> Result<(), DataError> {
        let begin = start.map_or(self.scanner.at(), |number| number.start);
        let is_inclusive = self.scanner.eat("..=");
        if !is_inclusive {
            self.scanner.eat("..");
        }
        let rest = self.scanner.rest();
        let is_number = |next: char| next.is_ascii_digit() || matches!(next, '+' | '-' | '.');
        let is_literal = || {
            let word = self.scanner.clone().word();
            word.is_some_and(|word| !word.is_raw && literal(word.text).is_some())
        };
        let mut end = None;
        if is_inclusive || rest.starts_with(is_number) || is_literal() {
            self.number()?;
            end = self.tape.tokens.pop();
        }
        let name = match (start, end, is_inclusive) {
            (Some(_), Some(_), false) => "Range",
            (Some(_), Some(_), true) => "RangeInclusive",
            (Some(_), None, _) => "RangeFrom",
            (None, Some(_), false) => "RangeTo",
            (None, Some(_), true) => "RangeToInclusive",
            (None, None, _) => {
                return self.put(Kind::Unit, Content::Data(Empty::Unit as u64), begin);
            }
        };
        self.put(Kind::Range, Content::Text(name), begin)?;
        let fields = self.tape.open(Kind::Fields, begin);
        for (field, number) in [("start", start), ("end", end)] {
            if let Some(number) = number {
                let place = (number.start, number.end);
                self.tape.push_str(Kind::Word, field, place)?;
                self.tape.tokens.push(number);
            }
        }
        self.tape.end(fields, self.scanner.at())
    }

    /// Reads a word with what it names, or a literal that begins with a letter.
    fn word_or_literal(&mut self) -> Result<(), DataError> {
        let begin = self.scanner.at();
        let rest = self.scanner.rest();
        let is_string = |rest: &str| rest.trim_start_matches('#').starts_with('"');
        if rest.strip_prefix('r').is_some_and(is_string) {
            self.scanner.eat("r");
            let string = self.scanner.raw_string()?;
            return self.put(Kind::Str, Content::Text(string), begin);
        }
        if rest.strip_prefix("br").is_some_and(is_string) {
            self.scanner.eat("br");
            let bytes = self.scanner.raw_string()?;
            return self.put(Kind::Bytes, Content::Bytes(bytes.as_bytes()), begin);
        }
        if rest.starts_with("b\"") {
            self.scanner.eat("b");
            let bytes = self
                .scanner
                .between_quotes("this byte string is not closed")?;
            return self.put(Kind::Bytes, Content::Bytes(&bytes), begin);
        }
        if rest.starts_with("b'") {
            self.scanner.eat("b");
            let byte = self.scanner.byte()?;
            return self.put(Kind::Natural, Content::Data(byte.into()), begin);
        }
        let Some(word) = self.scanner.word() else {
            return Err(self.scanner.expected("a value"));
        };
        let mut ahead = self.scanner.clone();
        ahead.skip()?;
        match (word.text, word.is_raw) {
            (name, is_raw) if ahead.rest().starts_with('(') => {
                let is_some = name == "Some" && !is_raw;
                let kind = if is_some { Kind::Some } else { Kind::Named };
                self.put(kind, Content::Text(name), begin)?;
                self.scanner = ahead;
                self.parentheses()
            }
            ("true" | "false", false) => {
                let number = u64::from(word.text == "true");
                self.put(Kind::Bool, Content::Data(number), begin)
            }
            ("None", false) => self.put(Kind::Nil, Content::Data(0), begin),
            (name, is_raw) => match literal(name).filter(|_| !is_raw) {
                Some(number) => {
                    self.push_number(number, begin)?;
                    self.range_after_number()
                }
                None => self.put(Kind::Word, Content::Text(name), begin),
            },
        }
    }
}
