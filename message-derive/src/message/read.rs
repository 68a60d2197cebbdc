//! From the derive's input to a description of the message.

use syn::{DeriveInput, LitStr, Path, Type};

use crate::arguments::{self, Key};
use crate::mistakes::Mistakes;

/// What `#[message(…)]` says.
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
            read: &|it, list| Ok(it.name = Some(arguments::value(list)?)),
        },
        Key {
            name: "reply",
            form: "reply = Type",
            read: &|it, list| Ok(it.reply = Some(arguments::value(list)?)),
        },
        Key {
            name: "tags",
            form: "tags(A, B)",
            read: &|it, list| Ok(it.tags = arguments::items(list)?),
        },
        Key {
            name: "types",
            form: "types(Message<A>, Message<B>)",
            read: &|it, list| Ok(it.types = Some(arguments::items(list)?)),
        },
        Key {
            name: "crate",
            form: "crate = path",
            read: &|it, list| Ok(it.krate = Some(arguments::path_value(list)?)),
        },
    ];
    let mut attributes = Attributes::default();
    for attribute in &input.attrs {
        if attribute.path().is_ident("message") {
            let read = attribute.parse_args_with(|list: syn::parse::ParseStream<'_>| {
                arguments::read(list, &keys, &mut attributes, mistakes);
                Ok(())
            });
            if let Err(error) = read {
                mistakes.add(error);
            }
        }
    }
    Message { input, attributes }
}
