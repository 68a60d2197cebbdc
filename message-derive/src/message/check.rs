//! Checks that a type can be a message.

use syn::{Data, GenericParam, Type};

use crate::arguments::{last_segment, text};
use crate::message::read::Message;
use crate::mistakes::Mistakes;

pub(super) fn check(message: &Message<'_>, mistakes: &mut Mistakes) {
    let input = message.input;
    let name = &input.ident;
    if let Data::Union(union) = &input.data {
        mistakes.at(
            union.union_token,
            "a message is a struct or an enum, not a union",
        );
    }
    if let Some(literal) = &message.attributes.name
        && literal.value().is_empty()
    {
        mistakes.at(literal, "the name of a message cannot be empty");
    }
    for lifetime in input.generics.lifetimes() {
        mistakes.at(
            lifetime,
            format!(
                "a message is `'static`: it can wait in a queue, so it cannot have the lifetime `{}`; let \
                 `{name}` own its data",
                lifetime.lifetime
            ),
        );
    }
    check_types(message, mistakes);
}

fn check_types(message: &Message<'_>, mistakes: &mut Mistakes) {
    let input = message.input;
    let name = &input.ident;
    let generic = input
        .generics
        .params
        .iter()
        .any(|param| !matches!(param, GenericParam::Lifetime(_)));
    match &message.attributes.types {
        None if generic => mistakes.at(
            &input.generics,
            format!(
                "a generic message has to list its instantiations: add \
                 `#[message(types({name}<…>, {name}<…>))]`"
            ),
        ),
        Some(types) if generic && types.is_empty() => mistakes.at(
            name,
            format!(
                "`types()` lists no instantiation of `{name}`; if they cannot be listed, implement `Message` by hand"
            ),
        ),
        Some(types) if !generic => {
            for ty in types {
                mistakes.at(ty, format!("`{name}` is not generic, so it takes no `types`"));
            }
            if types.is_empty() {
                mistakes.at(
                    name,
                    format!("`{name}` is not generic, so it takes no `types`"),
                );
            }
        }
        Some(types) => {
            for ty in types {
                if !is_instance(ty, message) {
                    mistakes.at(
                        ty,
                        format!(
                            "expected an instantiation of `{name}`, such as `{name}<…>`, found `{}`",
                            text(ty)
                        ),
                    );
                }
            }
        }
        None => {}
    }
}

fn is_instance(ty: &Type, message: &Message<'_>) -> bool {
    last_segment(ty)
        .is_some_and(|last| last.ident == message.input.ident && !last.arguments.is_empty())
}
