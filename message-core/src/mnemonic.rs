//! Well-known addresses: names that are bound to messagees at run time.
//!
//! A mnemonic is its name. Two declarations with one name are the same address, so no list of
//! mnemonics has to exist anywhere; a manager keeps a map from those that are bound.

use crate::name::{Name, declared};

/// A well-known address, declared with [`mnemonic!`](crate::mnemonic!) and bound with
/// [`MessageManager::bind`](crate::MessageManager::bind) to at most one messagee at a time.
///
/// ```
/// use message_core::prelude::*;
///
/// mnemonic!(PLAYER);
///
/// let mut manager = MessageManager::new();
/// let [first, second] = [(); 2].map(|()| manager.spawn(()));
/// manager.bind(PLAYER, first)?;
/// assert!(manager.bind(PLAYER, second).is_err()); // One messagee at a time.
/// manager.unbind(PLAYER, first)?;
/// manager.bind(PLAYER, second)?;
/// assert_eq!(manager.bound(PLAYER), Some(second));
/// # Ok::<(), MessageeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Mnemonic(&'static Name);

declared!(Mnemonic);

/// Declares well-known addresses: constants of type [`Mnemonic`](crate::Mnemonic), named by the path of
/// the declaration. Any crate and module may declare its own; there is no central list. A declaration
/// inside a function has the path of the function's module: two of one name in one module are the same
/// address.
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
