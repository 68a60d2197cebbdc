//! What a send to one messagee asks before it looks at any list: whether its recipient and its sender may
//! be among those that the filters ask for.
//!
//! Each is told by two bits of 64, which follow from the place of the id. So an answer of "nobody hears it" is
//! sure, and one of "somebody may" is most often right. A bit that was set stays until nobody listens to the
//! type any more: that costs time, and nothing else.

use crate::address::{Recipient, Sender};
use crate::subscription::conditions::Conditions;

/// The places of some ids, and perhaps of others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Places {
    /// A bit for what is left of a place when it is divided by 64.
    low: u64,
    /// A bit for what is left of the quotient.
    high: u64,
}

/// Returns `true` if the bit with that number is set; of the number, 6 bits count.
#[inline]
fn has(bits: u64, number: u32) -> bool {
    bits >> (number % u64::BITS) & 1 != 0
}

impl Places {
    const ALL: Self = Self {
        low: u64::MAX,
        high: u64::MAX,
    };

    fn one(place: u32) -> Self {
        Self {
            low: 1 << (place % u64::BITS),
            high: 1 << (place / u64::BITS % u64::BITS),
        }
    }

    fn may_have(&self, place: u32) -> bool {
        has(self.low, place) && has(self.high, place / u64::BITS)
    }

    fn add(&mut self, other: Self) {
        self.low |= other.low;
        self.high |= other.high;
    }
}

/// The place of a sender. Those who are no messagees have places that messagees hardly come to.
#[inline]
fn place_of(sender: Sender) -> u32 {
    match sender {
        Sender::Messagee(id) => id.0.place(),
        Sender::Outside => u32::MAX - 1,
        Sender::Manager => u32::MAX,
    }
}

/// Which sends to one messagee some subscriptions may hear.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mask {
    to: Places,
    from: Places,
}

impl Mask {
    /// That of a subscription with these conditions, which asks for that recipient.
    pub(super) fn of(to: Option<Recipient>, conditions: &Conditions) -> Self {
        let from = conditions.from.map(place_of);
        Self {
            to: match to {
                Some(Recipient::Id(id)) => Places::one(id.0.place()),
                // What is sent to one messagee is not sent to others, whoever they are.
                Some(_) => Places::default(),
                None => Places::ALL,
            },
            from: from.map_or(Places::ALL, Places::one),
        }
    }

    pub(super) fn add(&mut self, other: Self) {
        // One that hears no such send adds nothing, whoever sends it.
        if other.to != Places::default() {
            self.to.add(other.to);
            self.from.add(other.from);
        }
    }

    /// Returns `true` if a send to the messagee at that place may be heard.
    pub(super) fn may_hear(&self, to: u32, from: Sender) -> bool {
        self.to.may_have(to) && self.from.may_have(place_of(from))
    }

    /// As [`may_hear`](Self::may_hear), by the low bits alone: most often they tell that it is not.
    #[inline]
    pub(super) fn seems_to_hear(&self, to: u32, from: Sender) -> bool {
        has(self.to.low, to) && has(self.from.low, place_of(from))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_all_places_few_seem_to_be_asked_for() {
        let mut mask = Mask {
            to: Places::one(1_234),
            from: Places::ALL,
        };
        let heard = |mask: &Mask, from| -> Vec<u32> {
            let heard = |&to: &u32| {
                let heard = mask.may_hear(to, from);
                assert!(!heard || mask.seems_to_hear(to, from));
                heard
            };
            (0..10_000).filter(heard).collect()
        };
        assert_eq!(heard(&mask, Sender::Outside), [1_234, 5_330, 9_426]);
        let nobody = Mask {
            to: Places::default(),
            from: Places::ALL,
        };
        mask.from = Places::one(place_of(Sender::Manager));
        mask.add(nobody);
        assert!(heard(&mask, Sender::Outside).is_empty());
        assert_eq!(heard(&mask, Sender::Manager).len(), 3);
    }
}
