//! The text of a shape.
//!
//! A name that is not a word, or that could be taken for a plain value, is quoted. A name alone refers to the nearest
//! type around it with that name, or to a struct without fields if there is none.
//!
//! Parsing takes memory in proportion to the text, and the nesting depth is limited.

use std::fmt::{self, Display, Formatter};

use super::value::{Content, Field, Named, Plain, Value};
use crate::error::DataError;
use crate::tape::MAX_DEPTH;
use crate::text::number::Number;
use crate::text::scan::Scanner;
use crate::text::{begins_word, is_in_word};

/// A name, quoted if it is not a word.
struct Name<'n>(&'n str);

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let is_plain = self.0.starts_with(begins_word)
            && self.0.chars().all(is_in_word)
            && self.0 != OPTION
            && Plain::named(self.0).is_none();
        if is_plain {
            return f.write_str(self.0);
        }
        let escaped = self.0.replace('\\', "\\\\").replace('"', "\\\"");
        write!(f, "\"{escaped}\"")
    }
}

const OPTION: &str = "Option";

fn list<T: Display>(f: &mut Formatter<'_>, (open, close): (&str, &str), all: &[T]) -> fmt::Result {
    f.write_str(open)?;
    for (at, one) in all.iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        write!(f, "{comma}{one}")?;
    }
    f.write_str(close)
}

/// Writes values in parentheses. A single value has a comma after it, so that it is not a newtype.
fn values(f: &mut Formatter<'_>, all: &[Value]) -> fmt::Result {
    list(f, ("(", if all.len() == 1 { ",)" } else { ")" }), all)
}

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(plain) => f.write_str(plain.text()),
            Self::Option(value) => write!(f, "{OPTION}<{value}>"),
            Self::Seq(value) => write!(f, "[{value}]"),
            Self::Map(entry) => write!(f, "{{{}: {}}}", entry.0, entry.1),
            Self::Array(value, len) => write!(f, "({value}; {len})"),
            Self::Tuple(all) => values(f, all),
            Self::Struct(named) => named.fmt(f),
            Self::Again(name) => Name(name).fmt(f),
            Self::Enum(name, variants) => {
                Name(name).fmt(f)?;
                list(f, ("{", "}"), variants)
            }
        }
    }
}

impl Display for Field {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Name(&self.name).fmt(f)?;
        for alias in &self.aliases {
            write!(f, "|{}", Name(alias))?;
        }
        let mark = if self.may_be_missing { "?" } else { "" };
        write!(f, "{mark}: {}", self.value)
    }
}

impl Display for Named {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Name(&self.0).fmt(f)?;
        match &self.1 {
            Content::Nothing => Ok(()),
            Content::One(value) => write!(f, "({value})"),
            Content::Values(all) => values(f, all),
            Content::Fields(fields) => list(f, ("(", ")"), fields),
        }
    }
}

/// Parses a shape.
pub(super) fn parse(text: &str) -> Result<Value, DataError> {
    let mut parser = Parser {
        scanner: Scanner::new(text),
        depth: 0,
        around: Vec::new(),
    };
    let value = parser.value()?;
    match parser.peek() {
        None => Ok(value),
        Some(_) => Err(parser.scanner.expected("the end of the shape")),
    }
}

