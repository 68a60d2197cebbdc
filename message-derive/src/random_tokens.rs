//! Random and mutated tokens: given any input, a macro does not panic, and it produces items.

use std::panic::{AssertUnwindSafe, catch_unwind};

use proc_macro2::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

use crate::tokens;

/// Bounded, so that it can be part of the test command. The fuzz target `macros` is unbounded.
const CASES: u64 = 6_000;

/// The inputs that are mutated: arguments of `#[handlers]`, and an item.
const SEEDS: &[(&str, &str)] = &[
    ("", "#[derive(Debug)] pub struct Damage { pub amount: u32 }"),
    (
        "",
        "#[message(id = 7, name = \"a.b\", reply = Option<u32>, tags(HOT, crate::COLD))] struct Ask;",
    ),
    (
        "",
        "#[message(reply = Vec<T>, crate = other::core)] enum Many<'a, T: Send, const N: usize> where T: Copy { A(&'a T), B { x: [u8; N] } }",
    ),
    (
        "",
        "#[data(name = \"x.Y\", exact, version = 3, upgrade = upgrade, alias(\"a\", \"b\"))] #[serde(default)] struct Y { a: u8, #[serde(skip)] b: i8 }",
    ),
    ("", "#[data(exact)] pub(crate) union U { a: u32, b: f32 }"),
    (
        "types(Cell<u32>, Cell<String>), crate = m::core",
        "impl<T: Send + 'static> Cell<T> { #[on_receive] fn a(&self, _: &Get) -> u32 { 1 } const X: u8 = 1; }",
    ),
    (
        "",
        "impl Health { #[on_receive(priority = -3, before(Shield, a::B), after(C))] fn hit(&mut self, hit: &mut Hit, cx: &mut Context<'_>) -> Result<ControlFlow<()>, E> { todo!() } #[cfg(x)] #[on_receive(parallel = 64)] fn tick(&mut self, _: &Tick) {} fn other(self) {} }",
    ),
    (
        "crate = x",
        "impl Trait for Health { #[on_receive] async unsafe extern \"C\" fn f(self: Box<Self>, (a, b): &(A, B), ..) {} #[on_receive] #[on_receive] fn g<T>(&'a self, m: impl Sized) where T: X {} }",
    ),
    ("types()", "mod not { fn a_block() {} }"),
];

const WORDS: &[&str] = &[
    "on_receive",
    "handlers",
    "message",
    "data",
    "serde",
    "default",
    "id",
    "name",
    "reply",
    "tags",
    "crate",
    "types",
    "priority",
    "before",
    "after",
    "parallel",
    "exact",
    "version",
    "upgrade",
    "alias",
    "derive",
    "Debug",
    "Clone",
    "self",
    "Self",
    "mut",
    "fn",
    "impl",
    "struct",
    "enum",
    "union",
    "where",
    "for",
    "dyn",
    "async",
    "unsafe",
    "const",
    "pub",
    "static",
    "type",
    "extern",
    "macro_rules",
    "cfg",
    "cfg_attr",
    "u32",
    "Context",
    "Result",
    "r#type",
    "_",
    "Option",
    "in",
    "as",
    "super",
    "ControlFlow",
    "bool",
];

const PUNCTUATION: &[char] = &[
    '#', '!', ',', ';', ':', '=', '<', '>', '&', '*', '-', '+', '\'', '.', '?', '|', '$', '@', '/',
    '%', '^', '~',
];

const LITERALS: &[&str] = &[
    "0",
    "1",
    "7u8",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "1.5",
    "\"\"",
    "\"a.b\"",
    "\"\\0\"",
    "b\"x\"",
    "c\"x\"",
    "'x'",
    "r#\"x\"#",
    "0xffff_ffff_ffff_ffff",
    "1_i32",
    "\"ä\"",
    "1e400",
];

/// The same numbers for the same seed (splitmix64).
struct Lottery(u64);

impl Lottery {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let mixed = mixed ^ (mixed >> 31);
        usize::try_from(mixed % end as u64).expect("it is below a usize")
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }
}

