//! What a send to one messagee asks before it looks at any list: whether its recipient and its sender may
//! be among those that the filters ask for.
//!
//! Each is told by a bit of 64, which follows from the place of the id, and a recipient by a second one. So an
//! answer of "nobody hears it" is sure, and one of "somebody may" is most often right. A bit that was set
//! stays until nobody listens to the type any more: that costs time, and nothing else.

use crate::address::{Recipient, Sender};
use crate::subscription::conditions::Conditions;

/// Which sends to one messagee some subscriptions may hear.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Mask {
    /// A bit for each recipient: what is left of its place when it is divided by 64.
    to: u64,
    /// A bit for each sender, in the same way.
    from: u64,
    /// A bit for each recipient: what is left of the quotient.
    to_high: u64,
}

/// The bit of a number, of which 6 bits count.
fn bit(number: u32) -> u64 {
    1 << (number % u64::BITS)
}

/// Returns `true` if the bit of a number is set.
#[inline]
fn has(bits: u64, number: u32) -> bool {
    bits >> (number % u64::BITS) & 1 != 0
}

fn high(place: u32) -> u32 {
    place / u64::BITS
}

/// The place of a sender.
#[inline]
fn place_of(sender: Sender) -> u32 {
    match sender {
        Sender::Messagee(id) => id.0.place(),
        Sender::Outside => 62,
        Sender::Manager => 63,
    }
}

impl Mask {
    /// That of a subscription with these conditions, which asks for that recipient.
    pub(super) fn of(to: Option<Recipient>, conditions: &Conditions) -> Self {
        let from = conditions.from.map(place_of);
        let from = from.map_or(u64::MAX, bit);
        let (to, to_high) = match to {
            Some(Recipient::Id(id)) => (bit(id.0.place()), bit(high(id.0.place()))),
            // What is sent to one messagee is not sent to any other.
            Some(_) => (0, 0),
            None => (u64::MAX, u64::MAX),
        };
        Self { to, from, to_high }
    }

    pub(super) fn add(&mut self, other: Self) {
        // One that hears no such send adds nothing, from any sender.
        if other.to != 0 {
            self.to |= other.to;
            self.from |= other.from;
            self.to_high |= other.to_high;
        }
    }

    /// Returns `true` if a send to the messagee at that place may be heard.
    #[inline]
    pub(super) fn may_hear(self, to: u32, from: Sender) -> bool {
        self.seems_to_hear(to, from) && has(self.to_high, high(to))
    }

    /// As [`may_hear`](Self::may_hear), with less to ask: once in 64 times where it is not so.
    #[inline]
    pub(super) fn seems_to_hear(self, to: u32, from: Sender) -> bool {
        has(self.to, to) && has(self.from, place_of(from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // holds: subscriptions.cost-of-send
    #[test]
    fn of_all_places_few_seem_to_be_asked_for() {
        let mut mask = Mask {
            to: bit(1_234),
            from: u64::MAX,
            to_high: bit(high(1_234)),
        };
        let heard = |mask: Mask, from| -> Vec<u32> {
            let heard = |&to: &u32| {
                let may_hear = mask.may_hear(to, from);
                assert!(!may_hear || mask.seems_to_hear(to, from));
                may_hear
            };
            (0..10_000).filter(heard).collect()
        };
        assert_eq!(heard(mask, Sender::Outside), [1_234, 5_330, 9_426]);
        let nobody = Mask {
            from: u64::MAX,
            ..Mask::default()
        };
        mask.from = bit(place_of(Sender::Manager));
        mask.add(nobody);
        assert!(heard(mask, Sender::Outside).is_empty());
        assert_eq!(heard(mask, Sender::Manager).len(), 3);
    }
}
