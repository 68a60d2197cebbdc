//! Reading `key`, `key = value` and `key(a, b)` lists, as in `#[message(…)]` and
//! `#[handlers(…)]`.
//!
//! Reading continues after a mistake, so that every wrong key of a list is reported at once.

use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Ident, Lifetime, Path, Token, Type, parenthesized};

use crate::mistakes::Mistakes;

/// One key of a list, and how its value is read.
pub(crate) struct Key<'a, T> {
    pub(crate) name: &'static str,
    /// The form that is expected at the key, for the error when something else is found.
    pub(crate) form: &'static str,
    pub(crate) read: &'a dyn Fn(&mut T, ParseStream<'_>) -> syn::Result<()>,
}

/// The keys that a list may have, and those that were given: in this list, or in another of the
/// same item.
pub(crate) struct Keys<'a, T> {
    known: &'a [Key<'a, T>],
    given: Vec<&'static str>,
    /// The key that may be given more than once.
    repeated: Option<&'static str>,
}

impl<'a, T> Keys<'a, T> {
    pub(crate) fn new(known: &'a [Key<'a, T>]) -> Self {
        Self {
            known,
            given: Vec::new(),
            repeated: None,
        }
    }

    /// Allows a key to be given more than once.
    pub(crate) fn with_repeated(mut self, name: &'static str) -> Self {
        self.repeated = Some(name);
        self
    }

    /// Reads all of the tokens into `target`.
    pub(crate) fn read(&mut self, tokens: TokenStream, target: &mut T, mistakes: &mut Mistakes) {
        let parser = |list: ParseStream<'_>| {
            self.read_list(list, target, mistakes);
            Ok(())
        };
        if let Err(error) = parser.parse2(tokens) {
            mistakes.add(error);
        }
    }

    /// Reads a list into `target`, each key at most once.
    pub(crate) fn read_list(
        &mut self,
        list: ParseStream<'_>,
        target: &mut T,
        mistakes: &mut Mistakes,
    ) {
        while !list.is_empty() {
            if let Err(error) = self.read_one(list, target) {
                mistakes.add(error);
                skip_argument(list);
            } else if !list.is_empty() && list.parse::<Token![,]>().is_err() {
                mistakes.add(list.error("expected `,` between the keys"));
                skip_argument(list);
            }
        }
    }

    fn read_one(&mut self, list: ParseStream<'_>, target: &mut T) -> syn::Result<()> {
        let Ok(name) = list.call(Ident::parse_any) else {
            return Err(list.error(self.expected()));
        };
        let text = name.unraw().to_string();
        let Some(key) = self.known.iter().find(|key| key.name == text) else {
            let message = format!("unknown key `{text}`, {}", self.expected());
            return Err(syn::Error::new_spanned(name, message));
        };
        if self.given.contains(&key.name) && self.repeated != Some(key.name) {
            let message = format!("`{text}` is given twice");
            return Err(syn::Error::new_spanned(name, message));
        }
        self.given.push(key.name);
        (key.read)(target, list).map_err(|error| {
            let message = format!("expected `{}`: {error}", key.form);
            syn::Error::new(error.span(), message)
        })
    }

    fn expected(&self) -> String {
        let names = self.known.iter().map(|key| format!("`{}`", key.name));
        let names: Vec<String> = names.collect();
        match names.as_slice() {
            [one] => format!("expected {one}"),
            names => format!("expected one of {}", names.join(", ")),
        }
    }
}

/// Skips to behind the next comma that is not inside angle brackets or a group.
fn skip_argument(list: ParseStream<'_>) {
    let mut open_angles = 0_usize;
    while !list.is_empty() {
        let comma = list.peek(Token![,]);
        if list.peek(Token![<]) {
            open_angles += 1;
        } else if list.peek(Token![>]) {
            open_angles = open_angles.saturating_sub(1);
        }
        if list.parse::<TokenTree>().is_err() || (comma && open_angles == 0) {
            return;
        }
    }
}

