//! The macros: whatever tokens they are given, they do not panic. The text has the arguments of `#[handlers]` up to
//! the first line break, and the item behind it.
#![no_main]
#![allow(dead_code)]

#[path = "../../message-derive/src/arguments.rs"]
mod arguments;
#[path = "../../message-derive/src/data/mod.rs"]
mod data;
#[path = "../../message-derive/src/handlers/mod.rs"]
mod handlers;
#[path = "../../message-derive/src/message/mod.rs"]
mod message;
#[path = "../../message-derive/src/mistakes.rs"]
mod mistakes;
#[path = "../../message-derive/src/tokens.rs"]
mod tokens;

use libfuzzer_sys::fuzz_target;
use proc_macro2::TokenStream;

/// The depth up to which the parser has enough stack: the compiler has a limit of its own.
const DEEPEST: usize = 60;

fn is_shallow(text: &str) -> bool {
    let deep = |depth: usize, letter| match letter {
        '(' | '[' | '{' | '<' | '&' | '*' | '-' | '!' => depth + 1,
        _ => depth,
    };
    text.chars().fold(0, deep) < DEEPEST
}

fuzz_target!(|text: &str| {
    let (arguments, item) = text.split_once('\n').unwrap_or(("", text));
    if !is_shallow(text) {
        return;
    }
    let (Ok(arguments), Ok(item)) = (
        arguments.parse::<TokenStream>(),
        item.parse::<TokenStream>(),
    ) else {
        return;
    };
    let _ = tokens::message(item.clone());
    let _ = tokens::data(item.clone());
    let _ = tokens::on_receive(&item);
    let expanded = tokens::handlers(arguments, &item);
    // `//!` and `#![…]` begin a file, but no item: the compiler gives them to no attribute.
    if syn::parse2::<syn::File>(item).is_ok_and(|file| file.attrs.is_empty()) {
        syn::parse2::<syn::File>(expanded).expect("items are expanded to items");
    }
});
