//! Rules out most recipients and senders that no subscription asks for, before any list is looked up.
//!
//! There is a bit for each place of a messagee, modulo the number of bits. There are at least eight times as many
//! bits as places that are asked for. Therefore a send past 10 000 subscriptions that ask for others costs the same
//! as past ten.

use crate::address::{Recipient, Sender};

/// The recipients and senders that subscriptions ask for, with a bit for each.
pub(super) trait Placed {
    /// Returns the place of a messagee, or `None` for anything that no send to one messagee is asked for.
    fn place(self) -> Option<u32>;
}

impl Placed for Recipient {
    #[inline]
    fn place(self) -> Option<u32> {
        match self {
            // A message that is sent to one messagee is not sent to any other recipient.
            Self::Id(id) => Some(id.0.place()),
            _ => None,
        }
    }
}

impl Placed for Sender {
    #[inline]
    fn place(self) -> Option<u32> {
        Some(match self {
            Self::Messagee(id) => id.0.place(),
            Self::Outside => u32::MAX,
            Self::Manager => u32::MAX - 1,
        })
    }
}

/// Marks of the recipients or senders that subscriptions ask for. One that is no longer asked for may keep
/// its mark for a while.
#[derive(Default)]
pub(super) struct Places {
    /// The number of words is a power of two.
    words: Vec<u64>,
    /// The number of marks since the words were made.
    marks: usize,
}

impl Places {
    const BITS_OF_EACH: usize = 8;

    /// Marks a key that is asked for from now on, in addition to the `others`.
    pub(super) fn add<K: Placed>(&mut self, key: K, others: impl ExactSizeIterator<Item = K>) {
        self.marks += 1;
        if self.marks * Self::BITS_OF_EACH > self.words.len() * 64 {
            self.marks = others.len() + 1;
            let bits = 2 * Self::BITS_OF_EACH * self.marks;
            self.words = vec![0; bits.div_ceil(64).next_power_of_two()];
            others.for_each(|other| self.mark(other));
        }
        self.mark(key);
    }

    fn mark<K: Placed>(&mut self, key: K) {
        if let Some((word, bit)) = key.place().map(|place| self.bit_of(place)) {
            self.words[word] |= bit;
        }
    }

    /// Returns the word of a place, and its bit there. There must be words.
    #[inline]
    fn bit_of(&self, place: u32) -> (usize, u64) {
        let word = (place / u64::BITS) as usize & (self.words.len() - 1);
        (word, 1 << (place % u64::BITS))
    }

    /// Returns `false` if nobody asks for it.
    #[inline]
    pub(super) fn may_have<K: Placed>(&self, key: K) -> bool {
        if self.words.is_empty() {
            return false;
        }
        key.place().is_some_and(|place| {
            let (word, bit) = self.bit_of(place);
            self.words[word] & bit != 0
        })
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;
    use crate::address::MessageeId;
    use crate::identity::ManagerNumber;
    use crate::key::Keys;

    // holds: subscriptions.cost-of-send
    #[test]
    fn few_of_those_that_nobody_asks_for_are_marked_however_many_others_are_asked_for() {
        let mut keys = Keys::new(ManagerNumber(NonZeroU16::MIN));
        for count in [1, 10, 1_000, 10_000] {
            let ids: Vec<_> = (0..20 * count)
                .map(|_| MessageeId(keys.allocate()))
                .collect();
            let asked: Vec<_> = ids
                .iter()
                .step_by(20)
                .map(|id| Sender::Messagee(*id))
                .collect();
            let mut places = Places::default();
            for (at, &sender) in asked.iter().enumerate() {
                places.add(sender, asked[..at].iter().copied());
            }
            assert!(asked.iter().all(|&sender| places.may_have(sender)));
            let marked = ids
                .iter()
                .filter(|id| places.may_have(Sender::Messagee(**id)));
            assert!(marked.count() <= 4 * count, "{count}");
            // They come and go.
            for sender in ids.iter().map(|id| Sender::Messagee(*id)) {
                places.add(sender, asked.iter().copied());
            }
            assert!(places.words.len() <= 64.max(count));
        }
    }
}
