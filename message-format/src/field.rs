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
    let parts = tape.parts(at).take(whole.len() as usize);
    for (number, (key, value)) in parts.enumerate() {
        let begin = tape.tokens.get(value)?.start;
        if (begin..end_of_value(&tape.tokens, value)).contains(&place) {
            let name = match key.map(|key| (key, tape.tokens[key])) {
                None => format!("[{number}]"),
                Some((_, key)) if matches!(key.kind, Kind::Str | Kind::Word) => {
                    format!(".{}", tape.str(key))
                }
                Some((key, _)) => format!("[{}]", text::print(tape, key)),
            };
            return Some((name, value));
        }
    }
    None
}

/// Returns the place on a tape of the part of a value that a path such as `mind.sight`, `hits[2]` or `hits.2` leads to,
/// or `None` if the value has no such part.
///
/// ```
/// use message_format::{TextOptions, part_of, text};
///
/// let tape = text::read("(hp: 8, list: [1, 2])", TextOptions::new())?;
/// let at = part_of(&tape, "list[1]").expect("there are two");
/// assert_eq!(text::print(&tape, at), "2");
/// assert_eq!(part_of(&tape, "list[2]"), None);
/// # Ok::<(), message_format::DataError>(())
/// ```
#[must_use]
pub fn part_of(tape: &Tape, path: &str) -> Option<usize> {
    let (mut at, mut rest) = (0, path);
    loop {
        rest = rest.trim_start_matches('.');
        if rest.is_empty() {
            return Some(at);
        }
        let name;
        (name, rest) = match rest.strip_prefix('[') {
            Some(index) => index.split_once(']')?,
            None => rest.split_at(rest.find(['.', '[']).unwrap_or(rest.len())),
        };
        while tape.tokens[at].is_name() {
            at += 1;
        }
        if !tape.tokens[at].is_container() {
            return None;
        }
        let is_named = |(index, (key, _)): &(usize, (Option<usize>, usize))| match *key {
            None => index.to_string() == name,
            Some(key) if tape.tokens[key].kind == Kind::Word => tape.str(tape.tokens[key]) == name,
            Some(key) => text::print(tape, key).trim_matches('"') == name,
        };
        (_, (_, at)) = tape.parts(at).enumerate().find(is_named)?;
    }
}