fn token(lottery: &mut Lottery, depth: usize) -> TokenTree {
    match lottery.below(8) {
        0 if depth > 0 => {
            let count = lottery.below(5);
            let inner = (0..count).map(|_| token(lottery, depth - 1)).collect();
            Group::new(delimiter(lottery), inner).into()
        }
        0..=2 => {
            let spacing = lottery.of(&[Spacing::Alone, Spacing::Joint]);
            Punct::new(lottery.of(PUNCTUATION), spacing).into()
        }
        3 | 4 => {
            let literal: Literal = lottery.of(LITERALS).parse().expect("it is a literal");
            literal.into()
        }
        _ => {
            let word = lottery.of(WORDS);
            match word.strip_prefix("r#") {
                Some(raw) => Ident::new_raw(raw, Span::call_site()).into(),
                None => Ident::new(word, Span::call_site()).into(),
            }
        }
    }
}

fn delimiter(lottery: &mut Lottery) -> Delimiter {
    lottery.of(&[
        Delimiter::Parenthesis,
        Delimiter::Brace,
        Delimiter::Bracket,
        Delimiter::None,
    ])
}

/// Returns the tokens with a change in one place, often inside a group.
fn mutated(tokens: TokenStream, lottery: &mut Lottery) -> TokenStream {
    let mut tokens: Vec<TokenTree> = tokens.into_iter().collect();
    if tokens.is_empty() {
        return (0..lottery.below(4)).map(|_| token(lottery, 2)).collect();
    }
    let at = lottery.below(tokens.len());
    if let TokenTree::Group(group) = &tokens[at]
        && lottery.below(4) > 0
    {
        let inner = mutated(group.stream(), lottery);
        let same = lottery.below(8) > 0;
        let delimiter = if same {
            group.delimiter()
        } else {
            delimiter(lottery)
        };
        tokens[at] = Group::new(delimiter, inner).into();
        return tokens.into_iter().collect();
    }
    match lottery.below(5) {
        0 => drop(tokens.remove(at)),
        1 => tokens.insert(at, tokens[at].clone()),
        2 => tokens[at] = token(lottery, 2),
        3 => tokens.insert(at, token(lottery, 2)),
        _ => {
            let other = lottery.below(tokens.len());
            tokens.swap(at, other);
        }
    }
    tokens.into_iter().collect()
}

fn is_items(tokens: &TokenStream) -> bool {
    syn::parse2::<syn::File>(tokens.clone()).is_ok()
}

/// Returns what is wrong with the output of the macros.
fn wrong(arguments: &TokenStream, item: &TokenStream) -> Option<&'static str> {
    if !is_items(&tokens::message(item.clone())) {
        return Some("`derive(Message)` writes no items");
    }
    if !is_items(&tokens::data(item.clone())) {
        return Some("`derive(Data)` writes no items");
    }
    // An attribute returns the item that it is on, so there have to be items. `#![…]` begins a file, but is
    // not an item.
    let file = syn::parse2::<syn::File>(item.clone());
    let has_items = file.is_ok_and(|file| file.attrs.is_empty());
    let expanded = tokens::handlers(arguments.clone(), item);
    if has_items && !is_items(&expanded) {
        return Some("`handlers` writes no items");
    }
    if has_items && !is_items(&tokens::on_receive(item)) {
        return Some("`on_receive` writes no items");
    }
    None
}

#[test]
fn whatever_tokens_a_macro_is_given_it_writes_items_and_does_not_panic() {
    let (mut accepted, mut blocks) = (0, 0);
    for case in 0..CASES {
        let mut lottery = Lottery(case);
        let (arguments, item) = lottery.of(SEEDS);
        let parsed = |text: &str| -> TokenStream { text.parse().expect("it is Rust") };
        let (mut arguments, mut item) = (parsed(arguments), parsed(item));
        for _ in 0..lottery.below(4) {
            if lottery.below(4) == 0 {
                arguments = mutated(arguments, &mut lottery);
            } else {
                item = mutated(item, &mut lottery);
            }
        }
        let wrong = catch_unwind(AssertUnwindSafe(|| wrong(&arguments, &item)));
        let wrong = wrong.unwrap_or(Some("a macro panics"));
        assert!(
            wrong.is_none(),
            "{}: case {case}\n#[handlers({arguments})]\n{item}",
            wrong.unwrap_or("")
        );
        accepted += usize::from(syn::parse2::<syn::DeriveInput>(item.clone()).is_ok());
        blocks += usize::from(syn::parse2::<syn::ItemImpl>(item).is_ok());
    }
    // Checks that enough inputs get past the parser of the language.
    assert!(
        accepted > 1_000 && blocks > 300,
        "{accepted} types, {blocks} blocks"
    );
}
