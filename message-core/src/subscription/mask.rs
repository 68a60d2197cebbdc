//! What a send to one messagee asks before it looks at any list: whether its recipient and its sender may
//! be among those that the filters ask for.
//!
//! Each is a bit of 64, told by the place of the id. So an answer of "nobody hears it" is sure, and one of
//! "somebody may" is most often right. A bit that was set stays until nobody listens to the type any
//! more: that costs time, and nothing else.

use crate::address::{MessageeId, Recipient, Sender};
use crate::subscription::conditions::Conditions;

/// Which sends to one messagee some subscriptions may hear.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mask {
    to: u64,
    from: u64,
}

fn bit(id: MessageeId) -> u64 {
    1 << (id.0.place() % u64::BITS)
}

fn bit_of_sender(sender: Sender) -> u64 {
    match sender {
        Sender::Messagee(id) => bit(id),
        Sender::Outside => 1 << 62,
        Sender::Manager => 1 << 63,
    }
}

impl Mask {
    /// That of a subscription with these conditions, which asks for that recipient.
    pub(super) fn of(to: Option<Recipient>, conditions: &Conditions) -> Self {
        Self {
            to: match to {
                Some(Recipient::Id(id)) => bit(id),
                // What is sent to one messagee is not sent to others, whoever they are.
                Some(_) => 0,
                None => u64::MAX,
            },
            from: conditions.from.map_or(u64::MAX, bit_of_sender),
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        // One that hears no such send adds nothing, whoever sends it.
        if other.to != 0 {
            self.to |= other.to;
            self.from |= other.from;
        }
    }

    /// That of one send.
    #[inline]
    pub(super) fn of_send(to: MessageeId, from: Sender) -> Self {
        let (to, from) = (bit(to), bit_of_sender(from));
        Self { to, from }
    }

    #[inline]
    pub(super) fn may_hear(self, send: Self) -> bool {
        self.to & send.to != 0 && self.from & send.from != 0
    }
}
