//! The one serializer that types are compiled against. It writes onto a tape, as a text of the same value would be
//! read.

use std::any::type_name;

use serde::ser::{self, Serialize};

use crate::error::DataError;
use crate::pack::pack;
use crate::tape::{Empty, Form, Kind, MAX_DEPTH, Tape};
use crate::text::is_name;
use crate::unordered::{keeps_order, lacks_order};

/// Writes a value onto a tape: the one serializer that types are compiled against.
///
/// In message-core, `#[derive(Data)]` passes it to types with data, and there is nothing to call.
///
/// ```
/// use message_format::{Writer, text};
/// use serde::Serialize;
///
/// let mut writer = Writer::new();
/// [1, 2].serialize(&mut writer)?;
/// assert_eq!(text::print(&writer.tape, 0), "(1, 2)");
/// # Ok::<(), message_format::DataError>(())
/// ```
#[derive(Debug)]
pub struct Writer {
    /// The tape with the value.
    pub tape: Tape,
    /// `true` if the value is a struct, which may have its name in front of its parentheses.
    ///
    /// ```
    /// use message_format::Writer;
    /// use serde::Serialize;
    ///
    /// #[derive(Serialize)]
    /// struct Meters(u8);
    ///
    /// let mut writer = Writer::new();
    /// Meters(8).serialize(&mut writer)?;
    /// assert!(writer.is_struct);
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub is_struct: bool,
    is_gone: fn() -> bool,
    open: Vec<Open>,
}

/// A group that has not ended.
#[derive(Debug)]
struct Open {
    /// Its container's index.
    at: usize,
    /// `true` if its entries are written sorted.
    lacks_order: bool,
    /// The map around it, with the name of a variant that is no word.
    around: Option<usize>,
}

/// The result of writing a part of a value.
///
/// ```
/// use message_format::{Writer, Written, tape::Kind, text};
/// use serde::Serialize;
///
/// fn write_both(writer: &mut Writer) -> Written {
///     writer.begin(Kind::Seq)?;
///     true.serialize(&mut *writer)?;
///     writer.word("Fire")?;
///     writer.end()
/// }
///
/// let mut writer = Writer::new();
/// write_both(&mut writer)?;
/// assert_eq!(text::print(&writer.tape, 0), "[true, Fire]");
/// # Ok::<(), message_format::DataError>(())
/// ```
pub type Written = Result<(), DataError>;

/// Nothing on the tape comes from a source.
const NOWHERE: (u32, u32) = (0, 0);

impl Default for Writer {
    fn default() -> Self {
        Self::new()
    }
}

impl Writer {
    /// Creates a writer with an empty tape, for a text.
    ///
    /// ```
    /// use message_format::Writer;
    ///
    /// assert!(Writer::new().tape.tokens.is_empty());
    /// ```
    #[must_use]
    pub fn new() -> Self {
        Self::without_gone(|| false)
    }

    /// Creates a writer that writes `None` instead of `Some` around something that is gone.
    ///
    /// When the content of a `Some` cannot be written, it calls the function. If this returns `true`, and nothing was
    /// written yet, the error is dropped and `None` is written.
    ///
    /// ```
    /// use message_format::{Writer, text};
    /// use serde::ser::{Error, Serialize, Serializer};
    ///
    /// struct Gone;
    ///
    /// impl Serialize for Gone {
    ///     fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
    ///         Err(Error::custom("it is gone"))
    ///     }
    /// }
    ///
    /// let mut writer = Writer::without_gone(|| true);
    /// Some(Gone).serialize(&mut writer)?;
    /// assert_eq!(text::print(&writer.tape, 0), "None");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    #[must_use]
    pub fn without_gone(is_gone: fn() -> bool) -> Self {
        Self {
            tape: Tape::default(),
            is_struct: false,
            is_gone,
            open: Vec::new(),
        }
    }

    /// Empties the tape for another value, which is written for bytes.
    pub(crate) fn begin_bytes(&mut self) {
        self.tape.clear(Form::Compact);
        self.is_struct = false;
        self.open.clear();
    }

