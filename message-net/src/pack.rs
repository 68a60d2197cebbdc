//! Hand-written `MessagePack`: values are written one after the other, and read with bounds checks.
//!
//! The input comes from an untrusted peer. Nothing is allocated based on a claimed length, and groups cannot be
//! nested, so the depth needs no limit.

use rmp::Marker;

/// Appends values to a buffer.
#[derive(Debug, Default)]
pub(crate) struct Packer(pub(crate) Vec<u8>);

/// The panic message for a length that does not fit into 32 bits.
const FITS: &str = "what is written is shorter than 4 GiB";

impl Packer {
    pub(crate) fn array(&mut self, len: usize) {
        match length(len) {
            [0, 0, 0, len @ ..=15] => self.0.push(0x90 | len),
            [0, 0, a, b] => self.0.extend_from_slice(&[0xdc, a, b]),
            [a, b, c, d] => self.0.extend_from_slice(&[0xdd, a, b, c, d]),
        }
    }

    pub(crate) fn uint(&mut self, number: u64) {
        let to = &mut self.0;
        match number.to_be_bytes() {
            [0, 0, 0, 0, 0, 0, 0, a @ ..=127] => to.push(a),
            [0, 0, 0, 0, 0, 0, 0, a] => to.extend_from_slice(&[0xcc, a]),
            [0, 0, 0, 0, 0, 0, a, b] => to.extend_from_slice(&[0xcd, a, b]),
            [0, 0, 0, 0, a, b, c, d] => to.extend_from_slice(&[0xce, a, b, c, d]),
            all => {
                to.push(0xcf);
                to.extend_from_slice(&all);
            }
        }
    }

    pub(crate) fn str(&mut self, text: &str) {
        match length(text.len()) {
            [0, 0, 0, len @ ..=31] => self.0.push(0xa0 | len),
            [0, 0, 0, a] => self.0.extend_from_slice(&[0xd9, a]),
            [0, 0, a, b] => self.0.extend_from_slice(&[0xda, a, b]),
            [a, b, c, d] => self.0.extend_from_slice(&[0xdb, a, b, c, d]),
        }
        self.0.extend_from_slice(text.as_bytes());
    }

    pub(crate) fn bin(&mut self, bytes: &[u8]) {
        self.bin_head(bytes.len());
        self.0.extend_from_slice(bytes);
    }

    /// Writes the header of a byte string of the given length.
    pub(crate) fn bin_head(&mut self, len: usize) {
        match length(len) {
            [0, 0, 0, a] => self.0.extend_from_slice(&[0xc4, a]),
            [0, 0, a, b] => self.0.extend_from_slice(&[0xc5, a, b]),
            [a, b, c, d] => self.0.extend_from_slice(&[0xc6, a, b, c, d]),
        }
    }

    pub(crate) fn nil(&mut self) {
        self.0.push(Marker::Null.to_u8());
    }

    pub(crate) fn bool(&mut self, value: bool) {
        self.0
            .push(if value { Marker::True } else { Marker::False }.to_u8());
    }
}

fn length(len: usize) -> [u8; 4] {
    u32::try_from(len).expect(FITS).to_be_bytes()
}

/// The header of a short byte string, whose length is to be set when it [ends](end_bin).
pub(crate) const SHORT_BIN: [u8; 2] = [0xc4, 0];

/// Ends the byte string that begins at `begin` with [`SHORT_BIN`].
#[inline]
pub(crate) fn end_bin(bytes: &mut Vec<u8>, begin: usize) {
    let content = begin + SHORT_BIN.len();
    let len = bytes.len() - content;
    if let Ok(len) = u8::try_from(len) {
        bytes[content - 1] = len;
        return;
    }
    let mut head = Packer::default();
    head.bin_head(len);
    bytes.splice(begin..content, head.0);
}

/// An error in the bytes that were read, with its position. It is boxed so that a value that is read is
/// returned in registers.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {}: {}", .0.0, .0.1)]
pub(crate) struct Malformed(Box<(usize, String)>);

/// Reads values. After an error, its position is the beginning of the invalid value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unpacker<'b> {
    bytes: &'b [u8],
    at: usize,
}

type Read<T> = Result<T, Malformed>;

