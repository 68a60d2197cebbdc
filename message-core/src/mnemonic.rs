//! Well-known addresses: names that are bound to messagees at run time.
//!
//! A mnemonic is its name. Two declarations with one name are the same address, so no list of
//! mnemonics has to exist anywhere; a manager keeps a map from those that are bound.

use std::hash::{Hash, Hasher};

use crate::message::fnv1a;

/// A well-known address, declared with [`mnemonic!`](crate::mnemonic!) and bound with
/// [`MessageManager::bind`](crate::MessageManager::bind) to at most one messagee at a time.
#[derive(Clone, Copy, Debug)]
pub struct Mnemonic {
    name: &'static str,
    hash: u64,
}

impl Mnemonic {
    /// The address of that name. Use [`mnemonic!`](crate::mnemonic!), which makes the name from
    /// the path of the declaration; this is for names that have to be the same in several crates
    /// that do not know each other.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            hash: fnv1a(name),
        }
    }

    /// The name: the path of the declaration, such as `"game::world::WORLD"`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }
}

impl PartialEq for Mnemonic {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.name == other.name
    }
}

impl Eq for Mnemonic {}

impl Hash for Mnemonic {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

/// Declares well-known addresses: constants of type [`Mnemonic`](crate::Mnemonic), named by the
/// path of the declaration. Any crate and module may declare its own; there is no list of them.
/// A declaration inside a function has the path of the function's module: two of one name in one
/// module are the same address.
///
/// ```
/// use message_core::prelude::*;
///
/// mnemonic! {
///     /// The rules of the game.
///     pub WORLD,
///     PLAYER,
/// }
///
/// let mut manager = MessageManager::new();
/// let world = manager.spawn(());
/// manager.bind(WORLD, world)?;
/// assert_eq!(manager.bound(WORLD), Some(world));
/// assert_eq!(manager.bound(PLAYER), None);
/// # Ok::<(), MessageeError>(())
/// ```
#[macro_export]
macro_rules! mnemonic {
    ($($(#[$meta:meta])* $vis:vis $name:ident),+ $(,)?) => {
        $(
            $(#[$meta])*
            $vis const $name: $crate::Mnemonic = $crate::Mnemonic::new(
                $crate::__private::concat!(
                    $crate::__private::module_path!(),
                    "::",
                    $crate::__private::stringify!($name)
                ),
            );
        )+
    };
}
