//! Reads a text onto a tape.

use std::borrow::Cow;

use crate::error::DataError;
use crate::names::no_such;
use crate::tape::{Empty, Extensions, Kind, MAX_DEPTH, Tape, part_of_source};
use crate::text::number::{Number, literal};
use crate::text::options::TextExtension;
use crate::text::scan::Scanner;

/// Reads one value, after which the text has to end. The given extensions need not be enabled in the text.
///
/// # Errors
///
/// Returns an error with the place if the text is not in RON syntax.
///
/// ```
/// use message_format::{tape::Extensions, text};
///
/// let error = text::read("[1, 2", Extensions::NONE).expect_err("it is not closed");
/// assert_eq!((error.line(), error.column()), (Some(1), Some(6)));
/// ```
pub fn read(source: &str, extensions: Extensions) -> Result<Tape, DataError> {
    let mut tape = Tape::default();
    if u32::try_from(source.len()).is_err() {
        return Err(DataError::too_large());
    }
    tape.begin(source);
    tape.extensions = extensions;
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
pub fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, DataError> {
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        let what = "this is a text in UTF-16: expected UTF-8; save the file in that encoding";
        return Err(DataError::new(what).at(0));
    }
    std::str::from_utf8(bytes)
        .map(Cow::Borrowed)
        .map_err(|error| {
            let good = &bytes[..error.valid_up_to()];
            let offset = u32::try_from(good.len()).unwrap_or(u32::MAX);
            let what = format!(
                "the byte {:#04x} is not part of a text in UTF-8; save the file in that encoding",
                bytes[good.len()]
            );
            let good = String::from_utf8_lossy(good);
            DataError::new(what).at(offset).in_text(&good)
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
                let begin = self.scanner.at();
                if self.scanner.eat("r") {
                    self.scanner.raw_string()?;
                } else if self.scanner.rest().starts_with('"') {
                    self.scanner.string()?;
                } else {
                    return Err(self.scanner.expected("a string").at(begin));
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
                let Some(extension) = TextExtension::named(word.text) else {
                    let known = TextExtension::ALL.map(TextExtension::name);
                    let error = no_such("unknown extension", word.text, "there are", &known);
                    return Err(error.at(begin));
                };
                extension.enable(&mut self.tape.extensions);
            }
            self.scanner.skip()?;
            if !self.scanner.eat(",") {
                return Ok(());
            }
        }
    }

    fn push(&mut self, kind: Kind, data: u64, begin: u32) {
        let span = (begin, self.scanner.at());
        self.tape.push(kind, data, span);
    }

    fn value(&mut self) -> Result<(), DataError> {
        let begin = self.scanner.at();
        let Some(next) = self.scanner.peek() else {
            return Err(self.scanner.expected("a value"));
        };
        match next {
            '(' => self.parentheses(),
            '[' => {
                self.scanner.eat("[");
                self.entries(Kind::Seq, begin)
            }
            '{' => {
                self.scanner.eat("{");
                self.entries(Kind::Map, begin)
            }
            '"' => {
                let string = self.scanner.string()?;
                let end = self.scanner.at();
                self.push_string(string, begin, end - 1)
            }
            '\'' => {
                let character = self.scanner.char()?;
                self.push(Kind::Char, u32::from(character).into(), begin);
                Ok(())
            }
            '.' if self.scanner.rest().starts_with("..") => self.range(None),
            '0'..='9' | '.' | '+' | '-' => self.number(),
            _ => self.word_or_literal(),
        }
    }

    /// Appends a string. The literal begins at `begin`, and the content ends at `quote`, the closing quotation mark.
    fn push_string(
        &mut self,
        string: Cow<'_, str>,
        begin: u32,
        quote: u32,
    ) -> Result<(), DataError> {
        let end = self.scanner.at();
        match string {
            Cow::Borrowed(plain) => {
                // A part of the source, up to the quotation mark.
                let length = u32::try_from(plain.len()).map_err(|_| DataError::too_large())?;
                self.tape.push(
                    Kind::Str,
                    part_of_source(quote - length, quote),
                    (begin, end),
                );
                Ok(())
            }
            Cow::Owned(escaped) => self.tape.push_str(Kind::Str, &escaped, (begin, end)),
        }
    }

    /// Reads `()`, `(a, b)` or `(a: 1, b: 2)`.
    fn parentheses(&mut self) -> Result<(), DataError> {
        let begin = self.scanner.at();
        self.scanner.eat("(");
        let inside = self.scanner.rest();
        self.scanner.skip()?;
        if self.scanner.eat(")") {
            let empty = match inside {
                _ if inside.starts_with(')') => Empty::Unit,
                _ if inside.starts_with("/**/)") => Empty::Tuple,
                _ => Empty::Fields,
            };
            self.push(Kind::Unit, empty as u64, begin);
            return Ok(());
        }
        // Fields, if a word and a colon come next: look, and come back.
        let kind = if is_field(Scanner::new(self.scanner.rest())) {
            Kind::Fields
        } else {
            Kind::Tuple
        };
        self.entries(kind, begin)
    }

    fn entries(&mut self, kind: Kind, begin: u32) -> Result<(), DataError> {
        let (close, keyed) = match kind {
            Kind::Seq => ("]", false),
            Kind::Map => ("}", true),
            _ => (")", kind == Kind::Fields),
        };
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(DataError::too_deep().at(begin));
        }
        let opened = self.tape.open(kind, begin);
        let mut len = 0;
        let mut has_comma = false;
        loop {
            self.scanner.skip()?;
            if self.scanner.eat(close) {
                break;
            }
            if kind == Kind::Fields {
                self.field()?;
            } else {
                self.value()?;
            }
            if keyed {
                self.expect(":")?;
                self.scanner.skip()?;
                self.value()?;
            }
            len += 1;
            self.scanner.skip()?;
            if self.scanner.eat(",") {
                has_comma = true;
            } else {
                if self.scanner.eat(close) {
                    break;
                }
                return Err(self.scanner.expected(&format!("`,` or `{close}`")));
            }
        }
        self.depth -= 1;
        if kind == Kind::Tuple && len == 1 && !has_comma {
            self.tape.tokens[opened].kind = Kind::Wrapped;
        }
        self.tape.close(opened, len, self.scanner.at())
    }

    /// Reads the name of a field.
    fn field(&mut self) -> Result<(), DataError> {
        let begin = self.scanner.at();
        match self.scanner.word() {
            Some(name) => {
                let span = (begin, self.scanner.at());
                self.tape.push_str(Kind::Word, name.text, span)
            }
            None => Err(self.scanner.expected("the name of a field")),
        }
    }

    fn number(&mut self) -> Result<(), DataError> {
        let begin = self.scanner.at();
        let number = self.scanner.number()?;
        let span = (begin, self.scanner.at());
        self.number_or_range(number, span)
    }

    /// Reads a number, or the range that it begins.
    fn number_or_range(&mut self, number: Number, span: (u32, u32)) -> Result<(), DataError> {
        if self.scanner.rest().starts_with("..") {
            return self.range(Some((number, span)));
        }
        self.push_number(number, span);
        Ok(())
    }

    /// Reads `1..2`, `1..=2`, `1..`, `..2`, `..=2` or `..`, after the first number.
    fn range(&mut self, start: Option<(Number, (u32, u32))>) -> Result<(), DataError> {
        let dots = self.scanner.at();
        let is_inclusive = self.scanner.eat("..=");
        if !is_inclusive {
            self.scanner.eat("..");
        }
        let from = self.scanner.at();
        let rest = self.scanner.rest();
        let is_number = |next: char| next.is_ascii_digit() || matches!(next, '+' | '-' | '.');
        let is_literal = || {
            let word = Scanner::new(rest).word();
            word.is_some_and(|word| !word.is_raw && literal(word.text).is_some())
        };
        let end = if is_inclusive || rest.starts_with(is_number) || is_literal() {
            let number = self.scanner.number()?;
            Some((number, (from, self.scanner.at())))
        } else {
            None
        };
        let begin = start.as_ref().map_or(dots, |(_, span)| span.0);
        let span = (begin, self.scanner.at());
        let name = match (&start, &end, is_inclusive) {
            (Some(_), Some(_), false) => "Range",
            (Some(_), Some(_), true) => "RangeInclusive",
            (Some(_), None, _) => "RangeFrom",
            (None, Some(_), false) => "RangeTo",
            (None, Some(_), true) => "RangeToInclusive",
            (None, None, _) => {
                self.tape.push(Kind::Unit, Empty::Unit as u64, span);
                return Ok(());
            }
        };
        self.tape.push_str(Kind::Range, name, span)?;
        let fields = self.tape.open(Kind::Fields, begin);
        let mut len = 0;
        for (field, number) in [("start", start), ("end", end)] {
            if let Some((number, place)) = number {
                self.tape.push_str(Kind::Word, field, place)?;
                self.push_number(number, place);
                len += 1;
            }
        }
        self.tape.close(fields, len, span.1)
    }

    fn push_number(&mut self, number: Number, span: (u32, u32)) {
        match number {
            Number::Natural(number) => self.tape.push_unsigned(number, span),
            Number::Negative(number) => self.tape.push_signed(number, span),
            Number::Float(number) => self.tape.push(Kind::Float, number.to_bits(), span),
            Number::Single(number) => self.tape.push(Kind::Single, number.to_bits().into(), span),
        }
    }

    /// Reads a word with what it names, or a literal that begins with a letter.
    fn word_or_literal(&mut self) -> Result<(), DataError> {
        let begin = self.scanner.at();
        let rest = self.scanner.rest();
        let is_string = |rest: &str| rest.trim_start_matches('#').starts_with('"');
        if rest.strip_prefix('r').is_some_and(is_string) {
            self.scanner.eat("r");
            let string = self.scanner.raw_string()?;
            let hashes = rest[1..].bytes().take_while(|&byte| byte == b'#').count();
            let hashes = u32::try_from(hashes).map_err(|_| DataError::too_large())?;
            let quote = self.scanner.at() - hashes - 1;
            return self.push_string(string.into(), begin, quote);
        }
        if rest.strip_prefix("br").is_some_and(is_string) {
            self.scanner.eat("br");
            let bytes = self.scanner.raw_string()?.as_bytes();
            let span = (begin, self.scanner.at());
            return self.tape.push_bytes(bytes, span);
        }
        if rest.starts_with("b\"") {
            self.scanner.eat("b");
            let bytes = self.scanner.byte_string()?;
            let span = (begin, self.scanner.at());
            return self.tape.push_bytes(&bytes, span);
        }
        if rest.starts_with("b'") {
            self.scanner.eat("b");
            let byte = self.scanner.byte()?;
            self.push(Kind::Natural, byte.into(), begin);
            return Ok(());
        }
        let Some(word) = self.scanner.word() else {
            return Err(self.scanner.expected("a value"));
        };
        let span = (begin, self.scanner.at());
        let is_range = self.scanner.rest().starts_with("..");
        self.scanner.skip()?;
        if self.scanner.rest().starts_with('(') {
            let kind = match word.text {
                "Some" if !word.is_raw => Kind::Some,
                _ => Kind::Named,
            };
            self.tape.push_str(kind, word.text, span)?;
            return self.parentheses();
        }
        match word.text {
            name if word.is_raw => self.tape.push_str(Kind::Word, name, span)?,
            "true" | "false" => self
                .tape
                .push(Kind::Bool, (word.text == "true").into(), span),
            "None" => self.tape.push(Kind::Nil, 0, span),
            name => match literal(name) {
                Some(number) if is_range => self.range(Some((number, span)))?,
                Some(number) => self.push_number(number, span),
                None => self.tape.push_str(Kind::Word, name, span)?,
            },
        }
        Ok(())
    }
}

/// Returns `true` if a word and a colon come next.
fn is_field(mut ahead: Scanner<'_>) -> bool {
    ahead.word().is_some() && ahead.skip().is_ok() && ahead.rest().starts_with(':')
}
