//! The ids that users have: keys, each of its own kind.

use std::fmt;

use crate::key::Key;

/// An id by its key, for crates that write ids and read them again.
pub trait Keyed: Copy {
    fn key(self) -> Key;
    fn of_key(key: Key) -> Self;
}

macro_rules! ids {
    ($($(#[$doc:meta])* pub struct $id:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $id(pub(crate) Key);

        impl Keyed for $id {
            fn key(self) -> Key { self.0 }
            fn of_key(key: Key) -> Self { Self(key) }
        }

        impl fmt::Debug for $id {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($id), "({})"), self)
            }
        }
    )*};
}

ids! {
    /// Names one messagee of one manager.
    ///
    /// Ids are generational: after the messagee is despawned, its id never reaches a newcomer, even
    /// if that takes the same place. An id also knows its manager; used with another one it is an
    /// error that says so. Managers that are alive at the same time never share an id. If `n` managers are
    /// alive when one is dropped, its ids mean nothing in the 65 534 − `n` managers that are made next; in a
    /// later one, such an id can name another messagee.
    ///
    /// The order of ids means nothing except that it is total, so that ids can be sorted and be keys
    /// of ordered maps.
    ///
    /// A messagee can have a [name](crate::MessageManager::set_name), which its id prints.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// assert_eq!(orc.to_string(), "0v0");
    /// manager.despawn(orc)?;
    /// let elf = manager.spawn(());
    /// assert_ne!(orc, elf); // Even if the elf takes the same place.
    /// assert!(!manager.is_alive(orc));
    /// manager.set_name(elf, "Legolas")?;
    /// assert_eq!(elf.to_string(), "0v1 \"Legolas\"");
    /// # Ok::<(), MessageeError>(())
    /// ```
    pub struct MessageeId;

    /// Names one component that is hooked to one messagee.
    ///
    /// Generational like [`MessageeId`]: the id of a component that was unhooked is never used again.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Hat;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// let hat = manager.hook(orc, Hat)?;
    /// assert_eq!(manager.owner(hat)?, orc);
    /// let Hat = manager.unhook::<Hat>(hat)?;
    /// assert!(manager.owner(hat).is_err());
    /// # Ok::<(), MessageeError>(())
    /// ```
    pub struct HookId;

    /// Names one subscription.
    ///
    /// Generational like [`MessageeId`]: the id of a subscription that has ended is never used again.
    ///
    /// ```
    /// use message_core::SubscriptionId;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// let pings: SubscriptionId = manager.subscribe(Filter::of::<Ping>(), |_, _| {});
    /// assert_eq!(manager.send(Everyone, Ping)?.received, 1);
    /// assert!(manager.unsubscribe(pings));
    /// assert_eq!(manager.send(Everyone, Ping)?.received, 0);
    /// # Ok::<(), SendError>(())
    /// ```
    pub struct SubscriptionId;
}

impl MessageeId {
    /// Returns `true` if one manager has given out both ids.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let [mut here, mut there] = [MessageManager::new(), MessageManager::new()];
    /// let [orc, elf, troll] = [here.spawn(()), here.spawn(()), there.spawn(())];
    /// assert!(orc.is_of_same_manager(elf));
    /// assert!(!orc.is_of_same_manager(troll));
    /// ```
    #[must_use]
    pub fn is_of_same_manager(self, other: Self) -> bool {
        self.0.manager() == other.0.manager()
    }
}
