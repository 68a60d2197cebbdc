//! Parents and children. Each messagee has five links, in a table that has pages only where links were
//! made, so that worlds without families pay nothing.
//!
//! Children are in a doubly linked list, in the order in which they came to their parent. Between calls
//! there are no cycles, and every id in the table is alive.

use crate::address::MessageeId;
use crate::storage::paged::Paged;

#[derive(Clone, Copy, Debug, Default)]
struct Links {
    parent: Option<MessageeId>,
    first: Option<MessageeId>,
    last: Option<MessageeId>,
    next: Option<MessageeId>,
    previous: Option<MessageeId>,
}

#[derive(Debug, Default)]
pub(crate) struct Families {
    links: Paged<Links>,
}

impl Families {
    fn links(&self, id: MessageeId) -> Links {
        self.links.get(id.0.index()).copied().unwrap_or_default()
    }

    fn links_mut(&mut self, id: MessageeId) -> &mut Links {
        self.links.entry(id.0.index())
    }

    /// Returns `true` if anybody may have a parent.
    pub(crate) fn any(&self) -> bool {
        !self.links.is_empty()
    }

    pub(crate) fn parent(&self, id: MessageeId) -> Option<MessageeId> {
        self.links(id).parent
    }

    #[inline]
    pub(crate) fn has_children(&self, id: MessageeId) -> bool {
        let links = self.links.get(id.0.index());
        links.is_some_and(|links| links.first.is_some())
    }

    pub(crate) fn children(&self, id: MessageeId) -> impl Iterator<Item = MessageeId> {
        std::iter::successors(self.links(id).first, |&child| self.links(child).next)
    }

    /// Returns the messagee and its ancestors, nearest first.
    pub(crate) fn up(&self, id: MessageeId) -> impl Iterator<Item = MessageeId> {
        std::iter::successors(Some(id), |&id| self.parent(id))
    }

    /// Returns the messagee and its descendants, each before its own children.
    pub(crate) fn down(&self, root: MessageeId) -> impl Iterator<Item = MessageeId> {
        std::iter::successors(Some(root), move |&id| {
            if let Some(child) = self.links(id).first {
                return Some(child);
            }
            let mut at = id;
            while at != root {
                let links = self.links(at);
                if links.next.is_some() {
                    return links.next;
                }
                at = links.parent.expect("every descendant has a parent");
            }
            None
        })
    }

    /// Takes the child from its parent and makes it the last child of another. The caller has checked that
    /// this makes no cycle.
    pub(crate) fn set_parent(&mut self, child: MessageeId, parent: Option<MessageeId>) {
        self.leave(child);
        if let Some(parent) = parent {
            let elder = self.links(parent).last;
            self.links_mut(parent).last = Some(child);
            match elder {
                Some(elder) => self.links_mut(elder).next = Some(child),
                None => self.links_mut(parent).first = Some(child),
            }
            let links = self.links_mut(child);
            links.parent = Some(parent);
            links.previous = elder;
        }
    }

    /// Removes a messagee that is gone. Its children are given to its parent; those that go with it may have
    /// that parent until their turn.
    pub(crate) fn remove(&mut self, id: MessageeId) {
        let parent = self.parent(id);
        while let Some(child) = self.links(id).first {
            self.set_parent(child, parent);
        }
        self.set_parent(id, None);
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        self.links
            .free_unused(|_, links| links.parent.is_some() || links.first.is_some());
    }

    fn leave(&mut self, child: MessageeId) {
        let links = self.links(child);
        let Some(parent) = links.parent else { return };
        match links.previous {
            Some(previous) => self.links_mut(previous).next = links.next,
            None => self.links_mut(parent).first = links.next,
        }
        match links.next {
            Some(next) => self.links_mut(next).previous = links.previous,
            None => self.links_mut(parent).last = links.previous,
        }
        let own = self.links_mut(child);
        (own.parent, own.next, own.previous) = (None, None, None);
    }
}
