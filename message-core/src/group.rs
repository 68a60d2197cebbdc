//! Well-known addresses of many messagees.
//!
//! A group is its name, as a mnemonic is. A manager keeps who has joined which, in the order of
//! joining; the order is an ever-growing number, so that leaving from the middle costs no move.

#[cfg(feature = "data")]
mod saved;

use std::collections::BTreeMap;

use crate::hash::HashedMap;
use crate::key::MessageeId;
use crate::name::{NameRef, declared};

/// A well-known address of many messagees, declared with [`group!`](crate::group!). Messagees
/// [`join`](crate::MessageManager::join) and [`leave`](crate::MessageManager::leave); a send to it
/// reaches those who are members, in the order in which they joined.
///
/// ```
/// use message_core::prelude::*;
///
/// group!(ENEMIES);
///
/// #[derive(Message)]
/// struct Retreat;
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn(());
/// assert!(manager.join(ENEMIES, orc)?);
/// assert!(!manager.join(ENEMIES, orc)?); // It is a member already.
/// manager.send(ENEMIES, Retreat)?;
/// assert!(ENEMIES.name().ends_with("ENEMIES"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Group(NameRef);

declared!(Group, by group!, like ENEMIES);

/// Declares groups: constants of type [`Group`](crate::Group), named by the path of the
/// declaration, or by `= "…"`. Any crate and module may declare its own; there is no list of them.
///
/// ```
/// use message_core::prelude::*;
///
/// group!(pub ENEMIES);
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn(());
/// assert!(manager.join(ENEMIES, orc)?);
/// assert_eq!(manager.members(ENEMIES).collect::<Vec<_>>(), [orc]);
/// # Ok::<(), MessageeError>(())
/// ```
#[macro_export]
macro_rules! group {
    ($($declarations:tt)+) => {
        $crate::__declare_names! { Group: $($declarations)+ }
    };
}

/// The members of each group.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    members: HashedMap<Group, Members>,
    joined: HashedMap<MessageeId, Vec<Group>>,
    joins: u64,
}

#[derive(Debug, Default)]
struct Members {
    in_order: BTreeMap<u64, MessageeId>,
    number_of: HashedMap<MessageeId, u64>,
}

impl Groups {
    /// Adds a messagee to a group. Returns `true` if it was not yet a member.
    pub(crate) fn join(&mut self, group: Group, id: MessageeId) -> bool {
        let members = self.members.entry(group).or_default();
        if members.number_of.contains_key(&id) {
            return false;
        }
        members.number_of.insert(id, self.joins);
        members.in_order.insert(self.joins, id);
        self.joins += 1;
        self.joined.entry(id).or_default().push(group);
        true
    }

    /// Removes a messagee from a group. Returns `true` if it was a member.
    pub(crate) fn leave(&mut self, group: Group, id: MessageeId) -> bool {
        let was_member = self.drop_member(group, id);
        if was_member && let Some(groups) = self.joined.get_mut(&id) {
            groups.retain(|joined| *joined != group);
            if groups.is_empty() {
                self.joined.remove(&id);
            }
        }
        was_member
    }

    /// Returns `true` if nobody has joined a group.
    pub(crate) fn is_empty(&self) -> bool {
        self.joined.is_empty()
    }

    /// Removes a messagee that is gone from all its groups.
    pub(crate) fn leave_all(&mut self, id: MessageeId) {
        for group in self.joined.remove(&id).unwrap_or_default() {
            self.drop_member(group, id);
        }
    }

    /// Returns the groups that a messagee is in, in the order in which it joined them.
    #[cfg(feature = "data")]
    pub(crate) fn all_of(&self, id: MessageeId) -> &[Group] {
        self.joined.get(&id).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn contains(&self, group: Group, id: MessageeId) -> bool {
        let members = self.members.get(&group);
        members.is_some_and(|members| members.number_of.contains_key(&id))
    }

    /// Returns the members in the order in which they joined.
    pub(crate) fn members(&self, group: Group) -> impl Iterator<Item = MessageeId> {
        static NOBODY: BTreeMap<u64, MessageeId> = BTreeMap::new();
        let members = self.members.get(&group);
        let in_order = members.map_or(&NOBODY, |members| &members.in_order);
        in_order.values().copied()
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        for members in self.members.values_mut() {
            members.number_of.shrink_to_fit();
        }
        self.members.shrink_to_fit();
        self.joined.values_mut().for_each(Vec::shrink_to_fit);
        self.joined.shrink_to_fit();
    }

    fn drop_member(&mut self, group: Group, id: MessageeId) -> bool {
        let Some(members) = self.members.get_mut(&group) else {
            return false;
        };
        let Some(number) = members.number_of.remove(&id) else {
            return false;
        };
        members.in_order.remove(&number);
        if members.in_order.is_empty() {
            self.members.remove(&group);
        }
        true
    }
}
