//! Posts of another node that are not due yet.

use message_core::MessageManager;
use message_core::post::Ticket;

/// The posts of one node, some of which may have been delivered since.
#[derive(Debug, Default)]
pub(crate) struct Posted {
    tickets: Vec<Ticket>,
    /// The posts that repeat forever.
    endless: Vec<Ticket>,
    /// The last round in which the posts were checked.
    looked: Option<u64>,
}

impl Posted {
    /// Returns `true` if there is room for one more. Checks all posts at most once per round.
    pub(crate) fn has_room(&mut self, most: usize, round: u64, manager: &MessageManager) -> bool {
        if self.len() >= most && self.looked != Some(round) {
            self.looked = Some(round);
            self.tickets.retain(|&ticket| manager.has_pending(ticket));
            self.endless.retain(|&ticket| manager.has_pending(ticket));
        }
        self.len() < most
    }

    pub(crate) fn add(&mut self, ticket: Ticket, is_endless: bool) {
        let posts = if is_endless {
            &mut self.endless
        } else {
            &mut self.tickets
        };
        posts.push(ticket);
    }

    /// Cancels the posts that repeat forever.
    pub(crate) fn cancel_endless(&mut self, manager: &mut MessageManager) {
        for ticket in self.endless.drain(..) {
            manager.cancel(ticket);
        }
    }

    fn len(&self) -> usize {
        self.tickets.len() + self.endless.len()
    }
}
