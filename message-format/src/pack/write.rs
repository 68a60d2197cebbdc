//! Appends values as `MessagePack`, part by part.

use std::ops::Range;

use crate::content::Content;
use crate::error::DataError;
use crate::pack::SOME_OF_NOTHING;
use crate::tape::{END, Empty, Kind, Tape, Token, halves};

/// The bytes of one value.
#[derive(Debug, Default)]
pub(crate) struct Pack {
    pub(crate) bytes: Vec<u8>,
    /// The number of `Some` around the next value.
    somes: u8,
    /// The names of the fields that a struct needs to be a list.
    wanted: Vec<u8>,
    /// `true` if the bytes are the values of a struct's fields alone, because their names may be the wanted ones.
    pub(crate) is_fields: bool,
    names: Vec<u8>,
    /// The end of each name, and the beginning of the field's value.
    fields: Vec<[usize; 2]>,
}

impl Pack {
    /// Begins another value. A struct with exactly these fields is packed as a list of them.
    pub(crate) fn clear(&mut self, wanted: &[&str]) {
        for part in [&mut self.bytes, &mut self.wanted, &mut self.names] {
            part.clear();
        }
        self.fields.clear();
        (self.somes, self.is_fields) = (0, false);
        for name in wanted {
            write_text(&mut self.wanted, name);
        }
    }

    /// Moves the value behind other bytes. Returns `true` if it is a list of the wanted fields.
    pub(crate) fn move_to(&mut self, into: &mut Vec<u8>) -> bool {
        let is_list = self.is_fields && self.names == self.wanted;
        if is_list {
            write_len(into, Kind::Seq, self.fields.len());
        } else if self.is_fields {
            self.add_names();
        }
        if into.is_empty() {
            std::mem::swap(into, &mut self.bytes);
        } else {
            into.extend_from_slice(&self.bytes);
        }
        is_list
    }

    /// Makes the values of the fields a struct.
    fn add_names(&mut self) {
        let values = std::mem::take(&mut self.bytes);
        write_len(&mut self.bytes, Kind::Fields, self.fields.len());
        let ends = self.fields.iter().skip(1).map(|[_, value]| *value);
        let mut name = 0;
        for ([end, value], next) in self.fields.iter().zip(ends.chain([values.len()])) {
            self.bytes.extend_from_slice(&self.names[name..*end]);
            self.bytes.extend_from_slice(&values[*value..next]);
            name = *end;
        }
    }

    /// Appends the name of a field whose value comes next.
    #[inline]
    pub(crate) fn name(&mut self, name: &str, is_of_whole: bool) -> Result<(), DataError> {
        if self.is_fields && is_of_whole {
            write_text(&mut self.names, name);
            self.fields.push([self.names.len(), self.bytes.len()]);
            return Ok(());
        }
        self.put(Kind::Word, Content::Text(name))
    }

    /// Checks that the bytes stay below 4 GiB with this many more.
    #[inline]
    fn check(&self, more: usize) -> Result<(), DataError> {
        halves(self.bytes.len() + more, 0).map(drop)
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
    /// whose names are kept apart as its values alone.
    pub(crate) fn begin(&mut self, kind: Kind, len: usize, is_whole: bool) {
        if is_whole && kind == Kind::Fields && self.bytes.is_empty() && !self.wanted.is_empty() {
            self.is_fields = true;
        } else if kind != Kind::Wrapped {
            self.somes = 0;
            write_len(&mut self.bytes, kind, len);
        }
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
