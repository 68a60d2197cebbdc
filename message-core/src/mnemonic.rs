//! Well-known addresses: names that are bound to messagees at run time.
//!
//! A mnemonic is its name. Two declarations with one name are the same address, so no list of
//! mnemonics has to exist anywhere; a manager keeps a map from those that are bound.

#[cfg(feature = "data")]
mod saved;

use crate::hash::{HashedMap, HashedSet};
use crate::key::MessageeId;
use crate::name::{NameRef, declared};

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
pub struct Mnemonic(NameRef);

declared!(Mnemonic, by mnemonic!, like WORLD);

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

/// The messagee of each mnemonic, and the mnemonics of each messagee.
#[derive(Debug, Default)]
pub(crate) struct Bindings {
    bound: HashedMap<Mnemonic, MessageeId>,
    /// No set is empty.
    mnemonics: HashedMap<MessageeId, HashedSet<Mnemonic>>,
}

impl Bindings {
    #[inline]
    pub(crate) fn get(&self, mnemonic: Mnemonic) -> Option<MessageeId> {
        self.bound.get(&mnemonic).copied()
    }

    /// Binds a mnemonic, whether or not it was bound before.
    pub(crate) fn insert(&mut self, mnemonic: Mnemonic, id: MessageeId) {
        self.remove(mnemonic);
        self.bound.insert(mnemonic, id);
        self.mnemonics.entry(id).or_default().insert(mnemonic);
    }

    pub(crate) fn remove(&mut self, mnemonic: Mnemonic) {
        if let Some(id) = self.bound.remove(&mnemonic)
            && let Some(mnemonics) = self.mnemonics.get_mut(&id)
        {
            mnemonics.remove(&mnemonic);
            if mnemonics.is_empty() {
                self.mnemonics.remove(&id);
            }
        }
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.bound.shrink_to_fit();
        for mnemonics in self.mnemonics.values_mut() {
            mnemonics.shrink_to_fit();
        }
        self.mnemonics.shrink_to_fit();
    }

    pub(crate) fn all_of(&self, id: MessageeId) -> impl Iterator<Item = Mnemonic> {
        self.mnemonics.get(&id).into_iter().flatten().copied()
    }

    /// Returns `true` if no mnemonic is bound.
    pub(crate) fn is_empty(&self) -> bool {
        self.bound.is_empty()
    }

    /// Frees the mnemonics of a messagee that is gone.
    pub(crate) fn remove_all_of(&mut self, id: MessageeId) {
        for mnemonic in self.mnemonics.remove(&id).unwrap_or_default() {
            self.bound.remove(&mnemonic);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;
    use crate::identity::ManagerNumber;
    use crate::key::Keys;

    crate::mnemonic!(ONE, TWO, THREE);

    // holds: messagees.mnemonic-freed
    #[test]
    fn who_goes_takes_along_its_own_mnemonics_and_no_others() {
        let mut keys = Keys::new(ManagerNumber(NonZeroU16::MIN));
        let (goes, stays) = (MessageeId(keys.allocate()), MessageeId(keys.allocate()));
        let mut bindings = Bindings::default();
        bindings.insert(ONE, goes);
        bindings.insert(TWO, goes);
        bindings.insert(THREE, goes);
        bindings.insert(TWO, stays);
        bindings.remove(THREE);
        bindings.insert(THREE, stays);
        bindings.remove_all_of(goes);
        assert_eq!(bindings.get(ONE), None);
        assert_eq!(bindings.get(TWO), Some(stays));
        assert_eq!(bindings.get(THREE), Some(stays));
        bindings.remove_all_of(stays);
        assert!(bindings.bound.is_empty() && bindings.mnemonics.is_empty());
    }
}
