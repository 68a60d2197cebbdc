//! A sink that writes `MessagePack`.

use std::ops::Range;

use rmp::encode;

use crate::error::DataError;
use crate::pack::SOME_OF_NOTHING;
use crate::sink::{Group, Sink, Written};
use crate::tape::MAX_DEPTH;
use crate::unordered::{Marks, Sorted};

/// A sink that appends what is written to a vector of bytes.
///
/// ```
/// use message_format::{Writer, pack::Packer};
/// use serde::Serialize;
///
/// let mut packer = Packer::default();
/// for number in [1, 2] {
///     number.serialize(&mut Writer::new(&mut packer))?;
/// }
/// assert_eq!(packer.bytes, [1, 2]);
/// # Ok::<(), message_format::DataError>(())
/// ```
#[derive(Debug, Default)]
pub struct Packer {
    /// The bytes so far.
    pub bytes: Vec<u8>,
    open: Vec<Open>,
    marks: Marks,
    /// The fields of the value as a whole, if it is to be written as a list of them.
    fields: Option<Fields>,
    /// The number of `Some` that have begun directly before the next value.
    somes: u8,
}

/// A struct whose fields are written without their names.
#[derive(Debug)]
struct Fields {
    names: &'static [&'static str],
    state: ByPosition,
}

/// The state of an attempt to write a struct without names.
///
/// ```
/// use message_format::pack::{ByPosition, Packer};
///
/// let mut packer = Packer::default();
/// packer.begin_fields(&["x", "y"]);
/// // Nothing was written.
/// assert_eq!(packer.end_fields(), ByPosition::Not);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByPosition {
    /// The value has names.
    Not,
    /// The value is a list.
    Done,
    /// The struct wrote other fields than these, so its output is invalid.
    Failed,
}

/// A group that has not ended.
#[derive(Debug)]
struct Open {
    /// The announced number of values, if there is one.
    announced: Option<usize>,
    /// Where its length is to be written.
    length_at: usize,
    /// The number of values so far; for a map, of keys and values.
    parts: usize,
    /// The number of marks of other groups before its own.
    marks: usize,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// `Some` and newtypes: written as what they contain.
    Through,
    /// A newtype variant, which is a map already.
    Variant,
    List,
    Map,
    Struct,
    /// A struct as a list of its fields.
    Fields,
}

/// Writing to a vector does not fail.
const TO_MEMORY: &str = "a vector takes what is written to it";

/// The first byte of a list: of up to 15 values, of up to 65 535, of more.
const LIST: [u8; 3] = [0x90, 0xdc, 0xdd];
/// The first byte of a map.
const MAP: [u8; 3] = [0x80, 0xde, 0xdf];

impl Packer {
    /// Discards everything after the first `len` bytes and all groups that were begun.
    ///
    /// ```
    /// use message_format::pack::Packer;
    ///
    /// let mut packer = Packer::default();
    /// packer.bytes.extend([1, 2, 3]);
    /// packer.begin_behind(1);
    /// assert_eq!(packer.bytes, [1]);
    /// ```
    pub fn begin_behind(&mut self, len: usize) {
        self.bytes.truncate(len);
        self.open.clear();
        self.marks.clear();
        self.fields = None;
        self.somes = 0;
    }

