//! Values of JSON, and their text.

use std::fmt::{self, Display, Write};

use message_core::trace::TraceId;

/// The fields of an object, in the order in which they are written.
pub(crate) type Fields = Vec<(&'static str, Value)>;

/// A value.
#[derive(Debug)]
pub(crate) enum Value {
    Null,
    Natural(u64),
    /// A finite number.
    Number(f64),
    Text(String),
    List(Vec<Value>),
    Object(Fields),
}

impl Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Natural(number) => number.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => write_text(f, text),
            Self::List(values) => {
                f.write_char('[')?;
                for (at, value) in values.iter().enumerate() {
                    f.write_str(comma(at))?;
                    value.fmt(f)?;
                }
                f.write_char(']')
            }
            Self::Object(fields) => {
                f.write_char('{')?;
                for (at, (name, value)) in fields.iter().enumerate() {
                    write!(f, "{}\"{name}\":{value}", comma(at))?;
                }
                f.write_char('}')
            }
        }
    }
}

fn comma(at: usize) -> &'static str {
    if at == 0 { "" } else { "," }
}

fn write_text(f: &mut fmt::Formatter<'_>, text: &str) -> fmt::Result {
    f.write_char('"')?;
    let mut rest = text;
    while let Some(at) = rest.find(|it: char| matches!(it, '"' | '\\' | '\0'..='\x1f')) {
        let escaped = rest.as_bytes()[at];
        f.write_str(&rest[..at])?;
        match escaped {
            b'"' | b'\\' => write!(f, "\\{}", char::from(escaped))?,
            b'\n' => f.write_str("\\n")?,
            _ => write!(f, "\\u{escaped:04x}")?,
        }
        rest = &rest[at + 1..];
    }
    f.write_str(rest)?;
    f.write_char('"')
}

impl From<u64> for Value {
    fn from(number: u64) -> Self {
        Self::Natural(number)
    }
}

impl From<u32> for Value {
    fn from(number: u32) -> Self {
        Self::Natural(number.into())
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Self {
        Self::Natural(number as u64)
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Self {
        Self::Number(number)
    }
}

impl From<TraceId> for Value {
    fn from(id: TraceId) -> Self {
        Self::Natural(id.get())
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Fields> for Value {
    fn from(fields: Fields) -> Self {
        Self::Object(fields)
    }
}

impl<V: Into<Value>> From<Option<V>> for Value {
    fn from(value: Option<V>) -> Self {
        value.map_or(Self::Null, V::into)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_has_its_text() {
        let list = vec![Value::Null, 3_u64.into(), 0.25.into(), 2.0.into()];
        let object: Fields = vec![
            ("a", Value::List(list)),
            ("b", "\"C:\\é\"\n\t\0\u{7f}".into()),
            ("c", None::<u64>.into()),
            ("d", Fields::new().into()),
        ];
        assert_eq!(
            Value::from(object).to_string(),
            "{\"a\":[null,3,0.25,2],\"b\":\"\\\"C:\\\\é\\\"\\n\\u0009\\u0000\u{7f}\",\"c\":null,\"d\":{}}"
        );
    }
}
