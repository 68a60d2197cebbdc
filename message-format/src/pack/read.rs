//! Reads `MessagePack` onto a tape.

use crate::bytes::Bytes;
use crate::content::Content;
use crate::error::DataError;
use crate::memory::Memory;
use crate::pack::SOME_OF_NOTHING;
use crate::tape::{Form, Kind, MAX_DEPTH, Tape, Token};

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
    read_with(bytes, tape, Memory::default())
}

fn read_with(bytes: &[u8], tape: &mut Tape, memory: Memory) -> Result<usize, DataError> {
    tape.clear(Form::Packed);
    tape.memory = memory;
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
/// assert_eq!(error.to_string(), "byte 1: the value ends here, but 1 bytes follow");
/// # Ok::<(), message_format::DataError>(())
/// ```
pub fn read_all(bytes: &[u8]) -> Result<Tape, DataError> {
    let mut tape = Tape::default();
    read_within(bytes, &mut tape, usize::MAX)?;
    Ok(tape)
}

/// Reads bytes that are one value onto a tape, like [`read_all`], and limits the memory in bytes that the tape and the
/// value take. A [`Reader`](crate::Reader) of this tape has what the tape leaves. What was on the tape before is
/// replaced, and the memory of the tape is used again.
///
/// Each value in the bytes counts 24 bytes for its token. If its type is larger than that, the size of the type counts,
/// too: an empty map is a single byte, and can become a large struct whose fields have defaults. A struct or an enum in a
/// list counts twice, since a list grows to up to twice its length.
///
/// Not counted is what only the type knows: memory that its defaults allocate, and what serde makes of its own buffer for
/// untagged and internally tagged enums and for flattened fields.
///
/// # Errors
///
/// Returns the errors of [`read_all`], and an error with the place if the tape takes more memory.
///
/// ```
/// use message_format::{Reader, Unknown, pack, tape::Tape};
///
/// let (bytes, mut tape) = ([0x93, 0x90, 0x90, 0x90], Tape::default());
/// pack::read_within(&bytes, &mut tape, 1000)?;
/// assert!(Reader::new(&tape, 0, Unknown::Passed).read::<[Vec<u8>; 3]>().is_ok());
/// let error = pack::read_within(&bytes, &mut tape, 50).expect_err("three tokens have 72 bytes");
/// assert_eq!(error.to_string(), "byte 0: the value takes too much memory: expected at most 50 bytes");
/// # Ok::<(), message_format::DataError>(())
/// ```
pub fn read_within(bytes: &[u8], tape: &mut Tape, memory: usize) -> Result<(), DataError> {
    let end = read_with(bytes, tape, Memory::of(memory))?;
    if end < bytes.len() {
        let left = bytes.len() - end;
        let what = format!("the value ends here, but {left} bytes follow");
        return Err(DataError::new(what).at(u32::try_from(end).unwrap_or(u32::MAX)));
    }
    Ok(())
}

const UNKNOWN_EXTENSION: &str =
    "unknown MessagePack extension: expected a value of a standard type";

struct Parser<'b, 't> {
    bytes: Bytes<'b>,
    tape: &'t mut Tape,
    depth: u32,
}

impl<'b> Parser<'b, '_> {
    fn value(&mut self) -> Result<(), DataError> {
        let start = self.bytes.place();
        let [first] = self.bytes.number()?;
        let (kind, content) = match first {
            0x00..=0x7f => (Kind::Natural, Content::Data(first.into())),
            0x80..=0x8f => return self.list(Kind::Map, (first & 0x0f).into(), start),
            0x90..=0x9f => return self.list(Kind::Seq, (first & 0x0f).into(), start),
            0xa0..=0xbf => self.text((first & 0x1f).into(), start)?,
            0xc0 => (Kind::Nil, Content::Data(0)),
            0xc1 => {
                let what = "no MessagePack value begins with the byte 0xc1";
                return Err(DataError::new(what).at(start));
            }
            0xc2 | 0xc3 => (Kind::Bool, Content::Data((first & 1).into())),
            0xc4..=0xc6 => {
                let len = self.len(first - 0xc4)?;
                (Kind::Bytes, Content::Bytes(self.bytes.take(len)?))
            }
            0xca => (Kind::Single, Content::Data(self.sized(2)?)),
            0xcb => (Kind::Float, Content::Data(self.sized(3)?)),
            0xcc..=0xcf => (Kind::Natural, Content::Data(self.sized(first - 0xcc)?)),
            0xd0..=0xd3 => {
                let width = first - 0xd0;
                // Fills the upper bits with the sign.
                let above = 64 - (8 << width);
                let number = (self.sized(width)? << above).cast_signed() >> above;
                let is_negative = number < 0;
                let kind = [Kind::Natural, Kind::Negative][usize::from(is_negative)];
                (kind, Content::Data(number.cast_unsigned()))
            }
            0xd4 => match self.bytes.number()? {
                [SOME_OF_NOTHING, somes @ 1..=0xff] => (Kind::Nil, Content::Data(somes.into())),
                _ => return Err(DataError::new(UNKNOWN_EXTENSION).at(start)),
            },
            0xd9..=0xdb => {
                let len = self.len(first - 0xd9)?;
                self.text(len, start)?
            }
            // There is no length of one byte.
            0xdc | 0xdd => {
                let len = self.len(first - 0xdb)?;
                return self.list(Kind::Seq, len, start);
            }
            0xde | 0xdf => {
                let len = self.len(first - 0xdd)?;
                return self.list(Kind::Map, len, start);
            }
            0xe0..=0xff => {
                let number = i64::from(first.cast_signed());
                (Kind::Negative, Content::Data(number.cast_unsigned()))
            }
            _ => return Err(DataError::new(UNKNOWN_EXTENSION).at(start)),
        };
        self.tape.put(kind, content, (start, self.bytes.place()))
    }

    /// Reads a number, or a length, of one byte for the width 0, two for 1, four for 2, and eight for 3.
    fn sized(&mut self, width: u8) -> Result<u64, DataError> {
        Ok(match width {
            0 => u8::from_be_bytes(self.bytes.number()?).into(),
            1 => u16::from_be_bytes(self.bytes.number()?).into(),
            2 => u32::from_be_bytes(self.bytes.number()?).into(),
            _ => u64::from_be_bytes(self.bytes.number()?),
        })
    }

    fn len(&mut self, width: u8) -> Result<usize, DataError> {
        Ok(usize::try_from(self.sized(width)?).unwrap_or(usize::MAX))
    }

    fn text(&mut self, len: usize, start: u32) -> Result<(Kind, Content<'b>), DataError> {
        match std::str::from_utf8(self.bytes.take(len)?) {
            Ok(text) => Ok((Kind::Str, Content::Text(text))),
            Err(_) => Err(DataError::new("this string is not UTF-8").at(start)),
        }
    }

    /// Reads a list or a map of `len` entries.
    fn list(&mut self, kind: Kind, len: usize, start: u32) -> Result<(), DataError> {
        let (values, left) = (len.saturating_mul(kind.parts()), self.bytes.left());
        // Each value has at least one byte.
        if values > left {
            let what = format!("a list of {len} entries begins here, and only {left} bytes follow");
            return Err(DataError::new(what).at(start));
        }
        // All tokens but the first are those of a list.
        let memory = self
            .tape
            .memory
            .take(values.saturating_mul(size_of::<Token>()));
        memory.map_err(|error| error.at(start))?;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(DataError::too_deep().at(start));
        }
        let opened = self.tape.open(kind, start);
        for _ in 0..values {
            self.value()?;
        }
        self.depth -= 1;
        self.tape.close(opened, len, self.bytes.place())
    }
}
