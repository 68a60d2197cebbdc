//! Libraries of components that are loaded while the program runs, and their statements about themselves.
//!
//! A plugin leaves a statement in its file: its identity, and the compiler, the builds of this crate and of the
//! shared crates that it was built with. It is read from the bytes of the file, since a library runs code as
//! soon as it is loaded. The crate `message-plugin` reads statements, compares that of a plugin with the
//! program's, and loads the library; this module has only what leaves them.
//!
//! - A plugin invokes [`plugin!`](crate::plugin!) once.
//! - A crate with messages that program and plugins share invokes [`shared!`](crate::shared!) once, and is
//!   a library that both load (`crate-type = ["dylib"]`).

mod build;

#[doc(hidden)]
pub use build::{BEGIN, CORE, END, join, length, text_of};

/// Returns the texts of the statements in this program: of message-core, of shared crates, and of the plugins
/// that are loaded or linked in. The crate `message-plugin` reads them.
///
/// ```
/// let mut texts = message_core::plugin::statements();
/// assert!(texts.any(|text| text.starts_with("kind=core;name=message-core;")));
/// ```
pub fn statements() -> impl Iterator<Item = &'static str> {
    let texts = crate::link::stated().filter_map(|text| std::str::from_utf8(text).ok());
    texts.filter_map(|text| text.strip_prefix(BEGIN)?.strip_suffix(END))
}

/// Makes a library a plugin: leaves a [statement](self) in it. To be invoked once, in its crate's root.
///
/// Without arguments the plugin has the name of its package. Shared crates that it uses are listed: a
/// program that has another build of one of them refuses the plugin.
///
/// ```
/// // In the crate of the plugin, which depends on the crate `weather`:
/// # mod weather { message_core::shared!(); }
/// message_core::plugin!("frost", shared(weather));
/// let mut texts = message_core::plugin::statements();
/// assert!(texts.any(|text| text.starts_with("kind=plugin;name=frost;")));
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
        $crate::__submit_statement! {
            "kind=plugin;name=",
            $name,
            ";version=",
            $crate::__private::env!("CARGO_PKG_VERSION"),
            ";",
            $("uses=", $krate::MESSAGE_BUILD, ";",)*
        }
    };
}

/// Declares that a crate is shared by a program and its plugins. To be invoked once, in the crate's root.
///
/// Leaves a [statement](self) with the build of the crate, and the constant `MESSAGE_BUILD` with the same text, which
/// [`plugin!`](crate::plugin!) takes into the statement of a plugin. Of shared crates that the crate uses
/// itself, `shared!(other)` takes the builds into its own.
///
/// A build consists of the crate's name and version, and of:
///
/// | field | value |
/// |---|---|
/// | `source` | a hash of the files in its folder `src` |
/// | `generated` | a hash of the Rust sources in the folder that its build script writes to |
/// | `features` | its features |
/// | `cfg` | the other settings that are passed with `--cfg`, by its build script or by `RUSTFLAGS` |
/// | `metadata` | Cargo's hash of the package, its profile and features, and of those of all its dependencies |
///
/// Not included are files elsewhere that the sources include, values of `env!`, and the sources of dependencies by
/// path that are not shared crates themselves.
///
/// ```
/// mod weather {
///     message_core::shared!();
/// }
/// assert!(weather::MESSAGE_BUILD.starts_with(env!("CARGO_PKG_NAME")));
/// assert!(weather::MESSAGE_BUILD.contains(" features="));
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
                $crate::__private::build!(),
                $(" + ", $krate::MESSAGE_BUILD,)*
            ];
            const TEXT: [$crate::__private::u8; $crate::plugin::length(PARTS)] =
                $crate::plugin::join(PARTS);
            $crate::plugin::text_of(&TEXT)
        };

        $crate::__submit_statement! {
            "kind=shared;name=",
            $crate::__private::env!("CARGO_PKG_NAME"),
            ";version=",
            $crate::__private::env!("CARGO_PKG_VERSION"),
            ";build=",
            MESSAGE_BUILD,
            ";",
        }
    };
}

/// Leaves a statement of these parts, and of the fields about message-core.
#[doc(hidden)]
#[macro_export]
macro_rules! __submit_statement {
    ($($part:expr,)*) => {
        const _: () = {
            const PARTS: &[&$crate::__private::str] =
                &[$crate::plugin::BEGIN, $($part,)* $crate::plugin::CORE, $crate::plugin::END];
            static TEXT: [$crate::__private::u8; $crate::plugin::length(PARTS)] =
                $crate::plugin::join(PARTS);
            $crate::__private::inventory::submit! { $crate::__private::Entry::Statement(&TEXT) }
        };
    };
}

// A library that has this statement in its file has a copy of this crate.
crate::__submit_statement! { "kind=core;name=message-core;", }