struct Parser<'t> {
    scanner: Scanner<'t>,
    depth: u32,
    /// The names of the types around this place.
    around: Vec<String>,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        self.scanner.skip_blanks();
        self.scanner.peek()
    }

    /// Skips a mark and returns `true`, if it is next.
    fn is_next(&mut self, mark: &str) -> bool {
        self.scanner.skip_blanks();
        self.scanner.eat(mark)
    }

    fn take(&mut self, mark: &str) -> Result<(), DataError> {
        if self.is_next(mark) {
            return Ok(());
        }
        Err(self.scanner.expected(&format!("`{mark}`")))
    }

    /// Parses a name. Returns it, and whether it is a word.
    fn name(&mut self, what: &str) -> Result<(String, bool), DataError> {
        if self.peek() == Some('"') {
            return Ok((self.scanner.string()?, false));
        }
        match self.scanner.word() {
            Some(word) => Ok((word.text.to_owned(), !word.is_raw)),
            None => Err(self.scanner.expected(what)),
        }
    }

    fn value(&mut self) -> Result<Value, DataError> {
        if self.depth == MAX_DEPTH {
            return Err(DataError::too_deep().at(self.scanner.at()));
        }
        self.depth += 1;
        let value = self.inner();
        self.depth -= 1;
        value
    }

    fn inner(&mut self) -> Result<Value, DataError> {
        if self.is_next("[") {
            let value = self.value()?;
            self.take("]")?;
            return Ok(Value::Seq(Box::new(value)));
        }
        if self.is_next("{") {
            let key = self.value()?;
            self.take(":")?;
            let entry = (key, self.value()?);
            self.take("}")?;
            return Ok(Value::Map(Box::new(entry)));
        }
        if self.peek() == Some('(') {
            return self.tuple();
        }
        let begin = self.scanner.at();
        let (name, is_word) = self.name("a type")?;
        if is_word && name == OPTION {
            self.take("<")?;
            let value = self.value()?;
            self.take(">")?;
            return Ok(Value::Option(Box::new(value)));
        }
        if is_word && let Some(plain) = Plain::named(&name) {
            return Ok(Value::Plain(plain));
        }
        let next = self.peek();
        if !matches!(next, Some('(' | '{')) {
            if self.around.contains(&name) {
                return Ok(Value::Again(name));
            }
            // A misspelled plain type would be taken for a struct without fields.
            if is_word && !name.starts_with(char::is_uppercase) {
                let what = format!("there is no type `{name}`");
                return Err(DataError::new(what).at(begin));
            }
            return Ok(Value::Struct(Named(name, Content::Nothing)));
        }
        self.around.push(name.clone());
        let value = match next {
            Some('{') => Value::Enum(name, self.variants()?),
            _ => Value::Struct(Named(name, self.behind()?)),
        };
        self.around.pop();
        Ok(value)
    }

    /// Parses `()`, a tuple or an array.
    fn tuple(&mut self) -> Result<Value, DataError> {
        self.take("(")?;
        if self.is_next(")") {
            return Ok(Value::Plain(Plain::Unit));
        }
        let first = self.value()?;
        if self.is_next(";") {
            self.scanner.skip_blanks();
            let ahead = self.scanner.clone();
            let len = match self.scanner.number() {
                Ok(Number::Natural(len)) => u32::try_from(len).ok(),
                _ => None,
            };
            let len = len.ok_or_else(|| ahead.expected("a number of values"))?;
            self.take(")")?;
            return Ok(Value::Array(Box::new(first), len));
        }
        let mut values = vec![first];
        if self.is_next(",") {
            values.extend(self.entries(")", Self::value)?.0);
        } else {
            self.take(")")?;
        }
        Ok(Value::Tuple(values))
    }

    /// Parses the entries of a list, up to its end. Returns them, and whether there is a comma after the last one.
    fn entries<T>(
        &mut self,
        close: &str,
        entry: fn(&mut Self) -> Result<T, DataError>,
    ) -> Result<(Vec<T>, bool), DataError> {
        let mut entries = Vec::new();
        while !self.is_next(close) {
            entries.push(entry(self)?);
            if !self.is_next(",") {
                self.take(close)?;
                return Ok((entries, false));
            }
        }
        Ok((entries, true))
    }

    /// Parses the parentheses after a name.
    fn behind(&mut self) -> Result<Content, DataError> {
        self.take("(")?;
        if self.is_next(")") {
            return Ok(Content::Fields(Vec::new()));
        }
        if self.begins_field() {
            return Ok(Content::Fields(self.entries(")", Self::field)?.0));
        }
        let (mut values, has_comma) = self.entries(")", Self::value)?;
        if let [_] = values[..]
            && !has_comma
        {
            return Ok(Content::One(Box::new(values.remove(0))));
        }
        Ok(Content::Values(values))
    }

    /// Returns `true` if a name and `:`, `?` or `|` are next.
    fn begins_field(&mut self) -> bool {
        let before = self.scanner.clone();
        let has_name = self.name("a field").is_ok();
        let begins = has_name && matches!(self.peek(), Some(':' | '?' | '|'));
        self.scanner = before;
        begins
    }

    fn field(&mut self) -> Result<Field, DataError> {
        let (name, _) = self.name("a field")?;
        let mut aliases = Vec::new();
        while self.is_next("|") {
            aliases.push(self.name("an alias")?.0);
        }
        let may_be_missing = self.is_next("?");
        self.take(":")?;
        Ok(Field {
            name,
            aliases,
            may_be_missing,
            value: self.value()?,
        })
    }

    fn variants(&mut self) -> Result<Vec<Named>, DataError> {
        self.take("{")?;
        Ok(self.entries("}", Self::variant)?.0)
    }

    fn variant(&mut self) -> Result<Named, DataError> {
        let (name, _) = self.name("a variant")?;
        let content = match self.peek() {
            Some('(') => self.behind()?,
            _ => Content::Nothing,
        };
        Ok(Named(name, content))
    }
}
