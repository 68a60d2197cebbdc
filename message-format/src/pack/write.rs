//! Appends values as `MessagePack`, part by part.

use std::ops::Range;
use std::ptr;

use crate::content::Content;
use crate::error::DataError;
use crate::pack::SOME_OF_NOTHING;
use crate::tape::{END, Empty, Kind, Tape, Token, halves};

/// Values, one behind the other.
#[derive(Debug, Default)]
pub(crate) struct Pack {
    pub(crate) bytes: Vec<u8>,
    /// Where the value that is being packed begins.
    begin: usize,
    /// The number of `Some` around the next value.
    somes: u8,
    /// The names of the fields that a struct needs to be a list.
    wanted: &'static [&'static str],
    /// `true` if the value is a list so far: a struct whose names are the wanted ones.
    pub(crate) is_list: bool,
    /// Where the value of each field of the list begins.
    fields: Vec<usize>,
}

impl Pack {
    /// Begins another value. A struct with exactly these fields is packed as a list of them.
    #[inline]
    pub(crate) fn begin_value(&mut self, wanted: &'static [&'static str]) {
        self.begin = self.bytes.len();
        (self.somes, self.wanted, self.is_list) = (0, wanted, false);
        self.fields.clear();
    }

    /// Removes the value that is being packed.
    pub(crate) fn drop_value(&mut self) {
        self.bytes.truncate(self.begin);
    }

    /// Ends the fields of the whole struct: a list without all of them has names.
    #[inline]
    pub(crate) fn end_fields(&mut self) {
        if self.is_list && self.fields.len() < self.wanted.len() {
            self.add_names();
        }
    }

    /// Makes the list of fields a struct with their names.
    #[cold]
    fn add_names(&mut self) {
        self.is_list = false;
        let values = self.bytes.split_off(self.begin);
        // The header of a map is as long as that of a list.
        write_len(&mut self.bytes, Kind::Fields, self.wanted.len());
        let ends = self.fields.iter().skip(1).copied();
        let ends = ends.chain([self.begin + values.len()]);
        for ((name, begin), end) in self.wanted.iter().zip(&self.fields).zip(ends) {
            write_text(&mut self.bytes, name);
            let value = &values[begin - self.begin..end - self.begin];
            self.bytes.extend_from_slice(value);
        }
    }

    /// Appends the name of a field whose value comes next.
    #[inline]
    pub(crate) fn name(&mut self, name: &str, is_of_whole: bool) -> Result<(), DataError> {
        if self.is_list && is_of_whole {
            let wanted = self.wanted.get(self.fields.len());
            // Mostly the same literal.
            if wanted.is_some_and(|wanted| ptr::eq(*wanted, name) || *wanted == name) {
                self.fields.push(self.bytes.len());
                return Ok(());
            }
            self.add_names();
        }
        self.put(Kind::Word, Content::Text(name))
    }

    /// Checks that the bytes stay below 4 GiB with this many more.
    #[inline]
    fn check(&self, more: usize) -> Result<(), DataError> {
        halves(self.bytes.len() - self.begin + more, 0).map(drop)
    }

    /// Appends a value of a tape.
    pub(crate) fn value(&mut self, tape: &Tape, at: usize) -> Result<(), DataError> {
        for &token in &tape.tokens[at..tape.behind(at)] {
            match token.kind {
                kind if token.is_container() => self.begin(kind, token.len() as usize, false),
                kind => self.put(kind, tape.content(token))?,
            }
        }
        Ok(())
    }

    /// Appends a value that contains no others, or the name in front of the content of a variant.
    #[inline]
    pub(crate) fn put(&mut self, kind: Kind, content: Content<'_>) -> Result<(), DataError> {
        match content {
            Content::Data(data) => self.plain(Token { kind, data, ..END }),
            // The fields of a range say what it is.
            Content::Text(_) if kind == Kind::Range => {}
            Content::Text(_) if kind == Kind::Some => self.somes += 1,
            Content::Text(text) => {
                if kind == Kind::Named {
                    write_len(&mut self.bytes, Kind::Map, 1);
                }
                self.somes = 0;
                self.check(text.len())?;
                write_text(&mut self.bytes, text);
            }
            Content::Bytes(bytes) => {
                self.somes = 0;
                self.check(bytes.len())?;
                let len = bytes.len() as u64;
                write_sized(&mut self.bytes, 0xc4, width(len), len);
                self.bytes.extend_from_slice(bytes);
            }
        }
        Ok(())
    }

    /// Appends a value that is neither a text nor bytes.
    #[inline]
    fn plain(&mut self, token: Token) {
        let somes = std::mem::take(&mut self.somes);
        let bytes = &mut self.bytes;
        let data = token.data;
        match token.kind {
            Kind::Bool => bytes.push(0xc2 | u8::from(data != 0)),
            Kind::Negative if data.cast_signed() >= -32 => bytes.push(data.to_be_bytes()[7]),
            // One bit more than the magnitude, for the sign.
            Kind::Negative => write_sized(bytes, 0xd0, width(!data << 1), data),
            Kind::Natural if data < 0x80 => bytes.push(data.to_be_bytes()[7]),
            Kind::Natural => write_sized(bytes, 0xcc, width(data), data),
            Kind::Float => write_sized(bytes, 0xc8, 3, data),
            Kind::Single => write_sized(bytes, 0xc8, 2, token.single().to_bits().into()),
            Kind::Char => write_text(bytes, token.character().encode_utf8(&mut [0; 4])),
            Kind::Unit if Empty::of(token) == Empty::Fields => write_len(bytes, Kind::Map, 0),
            Kind::Unit if Empty::of(token) == Empty::Tuple => write_len(bytes, Kind::Seq, 0),
            _ if somes == 0 => bytes.push(0xc0),
            _ => bytes.extend([0xd4, SOME_OF_NOTHING, somes]),
        }
    }

    /// Begins a container, which announces this number of entries. A newtype is packed as what it holds, and a struct
    /// that may have the wanted fields as a list.
    #[inline]
    pub(crate) fn begin(&mut self, kind: Kind, len: usize, is_whole: bool) {
        if kind == Kind::Wrapped {
            return;
        }
        self.somes = 0;
        let can_be_list = is_whole && kind == Kind::Fields && self.bytes.len() == self.begin;
        if can_be_list && len == self.wanted.len() && len > 0 {
            self.is_list = true;
            return write_len(&mut self.bytes, Kind::Seq, len);
        }
        write_len(&mut self.bytes, kind, len);
    }

    /// Corrects the number of entries, which was announced in this range.
    pub(crate) fn set_len(&mut self, announced: Range<usize>, kind: Kind, len: usize) {
        let mut header = Vec::new();
        write_len(&mut header, kind, len);
        self.bytes.splice(announced, header);
    }

    /// Reorders the entries from `begin` on. `places` contains the place of each entry, in the new order.
    pub(crate) fn reorder(&mut self, begin: usize, places: &[Range<usize>]) {
        let before = self.bytes.split_off(begin);
        for place in places {
            let entry = &before[place.start - begin..place.end - begin];
            self.bytes.extend_from_slice(entry);
        }
    }
}

