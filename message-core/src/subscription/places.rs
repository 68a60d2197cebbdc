//! Rules out most recipients and senders that no subscription asks for, before any list is looked up.
//!
//! There is a bit for each place of a messagee, as a recipient and as a sender, modulo the number of bits. There are at
//! least eight times as many bits as recipients and senders that are asked for. Therefore a send past 10 000
//! subscriptions that ask for others costs the same as past ten.

use crate::address::{Recipient, Sender};
use crate::subscription::terms::Asked;

/// Marks of the recipients and senders that subscriptions ask for. One that is no longer asked for may keep
/// its mark for a while.
#[derive(Default)]
pub(super) struct Places {
    /// A word for recipients and one for senders, side by side. Their number is zero or a power of two.
    words: Vec<[u64; 2]>,
    /// `true` for recipients or senders if there are marks of them.
    marked: [bool; 2],
    /// The number of marks since the words were made.
    marks: usize,
}

impl Places {
    const BITS_OF_EACH: usize = 8;

    /// Marks what is asked for from now on, in addition to the `others`.
    pub(super) fn add(&mut self, asked: Asked, others: impl ExactSizeIterator<Item = Asked>) {
        self.marks += 1;
        if self.marks * Self::BITS_OF_EACH > self.words.len() * 64 {
            self.marks = others.len() + 1;
            let bits = 2 * Self::BITS_OF_EACH * self.marks;
            self.words = vec![[0; 2]; bits.div_ceil(64).next_power_of_two()];
            others.for_each(|other| self.mark(other));
        }
        self.mark(asked);
    }

    fn mark(&mut self, asked: Asked) {
        if let Some((side, place)) = Self::place(asked) {
            let word = self.word_of(place);
            self.words[word][side] |= 1 << (place % u64::BITS);
            self.marked[side] = true;
        }
    }

    /// Returns the side and the place of what can be ruled out.
    #[inline]
    fn place(asked: Asked) -> Option<(usize, u32)> {
        match asked {
            Asked::To(Recipient::Id(id)) => Some((0, id.0.place())),
            Asked::From(Sender::Messagee(id)) => Some((1, id.0.place())),
            Asked::From(Sender::Outside) => Some((1, u32::MAX)),
            Asked::From(Sender::Manager) => Some((1, u32::MAX - 1)),
            Asked::To(_) | Asked::Tags | Asked::Nothing => None,
        }
    }

    #[inline]
    fn word_of(&self, place: u32) -> usize {
        (place / u64::BITS) as usize & self.words.len().wrapping_sub(1)
    }

    /// Returns `false` if nobody asks for it.
    #[inline]
    pub(super) fn may_have(&self, asked: Asked) -> bool {
        Self::place(asked).is_none_or(|(side, place)| {
            let words = || self.words.get(self.word_of(place));
            let has_bit = |words: &[u64; 2]| words[side] >> (place % u64::BITS) & 1 == 1;
            self.marked[side] && words().is_some_and(has_bit)
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
        let mut keys = Keys::new(ManagerNumber::new(NonZeroU16::MIN));
        for count in [1, 10, 1_000, 10_000] {
            let ids: Vec<_> = (0..20 * count)
                .map(|_| MessageeId(keys.allocate()))
                .collect();
            let from = |id: &MessageeId| Asked::From(Sender::Messagee(*id));
            let asked: Vec<_> = ids.iter().step_by(20).map(from).collect();
            let mut places = Places::default();
            for (at, &sender) in asked.iter().enumerate() {
                places.add(sender, asked[..at].iter().copied());
            }
            assert!(asked.iter().all(|&sender| places.may_have(sender)));
            let marked = ids.iter().filter(|id| places.may_have(from(id)));
            assert!(marked.count() <= 4 * count, "{count}");
            // They come and go.
            for sender in ids.iter().map(from) {
                places.add(sender, asked.iter().copied());
            }
            assert!(places.words.len() <= 64.max(count));
        }
    }
}
