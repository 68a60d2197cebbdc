//! What another node has posted and that waits for its time.

use message_core::MessageManager;
use message_core::post::Ticket;

/// The posts of one node, some of which may have been delivered since.
#[derive(Debug, Default)]
pub(crate) struct Posted {
    tickets: Vec<Ticket>,
    /// Those that repeat without end.
    endless: Vec<Ticket>,
    /// The round in which they were looked through last.
    looked: Option<u64>,
}

impl Posted {
    /// Returns `true` if there may be one more. All of them are looked through once in a round at most.
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

    /// Cancels what repeats without end.
    pub(crate) fn cancel_endless(&mut self, manager: &mut MessageManager) {
        for ticket in self.endless.drain(..) {
            manager.cancel(ticket);
        }
    }

    fn len(&self) -> usize {
        self.tickets.len() + self.endless.len()
    }
}
