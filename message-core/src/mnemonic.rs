//! Well-known addresses: names that are bound to messagees at run time.
//!
//! A mnemonic is its name. Two declarations with one name are the same address, so no list of
//! mnemonics has to exist anywhere; a manager keeps a map from those that are bound.

use crate::name::{Name, NameRef};

/// A well-known address, declared with [`mnemonic!`](crate::mnemonic!) and bound with
/// [`MessageManager::bind`](crate::MessageManager::bind) to at most one messagee at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mnemonic(NameRef);

impl Mnemonic {
    #[doc(hidden)]
    #[must_use]
    pub const fn __named(name: &'static Name) -> Self {
        Self(NameRef::new(name))
    }

    /// The name: the path of the declaration, such as `"game::world::WORLD"`, or the name it was
    /// given.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.0.text()
    }
}

/// Declares well-known addresses: constants of type [`Mnemonic`](crate::Mnemonic), named by the
/// path of the declaration. Any crate and module may declare its own; there is no list of them.
/// A declaration inside a function has the path of the function's module: two of one name in one
/// module are the same address.
///
/// A name of its own, `= "…"`, is for an address that has to be the same in several crates that
/// do not know each other.
///
/// ```
/// use message_core::prelude::*;
///
/// mnemonic! {
///     /// The rules of the game.
///     pub WORLD,
///     PLAYER,
///     SCORE = "arcade.score",
/// }
///
/// let mut manager = MessageManager::new();
/// let world = manager.spawn(());
/// manager.bind(WORLD, world)?;
/// assert_eq!(manager.bound(WORLD), Some(world));
/// assert_eq!(manager.bound(PLAYER), None);
/// assert_eq!(SCORE.name(), "arcade.score");
/// # Ok::<(), MessageeError>(())
/// ```
#[macro_export]
macro_rules! mnemonic {
    ($($declarations:tt)+) => {
        $crate::__declare_names! { Mnemonic: $($declarations)+ }
    };
}
