//! The messages that were cancelled and wait to fall due, when they are left out: a bit at the number of each posting, so that
//! cancelling one does not look for it. W5-cancel.

use crate::by_field::clone_by_field;

/// The fewest words of bits that are kept.
const FEW: usize = 1024;

/// A window over the last postings.
#[derive(Default)]
pub(super) struct Cancelled {
    /// The number of the posting that the first bit is for: a multiple of the bits in a word.
    since: u64,
    pub(super) words: Vec<u64>,
    /// The number of cancelled messages that wait to fall due, all on wheels. The other bits are of messages that are gone.
    pub(super) waiting: usize,
}

/// The word of a number, and its bit there.
#[inline]
fn place(distance: u64) -> (usize, u64) {
    let word = usize::try_from(distance / u64::from(u64::BITS)).unwrap_or(usize::MAX);
    (word, 1 << (distance % u64::from(u64::BITS)))
}

clone_by_field!(Cancelled {
    since,
    words,
    waiting
});

impl Cancelled {
    /// Forgets all postings before `next`.
    pub(super) fn begin(&mut self, next: u64) {
        *self = Self {
            since: next.next_multiple_of(u64::BITS.into()),
            ..Self::default()
        };
    }

    /// Returns `true` if a message was cancelled and waits to fall due.
    #[inline]
    pub(super) fn has(&self, number: u64) -> bool {
        if self.waiting == 0 {
            return false;
        }
        let (word, bit) = place(number.wrapping_sub(self.since));
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }

    /// Returns `true` if a posting has a bit.
    #[inline]
    pub(super) fn covers(&self, number: u64) -> bool {
        number >= self.since
    }

    /// Sets the bit of a posting that is gone, if it has one. Returns `true` if it was not set.
    pub(super) fn set(&mut self, number: u64) -> bool {
        if !self.covers(number) {
            return false;
        }
        let (word, bit) = place(number - self.since);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let word = &mut self.words[word];
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    /// Cancels a message that waits. Returns `false` if it is gone already.
    #[inline]
    pub(super) fn cancel(&mut self, number: u64) -> bool {
        let is_new = self.set(number);
        self.waiting += usize::from(is_new);
        is_new
    }

    /// Returns `true` if more postings before `next` have a bit than `pending` messages are worth.
    #[inline]
    pub(super) fn is_long(&self, next: u64, pending: usize) -> bool {
        next.saturating_sub(self.since) / u64::from(u64::BITS) > FEW.max(pending) as u64
    }
}
