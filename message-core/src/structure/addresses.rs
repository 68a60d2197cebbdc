//! Mnemonics, groups and families: the messagees that each of them reaches. They are in cells, since a
//! handler changes them at once, and every later call sees the change.
//!
//! A newborn can have them before it is alive: messages sent to it by any of them wait for it. A messagee that
//! leaves keeps them until it is gone, or until a mnemonic is bound to another.

use std::cell::RefCell;

use smallvec::SmallVec;

use crate::address::{MessageeId, Recipient, Sender};
use crate::by_field::clone_by_field;
use crate::group::Group;
use crate::mnemonic::Mnemonic;
use crate::storage::{Families, Holders};
use crate::structure::Structure;

/// Some messagees, in an order that the caller knows.
pub(crate) type Ids = SmallVec<[MessageeId; 8]>;

/// Some mnemonics.
pub(crate) type Mnemonics = SmallVec<[Mnemonic; 2]>;

/// The addresses of a manager besides ids. The cells are borrowed only for a moment.
#[derive(Debug, Default)]
pub struct Addresses {
    pub bindings: RefCell<Holders<Mnemonic>>,
    pub groups: RefCell<Holders<Group>>,
    pub families: RefCell<Families>,
}

clone_by_field!(Addresses {
    bindings,
    groups,
    families
});

impl Addresses {
    pub(crate) fn bound(&self, mnemonic: Mnemonic) -> Option<MessageeId> {
        self.bindings.borrow().first(mnemonic)
    }

    /// Replaces a mnemonic by the messagee that it is bound to.
    pub(crate) fn resolve(&self, recipient: Recipient) -> Recipient {
        let holder = recipient.mnemonic().and_then(|it| self.bound(it));
        holder.map_or(recipient, |id| recipient.held_by(id))
    }

    /// Returns the mnemonics that are bound to a messagee, in no order.
    pub(crate) fn mnemonics_of(&self, id: MessageeId) -> Mnemonics {
        self.bindings.borrow().names_of(id).collect()
    }

    /// Binds a mnemonic, whether or not it was bound before.
    pub fn bind(&self, mnemonic: Mnemonic, id: MessageeId) {
        let before = self.bound(mnemonic);
        let mut bindings = self.bindings.borrow_mut();
        if let Some(before) = before {
            bindings.remove(mnemonic, before);
        }
        bindings.add(mnemonic, id);
    }

    /// Returns the members of a group, in the order in which they joined.
    pub(crate) fn members(&self, group: Group) -> Ids {
        self.groups.borrow().of(group).collect()
    }

    /// Returns the messagee and its ancestors, nearest first.
    pub(crate) fn up(&self, id: MessageeId) -> Ids {
        self.families.borrow().up(id).collect()
    }

    /// Returns the messagee and its descendants, each before its own children.
    pub(crate) fn down(&self, id: MessageeId) -> Ids {
        self.families.borrow().down(id).collect()
    }

    /// Returns `true` if one messagee is the other or an ancestor of it.
    pub(crate) fn is_above(&self, high: MessageeId, low: MessageeId) -> bool {
        high == low || self.families.borrow().up(low).any(|up| up == high)
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.families.get_mut().shrink_to_fit();
        self.groups.get_mut().shrink_to_fit();
        self.bindings.get_mut().shrink_to_fit();
    }

    /// Removes a messagee that is gone.
    pub(super) fn forget(&mut self, id: MessageeId) {
        self.families.get_mut().remove(id);
        self.bindings.get_mut().remove_all_of(id);
        self.groups.get_mut().remove_all_of(id);
    }
}

impl Structure {
    /// Returns `true` if the messagee is alive or comes alive when the outermost send returns.
    pub(crate) fn exists(&self, id: MessageeId) -> bool {
        self.messagees.is_alive(id) || self.expected.is_unborn(id)
    }

    /// Returns the messagee's parent; `None` when it has none or is not alive.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let (tank, turret) = (manager.spawn(()), manager.spawn(()));
    /// manager.set_parent(turret, Some(tank))?;
    /// assert_eq!(manager.parent(turret), Some(tank));
    /// assert_eq!(manager.parent(tank), None);
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[must_use]
    pub fn parent(&self, id: MessageeId) -> Option<MessageeId> {
        let families = self.addresses.families.borrow();
        families.parent(id).filter(|_| self.exists(id))
    }

