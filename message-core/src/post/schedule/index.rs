//! The pending messages by recipient and by sender.
//!
//! It is built when somebody first cancels or takes messages by one of these, and dropped when most of it is
//! of messages that are not pending any more: a program that never asks pays nothing for it.

use crate::address::{Recipient, Sender};
use crate::hash::HashedMap;
use crate::post::schedule::{Record, Schedule};
use crate::post::{Posts, Ticket};

/// The end of a message by which it is found: its recipient, with `Me` resolved, or its sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum End {
    To(Recipient),
    From(Sender),
}

/// The fewest entries for which the index is dropped.
const FEW: usize = 1024;

#[derive(Default)]
pub(super) struct Index {
    tickets: HashedMap<End, Vec<Ticket>>,
    entries: usize,
}

impl Index {
    fn note(&mut self, post: &Record, ticket: Ticket) {
        let sender = post.sender();
        for end in [End::To(post.to.own(sender)), End::From(sender)] {
            self.tickets.entry(end).or_default().push(ticket);
        }
        self.entries += 1;
    }

    pub(super) fn tickets(&self, end: End) -> &[Ticket] {
        self.tickets.get(&end).map_or(&[], Vec::as_slice)
    }
}

impl Schedule {
    /// Returns the end by which the fewest messages have to be looked at.
    pub(super) fn end_of(posts: &Posts) -> Option<End> {
        let to = posts.recipient().map(End::To);
        to.or_else(|| posts.from.map(End::From))
    }

    /// Prepares to find messages that will be cancelled or taken out: makes the index if that helps.
    pub(crate) fn prepare(&mut self, posts: &Posts) {
        if self.index.is_some() || posts.named.is_some() || Self::end_of(posts).is_none() {
            return;
        }
        let mut index = Index::default();
        for found in self.all(None) {
            index.note(&found.record, found.ticket);
        }
        self.index = Some(index);
    }

    /// Adds a message that was posted to the index, if there is one.
    pub(super) fn note_in_index(&mut self, post: &Record, ticket: Ticket) {
        let pending = self.pending();
        if let Some(index) = &mut self.index {
            index.note(post, ticket);
            if index.entries > FEW && index.entries > 2 * pending {
                self.index = None;
            }
        }
    }
}
