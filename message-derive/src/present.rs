//! The macros, from the compiler's tokens to those of `proc_macro2` and back.

use proc_macro::TokenStream;

use crate::tokens;

pub(crate) fn message(input: TokenStream) -> TokenStream {
    tokens::message(input.into()).into()
}

pub(crate) fn data(input: TokenStream) -> TokenStream {
    tokens::data(input.into()).into()
}

pub(crate) fn handlers(arguments: TokenStream, item: TokenStream) -> TokenStream {
    tokens::handlers(arguments.into(), &item.into()).into()
}

pub(crate) fn on_receive(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    tokens::on_receive(&item.into()).into()
}
