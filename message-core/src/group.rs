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
    /// By the number of the join, so in the order in which they joined.
    members: HashedMap<Group, BTreeMap<u64, MessageeId>>,
    /// The groups of each messagee, in the order in which it joined them, with the number of the join.
    joined: HashedMap<MessageeId, Vec<(Group, u64)>>,
    joins: u64,
}

impl Groups {
    /// Adds a messagee to a group. Returns `true` if it was not yet a member.
    pub(crate) fn join(&mut self, group: Group, id: MessageeId) -> bool {
        if self.contains(group, id) {
            return false;
        }
        self.members
            .entry(group)
            .or_default()
            .insert(self.joins, id);
        self.joined.entry(id).or_default().push((group, self.joins));
        self.joins += 1;
        true
    }

    /// Removes a messagee from a group. Returns `true` if it was a member.
    pub(crate) fn leave(&mut self, group: Group, id: MessageeId) -> bool {
        let Some(groups) = self.joined.get_mut(&id) else {
            return false;
        };
        let Some(at) = groups.iter().position(|(joined, _)| *joined == group) else {
            return false;
        };
        let (_, number) = groups.remove(at);
        if groups.is_empty() {
            self.joined.remove(&id);
        }
        self.drop_member(group, number);
        true
    }

    /// Returns `true` if nobody has joined a group.
    pub(crate) fn is_empty(&self) -> bool {
        self.joined.is_empty()
    }

    /// Removes a messagee that is gone from all its groups.
    pub(crate) fn leave_all(&mut self, id: MessageeId) {
        for (group, number) in self.joined.remove(&id).unwrap_or_default() {
            self.drop_member(group, number);
        }
    }

    /// Returns the groups that a messagee is in, in the order in which it joined them.
    #[cfg(feature = "data")]
    pub(crate) fn all_of(&self, id: MessageeId) -> impl Iterator<Item = Group> {
        let groups = self.joined.get(&id).into_iter().flatten();
        groups.map(|(group, _)| *group)
    }

    pub(crate) fn contains(&self, group: Group, id: MessageeId) -> bool {
        let groups = self.joined.get(&id);
        groups.is_some_and(|groups| groups.iter().any(|(joined, _)| *joined == group))
    }

    /// Returns the members in the order in which they joined.
    pub(crate) fn members(&self, group: Group) -> impl Iterator<Item = MessageeId> {
        static NOBODY: BTreeMap<u64, MessageeId> = BTreeMap::new();
        let members = self.members.get(&group).unwrap_or(&NOBODY);
        members.values().copied()
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.members.shrink_to_fit();
        self.joined.values_mut().for_each(Vec::shrink_to_fit);
        self.joined.shrink_to_fit();
    }

    fn drop_member(&mut self, group: Group, number: u64) {
        if let Some(members) = self.members.get_mut(&group) {
            members.remove(&number);
            if members.is_empty() {
                self.members.remove(&group);
            }
        }
    }
}
