//! The one deserializer that types are compiled against.
//!
//! It goes over a [`Tape`] from token to token. What a file may leave out or add, the reader decides and
//! not the type: a strict reader refuses a field that a struct does not have, wherever it stands; a
//! lenient one notes it and goes on.

mod access;

use serde::de::{self, DeserializeOwned, Visitor};

use crate::data::error::DataError;
use crate::data::tape::{Form, Kind, Tape, Token};
use access::{Entries, Fields, Items, Named, Variant};

/// What happens to fields that a struct does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// They are an error.
    Refused,
    /// They are noted and passed over.
    Noted,
}

/// Reads a value's parts from what was read of a text or of bytes.
///
/// Types with data are given it by [`#[derive(Data)]`](macro@crate::data::Data); there is nothing to call.
pub struct Reader<'t> {
    tape: &'t Tape,
    /// The next token.
    at: usize,
    unknown: Unknown,
    /// How many `Some` around nothing were read already, if such a token is next.
    peeled: u64,
    /// Nothing is read: the fields of the struct that is asked for are noted.
    asks_for_fields: bool,
    fields: &'static [&'static str],
    /// Where a value stands in the parentheses behind its type's name, if it does.
    inside_at: usize,
    notes: Vec<DataError>,
}

impl std::fmt::Debug for Reader<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reader").finish_non_exhaustive()
    }
}

impl<'t> Reader<'t> {
    /// Begins at a value of a tape.
    pub(crate) fn new(tape: &'t Tape, at: usize, unknown: Unknown) -> Self {
        Self {
            tape,
            at,
            unknown,
            peeled: 0,
            asks_for_fields: false,
            fields: &[],
            inside_at: usize::MAX,
            notes: Vec::new(),
        }
    }

    /// Begins at what stands behind the name of a type: the parentheses of a struct, or one value in
    /// parentheses if the type is not written as a struct.
    pub(crate) fn behind_name(tape: &'t Tape, at: usize, unknown: Unknown) -> Self {
        Self {
            inside_at: at,
            ..Self::new(tape, at, unknown)
        }
    }

    /// The fields of a struct, by a function that reads it.
    pub(crate) fn fields_of<T>(
        read: fn(&mut Reader<'_>) -> Result<T, DataError>,
    ) -> &'static [&'static str] {
        let mut tape = Tape::default();
        tape.push(Kind::Unit, 0, (0, 0));
        let mut reader = Reader::new(&tape, 0, Unknown::Noted);
        reader.asks_for_fields = true;
        // It fails where it has noted them.
        let _ = read(&mut reader);
        reader.fields
    }

