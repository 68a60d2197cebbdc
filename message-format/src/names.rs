//! Names in error texts: lists of the names that exist, and the one that was probably meant.
//!
//! The names can come from an untrusted file, so what is printed of them is bounded.

use std::borrow::Cow;
use std::fmt::{self, Display};

use crate::error::DataError;
pub use crate::nearest::at_most;
use crate::nearest::nearest;

/// The maximum number of characters printed of a name.
const MAX_PRINTED: usize = 64;
/// The maximum number of names printed of a list.
pub const MAX_LISTED: usize = 40;

/// A name or a string from a file, shortened if it is long. An error stays short whatever a file contains.
///
/// ```
/// use message_format::names::Short;
///
/// assert_eq!(Short("sight").to_string(), "sight");
/// assert!(Short(&"x".repeat(1000)).to_string().ends_with("x…"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Short<'n>(pub &'n str);

impl Display for Short<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&shortened(self.0, MAX_PRINTED))
    }
}

/// Returns a text with at most this number of characters, and a mark if it is longer.
pub(crate) fn shortened(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

/// Names in backticks, separated by commas, or `none`. A long list is cut.
///
/// ```
/// use message_format::names::List;
///
/// assert_eq!(List(&["hp", "max"]).to_string(), "`hp`, `max`");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct List<'n>(pub &'n [&'n str]);

impl Display for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, name) in self.0.iter().take(MAX_LISTED).enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}`{}`", Short(name))?;
        }
        match self.0.len().saturating_sub(MAX_LISTED) {
            0 if self.0.is_empty() => f.write_str("none"),
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// Returns the error for a name that does not exist, with a list of the names that do.
///
/// ```
/// use message_format::names::no_such;
///
/// let error = no_such("there is no field", "pint", "there are", &["point"]);
/// assert_eq!(error.what(), "there is no field `pint`; there are `point`; did you mean `point`?");
/// ```
#[must_use]
pub fn no_such(what: &str, wanted: &str, has: &str, names: &[&str]) -> DataError {
    let near = suggestion(wanted, names.iter().copied());
    let (wanted, names) = (Short(wanted), List(names));
    DataError::new(format_args!("{what} `{wanted}`; {has} {names}{near}"))
}

/// Returns the name that was probably meant, as a question to append to an error. Empty if none is near.
///
/// ```
/// use message_format::names::suggestion;
///
/// assert_eq!(suggestion("sigth", ["range", "sight"]), "; did you mean `sight`?");
/// assert_eq!(suggestion("colour", ["range", "sight"]), "");
/// ```
pub fn suggestion<'n>(wanted: &str, names: impl IntoIterator<Item = &'n str>) -> String {
    let near = nearest(wanted, names).map(|near| format!("; did you mean `{}`?", Short(near)));
    near.unwrap_or_default()
}
