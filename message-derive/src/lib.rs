//! The macros of `message-core`, which re-exports them: `#[derive(Message)]`, `#[handlers]`,
//! `#[on_receive]` and `#[derive(Data)]`. Depend on `message-core`, not on this crate.
//!
//! Each macro reads its input into a description, checks the description, and expands it.
//! Reading and checking gather every mistake before any is reported; on a mistake the user's own
//! item is still there, with a harmless implementation, so that one mistake does not become many.
//!
//! Without the feature `macros`, which `message-core` enables with its feature `derive`, each macro
//! is an error that says so.
#![forbid(unsafe_code)]

#[cfg(not(feature = "macros"))]
mod absent;
#[cfg(feature = "macros")]
mod arguments;
mod build;
#[cfg(feature = "macros")]
mod data;
#[cfg(feature = "macros")]
mod handlers;
mod keep;
#[cfg(feature = "macros")]
mod message;
#[cfg(feature = "macros")]
mod mistakes;
#[cfg(feature = "macros")]
mod present;
#[cfg(all(test, feature = "macros"))]
mod random_tokens;
#[cfg(feature = "macros")]
mod tokens;

#[cfg(not(feature = "macros"))]
use absent as macros;
#[cfg(feature = "macros")]
use present as macros;
use proc_macro::TokenStream;

/// The build of the crate that is compiled, as a literal: see `message_core::shared!`.
#[doc(hidden)]
#[proc_macro]
pub fn build(_: TokenStream) -> TokenStream {
    build::facts()
}

/// The attributes of `#[derive(Message)]` are described at the trait `message_core::Message`.
#[proc_macro_derive(Message, attributes(message))]
pub fn derive_message(input: TokenStream) -> TokenStream {
    macros::message(input)
}

/// The attributes of `#[derive(Data)]` are described at the trait `message_data::Data`.
#[proc_macro_derive(Data, attributes(data))]
pub fn derive_data(input: TokenStream) -> TokenStream {
    macros::data(input)
}

/// `#[handlers]` is described at `message_core`'s crate page.
///
/// Arguments:
///
/// - `types(C<A>, C<B>)`: for a generic component, the instantiations that exist; an empty list
///   means that all are registered by hand;
/// - `crate = path`: where to find `message_core`, when it is renamed or re-exported.
#[proc_macro_attribute]
pub fn handlers(arguments: TokenStream, item: TokenStream) -> TokenStream {
    macros::handlers(arguments, item)
}

/// For `message-core`: makes a linker for WebAssembly keep the entry beside which it stands.
#[doc(hidden)]
#[proc_macro]
pub fn __keep(_: TokenStream) -> TokenStream {
    keep::keep()
}

/// The arguments of `#[on_receive]` order the handlers of a message, for the components of one messagee
/// and for broadcasts:
///
/// - `priority = N`: handlers with a higher priority run first; the default is 0;
/// - `before(Health, …)`, `after(Shield, …)`: before or after the handlers of those components. The
///   components have to handle the message, with the same priority or one that agrees with the order. A cycle
///   is an error when the first manager is made.
///
/// With the feature `rayon` of `message-core`, there is one more:
///
/// - `parallel`, or `parallel = N`: a send to `Everyone` runs the handler on all cores, by the threads of
///   [rayon](https://docs.rs/rayon)'s pool, if there are enough components: `N`, or as many as make even
///   the cheapest handler no slower. That is 131 072, and 32 768 if the thread that sends is one of a pool,
///   as the main thread is after `rayon::ThreadPoolBuilder::new().use_current_thread().build_global()`.
///   For a handler of a microsecond, `parallel = 64` pays.
///
///   The handler takes `&M` and no context, and returns nothing, `bool`, or a `Result` of these: it
///   cannot consume or answer. The message has to be `Sync`, and for `&self` the component too. Receipts,
///   failures and panics do not depend on the number of threads. A broadcast calls all of the type's
///   components, even if one panics; the first panic in storage order goes on. Components are called in
///   turn, by the thread that sends, if another handler of their type takes a context, while some of
///   them are being enabled, disabled or removed, or if they were borrowed at a desk; and so are all of a send to `EveryoneElse`, of one
///   that is traced, and under `PanicPolicy::Unhook`.
///
/// The method takes `&self` or `&mut self`, then `&M` or `&mut M` for some message type `M`, then
/// if it wants `&mut Context<'_>`. It stays an ordinary method. It takes a `self` in any case, so
/// `clippy::unused_self` is allowed for a handler that does not use it.
#[proc_macro_attribute]
pub fn on_receive(arguments: TokenStream, item: TokenStream) -> TokenStream {
    macros::on_receive(arguments, item)
}
