//! Recognizes the buffers of serde's derives.
//!
//! serde first reads an untagged or an internally tagged enum, and the fields next to a flattened one, into a
//! buffer, whose type it does not name publicly. The name is found out once, from the type that such an enum
//! asks for.

use std::any::type_name;
use std::sync::LazyLock;

use serde::de::{Deserialize, Deserializer, Visitor};
use serde::forward_to_deserialize_any;

use crate::error::DataError;

/// The name of the buffer's type.
static BUFFER: LazyLock<String> = LazyLock::new(|| {
    let asked = Untagged::deserialize(Ask).map(drop);
    asked.map_or_else(|error| error.what().to_owned(), |()| String::new())
});

/// Returns `true` if a value is read into a buffer.
pub(super) fn is_buffer<T>() -> bool {
    type_name::<T>() == *BUFFER
}

/// Returns `true` if the tag of an internally tagged enum is read, and the rest into a buffer.
pub(super) fn is_tag_and_buffer<T>() -> bool {
    let pair = type_name::<T>().strip_prefix('(');
    let rest = pair.and_then(|pair| pair.strip_suffix(')')?.strip_suffix(&**BUFFER));
    rest.is_some_and(|rest| rest.ends_with(", "))
}

#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Untagged {
    Nothing,
}

/// Answers every request with the name of the requested type, as an error.
struct Ask;

impl<'de> Deserializer<'de> for Ask {
    type Error = DataError;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, DataError> {
        Err(DataError::new(type_name::<V::Value>()))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_buffer_of_serde_is_recognized() {
        assert!(BUFFER.contains("Content"), "{}", *BUFFER);
        assert!(!is_buffer::<String>() && !is_tag_and_buffer::<(u8, String)>());
    }
}
