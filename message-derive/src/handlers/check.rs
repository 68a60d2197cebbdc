//! Checks a block of handlers and each of its handlers.

use syn::{
    FnArg, GenericArgument, GenericParam, Ident, ItemImpl, PathArguments, Receiver, ReceiverKind,
    ReturnType, Safety, Signature, Type, TypeReference,
};

use crate::arguments::{bare, borrow_in, last_segment, text};
use crate::handlers::read::{Arguments, Marked};
use crate::mistakes::Mistakes;

/// A handler without mistakes.
pub(super) struct Handler {
    pub(super) method: Ident,
    pub(super) message: Type,
    /// `true` if it takes `&self`.
    pub(super) shared: bool,
    /// The type of the third parameter, if there is one.
    pub(super) context: Option<Type>,
    pub(super) output: ReturnType,
    pub(super) marked: Marked,
}

/// Returns the handlers of the block that have no mistakes.
pub(super) fn check(
    block: &ItemImpl,
    arguments: &Arguments,
    marked: Vec<Marked>,
    mistakes: &mut Mistakes,
) -> Vec<Handler> {
    if let Some((path, _)) = &block.trait_ {
        mistakes.at(
            path,
            "`#[handlers]` goes on an inherent `impl` block, not on a trait `impl`",
        );
        return Vec::new();
    }
    if marked.is_empty() {
        mistakes.at(
            &block.self_ty,
            "a `#[handlers]` block needs at least one method marked `#[on_receive]`",
        );
    }
    if !check_lifetimes(block, mistakes) {
        return Vec::new();
    }
    check_types(block, arguments, mistakes);
    let mut handlers: Vec<Handler> = Vec::new();
    for marked in marked {
        if let Some(handler) = check_method(marked, mistakes) {
            let twin = handlers.iter().find(|other| {
                text(&other.message) == text(&handler.message)
                    && other.marked.conditions.is_empty()
                    && handler.marked.conditions.is_empty()
            });
            match twin {
                Some(twin) => mistakes.at(
                    &handler.message,
                    format!(
                        "`{}` is handled twice: `{}` already handles it",
                        text(&handler.message),
                        twin.method
                    ),
                ),
                None => handlers.push(handler),
            }
        }
    }
    handlers
}

/// Returns `true` if the component borrows nothing, as far as the block shows it.
fn check_lifetimes(block: &ItemImpl, mistakes: &mut Mistakes) -> bool {
    let before = mistakes.count();
    let component = text(&block.self_ty);
    let name = component.split('<').next().unwrap_or(&component);
    for parameter in block.generics.lifetimes() {
        mistakes.at(
            parameter,
            format!(
                "a component is `'static`, so it cannot have the lifetime `{}`; let `{name}` own its data",
                parameter.lifetime
            ),
        );
    }
    if mistakes.count() == before
        && let Some(lifetime) = borrow_in(&block.self_ty)
    {
        mistakes.at(
            lifetime,
            format!("a component is `'static`, so it cannot borrow; let `{name}` own its data"),
        );
    }
    mistakes.count() == before
}

fn check_types(block: &ItemImpl, arguments: &Arguments, mistakes: &mut Mistakes) {
    let component = text(&block.self_ty);
    let name = component.split('<').next().unwrap_or(&component);
    let generic = !block.generics.params.is_empty();
    match &arguments.types {
        None if generic => mistakes.at(
            &block.generics,
            format!(
                "the `#[handlers]` of a generic component have to list its instantiations: write \
                 `#[handlers(types({name}<…>, {name}<…>))]`"
            ),
        ),
        Some(types) if !generic => {
            let message =
                format!("this `impl` of `{component}` is not generic, so it takes no `types`");
            match types.first() {
                Some(first) => mistakes.at(first, message),
                None => mistakes.at(&block.self_ty, message),
            }
        }
        Some(types) => {
            // Only a path has a name to compare; anything else is left to the compiler.
            let Some(own) = last_segment(&block.self_ty) else {
                return;
            };
            for ty in types {
                if last_segment(ty).is_none_or(|last| last.ident != own.ident) {
                    let found = text(ty);
                    mistakes.at(
                        ty,
                        format!(
                            "expected an instantiation of `{name}`, such as `{name}<…>`, found \
                             `{found}`"
                        ),
                    );
                }
            }
        }
        None => {}
    }
}

fn check_method(marked: Marked, mistakes: &mut Mistakes) -> Option<Handler> {
    let before = mistakes.count();
    let signature = &marked.signature;
    check_qualifiers(signature, mistakes);
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
    let message = if let Some(FnArg::Typed(parameter)) = inputs.next() {
        if borrowed_name(&parameter.ty).is_some_and(|name| name == "Context") {
            mistakes.at(
                &parameter.ty,
                "a handler takes the message before the context: \
                 `fn name(&mut self, message: &M, cx: &mut Context<'_>)`",
            );
            return None;
        }
        check_message(&parameter.ty, mistakes)
    } else {
        mistakes.at(
            &signature.ident,
            "a handler takes a message after `self`: `&M` or `&mut M`",
        );
        None
    };
    let context = match inputs.next() {
        Some(FnArg::Typed(parameter)) => Some((*parameter.ty).clone()),
        _ => None,
    };
    if let Some(context) = &context
        && borrowed_name(context).is_some_and(|name| name == "MessageManager")
    {
        mistakes.at(
            context,
            "a handler cannot take the manager, which is running it: take a `&mut Context<'_>`, which can send, \
             post, spawn and look things up like the manager",
        );
    } else if let Some(context) = &context
        && !matches!(
            bare(context),
            Type::Reference(TypeReference {
                mutability: Some(_),
                ..
            })
        )
    {
        mistakes.at(
            context,
            "the third parameter of a handler, if it has one, is `&mut Context<'_>`",
        );
    }
    if let Some(extra) = inputs.next() {
        mistakes.at(
            extra,
            "a handler takes at most `self`, a message and a `&mut Context<'_>`",
        );
    }
    if let Some(parallel) = &marked.turn.parallel {
        check_parallel(&parallel.word, signature, mistakes);
    }
    if let ReturnType::Type(_, ty) = &signature.output {
        check_error(ty, mistakes);
    }
    if mistakes.count() > before {
        return None;
    }
    Some(Handler {
        method: signature.ident.clone(),
        message: message?,
        shared: shared?,
        context,
        output: signature.output.clone(),
        marked,
    })
}

