//! The parts that a visitor is given: the values of a list, the entries of a map or a struct, and a variant with its
//! content.

use serde::de::{self, DeserializeSeed, IntoDeserializer, Visitor};

use crate::error::DataError;
use crate::names::no_such;
use crate::reader::{MAX_NOTES, Reader, Unknown, Wanted};
use crate::tape::{Kind, Token};

/// The fields that a struct has.
#[derive(Clone, Copy)]
pub(super) struct Fields<'n> {
    pub(super) name: &'n str,
    pub(super) names: &'static [&'static str],
}

/// The values of a list, or the entries of a map or a struct.
pub(super) struct Entries<'r, 't, 'n> {
    reader: &'r mut Reader<'t>,
    /// The list, the map or the struct.
    whole: Token,
    left: u32,
    of: Option<Fields<'n>>,
    /// The key of the next value, where errors of the value are placed.
    key: Token,
}

impl<'r, 't, 'n> Entries<'r, 't, 'n> {
    /// Begins with the next token. The fields of a struct are those that exist.
    pub(super) fn begin(reader: &'r mut Reader<'t>, of: Option<Fields<'n>>) -> Self {
        let whole = reader.next();
        Self {
            reader,
            whole,
            left: if whole.is_container() { whole.len() } else { 0 },
            of,
            key: whole,
        }
    }

    /// Checks that all of them were read.
    pub(super) fn end(&self) -> Result<(), DataError> {
        if self.left == 0 {
            return Ok(());
        }
        let found = self.whole.len();
        let what = format!("this has {found} entries: expected {}", found - self.left);
        Err(DataError::new(what).at(self.whole.start))
    }

    /// Describes an error in a map or a struct as a whole.
    #[cold]
    pub(super) fn error(&self, error: DataError) -> DataError {
        if error.what().starts_with("duplicate field") {
            return error.at(self.key.start);
        }
        let Some(of) = self.of else {
            return error;
        };
        let say = |what: &str| match what.strip_prefix("the field ") {
            Some(rest) => format!("`{}` is incomplete: the field {rest}", of.name),
            None => what.to_owned(),
        };
        error.at(self.whole.start).saying(say)
    }

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
            let found = self.reader.tape.str(key);
            if of.names.contains(&found) {
                return Ok(());
            }
            let notes = &mut self.reader.notes;
            match self.reader.unknown {
                Unknown::Passed => {}
                Unknown::Noted if notes.kept.len() == MAX_NOTES => notes.more += 1,
                unknown => {
                    let what = format!("`{}` has no field", of.name);
                    let error = no_such(&what, found, "it has", of.names).at(key.start);
                    if unknown == Unknown::Refused {
                        return Err(error);
                    }
                    notes.kept.push(error);
                }
            }
            self.reader.next();
            self.reader.skip();
            self.left -= 1;
        }
        Ok(())
    }
}

impl<'d> de::SeqAccess<'d> for &mut Entries<'_, '_, '_> {
    type Error = DataError;

    fn next_element_seed<T: DeserializeSeed<'d>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, DataError> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        self.reader.read_seed(seed).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        // The length that a file claims was compared with the file's when the tape was made.
        Some(self.left as usize)
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
        if self.whole.kind == Kind::Fields {
            self.reader.key_at = self.reader.at;
        }
        self.reader.read_seed(seed).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'d>>(&mut self, seed: S) -> Result<S::Value, DataError> {
        self.reader.read_seed(seed)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left as usize)
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
        let token = reader.peek();
        let Some(name) = reader.tape.name(token) else {
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
    fn needs_content(&self) -> Result<(), DataError> {
        if self.holds_some {
            return Ok(());
        }
        let name = self.name;
        let what = format!("expected `{name}(…)`, found `{name}` alone");
        Err(DataError::new(what).at(self.start))
    }
}

impl<'d> de::VariantAccess<'d> for Content<'_, '_> {
    type Error = DataError;

    fn unit_variant(self) -> Result<(), DataError> {
        if !self.holds_some {
            return Ok(());
        }
        let token = self.reader.peek();
        let is_nothing = token.kind == Kind::Unit || token.kind == Kind::Nil && self.is_map;
        if is_nothing {
            self.reader.next();
            return Ok(());
        }
        self.reader.answer(Wanted::Nothing)?;
        let name = self.name;
        let what = format!("`{name}` has no value: expected `{name}` alone");
        Err(DataError::new(what).at(self.start))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'d>>(self, seed: S) -> Result<S::Value, DataError> {
        self.needs_content()?;
        if !self.is_map && !self.reader.is_packed() {
            self.reader.begin_inside()?;
        }
        self.reader.read_seed(seed)
    }

    fn tuple_variant<V: Visitor<'d>>(self, len: usize, visitor: V) -> Result<V::Value, DataError> {
        self.needs_content()?;
        self.reader.tuple(visitor, Wanted::Values(len))
    }

    fn struct_variant<V: Visitor<'d>>(
        self,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, DataError> {
        self.needs_content()?;
        let kind = self.reader.peek().kind;
        let fits = match kind {
            Kind::Fields | Kind::Unit => true,
            Kind::Map => self.is_map || self.reader.is_packed(),
            _ => false,
        };
        if !fits {
            return Err(self.reader.unwanted(Wanted::Fields(names)));
        }
        let name = self.name;
        self.reader.entries(visitor, Some(Fields { name, names }))
    }
}
