//! The text of a shape.
//!
//! A name that is not a word, or that could be taken for a plain value, is quoted. A name alone refers to the nearest
//! type around it with that name, or to a struct without fields if there is none.
//!
//! Parsing takes memory in proportion to the text, and the nesting depth is limited.

use std::fmt::{self, Display, Formatter};

use super::value::{Content, Field, Plain, Value, Variant};
use crate::error::DataError;
use crate::tape::MAX_DEPTH;

/// A name, quoted if it is not a word.
struct Name<'n>(&'n str);

fn is_word_begin(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

impl Display for Name<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let is_plain = self.0.starts_with(is_word_begin)
            && self.0.chars().all(is_word)
            && self.0 != OPTION
            && Plain::named(self.0).is_none();
        if is_plain {
            return f.write_str(self.0);
        }
        f.write_str("\"")?;
        for character in self.0.chars() {
            if matches!(character, '"' | '\\') {
                f.write_str("\\")?;
            }
            write!(f, "{character}")?;
        }
        f.write_str("\"")
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
            Self::TupleStruct(name, all) => {
                Name(name).fmt(f)?;
                values(f, all)
            }
            Self::Newtype(name, value) => write!(f, "{}({value})", Name(name)),
            Self::UnitStruct(name) | Self::Again(name) => Name(name).fmt(f),
            Self::Struct(name, fields) => {
                Name(name).fmt(f)?;
                list(f, ("(", ")"), fields)
            }
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

impl Display for Variant {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Name(&self.name).fmt(f)?;
        match &self.content {
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
        text,
        at: 0,
        depth: 0,
        around: Vec::new(),
    };
    let value = parser.value()?;
    match parser.peek() {
        None => Ok(value),
        Some(_) => Err(parser.expected("the end of the shape")),
    }
}

fn error(at: usize, what: impl Display) -> DataError {
    DataError::new(what).at(u32::try_from(at).unwrap_or(u32::MAX))
}

struct Parser<'t> {
    text: &'t str,
    at: usize,
    depth: u32,
    /// The names of the types around this place.
    around: Vec<String>,
}

