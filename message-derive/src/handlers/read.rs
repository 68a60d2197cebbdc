//! From an `impl` block to its handlers. The `#[on_receive]` attributes are taken off on the way.

use proc_macro2::TokenStream;
use syn::parse::Parser;
use syn::{Attribute, ImplItem, ImplItemConst, ImplItemType, ItemImpl, LitInt, Path, Signature, Token, Type};

use crate::arguments::{self, Key};
use crate::mistakes::Mistakes;

/// What `#[handlers(…)]` says.
#[derive(Default)]
pub(super) struct Arguments {
    pub(super) types: Option<Vec<Type>>,
    pub(super) krate: Option<Path>,
}

/// A method that is marked as a handler.
pub(super) struct Marked {
    pub(super) signature: Signature,
    pub(super) priority: i32,
    /// The `#[cfg]`s of the method, which hold for its handler too.
    pub(super) conditions: Vec<Attribute>,
}

pub(super) fn arguments(tokens: TokenStream, mistakes: &mut Mistakes) -> Arguments {
    let keys: [Key<'_, Arguments>; 2] = [
        Key {
            name: "types",
            form: "types(Component<A>, Component<B>)",
            read: &|it, list| Ok(it.types = Some(arguments::items(list)?)),
        },
        Key {
            name: "crate",
            form: "crate = path",
            read: &|it, list| Ok(it.krate = Some(arguments::path_value(list)?)),
        },
    ];
    let mut read = Arguments::default();
    let parsed = (|list: syn::parse::ParseStream<'_>| {
        arguments::read(list, &keys, &mut read, mistakes);
        Ok(())
    })
    .parse2(tokens);
    if let Err(error) = parsed {
        mistakes.add(error);
    }
    read
}

pub(super) fn block(item: TokenStream, mistakes: &mut Mistakes) -> Option<ItemImpl> {
    match syn::parse2(item.clone()) {
        Ok(block) => Some(block),
        Err(error) => {
            // An item that is none of ours gets our words; a broken `impl` the parser's.
            match syn::parse2::<syn::Item>(item) {
                Ok(other) => mistakes.at(
                    other,
                    "`#[handlers]` goes on an `impl` block of a component",
                ),
                Err(_) => mistakes.add(error),
            }
            None
        }
    }
}

pub(super) fn handlers(block: &mut ItemImpl, mistakes: &mut Mistakes) -> Vec<Marked> {
    let mut marked = Vec::new();
    for item in &mut block.items {
        match item {
            ImplItem::Fn(method) => {
                let Some(attribute) = take_mark(&mut method.attrs) else {
                    continue;
                };
                let conditions = method.attrs.iter();
                let conditions = conditions.filter(|attribute| attribute.path().is_ident("cfg"));
                marked.push(Marked {
                    signature: method.sig.clone(),
                    priority: priority(&attribute, mistakes),
                    conditions: conditions.cloned().collect(),
                });
            }
            ImplItem::Const(ImplItemConst { attrs, .. })
            | ImplItem::Type(ImplItemType { attrs, .. }) => {
                if let Some(attribute) = take_mark(attrs) {
                    mistakes.at(attribute, "`#[on_receive]` marks methods, nothing else");
                }
            }
            _ => {}
        }
    }
    marked
}

fn take_mark(attributes: &mut Vec<Attribute>) -> Option<Attribute> {
    let is_mark = |attribute: &Attribute| {
        let last = attribute.path().segments.last();
        last.is_some_and(|last| last.ident == "on_receive")
    };
    let at = attributes.iter().position(is_mark)?;
    Some(attributes.remove(at))
}

fn priority(attribute: &Attribute, mistakes: &mut Mistakes) -> i32 {
    let keys: [Key<'_, i32>; 1] = [Key {
        name: "priority",
        form: "priority = N",
        read: &|priority, list| {
            list.parse::<Token![=]>()?;
            let negative = list.parse::<Option<Token![-]>>()?.is_some();
            let number: LitInt = list.parse()?;
            let value: i64 = number.base10_parse()?;
            let value = if negative { -value } else { value };
            *priority = i32::try_from(value).map_err(|_| {
                syn::Error::new_spanned(&number, "a priority fits in 32 bits with sign")
            })?;
            Ok(())
        },
    }];
    let mut priority = 0;
    if !matches!(attribute.meta, syn::Meta::Path(_)) {
        let read = attribute.parse_args_with(|list: syn::parse::ParseStream<'_>| {
            arguments::read(list, &keys, &mut priority, mistakes);
            Ok(())
        });
        if let Err(error) = read {
            mistakes.add(error);
        }
    }
    priority
}
