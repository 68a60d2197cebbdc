//! Reads `MessagePack` onto a tape.

use crate::bytes::Bytes;
use crate::error::DataError;
use crate::pack::token::{part_of, text_of, token};
use crate::tape::{Form, Kind, MAX_DEPTH, Tape};

/// Reads the value at the beginning of the bytes onto the tape, and returns the number of bytes it has.
///
/// # Errors
///
/// Returns an error with the place if the bytes end too early or are not `MessagePack`. A length that exceeds the
/// remaining bytes is an error at once: nothing is allocated for it.
///
/// ```
/// use message_format::{pack, tape::Tape, text};
///
/// let mut tape = Tape::default();
/// assert_eq!(pack::read(&[0x92, 1, 2, 0xff], &mut tape)?, 3);
/// assert_eq!(text::print(&tape, 0), "[1, 2]");
/// # Ok::<(), message_format::DataError>(())
/// ```
pub fn read(bytes: &[u8], tape: &mut Tape) -> Result<usize, DataError> {
    tape.clear(Form::Packed);
    let mut parser = Parser {
        source: bytes,
        bytes: Bytes::new(bytes)?,
        tape,
        depth: 0,
    };
    parser.value()?;
    Ok(parser.bytes.at())
}

struct Parser<'b, 't> {
    source: &'b [u8],
    bytes: Bytes<'b>,
    tape: &'t mut Tape,
    depth: u32,
}

impl Parser<'_, '_> {
    fn value(&mut self) -> Result<(), DataError> {
        let token = token(&mut self.bytes)?;
        let span = (token.start, token.end);
        match token.kind {
            Kind::Str => {
                let text = text_of(self.source, token)?;
                self.tape.push_str(Kind::Str, text, span)
            }
            Kind::Bytes => self.tape.push_bytes(part_of(self.source, token), span),
            Kind::Seq | Kind::Map => self.list(token.kind, token.len(), token.start),
            kind => {
                self.tape.push(kind, token.data, span);
                Ok(())
            }
        }
    }

    fn list(&mut self, kind: Kind, len: u32, begin: u32) -> Result<(), DataError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(DataError::too_deep().at(begin));
        }
        let each: usize = if kind == Kind::Map { 2 } else { 1 };
        let opened = self.tape.open(kind, begin);
        for _ in 0..len as usize * each {
            self.value()?;
        }
        self.depth -= 1;
        self.tape.close(opened, len, self.bytes.place())
    }
}
