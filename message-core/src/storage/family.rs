//! Parents and children. The link of each child is in a table that has pages only where links were made, so
//! that worlds without families pay nothing. Between calls there are no cycles, and every id is alive.

use std::collections::BTreeMap;

use crate::address::MessageeId;
use crate::by_field::clone_by_field;
use crate::hash::HashedMap;
use crate::storage::paged::Paged;

#[derive(Clone, Copy, Debug, Default)]
struct Link {
    parent: Option<MessageeId>,
    /// The number of links that had been made before.
    number: u64,
}

#[derive(Debug, Default)]
pub struct Families {
    links: Paged<Link>,
    /// Sorted by the numbers of their links: in the order in which they came to their parent. No map is empty.
    children: HashedMap<MessageeId, BTreeMap<u64, MessageeId>>,
    made: u64,
}

clone_by_field!(Families {
    links,
    children,
    made
});

impl Families {
    pub(crate) fn parent(&self, id: MessageeId) -> Option<MessageeId> {
        self.links.get(id.0.index())?.parent
    }

    pub(crate) fn has_children(&self, id: MessageeId) -> bool {
        self.children.contains_key(&id)
    }

    pub(crate) fn children(&self, id: MessageeId) -> impl DoubleEndedIterator<Item = MessageeId> {
        let children = self.children.get(&id).into_iter();
        children.flat_map(BTreeMap::values).copied()
    }

    /// Returns the messagee and its ancestors, nearest first.
    pub(crate) fn up(&self, id: MessageeId) -> impl Iterator<Item = MessageeId> {
        std::iter::successors(Some(id), |&id| self.parent(id))
    }

    /// Returns the messagee and its descendants, each before its own children.
    pub(crate) fn down(&self, root: MessageeId) -> impl Iterator<Item = MessageeId> {
        let mut waiting = vec![root];
        std::iter::from_fn(move || {
            let next = waiting.pop()?;
            waiting.extend(self.children(next).rev());
            Some(next)
        })
    }

    /// Takes the child from its parent and makes it the last child of another. The caller has checked that
    /// this makes no cycle.
    pub fn set_parent(&mut self, child: MessageeId, parent: Option<MessageeId>) {
        if parent.is_none() && self.parent(child).is_none() {
            return;
        }
        let number = self.made;
        self.made += 1;
        let link = Link { parent, number };
        let former = std::mem::replace(self.links.entry(child.0.index()), link);
        if let Some(parent) = former.parent {
            let siblings = self.children.entry(parent).or_default();
            siblings.remove(&former.number);
            if siblings.is_empty() {
                self.children.remove(&parent);
            }
        }
        if let Some(parent) = parent {
            let siblings = self.children.entry(parent).or_default();
            siblings.insert(number, child);
        }
    }

    /// Removes a messagee that is gone. Its children are given to its parent; those that go with it may have
    /// that parent until their turn.
    pub(crate) fn remove(&mut self, id: MessageeId) {
        if self.children.is_empty() {
            return;
        }
        let parent = self.parent(id);
        let children: Vec<_> = self.children(id).collect();
        for child in children {
            self.set_parent(child, parent);
        }
        self.set_parent(id, None);
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.links.free_unused(|_, link| link.parent.is_some());
        self.children.shrink_to_fit();
    }
}