    /// Appends a value of another tape.
    ///
    /// # Errors
    ///
    /// Returns an error if the tape is larger than 4 GiB.
    ///
    /// ```
    /// use message_format::{TextOptions, Writer, tape::Kind, text};
    ///
    /// let tape = text::read("8", TextOptions::new())?;
    /// let mut writer = Writer::new();
    /// writer.begin(Kind::Seq)?;
    /// writer.value(&tape, 0)?;
    /// writer.end()?;
    /// assert_eq!(text::print(&writer.tape, 0), "[8]");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn value(&mut self, tape: &Tape, at: usize) -> Written {
        self.tape.append(tape, at)
    }

    /// Writes a variant without fields.
    ///
    /// # Errors
    ///
    /// Returns an error if the tape is larger than 4 GiB.
    ///
    /// ```
    /// use message_format::{Writer, text};
    ///
    /// let mut writer = Writer::new();
    /// writer.word("Fire")?;
    /// assert_eq!(text::print(&writer.tape, 0), "Fire");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn word(&mut self, name: &str) -> Written {
        let kind = if is_name(name) { Kind::Word } else { Kind::Str };
        self.tape.push_str(kind, name, NOWHERE)
    }

    /// Begins a container of this kind.
    ///
    /// # Errors
    ///
    /// Returns an error if it is nested too deeply.
    ///
    /// ```
    /// use message_format::{Writer, tape::Kind, text};
    ///
    /// let mut writer = Writer::new();
    /// writer.begin(Kind::Fields)?;
    /// writer.field("hp", &8)?;
    /// writer.end()?;
    /// assert_eq!(text::print(&writer.tape, 0), "(hp: 8)");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn begin(&mut self, kind: Kind) -> Written {
        self.check_depth()?;
        let at = self.tape.open(kind, 0);
        self.open(at, None);
        Ok(())
    }

    /// Begins the content of a variant: a container of this kind.
    ///
    /// # Errors
    ///
    /// Returns an error if it is nested too deeply.
    ///
    /// ```
    /// use message_format::{Writer, tape::Kind, text};
    ///
    /// let mut writer = Writer::new();
    /// writer.begin_variant("Move", Kind::Fields)?;
    /// writer.field("x", &1)?;
    /// writer.end()?;
    /// assert_eq!(text::print(&writer.tape, 0), "Move(x: 1)");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn begin_variant(&mut self, name: &str, kind: Kind) -> Written {
        self.check_depth()?;
        if self.is_word(name) {
            self.tape.push_str(Kind::Named, name, NOWHERE)?;
            return self.begin(kind);
        }
        let map = self.tape.open(Kind::Map, 0);
        self.tape.push_str(Kind::Str, name, NOWHERE)?;
        if kind == Kind::Wrapped {
            // In a map, the one value of a variant needs no parentheses.
            self.open(map, None);
        } else {
            let at = self.tape.open(kind, 0);
            self.open(at, Some(map));
        }
        Ok(())
    }

    /// Writes a field of the struct that was begun last.
    ///
    /// # Errors
    ///
    /// Returns the error of the value's `Serialize`.
    ///
    /// ```
    /// use message_format::{Writer, tape::Kind, text};
    ///
    /// let mut writer = Writer::new();
    /// writer.begin(Kind::Fields)?;
    /// writer.field("max hp", &8)?;
    /// writer.end()?;
    /// assert_eq!(text::print(&writer.tape, 0), "{\"max hp\": 8}");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn field<T: Serialize + ?Sized>(&mut self, name: &str, value: &T) -> Written {
        self.field_name(name)?;
        value.serialize(self)
    }

    /// Writes the name of a field whose value comes next.
    ///
    /// # Errors
    ///
    /// Returns an error if the tape is larger than 4 GiB.
    ///
    /// ```
    /// use message_format::{Writer, tape::Kind, text};
    /// use serde::Serialize;
    ///
    /// let mut writer = Writer::new();
    /// writer.begin(Kind::Fields)?;
    /// writer.field_name("hp")?;
    /// 8.serialize(&mut writer)?;
    /// writer.end()?;
    /// assert_eq!(text::print(&writer.tape, 0), "(hp: 8)");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn field_name(&mut self, name: &str) -> Written {
        let around = self.open.last().map(|open| open.at);
        let fields = around.filter(|&at| self.tape.tokens[at].kind == Kind::Fields);
        if fields.is_some() && self.is_word(name) {
            return self.tape.push_str(Kind::Word, name, NOWHERE);
        }
        if let Some(at) = fields {
            // A struct is written as a map if one of its names is not a word.
            self.tape.fields_to_map(at);
        }
        self.tape.push_str(Kind::Str, name, NOWHERE)
    }

    /// Ends the container that was begun last.
    ///
    /// # Errors
    ///
    /// Returns an error if the tape is too large.
    ///
    /// # Panics
    ///
    /// Panics if none was begun.
    ///
    /// ```
    /// use message_format::{Writer, tape::Kind, text};
    ///
    /// let mut writer = Writer::new();
    /// writer.begin(Kind::Tuple)?;
    /// writer.end()?;
    /// assert_eq!(text::print(&writer.tape, 0), "(/**/)");
    /// # Ok::<(), message_format::DataError>(())
    /// ```
    pub fn end(&mut self) -> Written {
        let open = self.open.pop().expect("a group that ends was begun");
        if open.lacks_order {
            self.sort(&open);
        }
        self.tape.end(open.at, 0)?;
        let whole = &mut self.tape.tokens[open.at];
        let meaning = match whole.kind {
            Kind::Tuple if whole.len() == 0 => Some(Empty::Tuple),
            Kind::Fields if whole.len() == 0 => Some(Empty::Fields),
            _ => None,
        };
        if let Some(meaning) = meaning {
            (whole.kind, whole.data) = (Kind::Unit, meaning as u64);
        }
        match open.around {
            Some(map) => self.tape.end(map, 0),
            None => Ok(()),
        }
    }

    /// Returns `true` if a name can be written as a word. Bytes have no words, and any name will do.
    fn is_word(&self, name: &str) -> bool {
        self.tape.form != Form::Text || is_name(name)
    }

    fn check_depth(&self) -> Written {
        if self.open.len() >= MAX_DEPTH as usize {
            return Err(DataError::too_deep());
        }
        Ok(())
    }

    fn open(&mut self, at: usize, around: Option<usize>) {
        self.open.push(Open {
            at,
            lacks_order: false,
            around,
        });
    }

    /// Makes the group that was begun last one that is written sorted.
    fn set_unordered(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.lacks_order = true;
        }
    }

    /// Sorts the entries of a map or a set: for a text by their keys, for bytes by the bytes of their keys. Entries
    /// with the same key keep their order.
    fn sort(&mut self, open: &Open) {
        let tape = &self.tape;
        let mut entries: Vec<_> = tape.entries(open.at).collect();
        let key = |entry: &std::ops::Range<usize>| entry.start..tape.behind(entry.start);
        if tape.form == Form::Text {
            entries.sort_by(|one, other| tape.compare(key(one), tape, key(other)));
        } else {
            entries.sort_by_cached_key(|entry| {
                let mut bytes = Vec::new();
                pack(tape, entry.start, &mut bytes);
                bytes
            });
        }
        self.tape.reorder(open.at + 1, &entries);
    }

    /// Begins a struct, which may be the value as a whole.
    fn begin_struct(&mut self, kind: Kind) -> Result<&mut Self, DataError> {
        self.is_struct |= self.tape.tokens.is_empty();
        self.begun(kind)
    }

    fn begun(&mut self, kind: Kind) -> Result<&mut Self, DataError> {
        self.begin(kind)?;
        Ok(self)
    }

    #[allow(clippy::unnecessary_wraps, reason = "it is what serde asks for")]
    fn plain(&mut self, kind: Kind, data: u64) -> Written {
        self.tape.push(kind, data, NOWHERE);
        Ok(())
    }
}

