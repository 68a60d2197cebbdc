//! The macros of `message-core`, which re-exports them: `#[derive(Message)]`, `#[handlers]` and
//! `#[on_receive]`. Depend on `message-core`, not on this crate.
//!
//! Each macro reads its input into a description, checks the description, and expands it.
//! Reading and checking gather every mistake before any is reported; on a mistake the user's own
//! item is still there, with a harmless implementation, so that one mistake does not become many.
#![forbid(unsafe_code)]

mod arguments;
mod handlers;
mod message;
mod mistakes;

use proc_macro::TokenStream;
use quote::quote;

/// Makes a struct or an enum a message. Its attributes are described at the trait
/// `message_core::Message`.
#[proc_macro_derive(Message, attributes(message))]
pub fn derive_message(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    message::derive(&input).into()
}

/// Makes every `#[on_receive]` method of an `impl` block a handler of its component. Described
/// with the contract, at `message_core`'s crate page.
///
/// Arguments:
///
/// - `types(C<A>, C<B>)`: for a generic component, the instantiations that exist; an empty list
///   means that all are registered by hand;
/// - `crate = path`: where to find `message_core`, when it is renamed or re-exported.
#[proc_macro_attribute]
pub fn handlers(arguments: TokenStream, item: TokenStream) -> TokenStream {
    handlers::expand(arguments.into(), &item.into()).into()
}

/// Marks a method of a `#[handlers]` block as a handler: `#[on_receive]`.
///
/// Arguments, which order the handlers of a message, for the components of one messagee and for
/// broadcasts:
///
/// - `priority = N`: higher ones run first; 0 without it;
/// - `before(Health, …)`, `after(Shield, …)`: before or after the handlers of those components. They
///   have to handle the message, with the same priority or one that agrees with it. A circle is an
///   error when the first manager is made.
///
/// The method takes `&self` or `&mut self`, then `&M` or `&mut M` for some message type `M`, then
/// if it wants `&mut Context<'_>`. It stays an ordinary method.
#[proc_macro_attribute]
pub fn on_receive(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    let item = proc_macro2::TokenStream::from(item);
    let message = "`#[on_receive]` works only on a method in a `#[handlers]` block";
    let outside = mistakes::at_macro(message, &item);
    quote!(#outside #item).into()
}