    /// Returns an error if the fields were all that is asked for.
    fn note_fields(&mut self, fields: &'static [&'static str]) -> Result<(), DataError> {
        if !self.asks_for_fields {
            return Ok(());
        }
        self.fields = fields;
        Err(DataError::new("only the fields are asked for"))
    }

    /// Goes into the parentheses behind the name of a type that is not written as a struct.
    fn go_inside(&mut self) {
        if self.at == self.inside_at {
            let token = self.peek();
            if token.kind == Kind::Tuple && token.len() == 1 {
                self.next();
            }
        }
    }

    /// What was passed over.
    pub(crate) fn into_notes(self) -> Vec<DataError> {
        self.notes
    }

    /// Reads one value.
    pub(crate) fn read<T: DeserializeOwned>(&mut self) -> Result<T, DataError> {
        let start = self.peek().start;
        T::deserialize(&mut *self).map_err(|error| error.at(start))
    }

    fn peek(&self) -> Token {
        self.tape.tokens[self.at]
    }

    /// The next token, and goes on behind it.
    fn next(&mut self) -> Token {
        let token = self.peek();
        self.at += 1;
        self.peeled = 0;
        token
    }

    fn is_packed(&self) -> bool {
        self.tape.form == Form::Packed
    }

    fn wide(&self, token: Token) -> u128 {
        usize::try_from(token.data).map_or(0, |index| self.tape.wide[index])
    }

    /// Goes into a value with that name in front of it, if the text gives one.
    fn enter(&mut self, name: &str) -> Result<(), DataError> {
        let token = self.peek();
        if token.kind == Kind::Named {
            self.check_name(token, name)?;
            self.next();
        }
        Ok(())
    }

    fn check_name(&self, token: Token, name: &str) -> Result<(), DataError> {
        let found = self.tape.str(token);
        // A renamed type can have a name that no text could give.
        if found == name {
            return Ok(());
        }
        let what = format!("expected `{name}`, found `{found}`");
        Err(DataError::new(what).at(token.start))
    }

    /// Gives a visitor what a list holds, and checks that it took all of it.
    fn list<'d, V: Visitor<'d>>(&mut self, visitor: V) -> Result<V::Value, DataError> {
        let token = self.next();
        let mut items = Items {
            left: if token.kind == Kind::Unit {
                0
            } else {
                token.len()
            },
            reader: self,
        };
        let value = visitor.visit_seq(&mut items)?;
        let left = items.left;
        Self::ended(left, token)?;
        Ok(value)
    }

    /// Gives a visitor the entries of a map or a struct. The struct's fields are those that there are.
    fn entries<'d, V: Visitor<'d>>(
        &mut self,
        visitor: V,
        of: Option<Fields<'_>>,
    ) -> Result<V::Value, DataError> {
        let token = self.next();
        let mut entries = Entries {
            left: if token.is_container() { token.len() } else { 0 },
            reader: self,
            of,
            key: token,
        };
        let value = visitor.visit_map(&mut entries);
        let (left, key) = (entries.left, entries.key);
        match value {
            Ok(value) => {
                Self::ended(left, token)?;
                Ok(value)
            }
            Err(error) => Err(of_entries(error, of, token, key)),
        }
    }

    /// The name that is next.
    fn identifier(&mut self) -> Result<&'t str, DataError> {
        let tape = self.tape;
        match self.peek().kind {
            Kind::Word | Kind::Str => Ok(tape.str(self.next())),
            _ => Err(self.mismatch("the name of a field")),
        }
    }

    /// That a list was read to its end.
    fn ended(left: u32, token: Token) -> Result<(), DataError> {
        if left == 0 {
            return Ok(());
        }
        let (found, read) = (token.len(), token.len() - left);
        let what = format!("this has {found} entries: expected {read}");
        Err(DataError::new(what).at(token.start))
    }

    /// Whatever is next, as far as it tells of itself.
    fn any<'d, V: Visitor<'d>>(&mut self, visitor: V) -> Result<V::Value, DataError> {
        let token = self.peek();
        match token.kind {
            Kind::Bool => visitor.visit_bool(self.next().data != 0),
            Kind::Negative => visitor.visit_i64(self.next().data.cast_signed()),
            Kind::Natural => visitor.visit_u64(self.next().data),
            Kind::WideNegative => {
                let number = self.wide(token).cast_signed();
                self.next();
                visitor.visit_i128(number)
            }
            Kind::WideNatural => {
                let number = self.wide(token);
                self.next();
                visitor.visit_u128(number)
            }
            Kind::Float => visitor.visit_f64(f64::from_bits(self.next().data)),
            Kind::Single => {
                self.next();
                visitor.visit_f32(single(token))
            }
            Kind::Char => {
                self.next();
                visitor.visit_char(character(token))
            }
            Kind::Bytes => {
                self.next();
                visitor.visit_bytes(self.tape.bytes(token))
            }
            Kind::Word if self.tape.str(token) == "None" => {
                self.next();
                visitor.visit_none()
            }
            Kind::Str | Kind::Word => {
                self.next();
                visitor.visit_str(self.tape.str(token))
            }
            Kind::Nil if token.data > self.peeled => {
                self.peeled += 1;
                visitor.visit_some(self)
            }
            Kind::Unit | Kind::Nil => {
                self.next();
                visitor.visit_unit()
            }
            Kind::Named if self.tape.str(token) == "Some" => self.some(visitor),
            Kind::Named => visitor.visit_map(&mut Named {
                reader: self,
                is_read: false,
            }),
            Kind::Seq | Kind::Tuple => self.list(visitor),
            Kind::Fields | Kind::Map => self.entries(visitor, None),
        }
    }

    /// `Some(…)`.
    fn some<'d, V: Visitor<'d>>(&mut self, visitor: V) -> Result<V::Value, DataError> {
        let name = self.next();
        let inner = self.peek();
        if inner.kind != Kind::Tuple || inner.len() != 1 {
            return Err(DataError::new("expected `Some` with one value").at(name.start));
        }
        self.next();
        let start = self.peek().start;
        visitor.visit_some(self).map_err(|error| error.at(start))
    }

    /// What a newtype holds: the one value in parentheses.
    fn inside(&mut self) -> Result<(), DataError> {
        let token = self.peek();
        if token.kind == Kind::Tuple && token.len() == 1 {
            self.next();
            return Ok(());
        }
        Err(self.mismatch("one value in parentheses"))
    }

    /// That a word is next where none can be.
    fn no_word(&self, expected: &str) -> Result<(), DataError> {
        let token = self.peek();
        let is_none = token.kind == Kind::Word && self.tape.str(token) == "None";
        if matches!(token.kind, Kind::Word | Kind::Named) && !is_none {
            return Err(self.mismatch(expected));
        }
        Ok(())
    }

    pub(crate) fn mismatch(&self, expected: &str) -> DataError {
        let token = self.peek();
        let what = format!("expected {expected}, found {}", self.describe(token));
        DataError::new(what).at(token.start)
    }

    /// What is next, in words.
    fn describe(&self, token: Token) -> String {
        match token.kind {
            Kind::Unit => "`()`".to_owned(),
            Kind::Bool => format!("`{}`", token.data != 0),
            Kind::Negative => format!("the integer `{}`", token.data.cast_signed()),
            Kind::Natural => format!("the integer `{}`", token.data),
            Kind::WideNegative | Kind::WideNatural => "an integer of 128 bits".to_owned(),
            Kind::Float => format!("the number `{:?}`", f64::from_bits(token.data)),
            Kind::Single => format!("the number `{:?}`", single(token)),
            Kind::Char => format!("the character `{}`", character(token).escape_debug()),
            Kind::Str => format!("the string {:?}", self.tape.str(token)),
            Kind::Bytes => "bytes".to_owned(),
            Kind::Word => format!("`{}`", self.tape.str(token)),
            Kind::Named => format!("`{}(…)`", self.tape.str(token)),
            Kind::Nil => "nothing".to_owned(),
            Kind::Seq => "a list".to_owned(),
            Kind::Tuple => "values in parentheses".to_owned(),
            Kind::Fields => "fields in parentheses".to_owned(),
            Kind::Map => "a map".to_owned(),
        }
    }
}