    /// Makes the next value a list of its fields, if it is a struct that writes exactly these.
    ///
    /// ```
    /// use message_format::{Writer, pack::{ByPosition, Packer}};
    /// use serde::Serialize;
    ///
    /// #[derive(Serialize)]
    /// struct Point { x: u8, y: u8 }
    ///
    /// let mut packer = Packer::default();
    /// packer.begin_fields(&["x", "y"]);
    /// Point { x: 1, y: 2 }.serialize(&mut Writer::new(&mut packer))?;
    /// assert_eq!(packer.end_fields(), ByPosition::Done);
    /// assert_eq!(packer.bytes, [0x92, 1, 2]);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn begin_fields(&mut self, names: &'static [&'static str]) {
        let state = ByPosition::Not;
        self.fields = Some(Fields { names, state });
    }

    /// Ends the attempt that [`begin_fields`](Self::begin_fields) began, and returns its state.
    ///
    /// ```
    /// use message_format::{Writer, pack::{ByPosition, Packer}};
    /// use serde::Serialize;
    ///
    /// #[derive(Serialize)]
    /// struct Point { x: u8, y: u8 }
    ///
    /// let mut packer = Packer::default();
    /// packer.begin_fields(&["x", "z"]);
    /// let written = Point { x: 1, y: 2 }.serialize(&mut Writer::new(&mut packer));
    /// assert!(written.is_err() && packer.end_fields() == ByPosition::Failed);
    /// ```
    pub fn end_fields(&mut self) -> ByPosition {
        self.fields
            .take()
            .map_or(ByPosition::Not, |fields| fields.state)
    }

    /// Returns `true` if a struct with `len` fields that begins now is written as a list.
    fn begins_fields(&mut self, len: Option<usize>) -> bool {
        let is_whole = self.open.is_empty();
        let fields = self.fields.as_mut().filter(|_| is_whole);
        let fits = |fields: &&mut Fields| Some(fields.names.len()) == len;
        match fields.filter(fits) {
            Some(fields) => {
                fields.state = ByPosition::Done;
                true
            }
            None => false,
        }
    }

    /// Sorts the entries of a map or a set by the bytes of their keys.
    fn sort(&mut self, open: &Open) {
        let (bytes, is_map) = (&mut self.bytes, open.what == What::Map);
        let compare = |one: Range<usize>, other: Range<usize>| bytes[one].cmp(&bytes[other]);
        let sorted = self.marks.sort(open.marks, bytes.len(), is_map, compare);
        let Some(Sorted { begin, entries }) = sorted else {
            return;
        };
        let before = bytes.split_off(begin);
        for entry in entries {
            bytes.extend_from_slice(&before[entry.start - begin..entry.end - begin]);
        }
    }

    /// Checks that the next field of a list has the expected name.
    fn field_of_list(&mut self, name: &str, at: usize) -> Written {
        let fields = self.fields.as_mut().expect("the list was begun with them");
        match fields.names.get(at) {
            Some(&expected) if std::ptr::eq(expected, name) || expected == name => Ok(()),
            _ => {
                fields.state = ByPosition::Failed;
                Err(DataError::new(format_args!("`{name}` is not field {at}")))
            }
        }
    }

    /// Called before each value.
    fn value(&mut self) {
        self.somes = 0;
        if let Some(open) = self.open.last_mut() {
            open.parts += 1;
        }
    }

    fn nothing(&mut self) {
        let somes = std::mem::take(&mut self.somes);
        self.value();
        if somes == 0 {
            self.bytes.push(rmp::Marker::Null.to_u8());
        } else {
            encode::write_ext_meta(&mut self.bytes, 1, SOME_OF_NOTHING).expect(TO_MEMORY);
            self.bytes.push(somes);
        }
    }

    fn length(len: usize) -> Result<u32, DataError> {
        u32::try_from(len).map_err(|_| DataError::too_large())
    }

    fn text(&mut self, text: &str) -> Written {
        let len = Self::length(text.len())?;
        match len.to_be_bytes() {
            [0, 0, 0, len @ ..=31] => self.bytes.push(0xa0 | len),
            [0, 0, 0, len] => self.bytes.extend_from_slice(&[0xd9, len]),
            [0, 0, high, low] => self.bytes.extend_from_slice(&[0xda, high, low]),
            [a, b, c, d] => self.bytes.extend_from_slice(&[0xdb, a, b, c, d]),
        }
        self.bytes.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn natural(&mut self, number: u64) {
        let bytes = &mut self.bytes;
        match number.to_be_bytes() {
            [0, 0, 0, 0, 0, 0, 0, a @ ..=127] => bytes.push(a),
            [0, 0, 0, 0, 0, 0, 0, a] => bytes.extend_from_slice(&[0xcc, a]),
            [0, 0, 0, 0, 0, 0, a, b] => bytes.extend_from_slice(&[0xcd, a, b]),
            [0, 0, 0, 0, a, b, c, d] => bytes.extend_from_slice(&[0xce, a, b, c, d]),
            all => {
                bytes.push(0xcf);
                bytes.extend_from_slice(&all);
            }
        }
    }

    /// Writes the head of a list or a map. `few` is the first byte for up to 15 entries, `some` and `many` for more.
    fn group(&mut self, len: u32, [few, some, many]: [u8; 3]) {
        let bytes = &mut self.bytes;
        match len.to_be_bytes() {
            [0, 0, 0, len @ ..=15] => bytes.push(few | len),
            [0, 0, high, low] => bytes.extend_from_slice(&[some, high, low]),
            [a, b, c, d] => bytes.extend_from_slice(&[many, a, b, c, d]),
        }
    }
}

impl Sink for Packer {
    fn is_text(&self) -> bool {
        false
    }

    fn unit(&mut self) -> Written {
        self.nothing();
        Ok(())
    }

    fn bool(&mut self, value: bool) -> Written {
        self.value();
        encode::write_bool(&mut self.bytes, value).expect(TO_MEMORY);
        Ok(())
    }

    fn signed(&mut self, number: i128) -> Written {
        self.value();
        if let Ok(number) = u64::try_from(number) {
            self.natural(number);
        } else if let Ok(number) = i64::try_from(number) {
            encode::write_sint(&mut self.bytes, number).expect(TO_MEMORY);
        } else {
            encode::write_bin(&mut self.bytes, &number.to_be_bytes()).expect(TO_MEMORY);
        }
        Ok(())
    }

