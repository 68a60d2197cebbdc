//! Which messagees there are, and their names.

use std::sync::Arc;

use crate::address::MessageeId;
use crate::error::MessageeError;
use crate::structure::Structure;

impl Structure {
    /// Returns `true` if the messagee is alive; `false` for an id of another manager.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// assert!(manager.is_alive(orc));
    /// manager.despawn(orc)?;
    /// assert!(!manager.is_alive(orc));
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn is_alive(&self, id: MessageeId) -> bool {
        self.messagees.is_alive(id)
    }

    /// Returns `true` if the messagee is alive and a [proxy](crate::contract#proxies).
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// assert!(!manager.is_proxy(orc));
    /// ```
    #[must_use]
    pub fn is_proxy(&self, id: MessageeId) -> bool {
        self.messagees.is_proxy(id)
    }

    /// Returns the destination with which a proxy was [spawned](crate::MessageManager::spawn_proxy), or `None` if the
    /// messagee is no proxy that is alive.
    ///
    /// ```
    /// use message_core::input::ForeignInput;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Debug)]
    /// struct Far;
    ///
    /// impl ForeignInput for Far {
    ///     fn pass_to(&self, _: &mut dyn std::any::Any) {}
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (orc, far) = (manager.spawn(()), manager.spawn_proxy(3, &Far));
    /// assert_eq!(manager.proxy_destination(far), Some(3));
    /// assert_eq!(manager.proxy_destination(orc), None);
    /// ```
    #[must_use]
    pub fn proxy_destination(&self, id: MessageeId) -> Option<u32> {
        self.messagees.get(id)?.destination()
    }

    /// Returns the number of messagees that are alive.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// manager.spawn(());
    /// assert_eq!(manager.len(), 2);
    /// manager.despawn(orc)?;
    /// assert_eq!(manager.len(), 1);
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.messagees.len()
    }

    /// Returns `true` if no messagee is alive.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// assert!(manager.is_empty());
    /// manager.spawn(());
    /// assert!(!manager.is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the messagees that are alive, in no order that means anything.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// struct Health { hp: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Health { hp: 10 },));
    /// let stone = manager.spawn(());
    /// let lifeless = manager.messagees().find(|&id| manager.get::<Health>(id).is_err());
    /// assert_eq!(lifeless, Some(stone));
    /// ```
    pub fn messagees(&self) -> impl Iterator<Item = MessageeId> {
        self.messagees.iter()
    }

    /// Returns the living messagees whose whole name matches a pattern, in the order of their places, like
    /// [`messagees`](Self::messagees).
    ///
    /// In a pattern, `*` matches any number of characters, including none, and `?` matches one character. A
    /// `\` escapes the next character. Matching is case-sensitive. A messagee without a name is never found.
    ///
    /// With wildcards, a search takes time proportional to the number of names. Without them, the name is looked up
    /// in an index, which the first such search builds.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let [first, second] = ["goblin 1", "goblin 2"].map(|name| manager.spawn_named(name, ()));
    /// let king = manager.spawn_named("goblin king", ());
    /// assert!(manager.find("goblin*").eq([first, second, king]));
    /// assert!(manager.find("goblin ?").eq([first, second]));
    /// assert!(manager.find("goblin").eq([]));
    /// ```
    pub fn find(&self, pattern: &str) -> impl Iterator<Item = MessageeId> + use<> {
        let found = self.names.find(pattern, |id| self.messagees.is_alive(id));
        found.into_iter()
    }

    /// Returns the name of a messagee; `None` if it has none.
    ///
    /// The name of one that is gone is known until its place has another messagee with a name, or
    /// [`shrink_to_fit`](crate::MessageManager::shrink_to_fit) forgets it.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let goblin = manager.spawn_named("goblin", ());
    /// assert_eq!(manager.name(goblin).as_deref(), Some("goblin"));
    /// manager.set_name(goblin, "")?;
    /// assert_eq!(manager.name(goblin), None);
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[must_use]
    pub fn name(&self, id: MessageeId) -> Option<Arc<str>> {
        self.names.get(id)
    }

    /// Names a messagee, or takes its name away if the new one is empty.
    pub(crate) fn set_name(&self, id: MessageeId, name: &Arc<str>) -> Result<(), MessageeError> {
        self.check_stays(id)?;
        self.names.set(id, Arc::clone(name));
        Ok(())
    }

    /// Reserves the id of a messagee, and gives it a name.
    #[inline]
    pub(crate) fn reserve(&self, name: Option<&Arc<str>>) -> MessageeId {
        let id = self.keys.reserve_messagee();
        if let Some(name) = name {
            self.names.set(id, Arc::clone(name));
        }
        id
    }
}