/// Appends the length of a list, a map or a struct.
#[inline]
fn write_len(bytes: &mut Vec<u8>, kind: Kind, len: usize) {
    let len = u32::try_from(len).unwrap_or(u32::MAX).into();
    // There is no length of one byte.
    let (is_list, width) = (kind.parts() == 1, width(len).max(1));
    match u8::try_from(len) {
        // Nearly all lengths.
        Ok(len @ ..16) if is_list => bytes.push(0x90 | len),
        Ok(len @ ..16) => bytes.push(0x80 | len),
        _ if is_list => write_sized(bytes, 0xdb, width, len),
        _ => write_sized(bytes, 0xdd, width, len),
    }
}

#[inline]
fn write_text(bytes: &mut Vec<u8>, text: &str) {
    // Nearly all names.
    if let Ok(len @ ..32) = u8::try_from(text.len()) {
        bytes.push(0xa0 | len);
    } else {
        let len = text.len() as u64;
        write_sized(bytes, 0xd9, width(len), len);
    }
    bytes.extend_from_slice(text.as_bytes());
}

/// Returns the width in which a number fits: 0 for one byte, 1 for two, 2 for four, and 3 for eight.
fn width(number: u64) -> u8 {
    match number {
        ..=0xff => 0,
        0x100..=0xffff => 1,
        0x1_0000..=0xffff_ffff => 2,
        _ => 3,
    }
}

/// Appends a number in a width, after the byte that announces it: `first` is that of one byte, and those of the wider
/// numbers follow it.
fn write_sized(bytes: &mut Vec<u8>, first: u8, width: u8, number: u64) {
    bytes.push(first + width);
    bytes.extend_from_slice(&number.to_be_bytes()[8 - (1 << width)..]);
}
