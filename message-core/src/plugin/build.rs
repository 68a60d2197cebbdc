//! Statements are put together when compiling: texts of several crates, as bytes between two marks.

/// The mark in front of a statement.
#[doc(hidden)]
pub const BEGIN: &str = "\u{1}message statement 1\u{1}";

/// The mark behind a statement.
#[doc(hidden)]
pub const END: &str = "\u{2}";

/// The fields about this crate.
#[doc(hidden)]
pub const CORE: &str = concat!(
    "core=message-core ",
    env!("CARGO_PKG_VERSION"),
    " ",
    message_derive::build!(),
    ";",
    env!("MESSAGE_CORE_BUILD"),
);

/// Returns the length of all parts together.
#[doc(hidden)]
#[must_use]
pub const fn length(parts: &[&str]) -> usize {
    let (mut length, mut at) = (0, 0);
    while at < parts.len() {
        length += parts[at].len();
        at += 1;
    }
    length
}

/// Joins all parts into one.
///
/// # Panics
///
/// When `N` is not their length.
#[doc(hidden)]
#[must_use]
pub const fn join<const N: usize>(parts: &[&str]) -> [u8; N] {
    let mut joined = [0; N];
    let mut rest: &mut [u8] = &mut joined;
    let mut at = 0;
    while at < parts.len() {
        let (part, behind) = rest.split_at_mut(parts[at].len());
        part.copy_from_slice(parts[at].as_bytes());
        (at, rest) = (at + 1, behind);
    }
    assert!(rest.is_empty(), "`N` is the length of the parts");
    joined
}

/// Returns the bytes as a text.
///
/// # Panics
///
/// When they are none.
#[doc(hidden)]
#[must_use]
pub const fn text_of(bytes: &'static [u8]) -> &'static str {
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => panic!("it is put together of texts"),
    }
}
