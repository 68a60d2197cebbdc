//! The parts that a visitor is given: the values of a list, the entries of a map or a struct, and a variant with its
//! content.

use serde::de::{self, DeserializeSeed, IntoDeserializer, Visitor};

use crate::error::DataError;
use crate::names::no_such;
use crate::reader::{MAX_NOTES, Reader, Unknown, Wanted};
use crate::tape::{Kind, Token};

/// The values of a list.
pub(super) struct Items<'r, 't> {
    pub(super) reader: &'r mut Reader<'t>,
    pub(super) left: u32,
}

impl<'d> de::SeqAccess<'d> for &mut Items<'_, '_> {
    type Error = DataError;

    fn next_element_seed<T: DeserializeSeed<'d>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, DataError> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        let start = self.reader.peek().start;
        let value = seed.deserialize(&mut *self.reader);
        value.map(Some).map_err(|error| error.at(start))
    }

    fn size_hint(&self) -> Option<usize> {
        // The length that a file claims was compared with the file's when the tape was made.
        Some(self.left as usize)
    }
}

/// The fields that a struct has.
#[derive(Clone, Copy)]
pub(super) struct Fields<'n> {
    pub(super) name: &'n str,
    pub(super) names: &'static [&'static str],
}

/// The entries of a map or a struct.
pub(super) struct Entries<'r, 't, 'n> {
    pub(super) reader: &'r mut Reader<'t>,
    pub(super) left: u32,
    pub(super) of: Option<Fields<'n>>,
    /// The number of fields of the struct that were read, if they are in its order.
    pub(super) read: usize,
    /// The key of the next value, where errors of the value are placed.
    pub(super) key: Token,
    /// `true` if the keys are names of fields, not values.
    pub(super) are_fields: bool,
}

impl Entries<'_, '_, '_> {
    /// Passes over fields that the struct does not have.
    fn pass_unknown(&mut self) -> Result<(), DataError> {
        let Some(of) = self.of else {
            return Ok(());
        };
        while self.left > 0 {
            let key = self.reader.peek();
            if !matches!(key.kind, Kind::Word | Kind::Str) {
                return Ok(());
            }
            let found = self.reader.text_bytes(key);
            // Most often it is the next one.
            if let Some(next) = of.names.get(self.read)
                && next.as_bytes() == found
            {
                self.read += 1;
                self.reader.field = Some(next);
                return Ok(());
            }
            let mut names = of.names.iter();
            if let Some(name) = names.find(|name| name.as_bytes() == found) {
                self.reader.field = Some(name);
                return Ok(());
            }
            let name = self.reader.text(key)?;
            if self.reader.unknown == Unknown::Passed {
                self.pass();
                continue;
            }
            if self.reader.notes.kept.len() == MAX_NOTES {
                self.reader.notes.more += 1;
                self.pass();
                continue;
            }
            let what = format!("`{}` has no field", of.name);
            let error = no_such(&what, name, "it has", of.names).at(key.start);
            if self.reader.unknown == Unknown::Refused {
                return Err(error);
            }
            self.reader.notes.kept.push(error);
            self.pass();
        }
        Ok(())
    }

    /// Passes over a field with its value.
    fn pass(&mut self) {
        self.reader.next();
        self.reader.skip();
        self.left -= 1;
    }
}

impl<'d> de::MapAccess<'d> for &mut Entries<'_, '_, '_> {
    type Error = DataError;

    fn next_key_seed<K: DeserializeSeed<'d>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, DataError> {
        self.pass_unknown()?;
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        self.key = self.reader.peek();
        let start = self.key.start;
        if self.are_fields {
            self.reader.key_at = self.reader.at;
        }
        let key = seed.deserialize(&mut *self.reader);
        key.map(Some).map_err(|error| error.at(start))
    }

    fn next_value_seed<S: DeserializeSeed<'d>>(&mut self, seed: S) -> Result<S::Value, DataError> {
        let start = self.reader.peek().start;
        seed.deserialize(&mut *self.reader)
            .map_err(|error| error.at(start))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left as usize)
    }
}

/// A variant, or a struct with its name, for a type that accepts anything: a map from the name to the content, as
/// other formats write a variant.
pub(super) struct Named<'r, 't> {
    pub(super) reader: &'r mut Reader<'t>,
    pub(super) is_read: bool,
}

impl<'d> de::MapAccess<'d> for &mut Named<'_, '_> {
    type Error = DataError;

