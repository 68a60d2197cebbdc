//! Values whose type accepts anything.
//!
//! Such a type gets what it would get from JSON: a variant is its name, or a map from its name to its content,
//! and a newtype is its content. The buffers of serde's derives therefore hold the same as if they had been
//! read from JSON.

use serde::de::value::MapDeserializer;
use serde::de::{Expected, IntoDeserializer, Visitor};

use crate::error::DataError;
use crate::reader::Reader;
use crate::reader::buffer::{is_buffer, is_tag_and_buffer};
use crate::tape::{Empty, Kind, Token};

impl Reader<'_> {
    /// Reads the next value, whatever it is, as far as it describes itself.
    pub(super) fn any<'d, V: Visitor<'d>>(&mut self, visitor: V) -> Result<V::Value, DataError> {
        let (tape, token) = (self.tape, self.peek());
        match token.kind {
            Kind::Bool => visitor.visit_bool(self.next().data != 0),
            Kind::Negative => visitor.visit_i64(self.next().data.cast_signed()),
            Kind::Natural => visitor.visit_u64(self.next().data),
            Kind::WideNegative | Kind::WideNatural => self.wide_number(visitor),
            Kind::Float => visitor.visit_f64(f64::from_bits(self.next().data)),
            Kind::Single => visitor.visit_f32(self.next().single()),
            Kind::Char => visitor.visit_char(self.next().character()),
            Kind::Bytes => visitor.visit_bytes(tape.bytes(self.next())),
            Kind::Str | Kind::Word => visitor.visit_str(tape.str(self.next())),
            Kind::Nil if token.data > self.peeled => {
                self.peeled += 1;
                visitor.visit_some(self)
            }
            Kind::Nil if !self.is_packed() => {
                self.next();
                visitor.visit_none()
            }
            Kind::Unit if Empty::of(token) == Empty::Fields => self.entries(visitor, None),
            Kind::Unit if Empty::of(token) == Empty::Tuple => self.list(visitor),
            // A question is for what is wanted, and anything is here: the visitor says what.
            Kind::Unit | Kind::Nil | Kind::Question => {
                self.next();
                visitor.visit_unit()
            }
            Kind::Some => self.some(visitor),
            Kind::Range => {
                self.next();
                self.entries(visitor, None)
            }
            // The name of a struct, and no variant.
            Kind::Named if is_tag_and_buffer::<V::Value>() || self.wants_struct(&visitor) => {
                self.next();
                self.any(visitor)
            }
            // A variant, or a struct with its name: a map from the name to the content, as other formats write it.
            Kind::Named => {
                let name = self.tape.str(self.next());
                (self.inside_at, self.is_unwrapped) = (self.at, false);
                visitor.visit_map(MapDeserializer::new(std::iter::once((name, self))))
            }
            Kind::Seq | Kind::Tuple | Kind::Wrapped => self.list(visitor),
            Kind::Fields | Kind::Map => self.entries(visitor, None),
            Kind::End => Err(self.mismatch("a value")),
        }
    }

    /// Returns `true` if fields come next after a name and the visitor expects a struct. serde's derives read the
    /// content of an adjacently tagged variant this way.
    fn wants_struct<'d>(&self, visitor: &impl Visitor<'d>) -> bool {
        let has_fields = self.tokens[self.at + 1].kind == Kind::Fields;
        let expected: &dyn Expected = visitor;
        has_fields && expected.to_string().starts_with("struct ")
    }

    /// Reads an integer of more than 64 bits. Serde's buffers cannot hold it, but can hold a float.
    fn wide_number<'d, V: Visitor<'d>>(&mut self, visitor: V) -> Result<V::Value, DataError> {
        let token = self.next();
        let number = self.tape.wide(token);
        if is_buffer::<V::Value>() {
            return visitor.visit_f64(self.wide_float(token));
        }
        if token.kind == Kind::WideNegative {
            return visitor.visit_i128(number.cast_signed());
        }
        visitor.visit_u128(number)
    }

    /// Reads `Some(…)`.
    pub(super) fn some<'d, V: Visitor<'d>>(&mut self, visitor: V) -> Result<V::Value, DataError> {
        let name = self.next();
        if self.begin_inside().is_err() {
            return Err(DataError::new("expected `Some` with one value").at(name.start));
        }
        let start = self.peek().start;
        visitor.visit_some(self).map_err(|error| error.at(start))
    }

    /// Reads a number as a float, even if it is an integer in the text.
    pub(super) fn number<'d, V: Visitor<'d>>(&mut self, visitor: V) -> Result<V::Value, DataError> {
        let token = self.peek();
        match token.kind {
            Kind::WideNegative | Kind::WideNatural => {
                self.next();
                visitor.visit_f64(self.wide_float(token))
            }
            Kind::Natural if token.data == 0 && self.tape.source_of(token).starts_with('-') => {
                self.next();
                visitor.visit_f64(-0.0)
            }
            _ => self.any(visitor),
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "the nearest float is wanted")]
    fn wide_float(&self, token: Token) -> f64 {
        let number = self.tape.wide(token);
        match token.kind {
            Kind::WideNegative => number.cast_signed() as f64,
            _ => number as f64,
        }
    }

    /// Returns the source text of the decimal number that is next, without its suffix.
    pub(super) fn digits(&self) -> Option<String> {
        let token = self.peek();
        let is_number = matches!(
            token.kind,
            Kind::Float | Kind::Negative | Kind::Natural | Kind::WideNegative | Kind::WideNatural
        );
        let digits = is_number.then(|| self.tape.source_of(token))?;
        let digits = digits.strip_suffix("f64").unwrap_or(digits);
        Some(digits.replace('_', ""))
    }

    /// Reads an integer of 128 bits as `MessagePack` has it, if that is next.
    pub(super) fn wide_bytes(&mut self) -> Result<Option<[u8; 16]>, DataError> {
        let token = self.peek();
        if !self.is_packed() || token.kind != Kind::Bytes {
            return Ok(None);
        }
        let bytes = self.tape.bytes(token).try_into();
        let bytes = bytes.map_err(|_| self.mismatch("16 bytes"))?;
        self.next();
        Ok(Some(bytes))
    }
}

impl IntoDeserializer<'_, DataError> for &mut Reader<'_> {
    type Deserializer = Self;

    fn into_deserializer(self) -> Self {
        self
    }
}