impl<'w> ser::Serializer for &'w mut Writer {
    type Ok = ();
    type Error = DataError;
    type SerializeSeq = &'w mut Writer;
    type SerializeTuple = &'w mut Writer;
    type SerializeTupleStruct = &'w mut Writer;
    type SerializeTupleVariant = &'w mut Writer;
    type SerializeMap = &'w mut Writer;
    type SerializeStruct = &'w mut Writer;
    type SerializeStructVariant = &'w mut Writer;

    fn is_human_readable(&self) -> bool {
        self.tape.form == Form::Text
    }

    fn serialize_bool(self, value: bool) -> Written {
        self.plain(Kind::Bool, value.into())
    }

    fn serialize_i8(self, number: i8) -> Written {
        self.serialize_i128(number.into())
    }

    fn serialize_i16(self, number: i16) -> Written {
        self.serialize_i128(number.into())
    }

    fn serialize_i32(self, number: i32) -> Written {
        self.serialize_i128(number.into())
    }

    fn serialize_i64(self, number: i64) -> Written {
        self.serialize_i128(number.into())
    }

    fn serialize_i128(self, number: i128) -> Written {
        self.tape.push_signed(number, NOWHERE)
    }

    fn serialize_u8(self, number: u8) -> Written {
        self.serialize_u128(number.into())
    }

    fn serialize_u16(self, number: u16) -> Written {
        self.serialize_u128(number.into())
    }

    fn serialize_u32(self, number: u32) -> Written {
        self.serialize_u128(number.into())
    }

    fn serialize_u64(self, number: u64) -> Written {
        self.serialize_u128(number.into())
    }

    fn serialize_u128(self, number: u128) -> Written {
        self.tape.push_unsigned(number, NOWHERE)
    }

