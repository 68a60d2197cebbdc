//! The macros, from the compiler's tokens to those of `proc_macro2` and back.

use proc_macro::TokenStream;
use quote::quote;

use crate::mistakes::at_macro;

pub(crate) fn message(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    crate::message::derive(&input).into()
}

pub(crate) fn data(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    crate::data::derive(&input).into()
}

pub(crate) fn handlers(arguments: TokenStream, item: TokenStream) -> TokenStream {
    crate::handlers::expand(arguments.into(), &item.into()).into()
}

pub(crate) fn on_receive(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    let item = proc_macro2::TokenStream::from(item);
    let message = "`#[on_receive]` works only on a method in a `#[handlers]` block";
    let outside = at_macro(message, &item);
    quote!(#outside #item).into()
}
