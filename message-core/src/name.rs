//! Names that are declared anywhere and mean the same everywhere: behind
//! [`Mnemonic`](crate::Mnemonic), [`Group`](crate::Group) and [`Tag`](crate::Tag).
//!
//! A declaration is its name, so two places may declare the same one. The value that is passed around
//! is one reference to the declaration, which also holds the hash; two references are equal when the
//! names are. The three types share the macro [`declared`] for their methods and `__declare_names` for
//! their constants.

use std::fmt;
use std::hash::{Hash, Hasher};

use crate::hash::fnv1a;

/// A declared name and its hash. The order of names is that of their hashes, and so the same on every machine; it
/// has no other meaning.
#[doc(hidden)]
#[derive(Eq, PartialOrd, Ord)]
pub struct Name {
    hash: u64,
    text: &'static str,
}

impl Name {
    #[must_use]
    pub const fn new(text: &'static str) -> Self {
        let hash = fnv1a(text);
        Self { hash, text }
    }

    #[must_use]
    pub const fn text(&self) -> &'static str {
        self.text
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.text, f)
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || (self.hash == other.hash && self.text == other.text)
    }
}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// Returns names as `` `A`, `B` and `C` ``; `last` is put before the last one.
pub(crate) fn listed<'n>(names: impl Iterator<Item = &'n str>, last: &str) -> String {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    match &names[..] {
        [first @ .., end] if !first.is_empty() => format!("{} {last} {end}", first.join(", ")),
        _ => names.concat(),
    }
}

/// The methods of a type that is a declared name.
macro_rules! declared {
    ($type:ident) => {
        impl $type {
            #[doc(hidden)]
            #[must_use]
            pub const fn __named(name: &'static $crate::name::Name) -> Self {
                Self(name)
            }

            /// Returns the declaration.
            #[doc(hidden)]
            #[must_use]
            pub const fn __name(self) -> &'static $crate::name::Name {
                self.0
            }

            /// Returns the name: the path of the declaration, such as `"game::rules::PLAYER"`, or the name it
            /// was given.
            ///
            /// ```
            /// use message_core::prelude::*;
            ///
            /// mnemonic!(PLAYER, HOME = "game.home");
            /// group!(ENEMIES);
            /// tag!(URGENT = "game.urgent");
            ///
            /// assert!(PLAYER.name().ends_with("::PLAYER"));
            /// assert!(ENEMIES.name().ends_with("::ENEMIES"));
            /// assert_eq!([HOME.name(), URGENT.name()], ["game.home", "game.urgent"]);
            /// ```
            #[must_use]
            pub const fn name(self) -> &'static str {
                self.0.text()
            }
        }
    };
}
pub(crate) use declared;

/// Declares constants of a type that is a name. One place for `mnemonic!`, `group!` and `tag!`.
#[doc(hidden)]
#[macro_export]
macro_rules! __declare_names {
    ($type:ident: $($(#[$meta:meta])* $vis:vis $name:ident $(= $text:literal)?),+ $(,)?) => {
        $(
            $(#[$meta])*
            $vis const $name: $crate::$type = {
                const NAME: &$crate::__private::Name = &$crate::__private::Name::new(
                    $crate::__name_of!($name $($text)?),
                );
                $crate::__submit! { $crate::__private::Entry::$type($crate::$type::__named(NAME)) }
                $crate::$type::__named(NAME)
            };
        )+
    };
}

#[doc(hidden)]
#[macro_export]
macro_rules! __name_of {
    ($name:ident) => {
        $crate::__private::concat!(
            $crate::__private::module_path!(),
            "::",
            $crate::__private::stringify!($name)
        )
    };
    ($name:ident $text:literal) => {
        $text
    };
}