impl Parser<'_> {
    fn peek(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        let spaces = rest.len() - rest.trim_start_matches(' ').len();
        self.at += spaces;
        self.text[self.at..].chars().next()
    }

    #[cold]
    fn expected(&mut self, what: &str) -> DataError {
        let found = match self.peek() {
            Some(found) => format!("`{}`", found.escape_debug()),
            None => "the end".to_owned(),
        };
        error(self.at, format_args!("expected {what}, found {found}"))
    }

    /// Skips a mark and returns `true`, if it is next.
    fn is_next(&mut self, mark: char) -> bool {
        let is_next = self.peek() == Some(mark);
        if is_next {
            self.at += mark.len_utf8();
        }
        is_next
    }

    fn take(&mut self, mark: char) -> Result<(), DataError> {
        if self.is_next(mark) {
            return Ok(());
        }
        Err(self.expected(&format!("`{mark}`")))
    }

    /// Returns the next word. Empty if there is none.
    fn word(&mut self) -> String {
        let begins = self.peek().is_some_and(is_word_begin);
        let rest = &self.text[self.at..];
        let len = rest.find(|it| !is_word(it)).unwrap_or(rest.len());
        let word = if begins { &rest[..len] } else { "" };
        self.at += word.len();
        word.to_owned()
    }

    fn quoted(&mut self) -> Result<String, DataError> {
        let begin = self.at;
        self.take('"')?;
        let mut name = String::new();
        let mut escaped = false;
        for (at, character) in self.text[self.at..].char_indices() {
            match character {
                '\\' if !escaped => escaped = true,
                '"' if !escaped => {
                    self.at += at + 1;
                    return Ok(name);
                }
                _ => {
                    escaped = false;
                    name.push(character);
                }
            }
        }
        Err(error(begin, "this name does not end: expected `\"`"))
    }

    /// Parses a name. Returns it, and whether it is a word.
    fn name(&mut self, what: &str) -> Result<(String, bool), DataError> {
        if self.peek() == Some('"') {
            return Ok((self.quoted()?, false));
        }
        let word = self.word();
        if word.is_empty() {
            return Err(self.expected(what));
        }
        Ok((word, true))
    }

    fn value(&mut self) -> Result<Value, DataError> {
        if self.depth == MAX_DEPTH {
            return Err(error(
                self.at,
                "nested too deeply: expected at most 128 levels",
            ));
        }
        self.depth += 1;
        let value = self.inner();
        self.depth -= 1;
        value
    }

    fn inner(&mut self) -> Result<Value, DataError> {
        if self.is_next('[') {
            let value = self.value()?;
            self.take(']')?;
            return Ok(Value::Seq(Box::new(value)));
        }
        if self.is_next('{') {
            let key = self.value()?;
            self.take(':')?;
            let entry = (key, self.value()?);
            self.take('}')?;
            return Ok(Value::Map(Box::new(entry)));
        }
        if self.peek() == Some('(') {
            return self.tuple();
        }
        let begin = self.at;
        let (name, is_word) = self.name("a type")?;
        if is_word && name == OPTION {
            self.take('<')?;
            let value = self.value()?;
            self.take('>')?;
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
                return Err(error(begin, what));
            }
            return Ok(Value::UnitStruct(name));
        }
        self.around.push(name);
        let behind = match next {
            Some('{') => self.variants().map(Err),
            _ => self.behind().map(Ok),
        };
        let name = self.around.pop().unwrap_or_default();
        Ok(match behind? {
            Ok(Content::Nothing) => Value::UnitStruct(name),
            Ok(Content::One(value)) => Value::Newtype(name, Box::new(value)),
            Ok(Content::Values(values)) => Value::TupleStruct(name, values),
            Ok(Content::Fields(fields)) => Value::Struct(name, fields),
            Err(variants) => Value::Enum(name, variants),
        })
    }

    /// Parses `()`, a tuple or an array.
    fn tuple(&mut self) -> Result<Value, DataError> {
        self.take('(')?;
        if self.is_next(')') {
            return Ok(Value::Plain(Plain::Unit));
        }
        let first = self.value()?;
        if self.is_next(';') {
            self.peek();
            let rest = &self.text[self.at..];
            let digits = rest.len()
                - rest
                    .trim_start_matches(|it: char| it.is_ascii_digit())
                    .len();
            let Ok(len) = rest[..digits].parse() else {
                return Err(self.expected("a number of values"));
            };
            self.at += digits;
            self.take(')')?;
            return Ok(Value::Array(Box::new(first), len));
        }
        let (values, _) = self.values(first)?;
        Ok(Value::Tuple(values))
    }

    /// Parses the values after the first of several, up to the end of the parentheses. Returns all of them, and
    /// whether there is a comma after the last one.
    fn values(&mut self, first: Value) -> Result<(Vec<Value>, bool), DataError> {
        let mut values = vec![first];
        while self.is_next(',') {
            if self.is_next(')') {
                return Ok((values, true));
            }
            values.push(self.value()?);
        }
        self.take(')')?;
        Ok((values, false))
    }

    /// Parses the parentheses after a name.
    fn behind(&mut self) -> Result<Content, DataError> {
        self.take('(')?;
        if self.is_next(')') {
            return Ok(Content::Fields(Vec::new()));
        }
        if self.begins_field()? {
            let mut fields = vec![self.field()?];
            while self.is_next(',') {
                fields.push(self.field()?);
            }
            self.take(')')?;
            return Ok(Content::Fields(fields));
        }
        let first = self.value()?;
        let (mut values, has_comma) = self.values(first)?;
        Ok(match values.pop() {
            Some(one) if values.is_empty() && !has_comma => Content::One(one),
            last => {
                values.extend(last);
                Content::Values(values)
            }
        })
    }

    /// Returns `true` if a name and `:`, `?` or `|` are next.
    fn begins_field(&mut self) -> Result<bool, DataError> {
        if !matches!(self.peek(), Some(next) if is_word_begin(next) || next == '"') {
            return Ok(false);
        }
        let begin = self.at;
        self.name("a field")?;
        let begins = matches!(self.peek(), Some(':' | '?' | '|'));
        self.at = begin;
        Ok(begins)
    }

    fn field(&mut self) -> Result<Field, DataError> {
        let (name, _) = self.name("a field")?;
        let mut aliases = Vec::new();
        while self.is_next('|') {
            aliases.push(self.name("an alias")?.0);
        }
        let may_be_missing = self.is_next('?');
        self.take(':')?;
        Ok(Field {
            name,
            aliases,
            may_be_missing,
            value: self.value()?,
        })
    }

    fn variants(&mut self) -> Result<Vec<Variant>, DataError> {
        self.take('{')?;
        let mut variants = Vec::new();
        if self.is_next('}') {
            return Ok(variants);
        }
        loop {
            let (name, _) = self.name("a variant")?;
            let content = match self.peek() {
                Some('(') => self.behind()?,
                _ => Content::Nothing,
            };
            variants.push(Variant { name, content });
            if !self.is_next(',') {
                self.take('}')?;
                return Ok(variants);
            }
        }
    }
}
