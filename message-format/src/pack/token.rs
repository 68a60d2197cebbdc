//! One value of `MessagePack`, or the beginning of one.

use crate::bytes::Bytes;
use crate::error::DataError;
use crate::pack::SOME_OF_NOTHING;
use crate::tape::{Kind, Token, part_of_source};

/// Reads the next value, or the head of a list or a map. The token of a string or of bytes has the range in the
/// source. The content of a string is not checked.
///
/// # Errors
///
/// Returns an error with the place if the bytes end too early or are not `MessagePack`. A length that exceeds the
/// remaining bytes is an error at once.
#[inline]
pub(crate) fn token(bytes: &mut Bytes<'_>) -> Result<Token, DataError> {
    let start = bytes.place();
    let [first] = bytes.number()?;
    let (kind, data) = match first {
        0..=0x7f => (Kind::Natural, first.into()),
        0x80..=0x8f => list(bytes, start, Kind::Map, u32::from(first & 0x0f))?,
        0x90..=0x9f => list(bytes, start, Kind::Seq, u32::from(first & 0x0f))?,
        0xa0..=0xbf => range(bytes, Kind::Str, usize::from(first & 0x1f))?,
        _ => rare(bytes, start, first)?,
    };
    Ok(Token {
        kind,
        start,
        end: bytes.place(),
        data,
    })
}

/// Reads a token whose first byte is not a small number or a short length.
#[inline(never)]
fn rare(bytes: &mut Bytes<'_>, start: u32, first: u8) -> Result<(Kind, u64), DataError> {
    Ok(match first {
        0xc0 => (Kind::Nil, 0),
        0xc2 => (Kind::Bool, 0),
        0xc3 => (Kind::Bool, 1),
        0xc4..=0xc6 => {
            let len = length(bytes, first - 0xc4)?;
            range(bytes, Kind::Bytes, len as usize)?
        }
        0xca => {
            let bits = u32::from_be_bytes(bytes.number()?);
            (Kind::Single, bits.into())
        }
        0xcb => (Kind::Float, u64::from_be_bytes(bytes.number()?)),
        0xcc..=0xce => (Kind::Natural, length(bytes, first - 0xcc)?.into()),
        0xcf => (Kind::Natural, u64::from_be_bytes(bytes.number()?)),
        0xd0 => integer(i8::from_be_bytes(bytes.number()?).into()),
        0xd1 => integer(i16::from_be_bytes(bytes.number()?).into()),
        0xd2 => integer(i32::from_be_bytes(bytes.number()?).into()),
        0xd3 => integer(i64::from_be_bytes(bytes.number()?)),
        0xd4 => match bytes.number()? {
            [kind, somes] if kind.cast_signed() == SOME_OF_NOTHING && somes > 0 => {
                (Kind::Nil, somes.into())
            }
            _ => return Err(unknown_extension(start)),
        },
        0xd9..=0xdb => {
            let len = length(bytes, first - 0xd9)?;
            range(bytes, Kind::Str, len as usize)?
        }
        0xdc | 0xdd => {
            let len = length(bytes, first - 0xdb)?;
            list(bytes, start, Kind::Seq, len)?
        }
        0xde | 0xdf => {
            let len = length(bytes, first - 0xdd)?;
            list(bytes, start, Kind::Map, len)?
        }
        0xe0.. => integer(first.cast_signed().into()),
        0xc1 => {
            let what = "no value of MessagePack begins with the byte 0xc1";
            return Err(DataError::new(what).at(start));
        }
        _ => return Err(unknown_extension(start)),
    })
}

/// Reads an unsigned number of one, two or four bytes.
fn length(bytes: &mut Bytes<'_>, doubled: u8) -> Result<u32, DataError> {
    Ok(match doubled {
        0 => u8::from_be_bytes(bytes.number()?).into(),
        1 => u16::from_be_bytes(bytes.number()?).into(),
        _ => u32::from_be_bytes(bytes.number()?),
    })
}

fn integer(number: i64) -> (Kind, u64) {
    let kind = if number < 0 {
        Kind::Negative
    } else {
        Kind::Natural
    };
    (kind, number.cast_unsigned())
}

fn range(bytes: &mut Bytes<'_>, kind: Kind, len: usize) -> Result<(Kind, u64), DataError> {
    let at = bytes.place();
    bytes.take(len)?;
    Ok((kind, part_of_source(at, bytes.place())))
}

fn list(bytes: &mut Bytes<'_>, start: u32, kind: Kind, len: u32) -> Result<(Kind, u64), DataError> {
    // Each value has at least one byte.
    let least = u64::from(len) * if kind == Kind::Map { 2 } else { 1 };
    let left = bytes.left();
    if least > left as u64 {
        return Err(too_long(len, left, start));
    }
    Ok((kind, u64::from(len) << 32))
}

#[cold]
fn too_long(len: u32, left: usize, start: u32) -> DataError {
    let what = format!("a list of {len} entries begins here, and only {left} bytes follow");
    DataError::new(what).at(start)
}

#[cold]
fn unknown_extension(start: u32) -> DataError {
    DataError::new("unknown extension of MessagePack: expected a value of the standard").at(start)
}

/// Returns the text of a token.
///
/// # Errors
///
/// Returns an error if it is not UTF-8.
pub(crate) fn text_of(source: &[u8], token: Token) -> Result<&str, DataError> {
    std::str::from_utf8(part_of(source, token)).map_err(|_| not_utf8(token.start))
}

#[cold]
fn not_utf8(start: u32) -> DataError {
    DataError::new("this string is not UTF-8").at(start)
}

/// Returns the bytes in the range of a token.
#[inline]
pub(crate) fn part_of(source: &[u8], token: Token) -> &[u8] {
    let at = (token.data >> 32) as usize;
    &source[at..at + token.end_of()]
}