/// An error that a map or a struct as a whole has met.
#[cold]
fn of_entries(error: DataError, of: Option<Fields<'_>>, whole: Token, key: Token) -> DataError {
    if error.what().starts_with("duplicate field") {
        return error.at(key.start);
    }
    let Some(of) = of else {
        return error;
    };
    error
        .at(whole.start)
        .saying(|what| match what.strip_prefix("the field ") {
            Some(rest) => format!("`{}` is incomplete: the field {rest}", of.name),
            None => what.to_owned(),
        })
}

fn single(token: Token) -> f32 {
    f32::from_bits(u32::try_from(token.data).unwrap_or(0))
}

fn character(token: Token) -> char {
    let number = u32::try_from(token.data).unwrap_or(0);
    char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER)
}

/// Plain values, as they are: a visitor says itself which of them it takes. It takes a word for a
/// string, so that is reported here.
macro_rules! as_it_is {
    ($($method:ident $expected:literal)*) => {
        $(fn $method<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
            self.go_inside();
            self.no_word($expected)?;
            self.any(visitor)
        })*
    };
}

impl<'d> de::Deserializer<'d> for &mut Reader<'_> {
    type Error = DataError;

    fn is_human_readable(&self) -> bool {
        !self.is_packed()
    }

    as_it_is! {
        deserialize_bool "`true` or `false`"
        deserialize_i8 "an integer"
        deserialize_i16 "an integer"
        deserialize_i32 "an integer"
        deserialize_i64 "an integer"
        deserialize_u8 "an integer"
        deserialize_u16 "an integer"
        deserialize_u32 "an integer"
        deserialize_u64 "an integer"
        deserialize_f64 "a number"
        deserialize_char "a character between `'`"
        deserialize_str "a string between `\"`"
        deserialize_string "a string between `\"`"
        deserialize_bytes "bytes"
        deserialize_byte_buf "bytes"
        deserialize_unit "`()`"
    }

    fn deserialize_any<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        self.go_inside();
        self.any(visitor)
    }

    fn deserialize_i128<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        self.go_inside();
        let token = self.peek();
        if self.is_packed() && token.kind == Kind::Bytes {
            let bytes: [u8; 16] = self
                .tape
                .bytes(token)
                .try_into()
                .map_err(|_| self.mismatch("16 bytes"))?;
            self.next();
            return visitor.visit_i128(i128::from_be_bytes(bytes));
        }
        self.any(visitor)
    }

    fn deserialize_u128<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        self.go_inside();
        let token = self.peek();
        if self.is_packed() && token.kind == Kind::Bytes {
            let bytes: [u8; 16] = self
                .tape
                .bytes(token)
                .try_into()
                .map_err(|_| self.mismatch("16 bytes"))?;
            self.next();
            return visitor.visit_u128(u128::from_be_bytes(bytes));
        }
        self.any(visitor)
    }

    fn deserialize_f32<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        self.go_inside();
        let token = self.peek();
        let span = token.start as usize..token.end as usize;
        // From the text itself: by way of an `f64` it would be rounded twice.
        if token.kind == Kind::Float
            && !self.is_packed()
            && let Some(digits) = self.tape.text.get(span)
            && let Ok(number) = digits.replace('_', "").parse()
        {
            self.next();
            return visitor.visit_f32(number);
        }
        self.any(visitor)
    }

    fn deserialize_option<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        self.go_inside();
        let token = self.peek();
        match token.kind {
            Kind::Nil if token.data > self.peeled => {
                self.peeled += 1;
                visitor.visit_some(self)
            }
            Kind::Nil => {
                self.next();
                visitor.visit_none()
            }
            Kind::Word if self.tape.str(token) == "None" => {
                self.next();
                visitor.visit_none()
            }
            Kind::Named if self.tape.str(token) == "Some" => self.some(visitor),
            _ if self.is_packed() || self.tape.extensions.implicit_some => visitor.visit_some(self),
            _ => Err(self.mismatch("`Some(…)` or `None`")),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'d>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DataError> {
        let token = self.peek();
        match token.kind {
            Kind::Word => {
                self.check_name(token, name)?;
                self.next();
                visitor.visit_unit()
            }
            Kind::Named if self.tape.tokens[self.at + 1].kind == Kind::Unit => {
                self.enter(name)?;
                self.next();
                visitor.visit_unit()
            }
            Kind::Unit | Kind::Nil => {
                self.next();
                visitor.visit_unit()
            }
            // As other programs write it.
            Kind::Seq if self.is_packed() && token.len() == 0 => {
                self.next();
                visitor.visit_unit()
            }
            _ => Err(self.mismatch(&format!("`{name}`"))),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'d>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DataError> {
        if self.is_packed() {
            return visitor.visit_newtype_struct(self);
        }
        let token = self.peek();
        if token.kind == Kind::Named || token.kind == Kind::Tuple {
            // Without its name, only the parentheses tell that it is one.
            let named = token.kind == Kind::Named && self.tape.str(token) == name;
            if named || token.kind == Kind::Tuple || !self.tape.extensions.unwrap_newtypes {
                self.enter(name)?;
                self.inside()?;
            }
        } else if !self.tape.extensions.unwrap_newtypes {
            return Err(self.mismatch(&format!("`{name}(…)`")));
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        self.go_inside();
        match self.peek().kind {
            Kind::Seq | Kind::Tuple => self.list(visitor),
            _ => self.any(visitor),
        }
    }

    fn deserialize_tuple<V: Visitor<'d>>(
        self,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, DataError> {
        self.go_inside();
        match self.peek().kind {
            Kind::Seq if !self.is_packed() => Err(self.mismatch("values in parentheses")),
            Kind::Seq | Kind::Tuple | Kind::Unit => self.list(visitor),
            _ => self.any(visitor),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'d>>(
        self,
        name: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, DataError> {
        self.enter(name)?;
        match self.peek().kind {
            Kind::Seq if !self.is_packed() => Err(self.mismatch(&format!("`{name}(…)`"))),
            Kind::Seq | Kind::Tuple | Kind::Unit => self.list(visitor),
            _ => Err(self.mismatch(&format!("`{name}(…)`"))),
        }
    }

    fn deserialize_map<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        self.go_inside();
        let token = self.peek();
        if token.kind == Kind::Named && self.tape.tokens[self.at + 1].kind == Kind::Fields {
            // A struct that is read as a map, as it is with `#[serde(flatten)]`.
            self.next();
            return self.entries(visitor, None);
        }
        self.any(visitor)
    }

    fn deserialize_struct<V: Visitor<'d>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DataError> {
        self.note_fields(fields)?;
        let of = Some(Fields {
            name,
            names: fields,
        });
        let token = self.peek();
        if token.kind == Kind::Word {
            // All fields by default: the name alone.
            self.check_name(token, name)?;
            return self.entries(visitor, of);
        }
        self.enter(name)?;
        match self.peek().kind {
            Kind::Fields | Kind::Unit => self.entries(visitor, of),
            Kind::Map if self.is_packed() => self.entries(visitor, of),
            Kind::Seq if self.is_packed() => self.list(visitor),
            _ => Err(self.mismatch(&format!("`{name}` with its fields in parentheses"))),
        }
    }

    fn deserialize_enum<V: Visitor<'d>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DataError> {
        self.go_inside();
        let token = self.peek();
        let is_one = match token.kind {
            Kind::Word | Kind::Named => true,
            Kind::Str => self.is_packed(),
            Kind::Map => self.is_packed() && token.len() == 1,
            _ => false,
        };
        if !is_one {
            let names = crate::data::error::List(variants);
            return Err(self.mismatch(&format!("one of {names}")));
        }
        visitor.visit_enum(Variant { reader: self })
    }

    /// The name of a field or a variant: compiled for each type, so it is as short as it can be.
    fn deserialize_identifier<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        match self.identifier() {
            Ok(name) => visitor.visit_str(name),
            Err(error) => Err(error),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        self.at = self.tape.behind(self.at);
        self.peeled = 0;
        visitor.visit_unit()
    }
}
