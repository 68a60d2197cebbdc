//! Reading `key`, `key = value` and `key(a, b)` lists, as in `#[message(…)]` and
//! `#[handlers(…)]`.
//!
//! Reads on after a mistake, so that every wrong key of a list is reported at once.

use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Ident, Path, Token, Type, parenthesized};

use crate::mistakes::Mistakes;

/// One key of a list, and how its value is read.
pub(crate) struct Key<'a, T> {
    pub(crate) name: &'static str,
    /// What is expected behind the key, for the error when something else is there.
    pub(crate) form: &'static str,
    pub(crate) read: &'a dyn Fn(&mut T, ParseStream<'_>) -> syn::Result<()>,
}

/// Reads a list into `target`, each key at most once.
pub(crate) fn read<T>(
    list: ParseStream<'_>,
    keys: &[Key<'_, T>],
    target: &mut T,
    mistakes: &mut Mistakes,
) {
    let mut seen: Vec<String> = Vec::new();
    while !list.is_empty() {
        let name = match list.call(Ident::parse_any) {
            Ok(name) => name,
            Err(_) => {
                mistakes.add(list.error(expected(keys)));
                skip_argument(list);
                continue;
            }
        };
        let text = name.unraw().to_string();
        match keys.iter().find(|key| key.name == text) {
            None => {
                mistakes.at(&name, format!("unknown key `{text}`, {}", expected(keys)));
                skip_argument(list);
                continue;
            }
            Some(_) if seen.contains(&text) => {
                mistakes.at(&name, format!("`{text}` is given twice"));
                skip_argument(list);
                continue;
            }
            Some(key) => {
                seen.push(text);
                if let Err(error) = (key.read)(target, list) {
                    let message = format!("expected `{}`: {error}", key.form);
                    mistakes.add(syn::Error::new(error.span(), message));
                    skip_argument(list);
                    continue;
                }
            }
        }
        if !list.is_empty() && list.parse::<Token![,]>().is_err() {
            mistakes.add(list.error("expected `,` between the keys"));
            skip_argument(list);
        }
    }
}

fn expected<T>(keys: &[Key<'_, T>]) -> String {
    let names: Vec<String> = keys.iter().map(|key| format!("`{}`", key.name)).collect();
    match names.as_slice() {
        [one] => format!("expected {one}"),
        names => format!("expected one of {}", names.join(", ")),
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
        if list.parse::<proc_macro2::TokenTree>().is_err() || (comma && open_angles == 0) {
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

/// The path to `message_core`: what `crate = path` says, or its own name.
pub(crate) fn krate(path: Option<&Path>) -> Path {
    path.cloned()
        .unwrap_or_else(|| syn::parse_quote!(::message_core))
}

/// A type's tokens as text, without the spaces that mean nothing: `Cooldown<Fire>`.
pub(crate) fn type_text(ty: &Type) -> String {
    let mut text = String::new();
    let spaced = quote::quote!(#ty).to_string();
    let mut words = spaced.split(' ').peekable();
    while let Some(word) = words.next() {
        text.push_str(word);
        let ends = word.chars().next_back().is_some_and(is_word);
        let goes_on = words
            .peek()
            .is_some_and(|next| next.chars().next().is_some_and(is_word));
        if (ends && goes_on) || word.ends_with(',') {
            text.push(' ');
        }
    }
    text
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}