impl<'b> Unpacker<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, at: 0 }
    }

    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Skips to a position, or to the end.
    pub(crate) fn skip_to(&mut self, at: usize) {
        self.at = at.min(self.bytes.len());
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.at == self.bytes.len()
    }

    #[cold]
    pub(crate) fn wrong(&self, what: impl Into<String>) -> Malformed {
        Malformed(Box::new((self.at, what.into())))
    }

    /// Returns the bytes that have not been read.
    #[inline]
    pub(crate) fn left(&self) -> &'b [u8] {
        &self.bytes[self.at..]
    }

    /// Returns an error that says that the next value is not the expected one.
    #[cold]
    fn unexpected(&self, expected: &str) -> Malformed {
        match self.left().first() {
            None => self.wrong(format!("expected {expected}, but nothing follows")),
            Some(&first) => {
                let found = name_of(Marker::from_u8(first));
                self.wrong(format!("expected {expected}, found {found}"))
            }
        }
    }

    /// Returns an error that says that the next value is cut short.
    #[cold]
    fn too_short(&self, len: usize) -> Malformed {
        let left = self.left().len();
        self.wrong(format!("{len} bytes should follow, but only {left} do"))
    }

    /// Reads the number after the first byte of the next value.
    #[inline]
    fn tail<const N: usize>(&self) -> Read<[u8; N]> {
        match self.left().get(1..).and_then(<[u8]>::first_chunk) {
            Some(tail) => Ok(*tail),
            None => Err(self.too_short(N + 1)),
        }
    }

    /// Reads a length of `bytes` bytes after the first byte of the next value. Returns the number of header
    /// bytes, and the length.
    #[inline]
    fn length(&self, bytes: usize) -> Read<(usize, usize)> {
        let len = match bytes {
            1 => u8::from_be_bytes(self.tail()?).into(),
            2 => u16::from_be_bytes(self.tail()?).into(),
            _ => u32::from_be_bytes(self.tail()?) as usize,
        };
        Ok((1 + bytes, len))
    }

    /// Skips a header of `head` bytes, then takes `len` bytes.
    #[inline]
    fn behind(&mut self, (head, len): (usize, usize)) -> Read<&'b [u8]> {
        let behind = self.left().get(head..);
        let Some(taken) = behind.and_then(|behind| behind.get(..len)) else {
            return Err(self.too_short(head.saturating_add(len)));
        };
        self.at += head + len;
        Ok(taken)
    }

    pub(crate) fn array(&mut self) -> Read<usize> {
        let (head, len) = match self.left().first() {
            Some(&first @ 0x90..=0x9f) => (1, usize::from(first & 0x0f)),
            Some(0xdc) => self.length(2)?,
            Some(0xdd) => self.length(4)?,
            _ => return Err(self.unexpected("a list")),
        };
        self.at += head;
        Ok(len)
    }

    /// Reads a list that must have `expected` entries.
    pub(crate) fn array_of(&mut self, expected: usize) -> Read<()> {
        let begin = *self;
        let len = self.array()?;
        if len != expected {
            *self = begin;
            let what = format!("expected a list of {expected} entries, found one of {len}");
            return Err(self.wrong(what));
        }
        Ok(())
    }

    #[inline]
    pub(crate) fn uint(&mut self) -> Read<u64> {
        let (len, number) = match self.left().first() {
            Some(&first @ ..=0x7f) => (1, first.into()),
            Some(0xcc) => (2, u8::from_be_bytes(self.tail()?).into()),
            Some(0xcd) => (3, u16::from_be_bytes(self.tail()?).into()),
            Some(0xce) => (5, u32::from_be_bytes(self.tail()?).into()),
            Some(0xcf) => (9, u64::from_be_bytes(self.tail()?)),
            _ => return Err(self.unexpected("a number")),
        };
        self.at += len;
        Ok(number)
    }

    #[inline]
    pub(crate) fn u32(&mut self) -> Read<u32> {
        let begin = *self;
        let number = self.uint()?;
        u32::try_from(number).map_err(|_| {
            *self = begin;
            self.wrong(format!(
                "the number {number} is too large: expected one of 32 bits"
            ))
        })
    }

    pub(crate) fn str(&mut self) -> Read<&'b str> {
        let begin = *self;
        let range = match self.left().first() {
            Some(&first @ 0xa0..=0xbf) => (1, usize::from(first & 0x1f)),
            Some(0xd9) => self.length(1)?,
            Some(0xda) => self.length(2)?,
            Some(0xdb) => self.length(4)?,
            _ => return Err(self.unexpected("a text")),
        };
        let bytes = self.behind(range)?;
        std::str::from_utf8(bytes).map_err(|_| {
            *self = begin;
            self.wrong("a text that is not UTF-8")
        })
    }

    /// Returns `true` if the next value is a byte string.
    #[inline]
    pub(crate) fn is_at_bin(&self) -> bool {
        matches!(self.left().first(), Some(0xc4..=0xc6))
    }

    #[inline]
    pub(crate) fn bin(&mut self) -> Read<&'b [u8]> {
        let range = match self.left().first() {
            Some(0xc4) => self.length(1)?,
            Some(0xc5) => self.length(2)?,
            Some(0xc6) => self.length(4)?,
            _ => return Err(self.unexpected("bytes")),
        };
        self.behind(range)
    }

    pub(crate) fn bool(&mut self) -> Read<bool> {
        let value = match self.left().first() {
            Some(0xc3) => true,
            Some(0xc2) => false,
            _ => return Err(self.unexpected("true or false")),
        };
        self.at += 1;
        Ok(value)
    }

    /// Returns the kind of the next value, without reading it.
    #[inline]
    pub(crate) fn next_is(&self) -> Next {
        match self.left().first() {
            Some(..=0x7f | 0xcc..=0xcf) => Next::Number,
            Some(0xa0..=0xbf | 0xd9..=0xdb) => Next::Text,
            Some(0xc0) => Next::Nothing,
            _ => Next::Other,
        }
    }

    /// Reads a value with `read`, or returns `None` if the next value is nil.
    pub(crate) fn option<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<Option<T>> {
        if self.next_is() == Next::Nothing {
            self.at += 1;
            return Ok(None);
        }
        read(self).map(Some)
    }
}

/// The kind of a value, as determined by its first byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    Number,
    Text,
    Nothing,
    Other,
}

fn name_of(marker: Marker) -> &'static str {
    match marker {
        Marker::FixPos(_)
        | Marker::FixNeg(_)
        | Marker::U8
        | Marker::U16
        | Marker::U32
        | Marker::U64
        | Marker::I8
        | Marker::I16
        | Marker::I32
        | Marker::I64 => "a number",
        Marker::F32 | Marker::F64 => "a floating-point number",
        Marker::Null => "nothing",
        Marker::True | Marker::False => "true or false",
        Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => "a text",
        Marker::Bin8 | Marker::Bin16 | Marker::Bin32 => "bytes",
        Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => "a list",
        Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => "a map",
        _ => "an extension",
    }
}
