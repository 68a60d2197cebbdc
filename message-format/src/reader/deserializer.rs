//! The methods that types call to read themselves. Each method gives the visitor the next value on the tape, if it
//! has the wanted form.

use serde::de::{self, Visitor};

use crate::error::DataError;
use crate::options::TextExtension;
use crate::reader::Reader;
use crate::reader::access::{Fields, Variant};
use crate::reader::buffer::is_tag_and_buffer;
use crate::reader::wanted::Wanted;
use crate::shape::Plain;
use crate::tape::{Form, Kind, MAX_DEPTH, Token};

/// Reads plain values as they are: a visitor decides which of them it accepts. It accepts a word as a string, so that
/// is reported here.
macro_rules! as_it_is {
    ($($method:ident $plain:ident)*) => {
        $(fn $method<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
            self.begin_plain(Plain::$plain)?;
            self.any(visitor)
        })*
    };
}

impl<'d> de::Deserializer<'d> for &mut Reader<'_> {
    type Error = DataError;

    fn is_human_readable(&self) -> bool {
        self.tape.form == Form::Text
    }

    as_it_is! {
        deserialize_bool Bool
        deserialize_i8 I8
        deserialize_i16 I16
        deserialize_i32 I32
        deserialize_i64 I64
        deserialize_u8 U8
        deserialize_u16 U16
        deserialize_u32 U32
        deserialize_u64 U64
        deserialize_char Char
        deserialize_str Str
        deserialize_string Str
        deserialize_unit Unit
    }

    fn deserialize_any<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        if self.peek().kind == Kind::Wrapped {
            self.go_inside();
        }
        // A newtype is read as its content. An internally tagged enum is not a newtype.
        while self.peek().kind == Kind::Wrapped && !is_tag_and_buffer::<V::Value>() {
            self.next();
        }
        self.any(visitor)
    }

    fn deserialize_bytes<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        self.begin_plain(Plain::Bytes)?;
        if self.peek().kind == Kind::Seq && !self.is_packed() {
            return visitor.visit_byte_buf(self.read()?);
        }
        self.any(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_i128<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        self.begin_plain(Plain::I128)?;
        match self.wide_bytes()? {
            Some(bytes) => visitor.visit_i128(i128::from_be_bytes(bytes)),
            None => self.any(visitor),
        }
    }

    fn deserialize_u128<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        self.begin_plain(Plain::U128)?;
        match self.wide_bytes()? {
            Some(bytes) => visitor.visit_u128(u128::from_be_bytes(bytes)),
            None => self.any(visitor),
        }
    }

    fn deserialize_f32<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        self.begin_plain(Plain::F32)?;
        // From the text itself: by way of an `f64` it would be rounded twice.
        match self.digits().map(|digits| digits.parse()) {
            Some(Ok(number)) => {
                self.next();
                visitor.visit_f32(number)
            }
            _ => self.number(visitor),
        }
    }

    fn deserialize_f64<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        self.begin_plain(Plain::F64)?;
        self.number(visitor)
    }

    fn deserialize_option<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        self.begin(Wanted::Option)?;
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
            Kind::Some => self.some(visitor),
            _ if self.is_packed() || self.enables(TextExtension::ImplicitSome) => {
                // A type can contain itself this way, without end.
                self.unsaid += 1;
                if self.unsaid > MAX_DEPTH {
                    return Err(DataError::too_deep().at(token.start));
                }
                visitor.visit_some(self)
            }
            _ => Err(self.mismatch(Wanted::Option)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'d>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DataError> {
        let token = self.peek();
        match token.kind {
            Kind::Word => self.check_name(token, name)?,
            Kind::Named if self.tokens[self.at + 1].kind == Kind::Unit => self.enter(name)?,
            Kind::Unit => self.check_named(name)?,
            Kind::Nil if self.is_packed() => {}
            // As other programs write it.
            Kind::Seq if self.is_packed() && token.len() == 0 => {}
            _ => return Err(self.unwanted(Wanted::UnitStruct(name))),
        }
        self.next();
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'d>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, DataError> {
        self.answer(Wanted::Newtype(name))?;
        if self.is_packed() {
            return visitor.visit_newtype_struct(self);
        }
        let is_own = self.at != self.inside_at || !self.is_unwrapped;
        if self.enables(TextExtension::UnwrapNewtypes) && is_own {
            return visitor.visit_newtype_struct(self);
        }
        let token = self.peek();
        if !token.is_name() && !token.has_parentheses() {
            return Err(self.mismatch(Wanted::Newtype(name)));
        }
        // Without its name, only the parentheses tell that it is one.
        self.enter(name)?;
        if is_own {
            self.inside()?;
        } else {
            self.go_inside();
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_seq<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        self.begin(Wanted::Seq)?;
        match self.peek().kind {
            Kind::Seq | Kind::Tuple | Kind::Wrapped => self.list(visitor),
            _ => self.any(visitor),
        }
    }

    fn deserialize_tuple<V: Visitor<'d>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, DataError> {
        self.answer(Wanted::Tuple(len))?;
        if self.peek().kind == Kind::Wrapped && !(len == 1 && self.is_unwrapped) {
            self.go_inside();
        }
        match self.peek().kind {
            Kind::Seq if !self.is_packed() => Err(self.mismatch(Wanted::Tuple(len))),
            Kind::Seq | Kind::Tuple | Kind::Wrapped | Kind::Unit => self.list(visitor),
            _ => self.any(visitor),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'d>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, DataError> {
        self.enter(name)?;
        self.tuple(visitor, Wanted::TupleStruct(name, len))
    }

    fn deserialize_map<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        self.begin(Wanted::Map)?;
        if !self.peek().is_name() {
            return self.any(visitor);
        }
        if self.tokens[self.at + 1].kind != Kind::Fields {
            return Err(self.mismatch(Wanted::Map));
        }
        // A struct that is read as a map, as it is with `#[serde(flatten)]`.
        self.next();
        self.entries(visitor, None)
    }

    fn deserialize_struct<V: Visitor<'d>>(
        self,
        name: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DataError> {
        // The struct may be in a box: then nobody else has counted it.
        self.memory.take_for::<V::Value>()?;
        let of = Some(Fields { name, names });
        let token = self.peek();
        match token.kind {
            Kind::Map if self.is_packed() => return self.entries(visitor, of),
            Kind::Seq if self.is_packed() => return self.list(visitor),
            // All fields by default: the name alone.
            Kind::Word => {
                self.check_name(token, name)?;
                return self.entries(visitor, of);
            }
            _ => self.enter(name)?,
        }
        // A map in its parentheses is a struct with a field whose name is not a word.
        let holds_map = |inside: &Token| inside.kind == Kind::Map;
        if self.peek().kind == Kind::Wrapped && self.tokens.get(self.at + 1).is_some_and(holds_map)
        {
            self.go_inside();
        }
        match self.peek().kind {
            Kind::Fields | Kind::Map | Kind::Unit => self.entries(visitor, of),
            _ => Err(self.unwanted(Wanted::Struct(name, names))),
        }
    }

    fn deserialize_enum<V: Visitor<'d>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DataError> {
        self.memory.take_for::<V::Value>()?;
        self.begin(Wanted::Enum(name, variants))?;
        let token = self.peek();
        // A name that is no word is a string, and the key of a map to what the variant holds.
        let is_one = token.kind == Kind::Map && token.len() == 1 || self.tape.name(token).is_some();
        if !is_one {
            return Err(self.mismatch(Wanted::Enum(name, variants)));
        }
        visitor.visit_enum(Variant { reader: self })
    }

    /// Reads the name of a field or a variant. It is compiled for each type, so it is as short as possible.
    fn deserialize_identifier<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        match self.identifier() {
            Ok(name) => visitor.visit_str(name),
            Err(error) => Err(error),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'d>>(self, visitor: V) -> Result<V::Value, DataError> {
        if self.peek().kind == Kind::End {
            return Err(self.mismatch("a value"));
        }
        self.skip();
        visitor.visit_unit()
    }
}
