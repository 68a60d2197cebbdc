//! The content of a token before it is on a tape, or after it was taken off.

use crate::tape::Kind;

/// The content of a token. The kind of the token says how to read it.
#[derive(Clone, Copy)]
pub(crate) enum Content<'c> {
    /// Its data, if this refers to nothing.
    Data(u64),
    Text(&'c str),
    Bytes(&'c [u8]),
}

/// Passes the kind and the content of an integer to a function.
#[inline]
pub(crate) fn signed<T>(number: i128, put: impl FnOnce(Kind, Content<'_>) -> T) -> T {
    if let Ok(number) = u128::try_from(number) {
        return unsigned(number, put);
    }
    let Ok(small) = i64::try_from(number) else {
        return put(Kind::WideNegative, Content::Bytes(&number.to_be_bytes()));
    };
    put(Kind::Negative, Content::Data(small.cast_unsigned()))
}

/// Like [`signed`], for an integer from zero on.
#[inline]
pub(crate) fn unsigned<T>(number: u128, put: impl FnOnce(Kind, Content<'_>) -> T) -> T {
    match u64::try_from(number) {
        Ok(small) => put(Kind::Natural, Content::Data(small)),
        Err(_) => put(Kind::WideNatural, Content::Bytes(&number.to_be_bytes())),
    }
}
