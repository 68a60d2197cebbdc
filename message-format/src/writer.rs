//! The one serializer that types are compiled against. It writes onto a tape, as a text of the same value would be
//! read, or packs each part at once.

use serde::ser::{self, Serialize};

use crate::content::{Content, signed, unsigned};
use crate::error::DataError;
use crate::pack::Pack;
use crate::tape::{Empty, Kind, MAX_DEPTH, Tape, halves};
use crate::text::is_name;
use crate::unordered::{WITH_ORDER, WITHOUT_ORDER, is_of};

/// Writes a value onto a tape: the one serializer that types are compiled against.
///
/// The writer of a [`Packer`](crate::Packer) packs each part of the value at once, and its tape stays empty.
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
#[derive(Debug, Default)]
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
    is_gone: Option<fn() -> bool>,
    open: Vec<Open>,
    /// Where the values in containers without order begin.
    marks: Vec<usize>,
    /// `true` if the value is packed. Packing it from a finished tape would take two to five times as long.
    is_packed: bool,
    pub(crate) pack: Pack,
}

/// A container that has not ended.
#[derive(Debug)]
struct Open {
    kind: Kind,
    /// Where it begins, and its content.
    at: usize,
    content: usize,
    /// The number of entries that it was begun with.
    announced: usize,
    /// The number of values so far. Names of fields and keys are values, too.
    values: usize,
    /// The number of marks before its own, if its entries are written sorted.
    marks: Option<usize>,
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
        Self::default()
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
            is_gone: Some(is_gone),
            ..Self::default()
        }
    }

    /// Creates a writer that packs values.
    pub(crate) fn packed() -> Self {
        Self {
            is_packed: true,
            ..Self::default()
        }
    }

    /// Begins a value that is packed: as a list if it is a struct with exactly these fields.
    #[inline]
    pub(crate) fn begin_packed(&mut self, fields: &'static [&'static str]) {
        self.open.clear();
        self.marks.clear();
        self.pack.begin_value(fields);
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
        self.begin_value();
        if self.is_packed {
            return self.pack.value(tape, at);
        }
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
        self.put(self.kind_of(name), Content::Text(name))
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
        self.begin_announced(kind, 0).map(drop)
    }

    /// Like [`begin`](Self::begin), with the number of entries, if it is known.
    fn begin_announced(&mut self, kind: Kind, len: usize) -> Result<&mut Self, DataError> {
        self.check_depth()?;
        self.begin_value();
        self.open(kind, len, None);
        Ok(self)
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
        self.begin_variant_announced(name, kind, 0)
    }

    /// Like [`begin_variant`](Self::begin_variant), with the number of entries, if it is known.
    fn begin_variant_announced(&mut self, name: &str, kind: Kind, len: usize) -> Written {
        self.check_depth()?;
        if self.kind_of(name) == Kind::Word {
            self.put(Kind::Named, Content::Text(name))?;
            self.open(kind, len, None);
            return Ok(());
        }
        self.begin_value();
        let map = self.tape.open(Kind::Map, 0);
        self.tape.push_str(Kind::Str, name, NOWHERE)?;
        self.open(kind, len, Some(map));
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
        self.begin_value();
        if self.is_packed {
            return self.pack.name(name, self.open.len() == 1);
        }
        let mut kind = Kind::Str;
        match self.open.last_mut() {
            Some(open) if open.kind == Kind::Fields && is_name(name) => kind = Kind::Word,
            // A struct is written as a map if one of its names is not a word.
            Some(open) if open.kind == Kind::Fields => {
                open.kind = Kind::Map;
                self.tape.fields_to_map(open.at);
            }
            _ => {}
        }
        self.tape.push_str(kind, name, NOWHERE)
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
        if let Some(first) = open.marks {
            self.sort(&open, first);
        }
        let len = open.values / open.kind.parts();
        let has_own = open.content > open.at;
        if self.is_packed {
            if self.open.is_empty() {
                self.pack.end_fields();
            }
            if has_own && len != open.announced {
                halves(len, 0)?;
                self.pack.set_len(open.at..open.content, open.kind, len);
            }
            return Ok(());
        }
        if has_own {
            self.tape.close(open.at, len, 0)?;
            let empty = match open.kind {
                Kind::Tuple if len == 0 => Some(Empty::Tuple),
                Kind::Fields if len == 0 => Some(Empty::Fields),
                _ => None,
            };
            if let Some(empty) = empty {
                let whole = &mut self.tape.tokens[open.at];
                (whole.kind, whole.data) = (Kind::Unit, empty as u64);
            }
        }
        match open.around {
            Some(map) => self.tape.close(map, 1, 0),
            None => Ok(()),
        }
    }

    /// Returns the kind of a name: a word, if it can be one. Bytes have no words, and any name will do.
    fn kind_of(&self, name: &str) -> Kind {
        if self.is_packed || is_name(name) {
            Kind::Word
        } else {
            Kind::Str
        }
    }

    fn check_depth(&self) -> Written {
        if self.open.len() >= MAX_DEPTH as usize {
            return Err(DataError::too_deep());
        }
        Ok(())
    }

    /// Returns the place of the next value, on the tape or in the bytes.
    #[inline]
    fn place(&self) -> usize {
        if self.is_packed {
            self.pack.bytes.len()
        } else {
            self.tape.tokens.len()
        }
    }

    /// Begins a value of the innermost container.
    #[inline]
    fn begin_value(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.values += 1;
            if open.marks.is_some() {
                self.marks.push(self.place());
            }
        }
    }

    fn open(&mut self, kind: Kind, len: usize, around: Option<usize>) {
        let at = self.place();
        if self.is_packed {
            self.pack.begin(kind, len, self.open.is_empty());
        } else if kind != Kind::Wrapped || around.is_none() {
            // In a map, the one value of a variant needs no parentheses.
            self.tape.push(kind, 0, NOWHERE);
        }
        self.open.push(Open {
            kind,
            at,
            content: self.place(),
            announced: len,
            values: 0,
            marks: None,
            around,
        });
    }

    /// Makes the group that was begun last one that is written sorted.
    fn set_unordered(&mut self) {
        if let Some(open) = self.open.last_mut() {
            open.marks = Some(self.marks.len());
        }
    }

    /// Sorts the entries of a map or a set: for a text by their keys, for bytes by the bytes of their keys. Entries
    /// with the same key keep their order. `first` is the index of the first mark.
    fn sort(&mut self, open: &Open, first: usize) {
        let marks = self.marks.split_off(first);
        let place = |at: usize| marks.get(at).copied().unwrap_or(self.place());
        let parts = open.kind.parts();
        // Where each entry begins, where its key ends, and where it ends.
        let entries = (0..marks.len()).step_by(parts);
        let entries = entries.map(|at| [at, at + 1, at + parts].map(place));
        let mut entries: Vec<[usize; 3]> = entries.collect();
        entries.sort_by(|one, other| {
            let [one, other] = [one, other].map(|[begin, end, _]| *begin..*end);
            if self.is_packed {
                return self.pack.bytes[one].cmp(&self.pack.bytes[other]);
            }
            self.tape.compare(one, &self.tape, other)
        });
        let places: Vec<_> = entries.iter().map(|[begin, _, end]| *begin..*end).collect();
        if self.is_packed {
            self.pack.reorder(open.content, &places);
        } else {
            self.tape.reorder(open.content, &places);
        }
    }

    /// Begins a struct, which may be the value as a whole.
    fn begin_struct(&mut self, kind: Kind, len: usize) -> Result<&mut Self, DataError> {
        self.is_struct |= self.tape.tokens.is_empty();
        self.begin_announced(kind, len)
    }

    #[inline]
    fn put(&mut self, kind: Kind, content: Content<'_>) -> Written {
        self.begin_value();
        if self.is_packed {
            return self.pack.put(kind, content);
        }
        self.tape.put(kind, content, NOWHERE)
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
        !self.is_packed
    }

    fn serialize_bool(self, value: bool) -> Written {
        self.put(Kind::Bool, Content::Data(value.into()))
    }

    fn serialize_i8(self, number: i8) -> Written {
        self.serialize_i64(number.into())
    }

    fn serialize_i16(self, number: i16) -> Written {
        self.serialize_i64(number.into())
    }

    fn serialize_i32(self, number: i32) -> Written {
        self.serialize_i64(number.into())
    }

    fn serialize_i64(self, number: i64) -> Written {
        self.serialize_i128(number.into())
    }

    fn serialize_i128(self, number: i128) -> Written {
        signed(number, |kind, content| self.put(kind, content))
    }

    fn serialize_u8(self, number: u8) -> Written {
        self.serialize_u64(number.into())
    }

    fn serialize_u16(self, number: u16) -> Written {
        self.serialize_u64(number.into())
    }

    fn serialize_u32(self, number: u32) -> Written {
        self.serialize_u64(number.into())
    }

    fn serialize_u64(self, number: u64) -> Written {
        self.put(Kind::Natural, Content::Data(number))
    }

    fn serialize_u128(self, number: u128) -> Written {
        unsigned(number, |kind, content| self.put(kind, content))
    }

    fn serialize_f32(self, number: f32) -> Written {
        self.put(Kind::Single, Content::Data(number.to_bits().into()))
    }

    fn serialize_f64(self, number: f64) -> Written {
        self.put(Kind::Float, Content::Data(number.to_bits()))
    }

    fn serialize_char(self, character: char) -> Written {
        self.put(Kind::Char, Content::Data(u32::from(character).into()))
    }

    fn serialize_str(self, text: &str) -> Written {
        self.put(Kind::Str, Content::Text(text))
    }

    fn serialize_bytes(self, bytes: &[u8]) -> Written {
        self.put(Kind::Bytes, Content::Bytes(bytes))
    }

    fn serialize_none(self) -> Written {
        self.put(Kind::Nil, Content::Data(0))
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Written {
        let (begun, depth) = (self.tape.tokens.len(), self.open.len());
        self.check_depth()?;
        self.put(Kind::Some, Content::Text("Some"))?;
        self.open(Kind::Wrapped, 1, None);
        match value.serialize(&mut *self) {
            Ok(()) => self.end(),
            Err(_)
                if self.is_gone.is_some_and(|is_gone| is_gone())
                    && self.tape.tokens.len() == begun + 2 =>
            {
                self.tape.tokens.truncate(begun);
                self.open.truncate(depth);
                self.tape.push(Kind::Nil, 0, NOWHERE);
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    fn serialize_unit(self) -> Written {
        self.put(Kind::Unit, Content::Data(Empty::Unit as u64))
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
        self.begin_struct(Kind::Wrapped, 1)?;
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

    fn serialize_seq(self, len: Option<usize>) -> Result<Self, DataError> {
        self.begin_announced(Kind::Seq, len.unwrap_or(0))
    }

    fn collect_seq<I>(self, elements: I) -> Written
    where
        I: IntoIterator<Item: Serialize>,
    {
        let elements = elements.into_iter();
        self.begin_announced(Kind::Seq, elements.size_hint().0)?;
        if is_of::<I>(&WITHOUT_ORDER) {
            self.set_unordered();
        }
        for element in elements {
            element.serialize(&mut *self)?;
        }
        self.end()
    }

    fn serialize_tuple(self, len: usize) -> Result<Self, DataError> {
        self.begin_announced(Kind::Tuple, len)
    }

    fn serialize_tuple_struct(self, _: &'static str, len: usize) -> Result<Self, DataError> {
        self.begin_struct(Kind::Tuple, len)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self, DataError> {
        self.begin_variant_announced(variant, Kind::Tuple, len)?;
        Ok(self)
    }

    /// A map whose type is not known is sorted.
    fn serialize_map(self, len: Option<usize>) -> Result<Self, DataError> {
        self.begin_announced(Kind::Map, len.unwrap_or(0))?;
        self.set_unordered();
        Ok(self)
    }

    fn collect_map<K, V, I>(self, entries: I) -> Written
    where
        K: Serialize,
        V: Serialize,
        I: IntoIterator<Item = (K, V)>,
    {
        let entries = entries.into_iter();
        self.begin_announced(Kind::Map, entries.size_hint().0)?;
        if !is_of::<I>(&WITH_ORDER) {
            self.set_unordered();
        }
        for (key, value) in entries {
            key.serialize(&mut *self)?;
            value.serialize(&mut *self)?;
        }
        self.end()
    }

    fn serialize_struct(self, _: &'static str, len: usize) -> Result<Self, DataError> {
        self.begin_struct(Kind::Fields, len)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self, DataError> {
        self.begin_variant_announced(variant, Kind::Fields, len)?;
        Ok(self)
    }
}

/// The parts of a group are written by the same writer.
/// Implements the traits for the parts of a container. A field has a name.
macro_rules! parts {
    ($($trait:ident: $($part:ident($($name:ident)?))*;)*) => {
        $(impl ser::$trait for &mut Writer {
            type Ok = ();
            type Error = DataError;

            $(fn $part<T: Serialize + ?Sized>(
                &mut self,
                $($name: &'static str,)?
                value: &T,
            ) -> Written {
                $(self.field_name($name)?;)?
                value.serialize(&mut **self)
            })*

            fn end(self) -> Written {
                Writer::end(self)
            }
        })*
    };
}

parts! {
    SerializeSeq: serialize_element();
    SerializeTuple: serialize_element();
    SerializeTupleStruct: serialize_field();
    SerializeTupleVariant: serialize_field();
    SerializeMap: serialize_key() serialize_value();
    SerializeStruct: serialize_field(name);
    SerializeStructVariant: serialize_field(name);
}
