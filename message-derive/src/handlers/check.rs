//! What a handler has to look like.

use syn::{
    FnArg, GenericParam, Ident, ItemImpl, Receiver, ReceiverKind, ReturnType, Safety, Type,
    TypeReference,
};

use crate::arguments::type_text;
use crate::handlers::read::{Arguments, Marked};
use crate::mistakes::Mistakes;

/// A handler without mistakes.
pub(super) struct Handler {
    pub(super) method: Ident,
    pub(super) message: Type,
    /// Whether it takes `&self`.
    pub(super) shared: bool,
    pub(super) takes_context: bool,
    pub(super) output: ReturnType,
    pub(super) marked: Marked,
}

/// The handlers of the block that have no mistakes.
pub(super) fn check(
    block: &ItemImpl,
    arguments: &Arguments,
    marked: Vec<Marked>,
    mistakes: &mut Mistakes,
) -> Vec<Handler> {
    if let Some((path, _)) = &block.trait_ {
        mistakes.at(
            path,
            "`#[handlers]` goes on an inherent `impl` block, not on the `impl` of a trait",
        );
        return Vec::new();
    }
    if marked.is_empty() {
        mistakes.at(
            &block.self_ty,
            "a `#[handlers]` block has at least one method marked `#[on_receive]`",
        );
    }
    check_types(block, arguments, mistakes);
    let mut handlers: Vec<Handler> = Vec::new();
    for marked in marked {
        if let Some(handler) = check_method(marked, mistakes) {
            let twin = handlers.iter().find(|other| {
                type_text(&other.message) == type_text(&handler.message)
                    && other.marked.conditions.is_empty()
                    && handler.marked.conditions.is_empty()
            });
            match twin {
                Some(twin) => mistakes.at(
                    &handler.message,
                    format!(
                        "`{}` is handled twice: `{}` handles it already",
                        type_text(&handler.message),
                        twin.method
                    ),
                ),
                None => handlers.push(handler),
            }
        }
    }
    handlers
}

fn check_types(block: &ItemImpl, arguments: &Arguments, mistakes: &mut Mistakes) {
    let component = type_text(&block.self_ty);
    let generic = !block.generics.params.is_empty();
    match &arguments.types {
        None if generic => {
            let name = component.split('<').next().unwrap_or(&component);
            mistakes.at(
                &block.generics,
                format!(
                    "the handlers of a generic component list its instantiations: write \
                     `#[handlers(types({name}<…>, {name}<…>))]`"
                ),
            );
        }
        Some(types) if !generic => {
            let message = format!("this `impl` of `{component}` is not generic, so it has no `types`");
            match types.first() {
                Some(first) => mistakes.at(first, message),
                None => mistakes.at(&block.self_ty, message),
            }
        }
        _ => {}
    }
}

fn check_method(marked: Marked, mistakes: &mut Mistakes) -> Option<Handler> {
    let before = mistakes.count();
    let signature = &marked.signature;
    if let Some(token) = &signature.asyncness {
        mistakes.at(
            token,
            "a handler cannot be `async`: a send returns when its receivers have run",
        );
    }
    if let Some(token) = &signature.constness {
        mistakes.at(token, "a handler cannot be `const`");
    }
    if let Safety::Unsafe(token) = &signature.safety {
        mistakes.at(
            token,
            "a handler cannot be `unsafe`: nobody who sends a message can vouch for it",
        );
    }
    if let Some(abi) = &signature.abi {
        mistakes.at(abi, "a handler cannot be `extern`");
    }
    if let Some(parameter) = signature
        .generics
        .params
        .iter()
        .find(|parameter| !matches!(parameter, GenericParam::Lifetime(_)))
    {
        mistakes.at(
            parameter,
            "a handler cannot be generic: it handles one message type; make the component \
             generic instead, or write one handler for each type",
        );
    }
    let mut inputs = signature.inputs.iter();
    let shared = match inputs.next() {
        Some(FnArg::Receiver(receiver)) => check_receiver(receiver, mistakes),
        first => {
            let message = "a handler takes `&self` or `&mut self` first";
            match first {
                Some(first) => mistakes.at(first, message),
                None => mistakes.at(&signature.ident, message),
            }
            return None;
        }
    };
    let message = match inputs.next() {
        Some(FnArg::Typed(parameter)) => check_message(&parameter.ty, mistakes),
        _ => {
            mistakes.at(
                &signature.ident,
                "a handler takes a message after `self`: `&M` or `&mut M`",
            );
            None
        }
    };
    let context = inputs.next();
    if let Some(FnArg::Typed(parameter)) = context
        && !matches!(&*parameter.ty, Type::Reference(TypeReference { mutability: Some(_), .. }))
    {
        mistakes.at(
            &parameter.ty,
            "the third parameter of a handler, if it has one, is `&mut Context<'_>`",
        );
    }
    if let Some(extra) = inputs.next() {
        mistakes.at(
            extra,
            "a handler takes at most `self`, a message and a `&mut Context<'_>`",
        );
    }
    if mistakes.count() > before {
        return None;
    }
    Some(Handler {
        method: signature.ident.clone(),
        message: message?,
        shared: shared?,
        takes_context: context.is_some(),
        output: signature.output.clone(),
        marked,
    })
}

/// Whether the method takes `&self`.
fn check_receiver(receiver: &Receiver, mistakes: &mut Mistakes) -> Option<bool> {
    match &receiver.kind {
        ReceiverKind::Reference(_, _, mutability) => Some(mutability.is_none()),
        _ => {
            mistakes.at(
                receiver,
                "a handler borrows its component: write `&self` or `&mut self`",
            );
            None
        }
    }
}

fn check_message(ty: &Type, mistakes: &mut Mistakes) -> Option<Type> {
    match ty {
        Type::Reference(reference) => Some((*reference.elem).clone()),
        _ => {
            let text = type_text(ty);
            mistakes.at(
                ty,
                format!(
                    "a handler borrows the message, which others may receive too: write \
                     `&{text}` or `&mut {text}`"
                ),
            );
            None
        }
    }
}