    /// Returns the messagee's children in the order in which they came; none when it is not alive.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let [squad, first, second] = [(); 3].map(|()| manager.spawn(()));
    /// for soldier in [first, second] {
    ///     manager.set_parent(soldier, Some(squad))?;
    /// }
    /// assert!(manager.children(squad).eq([first, second]));
    /// # Ok::<(), MessageeError>(())
    /// ```
    pub fn children(&self, id: MessageeId) -> impl Iterator<Item = MessageeId> + use<> {
        let families = self.addresses.families.borrow();
        families.children(id).collect::<Ids>().into_iter()
    }

    /// Returns the messagee that is bound to a mnemonic; `None` if none is.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// mnemonic!(PLAYER);
    ///
    /// let mut manager = MessageManager::new();
    /// assert_eq!(manager.bound(PLAYER), None);
    /// let hero = manager.spawn(());
    /// manager.bind(PLAYER, hero)?;
    /// assert_eq!(manager.bound(PLAYER), Some(hero));
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[must_use]
    pub fn bound(&self, mnemonic: Mnemonic) -> Option<MessageeId> {
        self.addresses.bound(mnemonic)
    }

    /// Returns the members of a group, in the order in which they joined.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// group!(QUEUE);
    ///
    /// let mut manager = MessageManager::new();
    /// let [first, second] = [(); 2].map(|()| manager.spawn(()));
    /// manager.join(QUEUE, second)?;
    /// manager.join(QUEUE, first)?;
    /// assert!(manager.members(QUEUE).eq([second, first]));
    /// # Ok::<(), MessageeError>(())
    /// ```
    pub fn members(&self, group: Group) -> impl Iterator<Item = MessageeId> + use<> {
        self.addresses.members(group).into_iter()
    }

    /// Returns the mnemonics that are bound to a messagee, sorted by name.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// mnemonic! { SKY, }
    ///
    /// let mut manager = MessageManager::new();
    /// let sky = manager.spawn(());
    /// assert!(manager.mnemonics_of(sky).is_empty());
    /// manager.bind(SKY, sky)?;
    /// assert_eq!(manager.mnemonics_of(sky), [SKY]);
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[must_use]
    pub fn mnemonics_of(&self, id: MessageeId) -> Vec<Mnemonic> {
        let mut all = self.addresses.mnemonics_of(id).into_vec();
        all.sort_unstable_by_key(|mnemonic| mnemonic.name());
        all
    }

    /// Returns the groups that a messagee is in, in the order in which it joined them.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// group! { BIRDS, }
    ///
    /// let mut manager = MessageManager::new();
    /// let crow = manager.spawn(());
    /// manager.join(BIRDS, crow)?;
    /// assert_eq!(manager.groups_of(crow), [BIRDS]);
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[must_use]
    pub fn groups_of(&self, id: MessageeId) -> Vec<Group> {
        self.addresses.groups.borrow().names_of(id).collect()
    }

    /// Returns `true` if a recipient includes a messagee when that sender uses it.
    pub(crate) fn is_meant(&self, id: MessageeId, recipient: Recipient, sender: Sender) -> bool {
        // The place of a messagee that is gone may be taken by a new one with a family of its own.
        let is_above = |high: MessageeId, low: MessageeId| {
            high == low || self.exists(low) && self.addresses.is_above(high, low)
        };
        match self.addresses.resolve(recipient) {
            Recipient::Everyone => true,
            Recipient::EveryoneElse => sender.id() != Some(id),
            Recipient::Me => sender.id() == Some(id),
            Recipient::Id(to) => to == id,
            Recipient::Mnemonic(_) | Recipient::UpFrom(_) | Recipient::DownFrom(_) => false,
            Recipient::Group(group) => self.addresses.groups.borrow().has(group, id),
            Recipient::Up(low) => is_above(id, low),
            Recipient::Down(high) => is_above(high, id),
            Recipient::Hook(hook) => self.owner_soon(hook) == Some(id),
        }
    }
}
