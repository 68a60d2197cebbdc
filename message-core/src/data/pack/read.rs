//! From `MessagePack` to a tape.

use rmp::Marker;

use crate::data::bytes::Bytes;
use crate::data::error::DataError;
use crate::data::pack::SOME_OF_NOTHING;
use crate::data::tape::{Form, Kind, MAX_DEPTH, Tape};

/// Reads the value at the beginning of the bytes onto the tape, and returns how many bytes it has.
///
/// # Errors
///
/// Bytes that end too early or are no `MessagePack`, with the place. A length that is longer than what
/// is left is an error at once: nothing is allocated for it.
pub(crate) fn read(bytes: &[u8], tape: &mut Tape) -> Result<usize, DataError> {
    tape.clear(Form::Packed);
    let mut parser = Parser {
        bytes: Bytes::new(bytes)?,
        tape,
        depth: 0,
    };
    parser.value()?;
    Ok(parser.bytes.at())
}

struct Parser<'b, 't> {
    bytes: Bytes<'b>,
    tape: &'t mut Tape,
    depth: u32,
}

impl Parser<'_, '_> {
    #[allow(clippy::too_many_lines, reason = "an arm for each marker")]
    fn value(&mut self) -> Result<(), DataError> {
        let begin = self.bytes.place();
        let [marker] = self.bytes.number()?;
        let signed = |number: i64| -> i128 { number.into() };
        match Marker::from_u8(marker) {
            Marker::FixPos(number) => self.natural(number.into(), begin),
            Marker::U8 => {
                let number = u8::from_be_bytes(self.bytes.number()?);
                self.natural(number.into(), begin);
            }
            Marker::U16 => {
                let number = u16::from_be_bytes(self.bytes.number()?);
                self.natural(number.into(), begin);
            }
            Marker::U32 => {
                let number = u32::from_be_bytes(self.bytes.number()?);
                self.natural(number.into(), begin);
            }
            Marker::U64 => {
                let number = u64::from_be_bytes(self.bytes.number()?);
                self.natural(number, begin);
            }
            Marker::FixNeg(number) => self.integer(number.into(), begin),
            Marker::I8 => {
                let number = i8::from_be_bytes(self.bytes.number()?);
                self.integer(number.into(), begin);
            }
            Marker::I16 => {
                let number = i16::from_be_bytes(self.bytes.number()?);
                self.integer(number.into(), begin);
            }
            Marker::I32 => {
                let number = i32::from_be_bytes(self.bytes.number()?);
                self.integer(number.into(), begin);
            }
            Marker::I64 => {
                let number = i64::from_be_bytes(self.bytes.number()?);
                self.integer(signed(number), begin);
            }
            Marker::Null => self.push(Kind::Nil, 0, begin),
            Marker::True => self.push(Kind::Bool, 1, begin),
            Marker::False => self.push(Kind::Bool, 0, begin),
            Marker::F32 => {
                let bits = u32::from_be_bytes(self.bytes.number()?);
                self.push(Kind::Single, bits.into(), begin);
            }
            Marker::F64 => {
                let bits = u64::from_be_bytes(self.bytes.number()?);
                self.push(Kind::Float, bits, begin);
            }
            Marker::FixStr(len) => self.text(len.into(), begin)?,
            Marker::Str8 => {
                let len = u8::from_be_bytes(self.bytes.number()?);
                self.text(len.into(), begin)?;
            }
            Marker::Str16 => {
                let len = u16::from_be_bytes(self.bytes.number()?);
                self.text(len.into(), begin)?;
            }
            Marker::Str32 => {
                let len = u32::from_be_bytes(self.bytes.number()?);
                self.text(len as usize, begin)?;
            }
            Marker::Bin8 => {
                let len = u8::from_be_bytes(self.bytes.number()?);
                self.binary(len.into(), begin)?;
            }
            Marker::Bin16 => {
                let len = u16::from_be_bytes(self.bytes.number()?);
                self.binary(len.into(), begin)?;
            }
            Marker::Bin32 => {
                let len = u32::from_be_bytes(self.bytes.number()?);
                self.binary(len as usize, begin)?;
            }
            Marker::FixArray(len) => self.list(Kind::Seq, len.into(), begin)?,
            Marker::Array16 => {
                let len = u16::from_be_bytes(self.bytes.number()?);
                self.list(Kind::Seq, len.into(), begin)?;
            }
            Marker::Array32 => {
                let len = u32::from_be_bytes(self.bytes.number()?);
                self.list(Kind::Seq, len, begin)?;
            }
            Marker::FixMap(len) => self.list(Kind::Map, len.into(), begin)?,
            Marker::Map16 => {
                let len = u16::from_be_bytes(self.bytes.number()?);
                self.list(Kind::Map, len.into(), begin)?;
            }
            Marker::Map32 => {
                let len = u32::from_be_bytes(self.bytes.number()?);
                self.list(Kind::Map, len, begin)?;
            }
            Marker::FixExt1 => {
                let [kind, somes] = self.bytes.number()?;
                if kind.cast_signed() != SOME_OF_NOTHING || somes == 0 {
                    return Err(unknown_extension(begin));
                }
                self.push(Kind::Nil, somes.into(), begin);
            }
            Marker::FixExt2
            | Marker::FixExt4
            | Marker::FixExt8
            | Marker::FixExt16
            | Marker::Ext8
            | Marker::Ext16
            | Marker::Ext32 => return Err(unknown_extension(begin)),
            Marker::Reserved => {
                let what = "no value of MessagePack begins with the byte 0xc1";
                return Err(DataError::new(what).at(begin));
            }
        }
        Ok(())
    }

    fn push(&mut self, kind: Kind, data: u64, begin: u32) {
        let span = (begin, self.bytes.place());
        self.tape.push(kind, data, span);
    }

    fn natural(&mut self, number: u64, begin: u32) {
        self.push(Kind::Natural, number, begin);
    }

    fn integer(&mut self, number: i128, begin: u32) {
        let span = (begin, self.bytes.place());
        self.tape.push_signed(number, span);
    }

    fn text(&mut self, len: usize, begin: u32) -> Result<(), DataError> {
        let bytes = self.bytes.take(len)?;
        let text = std::str::from_utf8(bytes)
            .map_err(|_| DataError::new("this string is not UTF-8").at(begin))?;
        let span = (begin, self.bytes.place());
        self.tape.push_str(Kind::Str, text, span)
    }

    fn binary(&mut self, len: usize, begin: u32) -> Result<(), DataError> {
        let bytes = self.bytes.take(len)?;
        let span = (begin, self.bytes.place());
        self.tape.push_bytes(bytes, span)
    }

    fn list(&mut self, kind: Kind, len: u32, begin: u32) -> Result<(), DataError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(DataError::too_deep().at(begin));
        }
        let each: usize = if kind == Kind::Map { 2 } else { 1 };
        let left = self.bytes.left();
        // Each value has a byte at least.
        if (len as usize).saturating_mul(each) > left {
            let what = format!("a list of {len} entries begins here, and only {left} bytes follow");
            return Err(DataError::new(what).at(begin));
        }
        let opened = self.tape.open(kind, begin);
        for _ in 0..len as usize * each {
            self.value()?;
        }
        self.depth -= 1;
        self.tape.close(opened, len, self.bytes.place())
    }
}

#[cold]
fn unknown_extension(begin: u32) -> DataError {
    DataError::new("unknown extension of MessagePack: expected a value of the standard").at(begin)
}
