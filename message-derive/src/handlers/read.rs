//! Parses the handlers of an `impl` block and removes their `#[on_receive]` attributes.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{
    Attribute, Ident, ImplItem, ImplItemConst, ImplItemType, Item, ItemImpl, LitInt, Path,
    Signature, Token, Type, parse_quote,
};

use crate::arguments::{self, Key, Keys};
use crate::mistakes::Mistakes;

/// The arguments of `#[handlers(…)]`.
#[derive(Default)]
pub(super) struct Arguments {
    pub(super) types: Option<Vec<Type>>,
    pub(super) krate: Option<Path>,
}

/// A method that is marked as a handler.
pub(super) struct Marked {
    pub(super) signature: Signature,
    pub(super) turn: Turn,
    /// The `#[cfg]`s of the method, which apply to its handler too.
    pub(super) conditions: Vec<Attribute>,
}

/// The turn of a handler, from the arguments of `#[on_receive(…)]`.
#[derive(Default)]
pub(super) struct Turn {
    pub(super) priority: i32,
    /// The components whose handlers of the message run later.
    pub(super) before: Vec<Type>,
    /// The components whose handlers of the message run earlier.
    pub(super) after: Vec<Type>,
    /// `parallel`, if a broadcast runs the handler on all cores.
    pub(super) parallel: Option<Parallel>,
}

/// The `parallel` argument of a handler.
pub(super) struct Parallel {
    pub(super) word: Ident,
    /// The number of components from which the handler is parallel, if given.
    pub(super) least: Option<LitInt>,
}

pub(super) fn arguments(tokens: TokenStream, mistakes: &mut Mistakes) -> Arguments {
    let keys: [Key<'_, Arguments>; 2] = [
        Key {
            name: "types",
            form: "types(Component<A>, Component<B>)",
            read: &|it, list| arguments::items(list).map(|value| it.types = Some(value)),
        },
        Key {
            name: "crate",
            form: "crate = path",
            read: &|it, list| arguments::path_value(list).map(|value| it.krate = Some(value)),
        },
    ];
    let mut read = Arguments::default();
    Keys::new(&keys).read(tokens, &mut read, mistakes);
    read
}

pub(super) fn block(item: &TokenStream, mistakes: &mut Mistakes) -> Option<ItemImpl> {
    match syn::parse2(item.clone()) {
        Ok(Item::Impl(block)) => return Some(block),
        Ok(_) => mistakes.at(item, "`#[handlers]` goes on an `impl` block of a component"),
        Err(error) => mistakes.add(error),
    }
    None
}

pub(super) fn handlers(block: &mut ItemImpl, mistakes: &mut Mistakes) -> Vec<Marked> {
    let mut marked = Vec::new();
    for item in &mut block.items {
        match item {
            ImplItem::Fn(method) => {
                let Some(mark) = take_mark(&mut method.attrs, mistakes) else {
                    continue;
                };
                let conditions = method.attrs.iter();
                let conditions = conditions.filter(|attribute| attribute.path().is_ident("cfg"));
                marked.push(Marked {
                    signature: method.sig.clone(),
                    turn: turn(&mark, mistakes),
                    conditions: conditions.cloned().collect(),
                });
                if !names_self(method.block.to_token_stream()) {
                    // Before what the user says of the lint, which so counts.
                    let allow = parse_quote!(#[allow(clippy::unused_self)]);
                    method.attrs.insert(0, allow);
                }
            }
            ImplItem::Const(ImplItemConst { attrs, .. })
            | ImplItem::Type(ImplItemType { attrs, .. }) => {
                if let Some(mark) = take_mark(attrs, mistakes) {
                    mistakes.at(mark, "`#[on_receive]` can only mark a method");
                }
            }
            _ => {}
        }
    }
    marked
}

/// Returns `true` if `self` stands anywhere in a handler's body. One without it has a `self` all the
/// same, since a handler is called on its component. Only there the lint is switched off, so that a
/// crate that forbids it can have all other handlers.
fn names_self(body: TokenStream) -> bool {
    body.into_iter().any(|token| match token {
        TokenTree::Ident(word) => word == "self",
        TokenTree::Group(group) => names_self(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Takes every `#[on_receive]` off, so that a second one is not taken for one that stands outside
/// of a block, and returns the first.
fn take_mark(attributes: &mut Vec<Attribute>, mistakes: &mut Mistakes) -> Option<Attribute> {
    let is_mark = |attribute: &mut Attribute| {
        let last = attribute.path().segments.last();
        last.is_some_and(|last| last.ident == "on_receive")
    };
    let mut marks = attributes.extract_if(.., is_mark);
    let first = marks.next()?;
    for second in marks {
        mistakes.at(second, "`#[on_receive]` is given twice");
    }
    Some(first)
}

/// Returns the first occurrence of a word in the attribute.
fn word(mark: &Attribute, word: &str) -> Option<Ident> {
    let list = mark.meta.require_list().ok()?;
    list.tokens
        .clone()
        .into_iter()
        .find_map(|token| match token {
            TokenTree::Ident(ident) if ident == word => Some(ident),
            _ => None,
        })
}

fn turn(mark: &Attribute, mistakes: &mut Mistakes) -> Turn {
    let parallel = word(mark, "parallel");
    let keys: [Key<'_, Turn>; 4] = [
        Key {
            name: "priority",
            form: "priority = N",
            read: &|turn, list| {
                list.parse::<Token![=]>()?;
                let negative = list.parse::<Option<Token![-]>>()?.is_some();
                let number: LitInt = list.parse()?;
                let value: i64 = number.base10_parse()?;
                let value = if negative { -value } else { value };
                turn.priority = i32::try_from(value)
                    .map_err(|_| syn::Error::new_spanned(&number, "a priority is an `i32`"))?;
                Ok(())
            },
        },
        Key {
            name: "before",
            form: "before(Component, …)",
            read: &|turn, list| arguments::items(list).map(|types| turn.before = types),
        },
        Key {
            name: "after",
            form: "after(Component, …)",
            read: &|turn, list| arguments::items(list).map(|types| turn.after = types),
        },
        Key {
            name: "parallel",
            form: "parallel` or `parallel = N",
            read: &|turn, list| {
                let least = if list.peek(Token![=]) {
                    let number: LitInt = arguments::value(list)?;
                    number.base10_parse::<u32>()?;
                    Some(number)
                } else {
                    None
                };
                turn.parallel = parallel.clone().map(|word| Parallel { word, least });
                Ok(())
            },
        },
    ];
    let mut turn = Turn::default();
    if !matches!(mark.meta, syn::Meta::Path(_)) {
        match mark.meta.require_list() {
            Ok(list) => {
                Keys::new(&keys).read(list.tokens.clone(), &mut turn, mistakes);
            }
            Err(error) => mistakes.add(error),
        }
    }
    turn
}