    fn serialize_f32(self, number: f32) -> Written {
        self.plain(Kind::Single, number.to_bits().into())
    }

    fn serialize_f64(self, number: f64) -> Written {
        self.plain(Kind::Float, number.to_bits())
    }

    fn serialize_char(self, character: char) -> Written {
        self.plain(Kind::Char, u32::from(character).into())
    }

    fn serialize_str(self, text: &str) -> Written {
        self.tape.push_str(Kind::Str, text, NOWHERE)
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Written {
        self.tape.push_bytes(Kind::Bytes, bytes, NOWHERE)
    }

    fn serialize_none(self) -> Written {
        self.plain(Kind::Nil, 0)
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        let (begun, depth) = (self.tape.tokens.len(), self.open.len());
        self.tape.push_str(Kind::Some, "Some", NOWHERE)?;
        self.begin(Kind::Wrapped)?;
        match value.serialize(&mut *self) {
            Ok(()) => self.end(),
            Err(_) if (self.is_gone)() && self.tape.tokens.len() == begun + 2 => {
                self.tape.tokens.truncate(begun);
                self.open.truncate(depth);
                self.serialize_none()
            }
            Err(error) => Err(error),
        }
    }

    fn serialize_unit(self) -> Written {
        self.plain(Kind::Unit, Empty::Unit as u64)
    }

    fn serialize_unit_struct(self, _: &'static str) -> Written {
        self.is_struct |= self.tape.tokens.is_empty();
        self.serialize_unit()
    }

    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Written {
        self.word(variant)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        value: &T,
    ) -> Written {
        self.begin_struct(Kind::Wrapped)?;
        value.serialize(&mut *self)?;
        self.end()
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Written {
        self.begin_variant(variant, Kind::Wrapped)?;
        value.serialize(&mut *self)?;
        self.end()
    }

    fn serialize_seq(self, _: Option<usize>) -> Result<Self, DataError> {
        self.begun(Kind::Seq)
    }

    fn collect_seq<I>(self, elements: I) -> Written
    where
        I: IntoIterator<Item: Serialize>,
    {
        self.begin(Kind::Seq)?;
        if lacks_order(type_name::<I>()) {
            self.set_unordered();
        }
        for element in elements {
            element.serialize(&mut *self)?;
        }
        self.end()
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, DataError> {
        self.begun(Kind::Tuple)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, DataError> {
        self.begin_struct(Kind::Tuple)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self, DataError> {
        self.begin_variant(variant, Kind::Tuple)?;
        Ok(self)
    }

    /// A map whose type is not known is sorted.
    fn serialize_map(self, _: Option<usize>) -> Result<Self, DataError> {
        self.begin(Kind::Map)?;
        self.set_unordered();
        Ok(self)
    }

    fn collect_map<K, V, I>(self, entries: I) -> Written
    where
        K: Serialize,
        V: Serialize,
        I: IntoIterator<Item = (K, V)>,
    {
        self.begin(Kind::Map)?;
        if !keeps_order(type_name::<I>()) {
            self.set_unordered();
        }
        for (key, value) in entries {
            key.serialize(&mut *self)?;
            value.serialize(&mut *self)?;
        }
        self.end()
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, DataError> {
        self.begin_struct(Kind::Fields)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Self, DataError> {
        self.begin_variant(variant, Kind::Fields)?;
        Ok(self)
    }
}

/// The parts of a group are written by the same writer.
macro_rules! parts {
    ($($trait:ident $($part:ident)*;)*) => {
        $(impl ser::$trait for &mut Writer {
            type Ok = ();
            type Error = DataError;

            $(fn $part<T: Serialize + ?Sized>(&mut self, value: &T) -> Written {
                value.serialize(&mut **self)
            })*

            fn end(self) -> Written {
                Writer::end(self)
            }
        })*
    };
}

parts! {
    SerializeSeq serialize_element;
    SerializeTuple serialize_element;
    SerializeTupleStruct serialize_field;
    SerializeTupleVariant serialize_field;
    SerializeMap serialize_key serialize_value;
}

/// The same for parts with names.
macro_rules! fields {
    ($($trait:ident)*) => {
        $(impl ser::$trait for &mut Writer {
            type Ok = ();
            type Error = DataError;

            fn serialize_field<T: Serialize + ?Sized>(
                &mut self,
                name: &'static str,
                value: &T,
            ) -> Written {
                self.field(name, value)
            }

            fn end(self) -> Written {
                Writer::end(self)
            }
        })*
    };
}

fields!(SerializeStruct SerializeStructVariant);
