//! Checks that a type can have data.

use syn::GenericParam;

use crate::data::read::Data;
use crate::mistakes::Mistakes;

pub(super) fn check(data: &Data<'_>, mistakes: &mut Mistakes) {
    let input = data.input;
    let name = &input.ident;
    let attributes = &data.attributes;
    if let syn::Data::Union(union) = &input.data {
        mistakes.at(
            union.union_token,
            "a type with data is a struct or an enum, not a union",
        );
    }
    for param in &input.generics.params {
        match param {
            GenericParam::Lifetime(lifetime) => mistakes.at(
                lifetime,
                format!(
                    "a type with data is `'static`, since it is read from files, so it cannot have the lifetime \
                     `{}`; let `{name}` own its data",
                    lifetime.lifetime
                ),
            ),
            GenericParam::Type(_) | GenericParam::Const(_) => mistakes.at(
                param,
                format!(
                    "a type with data has one name, but the generic `{name}` is many types; derive `Data` for a \
                     struct around each of them, with `#[serde(transparent)]`"
                ),
            ),
        }
    }
    for literal in attributes.name.iter().chain(&attributes.aliases) {
        let text = literal.value();
        let last = text.rsplit(['.', ':']).next().unwrap_or_default();
        if syn::parse_str::<syn::Ident>(last).is_err() {
            mistakes.at(
                literal,
                format!("the last part of the name has to be a Rust identifier, found `{last}`"),
            );
        }
    }
    if let Some(version) = &attributes.version
        && !version
            .base10_parse::<u32>()
            .is_ok_and(|version| version > 0)
    {
        mistakes.at(version, "a version is a number of at least 1");
    }
    if let Some(upgrade) = &attributes.upgrade
        && attributes.version.is_none()
    {
        mistakes.at(
            upgrade,
            "`upgrade` converts the fields of an earlier version, so there has to be one: add `version = 2`",
        );
    }
    if !data.has_defaults && !attributes.exact {
        mistakes.at(
            name,
            format!(
                "a file that leaves out a field of `{name}` could not be read: add \
                 `#[serde(default)]` to the struct, or `#[data(exact)]` if every field is required"
            ),
        );
    }
}
