//! Parses the derive's input into a description of the message.

use syn::{DeriveInput, LitStr, Path, Type};

use crate::arguments::{self, Key, Keys};
use crate::mistakes::Mistakes;

/// The arguments of `#[message(…)]`.
#[derive(Default)]
pub(super) struct Attributes {
    pub(super) name: Option<LitStr>,
    pub(super) reply: Option<Type>,
    pub(super) tags: Vec<Path>,
    pub(super) types: Option<Vec<Type>>,
    pub(super) krate: Option<Path>,
}

/// A type that is to be a message.
pub(super) struct Message<'a> {
    pub(super) input: &'a DeriveInput,
    pub(super) attributes: Attributes,
}

pub(super) fn read<'a>(input: &'a DeriveInput, mistakes: &mut Mistakes) -> Message<'a> {
    let keys: [Key<'_, Attributes>; 5] = [
        Key {
            name: "name",
            form: "name = \"…\"",
            read: &|it, list| arguments::value(list).map(|value| it.name = Some(value)),
        },
        Key {
            name: "reply",
            form: "reply = Type",
            read: &|it, list| arguments::value(list).map(|value| it.reply = Some(value)),
        },
        Key {
            name: "tags",
            form: "tags(A, B)",
            read: &|it, list| arguments::items(list).map(|value| it.tags = value),
        },
        Key {
            name: "types",
            form: "types(Message<A>, Message<B>)",
            read: &|it, list| arguments::items(list).map(|value| it.types = Some(value)),
        },
        Key {
            name: "crate",
            form: "crate = path",
            read: &|it, list| arguments::path_value(list).map(|value| it.krate = Some(value)),
        },
    ];
    let mut keys = Keys::new(&keys);
    let mut attributes = Attributes::default();
    for attribute in &input.attrs {
        if attribute.path().is_ident("message") {
            match attribute.meta.require_list() {
                Ok(list) => keys.read(list.tokens.clone(), &mut attributes, mistakes),
                Err(error) => mistakes.add(error),
            }
        }
    }
    Message { input, attributes }
}
