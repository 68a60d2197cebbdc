//! Appends values as `MessagePack`, part by part.

use std::ops::Range;

use rmp::{Marker, encode};

use crate::content::Content;
use crate::error::DataError;
use crate::pack::SOME_OF_NOTHING;
use crate::tape::{END, Empty, Kind, Tape, Token, halves};

/// Writing to a vector does not fail.
const TO_MEMORY: &str = "a vector takes what is written to it";

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
                encode::write_bin(&mut self.bytes, bytes).expect(TO_MEMORY);
            }
        }
        Ok(())
    }

    /// Appends a value that is neither a text nor bytes.
    #[inline]
    fn plain(&mut self, token: Token) {
        let somes = std::mem::take(&mut self.somes);
        let bytes = &mut self.bytes;
        let written = match token.kind {
            Kind::Bool => return encode::write_bool(bytes, token.data != 0).expect(TO_MEMORY),
            Kind::Negative => encode::write_sint(bytes, token.data.cast_signed()).map(drop),
            Kind::Natural => encode::write_uint(bytes, token.data).map(drop),
            Kind::Float => encode::write_f64(bytes, f64::from_bits(token.data)),
            Kind::Single => encode::write_f32(bytes, token.single()),
            Kind::Char => encode::write_str(bytes, token.character().encode_utf8(&mut [0; 4])),
            Kind::Unit if Empty::of(token) == Empty::Fields => {
                return write_len(bytes, Kind::Map, 0);
            }
            Kind::Unit if Empty::of(token) == Empty::Tuple => {
                return write_len(bytes, Kind::Seq, 0);
            }
            _ if somes == 0 => return encode::write_nil(bytes).expect(TO_MEMORY),
            _ => {
                encode::write_ext_meta(bytes, 1, SOME_OF_NOTHING).expect(TO_MEMORY);
                return bytes.push(somes);
            }
        };
        written.expect(TO_MEMORY);
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
    let len = u32::try_from(len).unwrap_or(u32::MAX);
    let is_list = kind.parts() == 1;
    match u8::try_from(len) {
        // Nearly all lengths, as in `write_text`.
        Ok(len @ ..16) if is_list => bytes.push(Marker::FixArray(len).to_u8()),
        Ok(len @ ..16) => bytes.push(Marker::FixMap(len).to_u8()),
        _ if is_list => drop(encode::write_array_len(bytes, len).expect(TO_MEMORY)),
        _ => drop(encode::write_map_len(bytes, len).expect(TO_MEMORY)),
    }
}

#[inline]
fn write_text(bytes: &mut Vec<u8>, text: &str) {
    // Nearly all names. With `rmp` alone, small structs take a tenth longer.
    if let Ok(len @ ..32) = u8::try_from(text.len()) {
        bytes.push(Marker::FixStr(len).to_u8());
        bytes.extend_from_slice(text.as_bytes());
    } else {
        encode::write_str(bytes, text).expect(TO_MEMORY);
    }
}
