//! Parses the derive's input into a description of the type.

use syn::{Attribute, DeriveInput, Fields, LitInt, LitStr, Path};

use crate::arguments::{self, Key, Keys};
use crate::mistakes::Mistakes;

/// The arguments of `#[data(…)]`.
#[derive(Default)]
pub(super) struct Attributes {
    pub(super) name: Option<LitStr>,
    pub(super) aliases: Vec<LitStr>,
    pub(super) version: Option<LitInt>,
    pub(super) upgrade: Option<Path>,
    pub(super) exact: bool,
    pub(super) krate: Option<Path>,
}

/// A type that is to have data.
pub(super) struct Data<'a> {
    pub(super) input: &'a DeriveInput,
    pub(super) attributes: Attributes,
    /// `true` if serde uses a default for every field that a file leaves out.
    pub(super) has_defaults: bool,
}

pub(super) fn read<'a>(input: &'a DeriveInput, mistakes: &mut Mistakes) -> Data<'a> {
    let keys: [Key<'_, Attributes>; 6] = [
        Key {
            name: "name",
            form: "name = \"…\"",
            read: &|it, list| arguments::value(list).map(|value| it.name = Some(value)),
        },
        Key {
            name: "alias",
            form: "alias = \"…\"",
            read: &|it, list| arguments::value(list).map(|value| it.aliases.push(value)),
        },
        Key {
            name: "version",
            form: "version = N",
            read: &|it, list| arguments::value(list).map(|value| it.version = Some(value)),
        },
        Key {
            name: "upgrade",
            form: "upgrade = function",
            read: &|it, list| arguments::path_value(list).map(|value| it.upgrade = Some(value)),
        },
        Key {
            name: "exact",
            form: "exact",
            read: &|it, _| {
                it.exact = true;
                Ok(())
            },
        },
        Key {
            name: "crate",
            form: "crate = path",
            read: &|it, list| arguments::path_value(list).map(|value| it.krate = Some(value)),
        },
    ];
    let mut keys = Keys::new(&keys).with_repeated("alias");
    let mut attributes = Attributes::default();
    for attribute in &input.attrs {
        if attribute.path().is_ident("data") {
            match attribute.meta.require_list() {
                Ok(list) => keys.read(list.tokens.clone(), &mut attributes, mistakes),
                Err(error) => mistakes.add(error),
            }
        }
    }
    Data {
        input,
        attributes,
        has_defaults: has_defaults(input),
    }
}

/// Returns `true` if serde has defaults for the fields of a struct with named fields, and for every other
/// type.
fn has_defaults(input: &DeriveInput) -> bool {
    let syn::Data::Struct(item) = &input.data else {
        return true;
    };
    let Fields::Named(fields) = &item.fields else {
        return true;
    };
    let all = |fields: &syn::FieldsNamed| {
        let words = ["default", "skip", "skip_deserializing", "flatten"];
        let mut fields = fields.named.iter();
        fields.all(|field| serde_says(&field.attrs, &words))
    };
    serde_says(
        &input.attrs,
        &["default", "transparent", "from", "try_from"],
    ) || all(fields)
}

/// Returns `true` if `#[serde(…)]` has one of these words. Serde itself reports mistakes in it.
fn serde_says(attributes: &[Attribute], words: &[&str]) -> bool {
    let mut says = false;
    for attribute in attributes {
        if attribute.path().is_ident("serde") {
            let _ = attribute.parse_nested_meta(|meta| {
                says |= words.iter().any(|word| meta.path.is_ident(word));
                // Skips what follows the word.
                if meta.input.peek(syn::Token![=]) {
                    meta.value()?.parse::<syn::Expr>()?;
                } else if meta.input.peek(syn::token::Paren) {
                    meta.parse_nested_meta(|inner| {
                        inner.value()?.parse::<syn::Expr>()?;
                        Ok(())
                    })?;
                }
                Ok(())
            });
        }
    }
    says
}
