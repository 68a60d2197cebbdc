//! Libraries of components that are loaded while the program runs, and their statements about themselves.
//!
//! A plugin leaves a [`Statement`] in its file: its identity, and the compiler, the build of this crate
//! and the shared crates that it was built with. It is read from the bytes of the file, since a library
//! runs code as soon as it is loaded. The crate `message-plugin` compares it with the program and loads
//! the library; this module has only the parts that must be the same on both sides.
//!
//! - A plugin invokes [`plugin!`](crate::plugin!) once.
//! - A crate with messages that program and plugins share invokes [`shared!`](crate::shared!) once, and is
//!   a library that both load (`crate-type = ["dylib"]`).
//!
//! Plugins need the default linking backend; with the feature `linkme`, `plugin!` is a compile error.

mod build;
mod statement;

#[doc(hidden)]
pub use build::{BEGIN, CORE, END, join, length, text_of};
pub use statement::{Kind, NoStatement, Statement, statements, statements_in};

use crate::registry::{Registry, RegistryError, try_registry};

/// Prepares for loading a library: publishes the registry, so that a library that is
/// [refused](crate::extend_registry()) leaves nothing behind.
///
/// # Errors
///
/// Returns the same errors as [`try_registry`].
///
/// ```
/// use message_core::plugin;
///
/// let registry = plugin::before_loading()?;
/// // Here a library is loaded, and its entries are added.
/// assert!(std::ptr::eq(registry, message_core::registry()));
/// # Ok::<(), &'static message_core::RegistryError>(())
/// ```
pub fn before_loading() -> Result<&'static Registry, &'static RegistryError> {
    try_registry()
}

/// Returns the program's statement about this crate: its version, and how it was built.
///
/// ```
/// use message_core::plugin::{self, Kind};
///
/// let core = plugin::core();
/// assert_eq!(core.kind(), Kind::Core);
/// assert!(core.field("rustc").is_some());
/// assert_eq!(core.field("features").is_some_and(|it| it.contains("trace")), cfg!(feature = "trace"));
/// ```
#[allow(clippy::missing_panics_doc, reason = "the text is put together here")]
#[must_use]
pub fn core() -> Statement {
    let text = format!("kind=core;name=message-core;{CORE}");
    text.parse().expect("it is put together here")
}

/// Makes a library a plugin: leaves a [`Statement`] in it. To be invoked once, in its crate's root.
///
/// Without arguments the plugin has the name of its package. Shared crates that it uses are listed: a
/// program that has another build of one of them refuses the plugin.
///
/// ```
/// // In the crate of the plugin, which depends on the crate `weather`:
/// # mod weather { message_core::shared!(); }
/// message_core::plugin!("frost", shared(weather));
/// # #[cfg(not(feature = "linkme"))]
/// # fn main() {
/// use message_core::plugin::{self, Kind};
///
/// let mut plugins = plugin::statements().filter(|it| it.kind() == Kind::Plugin);
/// assert_eq!(plugins.next().as_ref().map(|it| it.name()), Some("frost"));
/// # }
/// ```
#[macro_export]
macro_rules! plugin {
    () => {
        $crate::plugin!($crate::__private::env!("CARGO_PKG_NAME"));
    };
    ($name:expr $(,)?) => {
        $crate::plugin!($name, shared());
    };
    ($name:expr, shared($($krate:ident),* $(,)?) $(,)?) => {
        const _: () = {
            const PARTS: &[&$crate::__private::str] = &[
                $crate::plugin::BEGIN,
                "kind=plugin;name=",
                $name,
                ";version=",
                $crate::__private::env!("CARGO_PKG_VERSION"),
                ";",
                $crate::plugin::CORE,
                $("uses=", $krate::MESSAGE_BUILD, ";",)*
                $crate::plugin::END,
            ];
            static TEXT: [$crate::__private::u8; $crate::plugin::length(PARTS)] =
                $crate::plugin::join(PARTS);
            $crate::__submit_statement!(plugin &TEXT);
        };
    };
}

/// Declares that a crate is shared by a program and its plugins. To be invoked once, in the crate's root.
///
/// Leaves a [`Statement`] with a hash of the crate's sources, and the constant `MESSAGE_BUILD`, which
/// [`plugin!`](crate::plugin!) takes into the statement of a plugin. Of shared crates that the crate uses
/// itself, `shared!(other)` takes the builds into its own.
///
/// ```
/// mod weather {
///     message_core::shared!();
/// }
/// assert!(weather::MESSAGE_BUILD.starts_with(env!("CARGO_PKG_NAME")));
/// ```
#[macro_export]
macro_rules! shared {
    ($($krate:ident),* $(,)?) => {
        /// The build of this crate, for the statements of plugins.
        pub const MESSAGE_BUILD: &$crate::__private::str = {
            const PARTS: &[&$crate::__private::str] = &[
                $crate::__private::env!("CARGO_PKG_NAME"),
                " ",
                $crate::__private::env!("CARGO_PKG_VERSION"),
                " ",
                $crate::__private::source_hash!(),
                $("+", $krate::MESSAGE_BUILD,)*
            ];
            const TEXT: [$crate::__private::u8; $crate::plugin::length(PARTS)] =
                $crate::plugin::join(PARTS);
            $crate::plugin::text_of(&TEXT)
        };

        const _: () = {
            const PARTS: &[&$crate::__private::str] = &[
                $crate::plugin::BEGIN,
                "kind=shared;name=",
                $crate::__private::env!("CARGO_PKG_NAME"),
                ";version=",
                $crate::__private::env!("CARGO_PKG_VERSION"),
                ";build=",
                MESSAGE_BUILD,
                ";",
                $crate::plugin::CORE,
                $crate::plugin::END,
            ];
            static TEXT: [$crate::__private::u8; $crate::plugin::length(PARTS)] =
                $crate::plugin::join(PARTS);
            $crate::__submit_statement!(shared &TEXT);
        };
    };
}

#[cfg(not(feature = "linkme"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit_statement {
    ($kind:ident $text:expr) => {
        $crate::__private::inventory::submit! { $crate::__private::Entry::Statement($text) }
    };
}

#[cfg(feature = "linkme")]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit_statement {
    (plugin $text:expr) => {
        $crate::__private::compile_error!(
            "a plugin needs the default linking backend: disable the feature `linkme` of message-core"
        );
    };
    (shared $text:expr) => {
        const _: &[$crate::__private::u8] = $text;
    };
}
