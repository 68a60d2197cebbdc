//! What a visitor is given: the values of a list, the entries of a map or a struct, a variant and what it
//! holds.

use serde::de::{self, DeserializeSeed, IntoDeserializer, Visitor};

use crate::data::error::{DataError, no_such};
use crate::data::reader::{Reader, Unknown};
use crate::data::tape::{Kind, Token};

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
        // What a file claims was compared with its length when the tape was made.
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
    /// The key of the value that comes next, where errors of it are.
    pub(super) key: Token,
}

impl Entries<'_, '_, '_> {
    /// Goes over fields that the struct does not have.
    fn pass_unknown(&mut self) -> Result<(), DataError> {
        let Some(of) = self.of else {
            return Ok(());
        };
        while self.left > 0 {
            let key = self.reader.peek();
            if !matches!(key.kind, Kind::Word | Kind::Str) {
                return Ok(());
            }
            let name = self.reader.tape.str(key);
            if of.names.contains(&name) {
                return Ok(());
            }
            let what = format!("`{}` has no field", of.name);
            let error = no_such(&what, name, "it has", of.names).at(key.start);
            if self.reader.unknown == Unknown::Refused {
                return Err(error);
            }
            self.reader.notes.push(error);
            self.reader.next();
            self.reader.at = self.reader.tape.behind(self.reader.at);
            self.left -= 1;
        }
        Ok(())
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

/// A variant, or a struct with its name, where it is not known what is wanted: a map of the name to what
/// it holds, as other formats write a variant.
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
        let token = self.reader.peek();
        if token.kind == Kind::Tuple && token.len() == 1 {
            self.reader.next();
        }
        seed.deserialize(&mut *self.reader)
            .map_err(|error| error.at(token.start))
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
            reader.next();
        }
        let token = reader.next();
        if !matches!(token.kind, Kind::Word | Kind::Named | Kind::Str) {
            let what = "expected the name of a variant";
            return Err(DataError::new(what).at(token.start));
        }
        let name = reader.tape.str(token);
        let variant = seed.deserialize(IntoDeserializer::<DataError>::into_deserializer(name));
        let variant = variant.map_err(|error| error.at(token.start))?;
        let content = Content {
            holds_some: is_map || token.kind == Kind::Named,
            name: token,
            reader,
        };
        Ok((variant, content))
    }
}

/// What a variant holds.
pub(super) struct Content<'r, 't> {
    reader: &'r mut Reader<'t>,
    name: Token,
    holds_some: bool,
}

impl Content<'_, '_> {
    fn needs(&self, form: &str) -> Result<(), DataError> {
        if self.holds_some {
            return Ok(());
        }
        let name = self.reader.tape.str(self.name);
        let what = format!("expected `{name}{form}`, found `{name}` alone");
        Err(DataError::new(what).at(self.name.start))
    }
}

impl<'d> de::VariantAccess<'d> for Content<'_, '_> {
    type Error = DataError;

    fn unit_variant(self) -> Result<(), DataError> {
        if !self.holds_some {
            return Ok(());
        }
        let token = self.reader.peek();
        if matches!(token.kind, Kind::Unit | Kind::Nil) {
            self.reader.next();
            return Ok(());
        }
        let name = self.reader.tape.str(self.name);
        let what = format!("`{name}` holds nothing: expected `{name}` alone");
        Err(DataError::new(what).at(self.name.start))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'d>>(self, seed: S) -> Result<S::Value, DataError> {
        self.needs("(…)")?;
        let token = self.reader.peek();
        if !self.reader.is_packed() {
            let fields = matches!(token.kind, Kind::Fields | Kind::Unit);
            if !(fields && self.reader.tape.extensions.unwrap_variant_newtypes) {
                self.reader.inside()?;
            }
        }
        let start = self.reader.peek().start;
        seed.deserialize(&mut *self.reader)
            .map_err(|error| error.at(start))
    }

    fn tuple_variant<V: Visitor<'d>>(self, _: usize, visitor: V) -> Result<V::Value, DataError> {
        self.needs("(…)")?;
        match self.reader.peek().kind {
            Kind::Seq if !self.reader.is_packed() => {
                Err(self.reader.mismatch("values in parentheses"))
            }
            Kind::Seq | Kind::Tuple | Kind::Unit => self.reader.list(visitor),
            _ => Err(self.reader.mismatch("values in parentheses")),
        }
    }

    fn struct_variant<V: Visitor<'d>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DataError> {
        self.needs("(…)")?;
        let kind = self.reader.peek().kind;
        let fits = match kind {
            Kind::Fields | Kind::Unit => true,
            Kind::Map => self.reader.is_packed(),
            _ => false,
        };
        if !fits {
            return Err(self.reader.mismatch("fields in parentheses"));
        }
        let tape = self.reader.tape;
        let of = Fields {
            name: tape.str(self.name),
            names: fields,
        };
        self.reader.entries(visitor, Some(of))
    }
}
