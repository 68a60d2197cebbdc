//! Reads text in RON syntax onto a tape, and prints tapes. The page [`text_format`](crate::text_format)
//! specifies what is read and written.
//!
//! ```
//! use message_format::{TextOptions, text};
//!
//! let tape = text::read("Move( x: 1, /* and */ y: 2, )", TextOptions::new())?;
//! assert_eq!(text::print(&tape, 0), "Move(x: 1, y: 2)");
//! # Ok::<(), message_format::DataError>(())
//! ```

pub(crate) mod number;
mod read;
pub(crate) mod scan;
mod string;
#[cfg(test)]
mod tests;
mod write;

pub use read::{decode, read};
pub use write::print;

use crate::tape::Kind;

/// Words that are values, or are written in front of one. As names, they are written with `r#`.
const WORDS: [&str; 10] = [
    "true", "false", "Some", "None", "inf", "inff32", "inff64", "NaN", "NaNf32", "NaNf64",
];

/// Returns what opens and closes a container.
fn brackets(kind: Kind) -> (&'static str, &'static str) {
    match kind {
        Kind::Seq => ("[", "]"),
        Kind::Map => ("{", "}"),
        _ => ("(", ")"),
    }
}

/// Returns `true` if a word can begin with this.
pub(crate) fn begins_word(character: char) -> bool {
    is_in_word(character) && !character.is_numeric()
}

/// Returns `true` if a word can contain this. Beyond ASCII, every visible character counts, so that no table of
/// Unicode is needed to distinguish letters and their marks from signs.
#[inline]
pub(crate) fn is_in_word(character: char) -> bool {
    if character.is_ascii() {
        return character == '_' || character.is_ascii_alphanumeric();
    }
    !is_blank(character) && !character.is_control()
}

/// Returns `true` if a word with `r#` can contain this.
fn is_in_raw_word(character: char) -> bool {
    is_in_word(character) || matches!(character, '-' | '.' | '+')
}

/// Returns `true` if this separates words and has no other meaning.
#[inline]
fn is_blank(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{feff}' | '\u{200e}' | '\u{200f}')
}

/// Returns `true` if this is a word without `r#` in front of it.
fn is_word(text: &str) -> bool {
    text.starts_with(begins_word) && text.chars().all(is_in_word) && !WORDS.contains(&text)
}

/// Returns `true` if a name can be written as a word, with or without `r#` in front of it.
///
/// ```
/// use message_format::text::is_name;
///
/// assert!(is_name("max-hp") && !is_name("max hp"));
/// ```
#[must_use]
pub fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(is_in_raw_word)
}