    fn unsigned(&mut self, number: u128) -> Written {
        self.value();
        if let Ok(number) = u64::try_from(number) {
            self.natural(number);
        } else {
            encode::write_bin(&mut self.bytes, &number.to_be_bytes()).expect(TO_MEMORY);
        }
        Ok(())
    }

    fn float(&mut self, number: f64) -> Written {
        self.value();
        encode::write_f64(&mut self.bytes, number).expect(TO_MEMORY);
        Ok(())
    }

    fn single(&mut self, number: f32) -> Written {
        self.value();
        encode::write_f32(&mut self.bytes, number).expect(TO_MEMORY);
        Ok(())
    }

    fn char(&mut self, character: char) -> Written {
        self.value();
        self.text(character.encode_utf8(&mut [0; 4]))
    }

    fn str(&mut self, text: &str) -> Written {
        self.value();
        self.text(text)
    }

    fn bytes(&mut self, bytes: &[u8]) -> Written {
        self.value();
        Self::length(bytes.len())?;
        encode::write_bin(&mut self.bytes, bytes).expect(TO_MEMORY);
        Ok(())
    }

    fn none(&mut self) -> Written {
        self.nothing();
        Ok(())
    }

    fn unit_struct(&mut self, _: &'static str) -> Written {
        self.nothing();
        Ok(())
    }

    fn unit_variant(&mut self, name: &'static str) -> Written {
        self.value();
        self.text(name)
    }

    fn begin(&mut self, group: Group<'_>, len: Option<usize>) -> Written {
        if self.open.len() >= MAX_DEPTH as usize {
            return Err(DataError::too_deep());
        }
        let what = match group {
            Group::Some => {
                // What is inside counts.
                let somes = self.somes.checked_add(1);
                self.somes = somes.ok_or_else(DataError::too_deep)?;
                What::Through
            }
            Group::Newtype(_) => What::Through,
            _ => {
                let is_list = matches!(group, Group::Struct(_)) && self.begins_fields(len);
                self.value();
                match group {
                    Group::NewtypeVariant(name)
                    | Group::TupleVariant(name)
                    | Group::StructVariant(name) => {
                        self.group(1, MAP);
                        self.text(name)?;
                    }
                    _ => {}
                }
                match group {
                    Group::NewtypeVariant(_) => What::Variant,
                    Group::Map => What::Map,
                    Group::Struct(_) if is_list => What::Fields,
                    Group::Struct(_) | Group::StructVariant(_) => What::Struct,
                    _ => What::List,
                }
            }
        };
        let length_at = self.bytes.len() + 1;
        let small = len.map(Self::length).transpose()?;
        match (what, small) {
            (What::Through | What::Variant, _) => {}
            (What::List | What::Fields, Some(len)) => self.group(len, LIST),
            (_, Some(len)) => self.group(len, MAP),
            // The widest form, with a length that is known at the end.
            (what, None) => {
                let marker = match what {
                    What::List => rmp::Marker::Array32,
                    _ => rmp::Marker::Map32,
                };
                self.bytes.push(marker.to_u8());
                self.bytes.extend([0; 4]);
            }
        }
        self.open.push(Open {
            announced: len,
            length_at,
            parts: 0,
            marks: self.marks.len(),
            what,
        });
        Ok(())
    }

    /// Ids in bytes are numbers, also of what is gone.
    fn take_some_back(&mut self) -> bool {
        false
    }

    fn unordered(&mut self) {
        self.marks.add(self.bytes.len());
    }

    fn field(&mut self, name: &'static str) -> Written {
        match self.open.last() {
            Some(open) if open.what == What::Fields => {
                let at = open.parts;
                self.field_of_list(name, at)
            }
            _ => self.text(name),
        }
    }

    fn end(&mut self) -> Written {
        let open = self.open.pop().expect("a group that ends was begun");
        if self.marks.len() > open.marks {
            self.sort(&open);
        }
        if open.what == What::Through {
            // What it holds is a value of the group around it.
            if let Some(around) = self.open.last_mut() {
                around.parts += 1;
            }
            return Ok(());
        }
        if open.what == What::Variant {
            return Ok(());
        }
        let len = match open.what {
            What::Map => open.parts / 2,
            _ => open.parts,
        };
        match open.announced {
            Some(announced) if announced != len => Err(DataError::new(format_args!(
                "a value announced {announced} entries and wrote {len}"
            ))),
            Some(_) => Ok(()),
            None => {
                let length = Self::length(len)?.to_be_bytes();
                self.bytes[open.length_at..open.length_at + 4].copy_from_slice(&length);
                Ok(())
            }
        }
    }
}
