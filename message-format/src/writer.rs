//! The one serializer that types are compiled against.

use std::any::type_name;

use serde::ser::{self, Serialize};

use crate::error::DataError;
use crate::sink::{Group, Sink, Written};
use crate::unordered::{keeps_order, lacks_order};

/// Writes a value's parts to a sink, one after the other: the one serializer that types are compiled against.
///
/// In message-core, `#[derive(Data)]` passes it to types with data, and there is nothing to call.
///
/// ```
/// use message_format::{Writer, pack::Packer};
/// use serde::Serialize;
///
/// let mut packer = Packer::default();
/// ("a", true).serialize(&mut Writer::new(&mut packer))?;
/// assert_eq!(packer.bytes, [0x92, 0xa1, b'a', 0xc3]);
/// # Ok::<(), message_format::DataError>(())
/// ```
pub struct Writer<'s> {
    sink: &'s mut dyn Sink,
}

impl std::fmt::Debug for Writer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").finish_non_exhaustive()
    }
}

impl<'s> Writer<'s> {
    /// Creates a writer to a sink.
    ///
    /// ```
    /// use message_format::{Recorder, Writer, text};
    /// use serde::Serialize;
    ///
    /// let mut recorder = Recorder::new();
    /// 'a'.serialize(&mut Writer::new(&mut recorder))?;
    /// assert_eq!(text::print(&recorder.tape, 0), "'a'");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn new(sink: &'s mut dyn Sink) -> Self {
        Self { sink }
    }

    fn group(&mut self, group: Group<'_>, len: Option<usize>) -> Result<&mut Self, DataError> {
        self.sink.begin(group, len)?;
        Ok(self)
    }

    /// Ends `Some`. If the sink takes it back because its content cannot be written, it is written as `None`.
    fn end_some(&mut self, written: Written) -> Written {
        match written {
            Ok(()) => self.sink.end(),
            Err(_) if self.sink.take_some_back() => self.sink.none(),
            Err(error) => Err(error),
        }
    }
}

impl ser::Serializer for &mut Writer<'_> {
    type Ok = ();
    type Error = DataError;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    fn is_human_readable(&self) -> bool {
        self.sink.is_text()
    }

    fn serialize_bool(self, value: bool) -> Written {
        self.sink.bool(value)
    }

    fn serialize_i8(self, number: i8) -> Written {
        self.sink.signed(number.into())
    }

    fn serialize_i16(self, number: i16) -> Written {
        self.sink.signed(number.into())
    }

    fn serialize_i32(self, number: i32) -> Written {
        self.sink.signed(number.into())
    }

    fn serialize_i64(self, number: i64) -> Written {
        self.sink.signed(number.into())
    }

    fn serialize_i128(self, number: i128) -> Written {
        self.sink.signed(number)
    }

    fn serialize_u8(self, number: u8) -> Written {
        self.sink.unsigned(number.into())
    }

    fn serialize_u16(self, number: u16) -> Written {
        self.sink.unsigned(number.into())
    }

    fn serialize_u32(self, number: u32) -> Written {
        self.sink.unsigned(number.into())
    }

    fn serialize_u64(self, number: u64) -> Written {
        self.sink.unsigned(number.into())
    }

    fn serialize_u128(self, number: u128) -> Written {
        self.sink.unsigned(number)
    }

    fn serialize_f32(self, number: f32) -> Written {
        self.sink.single(number)
    }

    fn serialize_f64(self, number: f64) -> Written {
        self.sink.float(number)
    }

    fn serialize_char(self, character: char) -> Written {
        self.sink.char(character)
    }

    fn serialize_str(self, text: &str) -> Written {
        self.sink.str(text)
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Written {
        self.sink.bytes(bytes)
    }

    fn serialize_none(self) -> Written {
        self.sink.none()
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        self.sink.begin(Group::Some, Some(1))?;
        let written = value.serialize(&mut *self);
        self.end_some(written)
    }

    fn serialize_unit(self) -> Written {
        self.sink.unit()
    }

    fn serialize_unit_struct(self, name: &'static str) -> Written {
        self.sink.unit_struct(name)
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        self.sink.unit_variant(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Written {
        self.sink.begin(Group::Newtype(name), Some(1))?;
        value.serialize(&mut *self)?;
        self.sink.end()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Written {
        self.sink.begin(Group::NewtypeVariant(variant), Some(1))?;
        value.serialize(&mut *self)?;
        self.sink.end()
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Self, DataError> {
        self.group(Group::Seq, len)
    }

    fn collect_seq<I>(self, elements: I) -> Written
    where
        I: IntoIterator<Item: Serialize>,
    {
        let lacks_order = lacks_order(type_name::<I>());
        let elements = elements.into_iter();
        self.sink.begin(Group::Seq, known_len(&elements))?;
        for element in elements {
            if lacks_order {
                self.sink.unordered();
            }
            element.serialize(&mut *self)?;
        }
        self.sink.end()
    }

    fn serialize_tuple(self, len: usize) -> Result<Self, DataError> {
        self.group(Group::Tuple, Some(len))
    }

    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Self, DataError> {
        self.group(Group::TupleStruct(name), Some(len))
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self, DataError> {
        self.group(Group::TupleVariant(variant), Some(len))
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Self, DataError> {
        self.group(Group::Map, len)
    }

    fn collect_map<K, V, I>(self, entries: I) -> Written
    where
        K: Serialize,
        V: Serialize,
        I: IntoIterator<Item = (K, V)>,
    {
        let keeps_order = keeps_order(type_name::<I>());
        let entries = entries.into_iter();
        self.sink.begin(Group::Map, known_len(&entries))?;
        for (key, value) in entries {
            if keeps_order {
                key.serialize(&mut *self)?;
                value.serialize(&mut *self)?;
            } else {
                ser::SerializeMap::serialize_entry(&mut &mut *self, &key, &value)?;
            }
        }
        self.sink.end()
    }

    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Self, DataError> {
        self.group(Group::Struct(name), Some(len))
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self, DataError> {
        self.group(Group::StructVariant(variant), Some(len))
    }
}

/// Returns the number of items, if the iterator knows it.
fn known_len(items: &impl Iterator) -> Option<usize> {
    let (least, most) = items.size_hint();
    most.filter(|&most| most == least)
}

/// The parts of a group are written by the same writer.
macro_rules! parts {
    ($($trait:ident $part:ident)*) => {
        $(impl ser::$trait for &mut Writer<'_> {
            type Ok = ();
            type Error = DataError;

            fn $part<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
                value.serialize(&mut **self)
            }

            fn end(self) -> Written {
                self.sink.end()
            }
        })*
    };
}

parts! {
    SerializeSeq serialize_element
    SerializeTuple serialize_element
    SerializeTupleStruct serialize_field
    SerializeTupleVariant serialize_field
}

/// The same for parts with names.
macro_rules! fields {
    ($($trait:ident)*) => {
        $(impl ser::$trait for &mut Writer<'_> {
            type Ok = ();
            type Error = DataError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Written {
                self.sink.field(name)?;
                value.serialize(&mut **self)
            }

            fn end(self) -> Written {
                self.sink.end()
            }
        })*
    };
}

fields!(SerializeStruct SerializeStructVariant);

/// A map whose type is not known: it is sorted.
impl ser::SerializeMap for &mut Writer<'_> {
    type Ok = ();
    type Error = DataError;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Written {
        self.sink.unordered();
        key.serialize(&mut **self)
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
        self.sink.unordered();
        value.serialize(&mut **self)
    }

    fn end(self) -> Written {
        self.sink.end()
    }
}
