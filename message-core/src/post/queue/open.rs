//! The chunks of one type that are being filled, by the term that their messages are due at.
//!
//! A table of a few terms, each at a place that is reckoned from it: what comes last takes the place. So
//! to find the chunk for a message costs one look, and a term that is forgotten costs a new chunk.

use crate::header::CLOCK;
use crate::post::queue::chunk::{CLOSED, Term};

/// The fewest and the most terms that are remembered at once, each with its chunk.
const FEWEST_OPEN: usize = 16;
const MOST_OPEN: usize = 4096;
/// 2^64 divided by the golden ratio: see [`hash`](crate::hash).
const SCATTERED: u64 = 0x9e37_79b9_7f4a_7c15;
/// Instead of a chunk.
pub(super) const NONE: u32 = u32::MAX;
/// A term that nothing has.
const NEVER: Term = Term {
    due: 0,
    queue: CLOSED,
};

/// The terms that came last, and the chunks that are being filled for them, each at the place of its
/// term.
pub(super) struct Open {
    chunks: Vec<u32>,
    /// By which a due time is multiplied, for each clock.
    factors: [u64; 4],
    /// By so many bits the product is shifted to be a place.
    shift: u32,
    terms: Vec<Term>,
    /// The number of terms that were forgotten for others, since the table has its size.
    forgotten: usize,
}

impl Default for Open {
    fn default() -> Self {
        Self::with_room(FEWEST_OPEN)
    }
}

impl Open {
    fn with_room(terms: usize) -> Self {
        let shift = u64::BITS - terms.ilog2();
        Self {
            chunks: vec![NONE; terms],
            terms: vec![NEVER; terms],
            factors: [SCATTERED, SCATTERED, 1 << shift, SCATTERED],
            shift,
            forgotten: 0,
        }
    }

    /// The chunk at the place of a term, perhaps of another term.
    #[inline]
    pub(super) fn at(&self, term: Term) -> u32 {
        let chunk = self.chunks.get(self.place_of(term));
        chunk.copied().unwrap_or(NONE)
    }

    pub(super) fn set(&mut self, term: Term, chunk: u32) {
        let place = self.place_of(term);
        self.chunks[place] = chunk;
    }

    /// Frames that follow each other stand side by side; times are scattered, since they are often
    /// multiples of one.
    #[inline]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "what is left are the bits of a place"
    )]
    fn place_of(&self, Term { due, queue }: Term) -> usize {
        let factor = self.factors[usize::from(queue >> CLOCK & 3)];
        (due.wrapping_mul(factor) >> self.shift) as usize ^ usize::from(queue % 16)
    }

    /// Returns `true` if a term came lately. Otherwise it is remembered from now on, and there is no
    /// chunk for it.
    pub(super) fn remembers(&mut self, term: Term) -> bool {
        let place = self.place_of(term);
        let known = std::mem::replace(&mut self.terms[place], term);
        if known == term {
            return true;
        }
        self.chunks[place] = NONE;
        self.forgotten += usize::from(known != NEVER);
        if self.forgotten > 2 * self.chunks.len() && self.chunks.len() < MOST_OPEN {
            *self = Self::with_room(2 * self.chunks.len());
        }
        false
    }
}
