//! Reads `MessagePack` onto a tape.

use rmp::Marker;

use crate::bytes::Bytes;
use crate::error::DataError;
use crate::pack::SOME_OF_NOTHING;
use crate::tape::{Form, Kind, MAX_DEPTH, Tape};

/// Reads the value at the beginning of the bytes onto the tape, and returns the number of bytes it has.
///
/// # Errors
///
/// Returns an error with the place if the bytes end too early or are not `MessagePack`. A length that exceeds the
/// remaining bytes is an error at once: nothing is allocated for it.
///
/// ```
/// use message_format::{pack, tape::Tape};
///
/// let mut tape = Tape::default();
/// assert_eq!(pack::read(&[0x92, 1, 2, 3], &mut tape)?, 3);
/// assert_eq!(tape.tokens.len(), 3);
/// # Ok::<(), message_format::DataError>(())
/// ```
pub fn read(bytes: &[u8], tape: &mut Tape) -> Result<usize, DataError> {
    tape.clear(Form::Packed);
    let mut parser = Parser {
        bytes: Bytes::new(bytes)?,
        tape,
        depth: 0,
    };
    parser.value()?;
    Ok(parser.bytes.at())
}

/// Reads bytes that are one value onto a tape.
///
/// # Errors
///
/// Returns the errors of [`read`], and an error with the place if the bytes go on after the value.
///
/// ```
/// use message_format::pack;
///
/// assert_eq!(pack::read_all(&[7])?.tokens.len(), 1);
/// let error = pack::read_all(&[7, 8]).expect_err("one byte is left");
/// assert_eq!(error.to_string(), "byte 1: the value ends here, and 1 bytes follow");
/// # Ok::<(), message_format::DataError>(())
/// ```
pub fn read_all(bytes: &[u8]) -> Result<Tape, DataError> {
    let mut tape = Tape::default();
    let end = read(bytes, &mut tape)?;
    if end < bytes.len() {
        let what = format!(
            "the value ends here, and {} bytes follow",
            bytes.len() - end
        );
        return Err(DataError::new(what).at(u32::try_from(end).unwrap_or(u32::MAX)));
    }
    Ok(tape)
}

const UNKNOWN_EXTENSION: &str =
    "unknown extension of MessagePack: expected a value of the standard";

struct Parser<'b, 't> {
    bytes: Bytes<'b>,
    tape: &'t mut Tape,
    depth: u32,
}

impl Parser<'_, '_> {
    fn value(&mut self) -> Result<(), DataError> {
        let start = self.bytes.place();
        let [first] = self.bytes.number()?;
        let marker = Marker::from_u8(first);
        // A length or a number with fewer than 64 bits and without a sign.
        let len = match marker {
            Marker::FixPos(len)
            | Marker::FixStr(len)
            | Marker::FixArray(len)
            | Marker::FixMap(len) => len.into(),
            Marker::U8 | Marker::Str8 | Marker::Bin8 => {
                u8::from_be_bytes(self.bytes.number()?).into()
            }
            Marker::U16 | Marker::Str16 | Marker::Bin16 | Marker::Array16 | Marker::Map16 => {
                u16::from_be_bytes(self.bytes.number()?).into()
            }
            Marker::U32
            | Marker::F32
            | Marker::Str32
            | Marker::Bin32
            | Marker::Array32
            | Marker::Map32 => u32::from_be_bytes(self.bytes.number()?),
            _ => 0,
        };
        let (kind, data) = match marker {
            Marker::Null => (Kind::Nil, 0),
            Marker::False => (Kind::Bool, 0),
            Marker::True => (Kind::Bool, 1),
            Marker::FixPos(_) | Marker::U8 | Marker::U16 | Marker::U32 => {
                (Kind::Natural, len.into())
            }
            Marker::U64 => (Kind::Natural, u64::from_be_bytes(self.bytes.number()?)),
            Marker::FixNeg(number) => integer(number.into()),
            Marker::I8 => integer(i8::from_be_bytes(self.bytes.number()?).into()),
            Marker::I16 => integer(i16::from_be_bytes(self.bytes.number()?).into()),
            Marker::I32 => integer(i32::from_be_bytes(self.bytes.number()?).into()),
            Marker::I64 => integer(i64::from_be_bytes(self.bytes.number()?)),
            Marker::F32 => (Kind::Single, len.into()),
            Marker::F64 => (Kind::Float, u64::from_be_bytes(self.bytes.number()?)),
            Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => {
                let Ok(text) = std::str::from_utf8(self.bytes.take(len as usize)?) else {
                    return Err(DataError::new("this string is not UTF-8").at(start));
                };
                let span = (start, self.bytes.place());
                return self.tape.push_str(Kind::Str, text, span);
            }
            Marker::Bin8 | Marker::Bin16 | Marker::Bin32 => {
                let bytes = self.bytes.take(len as usize)?;
                return self
                    .tape
                    .push_bytes(Kind::Bytes, bytes, (start, self.bytes.place()));
            }
            Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => {
                return self.list(Kind::Seq, len, 1, start);
            }
            Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => {
                return self.list(Kind::Map, len, 2, start);
            }
            Marker::Reserved => {
                let what = "no value of MessagePack begins with the byte 0xc1";
                return Err(DataError::new(what).at(start));
            }
            Marker::FixExt1 => match self.bytes.number()? {
                [kind, somes] if kind.cast_signed() == SOME_OF_NOTHING && somes > 0 => {
                    (Kind::Nil, somes.into())
                }
                _ => return Err(DataError::new(UNKNOWN_EXTENSION).at(start)),
            },
            _ => return Err(DataError::new(UNKNOWN_EXTENSION).at(start)),
        };
        self.tape.push(kind, data, (start, self.bytes.place()));
        Ok(())
    }

    /// Reads a list of `len` entries, of which each has `parts` values.
    fn list(&mut self, kind: Kind, len: u32, parts: u64, start: u32) -> Result<(), DataError> {
        let (values, left) = (u64::from(len) * parts, self.bytes.left());
        // Each value has at least one byte.
        if values > left as u64 {
            let what = format!("a list of {len} entries begins here, and only {left} bytes follow");
            return Err(DataError::new(what).at(start));
        }
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(DataError::too_deep().at(start));
        }
        let opened = self.tape.open(kind, start);
        for _ in 0..values {
            self.value()?;
        }
        self.depth -= 1;
        self.tape.end(opened, self.bytes.place())
    }
}

fn integer(number: i64) -> (Kind, u64) {
    let kind = if number < 0 {
        Kind::Negative
    } else {
        Kind::Natural
    };
    (kind, number.cast_unsigned())
}