    fn next_key_seed<K: DeserializeSeed<'d>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, DataError> {
        if self.is_read {
            return Ok(None);
        }
        self.is_read = true;
        let name = self.reader.next();
        let name = self.reader.tape.str(name);
        let name = IntoDeserializer::<DataError>::into_deserializer(name);
        seed.deserialize(name).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'d>>(&mut self, seed: S) -> Result<S::Value, DataError> {
        let start = self.reader.peek().start;
        (self.reader.inside_at, self.reader.is_unwrapped) = (self.reader.at, false);
        seed.deserialize(&mut *self.reader)
            .map_err(|error| error.at(start))
    }
}

/// One variant of an enum.
pub(super) struct Variant<'r, 't> {
    pub(super) reader: &'r mut Reader<'t>,
}

impl<'r, 't, 'd> de::EnumAccess<'d> for Variant<'r, 't> {
    type Error = DataError;
    type Variant = Content<'r, 't>;

    fn variant_seed<S: DeserializeSeed<'d>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Content<'r, 't>), DataError> {
        let reader = self.reader;
        let is_map = reader.peek().kind == Kind::Map;
        if is_map {
            let map = reader.next();
            reader.enter_list(map)?;
        }
        let token = reader.peek();
        let Some(name) = reader.name(token)? else {
            let what = "expected the name of a variant";
            return Err(DataError::new(what).at(token.start));
        };
        reader.next();
        let variant = seed.deserialize(IntoDeserializer::<DataError>::into_deserializer(name));
        let variant = variant.map_err(|error| error.at(token.start))?;
        let content = Content {
            holds_some: is_map || matches!(token.kind, Kind::Named | Kind::Some),
            is_map,
            name,
            start: token.start,
            reader,
        };
        Ok((variant, content))
    }
}

/// The content of a variant.
pub(super) struct Content<'r, 't> {
    reader: &'r mut Reader<'t>,
    name: &'t str,
    /// The place of the name.
    start: u32,
    holds_some: bool,
    /// `true` if it is in a map.
    is_map: bool,
}

impl Content<'_, '_> {
    fn needs(&self, form: &str) -> Result<(), DataError> {
        if self.holds_some {
            return Ok(());
        }
        let name = self.name;
        let what = format!("expected `{name}{form}`, found `{name}` alone");
        Err(DataError::new(what).at(self.start))
    }

    /// Ends the content after it was read, and returns the result.
    fn ended<T>(&mut self, read: Result<T, DataError>) -> Result<T, DataError> {
        self.reader.depth -= u32::from(self.is_map);
        read
    }
}

impl<'d> de::VariantAccess<'d> for Content<'_, '_> {
    type Error = DataError;

    fn unit_variant(mut self) -> Result<(), DataError> {
        if !self.holds_some {
            return Ok(());
        }
        let token = self.reader.peek();
        let is_nothing = token.kind == Kind::Unit || token.kind == Kind::Nil && self.is_map;
        if is_nothing {
            self.reader.next();
            return self.ended(Ok(()));
        }
        self.reader.answer(Wanted::Nothing)?;
        let name = self.name;
        let what = format!("`{name}` holds nothing: expected `{name}` alone");
        Err(DataError::new(what).at(self.start))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'d>>(
        mut self,
        seed: S,
    ) -> Result<S::Value, DataError> {
        self.needs("(…)")?;
        if !self.is_map && !self.reader.is_packed() {
            self.reader.begin_inside()?;
        }
        let start = self.reader.peek().start;
        let read = seed.deserialize(&mut *self.reader);
        self.ended(read.map_err(|error| error.at(start)))
    }

    fn tuple_variant<V: Visitor<'d>>(
        mut self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, DataError> {
        self.needs("(…)")?;
        match self.reader.peek().kind {
            Kind::Seq if !self.reader.is_packed() => Err(self.reader.mismatch(Wanted::Values(len))),
            Kind::Seq | Kind::Tuple | Kind::Wrapped | Kind::Unit => {
                let read = self.reader.list(visitor);
                self.ended(read)
            }
            _ => Err(self.reader.unwanted(Wanted::Values(len))),
        }
    }

    fn struct_variant<V: Visitor<'d>>(
        mut self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DataError> {
        self.needs("(…)")?;
        let kind = self.reader.peek().kind;
        let fits = match kind {
            Kind::Fields | Kind::Unit => true,
            Kind::Map => self.is_map || self.reader.is_packed(),
            _ => false,
        };
        if !fits {
            return Err(self.reader.unwanted(Wanted::Fields(fields)));
        }
        let of = Fields {
            name: self.name,
            names: fields,
        };
        let read = self.reader.entries(visitor, Some(of));
        self.ended(read)
    }
}