/// Checks that the library can run handlers on all cores, and that this handler can run that way.
fn check_parallel(word: &Ident, signature: &Signature, mistakes: &mut Mistakes) {
    if !cfg!(feature = "rayon") {
        mistakes.at(
            word,
            "`#[on_receive(parallel)]` needs the feature `rayon` of message-core",
        );
    }
    let mut parameters = signature.inputs.iter().skip(1);
    if let Some(FnArg::Typed(message)) = parameters.next()
        && let Type::Reference(reference) = bare(&message.ty)
        && reference.mutability.is_some()
    {
        let text = text(&reference.elem);
        mistakes.at(
            &message.ty,
            format!(
                "a parallel handler shares the message with other threads: write `&{text}`, or remove `parallel`"
            ),
        );
    }
    if let Some(context) = parameters.next() {
        mistakes.at(
            context,
            "a parallel handler takes no context: it runs on several threads, but a manager belongs to one; \
             remove the parameter, or remove `parallel`",
        );
    }
}

/// Returns the last name in the path of a type behind a reference.
fn borrowed_name(ty: &Type) -> Option<&Ident> {
    let Type::Reference(reference) = bare(ty) else {
        return None;
    };
    last_segment(&reference.elem).map(|last| &last.ident)
}

/// Checks that a boxed error in the return type can be sent to another thread.
fn check_error(ty: &Type, mistakes: &mut Mistakes) {
    let Some(result) = last_segment(ty).filter(|last| last.ident == "Result") else {
        return;
    };
    let PathArguments::AngleBracketed(arguments) = &result.arguments else {
        return;
    };
    if let Some(GenericArgument::Type(error)) = arguments.args.iter().nth(1) {
        let text = text(error);
        let boxed = text.strip_prefix("Box<dyn ");
        let boxed = boxed.and_then(|text| text.strip_suffix('>'));
        if boxed.is_some_and(|path| path.rsplit("::").next() == Some("Error")) {
            mistakes.at(
                error,
                "the error of a handler has to be `Send + Sync`: use `HandlerError`, which is \
                 `Box<dyn Error + Send + Sync>`; `?` converts the same errors into it",
            );
        }
    }
}

/// Checks what comes before and after the name of the method: its qualifiers and generic parameters.
fn check_qualifiers(signature: &Signature, mistakes: &mut Mistakes) {
    if let Some(token) = &signature.asyncness {
        mistakes.at(
            token,
            "a handler cannot be `async`: a send returns when its receivers have run",
        );
    }
    if let Some(token) = &signature.constness {
        mistakes.at(
            token,
            "a handler cannot be `const`: it runs when a message arrives",
        );
    }
    if let Safety::Unsafe(token) = &signature.safety {
        mistakes.at(
            token,
            "a handler cannot be `unsafe`: a sender cannot uphold its safety conditions",
        );
    }
    if let Some(abi) = &signature.abi {
        mistakes.at(abi, "a handler cannot be `extern`");
    }
    let mut parameters = signature.generics.params.iter();
    if let Some(parameter) =
        parameters.find(|parameter| !matches!(parameter, GenericParam::Lifetime(_)))
    {
        mistakes.at(parameter, NOT_GENERIC);
    }
}

const NOT_GENERIC: &str = "a handler cannot be generic: it handles one message type; make the \
                           component generic instead, or write one handler for each type";

/// Returns `true` if the method takes `&self`.
fn check_receiver(receiver: &Receiver, mistakes: &mut Mistakes) -> Option<bool> {
    let mutability = match &receiver.kind {
        ReceiverKind::Reference(_, _, mutability) => Some(mutability),
        ReceiverKind::Typed(_, ty) => match bare(ty) {
            Type::Reference(reference) if text(&reference.elem) == "Self" => {
                Some(&reference.mutability)
            }
            _ => None,
        },
        _ => None,
    };
    if mutability.is_none() {
        mistakes.at(
            receiver,
            "a handler borrows its component: write `&self` or `&mut self`",
        );
    }
    mutability.map(Option::is_none)
}

fn check_message(ty: &Type, mistakes: &mut Mistakes) -> Option<Type> {
    let Type::Reference(reference) = bare(ty) else {
        let text = text(ty);
        mistakes.at(
            ty,
            format!(
                "a handler borrows the message, which others may receive too: write `&{text}` or \
                 `&mut {text}`"
            ),
        );
        return None;
    };
    if let Type::ImplTrait(generic) = bare(&reference.elem) {
        mistakes.at(generic, NOT_GENERIC);
        return None;
    }
    if let Some(lifetime) = borrow_in(&reference.elem) {
        mistakes.at(
            lifetime,
            "a message is `'static`: it can wait in a queue, so it cannot borrow",
        );
        return None;
    }
    Some((*reference.elem).clone())
}
