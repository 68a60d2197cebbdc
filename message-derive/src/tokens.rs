//! The macros over the tokens of `proc_macro2`, which a test has too. Whatever the tokens are, they are expanded or
//! are compile errors; nothing here panics.

use proc_macro2::TokenStream;
use quote::quote;
use syn::DeriveInput;

use crate::mistakes::at_macro;

pub(crate) fn message(input: TokenStream) -> TokenStream {
    derive(input, crate::message::derive)
}

pub(crate) fn data(input: TokenStream) -> TokenStream {
    derive(input, crate::data::derive)
}

pub(crate) fn handlers(arguments: TokenStream, item: &TokenStream) -> TokenStream {
    crate::handlers::expand(arguments, item)
}

pub(crate) fn on_receive(item: &TokenStream) -> TokenStream {
    let message = "`#[on_receive]` works only on a method in a `#[handlers]` block";
    let outside = at_macro(message, item);
    quote!(#outside #item)
}

fn derive(input: TokenStream, expand: fn(&DeriveInput) -> TokenStream) -> TokenStream {
    match syn::parse2(input) {
        Ok(input) => expand(&input),
        Err(error) => error.to_compile_error(),
    }
}
