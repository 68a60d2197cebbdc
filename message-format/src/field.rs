//! Finds the field of a value that an error is about.

use std::fmt::Display;

use crate::error::DataError;
use crate::tape::{Kind, Tape, end_of_value};
use crate::text;

/// Adds to an error in the value on a tape what the value is, and which field is meant. `name` is the type of the
/// value, and `whose` follows it.
///
/// ```
/// use message_format::{TextOptions, DataError, in_value, text};
///
/// let tape = text::read("(hp: 8, list: [1, 2])", TextOptions::new())?;
/// let error = in_value(DataError::new("too large").at(18), &tape, "Health", &" of `orc`");
/// assert_eq!(error.what(), "`Health` of `orc`, field `list[1]`: too large");
/// # Ok::<(), message_format::DataError>(())
/// ```
pub fn in_value(error: DataError, tape: &Tape, name: &str, whose: &dyn Display) -> DataError {
    // The path to the innermost value at the place: `.inner.list[2]`.
    let (mut path, mut at) = (String::new(), 0);
    while let Some((part, next)) = part_at(tape, at, error.place()) {
        path += &part;
        at = next;
    }
    let field = match path.trim_start_matches('.') {
        "" => String::new(),
        path => format!(", field `{path}`"),
    };
    error.saying(|what| format!("`{name}`{whose}{field}: {what}"))
}

/// Returns the part of a container at a place of the source: its name, and where it begins on the tape.
fn part_at(tape: &Tape, at: usize, place: u32) -> Option<(String, usize)> {
    let whole = *tape.tokens.get(at)?;
    if !whole.is_container() || place <= whole.start {
        return None;
    }
    // One that has not ended, because its source is broken, has no entries yet.
    for (number, entry) in tape.entries(at).take(whole.len() as usize).enumerate() {
        let key = entry.start;
        let has_key = whole.kind.parts() == 2;
        let value = if has_key { tape.behind(key) } else { key };
        let begin = tape.tokens.get(value)?.start;
        if (begin..end_of_value(&tape.tokens, value)).contains(&place) {
            let name = match tape.tokens[key].kind {
                _ if !has_key => format!("[{number}]"),
                Kind::Str | Kind::Word => format!(".{}", tape.str(tape.tokens[key])),
                _ => format!("[{}]", text::print(tape, key)),
            };
            return Some((name, value));
        }
    }
    None
}
