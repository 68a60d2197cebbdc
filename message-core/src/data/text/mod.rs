//! Text in RON syntax, to a tape and back.

mod read;
mod scan;
mod write;

pub(crate) use read::{decode, read};
pub(crate) use write::print;

use crate::data::error::DataError;

/// The words that are values and no names.
const WORDS: [&str; 4] = ["true", "false", "inf", "NaN"];

/// Returns `true` if this can begin a word.
fn begins_word(character: char) -> bool {
    character == '_' || character.is_alphabetic()
}

/// Returns `true` if this can stand in a word.
fn is_in_word(character: char) -> bool {
    character == '_' || character.is_alphanumeric()
}

/// Returns `true` if this is a word as it stands.
fn is_word(text: &str) -> bool {
    let mut characters = text.chars();
    characters.next().is_some_and(begins_word)
        && characters.all(is_in_word)
        && !WORDS.contains(&text)
}

/// Returns a name that can stand in a text, as it is or behind `r#`.
///
/// # Errors
///
/// Any other name.
pub(crate) fn checked_word(name: &str) -> Result<&str, DataError> {
    let mut characters = name.chars();
    let is_in_raw = |next| is_in_word(next) || matches!(next, '-' | '.' | '+');
    if characters.next().is_some_and(begins_word) && characters.all(is_in_raw) {
        Ok(name)
    } else {
        Err(DataError::new(format_args!(
            "the name `{name}` cannot be written as text: expected letters, digits, `_`, `-`, `.` and `+`"
        )))
    }
}