/// Reads `= value`.
pub(crate) fn value<T: Parse>(list: ParseStream<'_>) -> syn::Result<T> {
    list.parse::<Token![=]>()?;
    list.parse()
}

/// Reads `= path`, where the path may be in any of the forms of a path.
pub(crate) fn path_value(list: ParseStream<'_>) -> syn::Result<Path> {
    list.parse::<Token![=]>()?;
    list.call(Path::parse_mod_style)
}

/// Reads `(a, b, …)`.
pub(crate) fn items<T: Parse>(list: ParseStream<'_>) -> syn::Result<Vec<T>> {
    let content;
    parenthesized!(content in list);
    let items = Punctuated::<T, Token![,]>::parse_terminated(&content)?;
    Ok(items.into_iter().collect())
}

/// Returns the path to `message_core`: the one in `crate = path`, or its own name.
pub(crate) fn krate(path: Option<&Path>) -> Path {
    path.cloned()
        .unwrap_or_else(|| syn::parse_quote!(::message_core))
}

/// A type without the invisible groups and the parentheses around it.
pub(crate) fn bare(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => bare(&group.elem),
        Type::Paren(paren) => bare(&paren.elem),
        ty => ty,
    }
}

/// The last name in a type's path, if it has one.
pub(crate) fn last_segment(ty: &Type) -> Option<&syn::PathSegment> {
    match bare(ty) {
        Type::Path(path) => path.path.segments.last(),
        _ => None,
    }
}

/// Tokens that are all at one place, which is where the compiler then reports what is
/// wrong with them.
pub(crate) fn moved(tokens: TokenStream, place: Span) -> TokenStream {
    let moved = tokens.into_iter().map(|mut token| {
        if let TokenTree::Group(group) = &token {
            token = Group::new(group.delimiter(), moved(group.stream(), place)).into();
        }
        // `$crate` means the crate that its own place belongs to.
        let place = if token.to_string() == "$crate" {
            token.span().located_at(place)
        } else {
            place
        };
        token.set_span(place);
        token
    });
    moved.collect()
}

/// The first lifetime among the tokens that is not `'static`.
pub(crate) fn borrow_in(tokens: impl ToTokens) -> Option<Lifetime> {
    let mut tokens = tokens.into_token_stream().into_iter();
    while let Some(token) = tokens.next() {
        let found = match token {
            TokenTree::Group(group) => borrow_in(group.stream()),
            TokenTree::Punct(punct) if punct.as_char() == '\'' => match tokens.next() {
                Some(TokenTree::Ident(ident)) if ident != "static" => Some(Lifetime {
                    apostrophe: punct.span(),
                    ident,
                }),
                _ => None,
            },
            _ => None,
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Tokens as text, spaced in one way however they are spaced in the source: `Cooldown<Fire>`.
///
/// Names of messages are made from it, so it depends on the tokens and on nothing else.
pub(crate) fn text(tokens: impl ToTokens) -> String {
    let mut text = String::new();
    write_text(tokens.into_token_stream(), &mut text);
    text
}

fn write_text(tokens: TokenStream, text: &mut String) {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                write_text(group.stream(), text);
                text.push_str(close);
            }
            TokenTree::Punct(punct) => {
                let closes = |next: &TokenTree| next.to_string().starts_with('>');
                match (punct.as_char(), tokens.peek()) {
                    (',', Some(next)) if closes(next) => {}
                    (',' | ';', Some(_)) => text.extend([punct.as_char(), ' ']),
                    (character, _) => text.push(character),
                }
            }
            TokenTree::Ident(_) | TokenTree::Literal(_) => {
                if text.ends_with(|last: char| last.is_alphanumeric() || last == '_') {
                    text.push(' ');
                }
                text.push_str(&token.to_string());
            }
        }
    }
}
