//! From a text to a tape.

use std::borrow::Cow;

use crate::data::error::{DataError, no_such};
use crate::data::tape::{Form, Kind, MAX_DEPTH, Tape, part_of_source};
use crate::data::text::scan::{Number, Scanner};

/// Reads one value, and nothing behind it.
///
/// # Errors
///
/// What is no text in RON syntax, with its place.
pub(crate) fn read(source: &str) -> Result<Tape, DataError> {
    let mut tape = Tape::default();
    tape.clear(Form::Text);
    if u32::try_from(source.len()).is_err() {
        return Err(DataError::too_large());
    }
    tape.text.push_str(source);
    let mut parser = Parser {
        scanner: Scanner::new(source),
        tape: &mut tape,
        depth: 0,
    };
    let outcome = parser.whole();
    outcome.map_err(|error| error.in_text(source))?;
    Ok(tape)
}

/// Takes bytes for a text.
///
/// # Errors
///
/// Bytes that are not UTF-8, with their place.
pub(crate) fn decode(bytes: &[u8]) -> Result<Cow<'_, str>, DataError> {
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
        while self.scanner.rest().starts_with("#!") {
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

    /// `#![enable(…)]`.
    fn attribute(&mut self) -> Result<(), DataError> {
        for part in ["#!", "[", "enable", "("] {
            self.scanner.skip()?;
            if !self.scanner.eat(part) {
                return Err(self.scanner.expected("`#![enable(…)]`"));
            }
        }
        loop {
            self.scanner.skip()?;
            let begin = self.scanner.at();
            let extensions = &mut self.tape.extensions;
            match self.scanner.word() {
                Some("implicit_some") => extensions.implicit_some = true,
                Some("unwrap_newtypes") => extensions.unwrap_newtypes = true,
                Some("unwrap_variant_newtypes") => extensions.unwrap_variant_newtypes = true,
                Some(other) => {
                    let known = [
                        "implicit_some",
                        "unwrap_newtypes",
                        "unwrap_variant_newtypes",
                    ];
                    return Err(no_such("unknown extension", other, "there are", &known).at(begin));
                }
                None => {}
            }
            self.scanner.skip()?;
            if !self.scanner.eat(",") {
                break;
            }
        }
        for part in [")", "]"] {
            self.scanner.skip()?;
            if !self.scanner.eat(part) {
                return Err(self.scanner.expected(&format!("`{part}`")));
            }
        }
        Ok(())
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
            '[' => self.container(Kind::Seq, "[", "]", false),
            '{' => self.container(Kind::Map, "{", "}", true),
            '"' => {
                let string = self.scanner.string()?;
                self.push_string(string, begin)
            }
            '\'' => {
                let character = self.scanner.char()?;
                self.push(Kind::Char, u32::from(character).into(), begin);
                Ok(())
            }
            '0'..='9' | '.' | '+' | '-' => self.number(),
            _ => self.word_or_literal(),
        }
    }

    fn push_string(&mut self, string: Result<&str, String>, begin: u32) -> Result<(), DataError> {
        let end = self.scanner.at();
        match string {
            Ok(plain) => {
                // A part of the source: behind the quotation mark, or behind `r` and its hashes.
                let length = u32::try_from(plain.len()).map_err(|_| DataError::too_large())?;
                let source = &self.tape.text[begin as usize..];
                let quote = source.find('"').unwrap_or(0);
                let from = begin + u32::try_from(quote).map_err(|_| DataError::too_large())? + 1;
                self.tape
                    .push(Kind::Str, part_of_source(from, from + length), (begin, end));
                Ok(())
            }
            Err(escaped) => self.tape.push_str(Kind::Str, &escaped, (begin, end)),
        }
    }

    /// `()`, `(a, b)` or `(a: 1, b: 2)`.
    fn parentheses(&mut self) -> Result<(), DataError> {
        let begin = self.scanner.at();
        self.scanner.eat("(");
        self.scanner.skip()?;
        if self.scanner.eat(")") {
            self.push(Kind::Unit, 0, begin);
            return Ok(());
        }
        // Fields, if a word and a colon come next: look, and come back.
        let ahead = Scanner::new(self.scanner.rest());
        let has_fields = is_field(ahead);
        let kind = if has_fields {
            Kind::Fields
        } else {
            Kind::Tuple
        };
        self.entries(kind, begin, ")", has_fields)
    }

    fn container(
        &mut self,
        kind: Kind,
        open: &str,
        close: &str,
        keyed: bool,
    ) -> Result<(), DataError> {
        let begin = self.scanner.at();
        self.scanner.eat(open);
        self.entries(kind, begin, close, keyed)
    }

    fn entries(
        &mut self,
        kind: Kind,
        begin: u32,
        close: &str,
        keyed: bool,
    ) -> Result<(), DataError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(DataError::too_deep().at(begin));
        }
        let opened = self.tape.open(kind, begin);
        let mut len = 0;
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
                self.scanner.skip()?;
                if !self.scanner.eat(":") {
                    return Err(self.scanner.expected("`:`"));
                }
                self.scanner.skip()?;
                self.value()?;
            }
            len += 1;
            self.scanner.skip()?;
            if !self.scanner.eat(",") {
                if self.scanner.eat(close) {
                    break;
                }
                return Err(self.scanner.expected(&format!("`,` or `{close}`")));
            }
        }
        self.depth -= 1;
        self.tape.close(opened, len, self.scanner.at())
    }

    /// The name of a field.
    fn field(&mut self) -> Result<(), DataError> {
        let begin = self.scanner.at();
        match self.scanner.word() {
            Some(name) => {
                let span = (begin, self.scanner.at());
                self.tape.push_str(Kind::Word, name, span)
            }
            None => Err(self.scanner.expected("the name of a field")),
        }
    }

    fn number(&mut self) -> Result<(), DataError> {
        let begin = self.scanner.at();
        let negative = self.scanner.eat("-");
        if !negative {
            self.scanner.eat("+");
        }
        let sign = if negative { -1.0 } else { 1.0 };
        if self.scanner.rest().starts_with(char::is_alphabetic) {
            let float = match self.scanner.word() {
                Some("inf") => f64::INFINITY,
                Some("NaN") => f64::NAN,
                _ => return Err(DataError::new("expected a number behind the sign").at(begin)),
            };
            self.push(Kind::Float, (sign * float).to_bits(), begin);
            return Ok(());
        }
        match self.scanner.number().map_err(|error| error.at(begin))? {
            Number::Fraction(number) => self.push(Kind::Float, (sign * number).to_bits(), begin),
            Number::Whole(number) if negative => {
                let Some(number) = 0_i128.checked_sub_unsigned(number) else {
                    let what = "the number is too small: the smallest is -2^127";
                    return Err(DataError::new(what).at(begin));
                };
                let span = (begin, self.scanner.at());
                self.tape.push_signed(number, span);
            }
            Number::Whole(number) => {
                let span = (begin, self.scanner.at());
                self.tape.push_unsigned(number, span);
            }
        }
        Ok(())
    }

    /// A word with what it names, or a literal that begins with a letter.
    fn word_or_literal(&mut self) -> Result<(), DataError> {
        let begin = self.scanner.at();
        let rest = self.scanner.rest();
        let hashed = |rest: &str| rest.trim_start_matches('#').starts_with('"');
        if rest.starts_with('r') && hashed(&rest[1..]) {
            self.scanner.eat("r");
            let string = self.scanner.raw_string()?;
            return self.push_string(Ok(string), begin);
        }
        if rest.starts_with("b\"") {
            self.scanner.eat("b");
            let bytes = self.scanner.byte_string()?;
            let span = (begin, self.scanner.at());
            return self.tape.push_bytes(&bytes, span);
        }
        if rest.starts_with("b'") {
            self.scanner.eat("b");
            let byte = u8::try_from(self.scanner.char()?);
            let byte = byte.map_err(|_| DataError::new("expected a byte").at(begin))?;
            self.push(Kind::Natural, byte.into(), begin);
            return Ok(());
        }
        let Some(word) = self.scanner.word() else {
            return Err(self.scanner.expected("a value"));
        };
        match word {
            "true" | "false" => self.push(Kind::Bool, (word == "true").into(), begin),
            "inf" => self.push(Kind::Float, f64::INFINITY.to_bits(), begin),
            "NaN" => self.push(Kind::Float, f64::NAN.to_bits(), begin),
            name => {
                let span = (begin, self.scanner.at());
                self.scanner.skip()?;
                if self.scanner.rest().starts_with('(') {
                    self.tape.push_str(Kind::Named, name, span)?;
                    return self.parentheses();
                }
                self.tape.push_str(Kind::Word, name, span)?;
            }
        }
        Ok(())
    }
}

/// Returns `true` if a word and a colon come next.
fn is_field(mut ahead: Scanner<'_>) -> bool {
    ahead.word().is_some() && ahead.skip().is_ok() && ahead.rest().starts_with(':')
}
