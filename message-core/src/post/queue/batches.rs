//! The batches of one message type.
//!
//! The first message with a term is a single one; the second one in a row opens a batch, if the
//! first is still remembered. So what comes rarely costs no batch, and what is due together soon
//! lies together.
#![allow(clippy::inline_always, reason = "as for `insert`")]

use std::num::NonZeroU64;

use crate::address::MessageeId;
use crate::caught::FirstPanic;
use crate::post::queue::Record;
use crate::post::queue::batch::{BY_FRAMES, Batch, Batched, CLOSED, Origin, Term};
use crate::post::queue::slot::{BATCH, BATCHES, in_batch};
use crate::room::Shrink;

/// So many messages fit in the first batch of a term.
const FIRST: usize = 16;
/// So many batches' memory is kept for the next ones.
const SPARE: usize = 16;
/// The fewest and the most terms that are remembered at once, each with its batch.
const FEWEST_OPEN: usize = 16;
const MOST_OPEN: usize = 4096;
/// Instead of a batch.
const NONE: u32 = u32::MAX;
/// A term that nothing has.
const NEVER: Term = Term {
    due: 0,
    queue: CLOSED,
};

pub(super) struct Batches<M> {
    all: Vec<Batch<M>>,
    /// The batches that are not in use.
    empty: Vec<u32>,
    /// The batches that are being filled, each at the place of its term.
    open: Vec<u32>,
    /// The terms that came last, at the same places.
    terms: Vec<Term>,
    /// The number of terms that were forgotten for others, since `open` has its size.
    forgotten: usize,
    spare: Vec<Vec<Batched<M>>>,
}

impl<M> Batches<M> {
    pub(super) fn new() -> Self {
        Self {
            all: Vec::new(),
            empty: Vec::new(),
            open: vec![NONE; FEWEST_OPEN],
            terms: vec![NEVER; FEWEST_OPEN],
            forgotten: 0,
            spare: Vec::new(),
        }
    }

    /// The batch that a message with that term can be added to.
    #[inline(always)]
    pub(super) fn find(&mut self, term: Term, number: NonZeroU64) -> Option<(u32, &mut Batch<M>)> {
        let at = self.open[self.place_in_open(term)];
        let batch = self.all.get_mut(at as usize)?;
        let has_room =
            batch.slots.len() < batch.slots.capacity().min(BATCH) && batch.counts_to(number);
        (batch.term() == term && has_room).then_some((at, batch))
    }

    /// Frames that follow each other stand side by side; times are scattered, since they are often
    /// multiples of one.
    #[inline]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "the low bits are what is asked for"
    )]
    fn place_in_open(&self, Term { due, queue }: Term) -> usize {
        let spread = if queue & BY_FRAMES != 0 {
            due
        } else {
            due.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32
        };
        (spread as usize).wrapping_add(usize::from(queue) * 37) & (self.open.len() - 1)
    }

    /// A new batch for a message with that term, for which there is no batch with room. `None` if
    /// the term was not remembered.
    #[cold]
    pub(super) fn open(&mut self, term: Term, number: NonZeroU64, origin: Origin) -> Option<u32> {
        let place = self.place_in_open(term);
        let known = std::mem::replace(&mut self.terms[place], term);
        if known != term {
            self.open[place] = NONE;
            self.forgotten += usize::from(known != NEVER);
            if self.forgotten > 2 * self.open.len() && self.open.len() < MOST_OPEN {
                self.remember(2 * self.open.len());
            }
            return None;
        }
        // If it has filled a batch it may well fill one of twice the size.
        let before = self.all.get(self.open[place] as usize);
        let before = before.filter(|batch| batch.term() == term);
        let room = before.map_or(FIRST, |batch| BATCH.min(2 * batch.slots.capacity()));
        let spare = self.spare.iter().position(|slots| slots.capacity() == room);
        let slots = match spare {
            Some(spare) => self.spare.swap_remove(spare),
            None => Vec::with_capacity(room),
        };
        let batch = Batch::new(term, number, origin, slots);
        let at = if let Some(empty) = self.empty.pop() {
            self.all[empty as usize] = batch;
            empty
        } else {
            if self.all.len() == BATCHES {
                return None;
            }
            self.all.push(batch);
            u32::try_from(self.all.len() - 1).ok()?
        };
        self.open[place] = at;
        Some(at)
    }

    /// Forgets all terms, and remembers so many from now on.
    fn remember(&mut self, terms: usize) {
        self.open = vec![NONE; terms];
        self.terms = vec![NEVER; terms];
        self.forgotten = 0;
    }

    /// Puts a message into a batch that has room for it, and returns its slot.
    #[inline]
    pub(super) fn push(
        &mut self,
        at: u32,
        number: NonZeroU64,
        to: MessageeId,
        origin: Origin,
        message: M,
    ) -> u32 {
        let batch = &mut self.all[at as usize];
        batch.add_origin(origin);
        in_batch(at, batch.push(to, number, message))
    }

    pub(super) fn get(&self, at: u32) -> Option<&Batch<M>> {
        self.all.get(at as usize)
    }

    pub(super) fn get_mut(&mut self, at: u32) -> Option<&mut Batch<M>> {
        self.all.get_mut(at as usize)
    }

    /// Returns the number of messages that are pending.
    pub(super) fn live(&self) -> usize {
        self.all.iter().map(|batch| batch.live() as usize).sum()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (u32, &Batch<M>)> {
        (0..).zip(&self.all).filter(|(_, batch)| batch.live() > 0)
    }

    /// Takes a message out for its delivery.
    #[inline]
    pub(super) fn take(&mut self, at: u32, position: usize) -> Option<(Record, M)> {
        let batch = self.all.get_mut(at as usize)?;
        let taken = batch.take(position)?;
        if batch.is_spread {
            self.come_out(at);
        }
        Some(taken)
    }

    /// Takes the message of a posting out that will not be delivered any more. With the number of its
    /// metadata of the post, and whether an entry is left that points at nothing.
    #[inline]
    pub(super) fn discard(
        &mut self,
        at: u32,
        position: usize,
        number: NonZeroU64,
    ) -> Option<(u32, M, bool)> {
        let batch = self.all.get_mut(at as usize)?;
        let (post_meta, message) = batch.discard(position, number)?;
        if batch.live() == 0 && !batch.is_spread {
            batch.die();
        }
        Some((post_meta, message, batch.is_spread || batch.is_dead))
    }

    /// The entry of a batch is due. The numbers of its first posting and its last, unless all of it
    /// was cancelled: then it is not in use any more.
    pub(super) fn fall_due(&mut self, at: u32) -> Option<(NonZeroU64, NonZeroU64)> {
        if self.sweep(at) {
            return None;
        }
        let batch = &mut self.all[at as usize];
        batch.close();
        let (first, last) = batch.numbers();
        Some((NonZeroU64::new(first)?, NonZeroU64::new(last)?))
    }

    /// From now on each message of the batch has an entry. Their positions, and the numbers of the
    /// postings.
    pub(super) fn spread(&mut self, at: u32) -> impl Iterator<Item = (u32, u64)> {
        let batch = &mut self.all[at as usize];
        batch.is_spread = true;
        batch.entries = batch.live();
        batch.pending()
    }

    /// The entry of a batch comes out if all of it was cancelled; whether it was.
    pub(super) fn sweep(&mut self, at: u32) -> bool {
        let is_dead = self.all[at as usize].is_dead;
        if is_dead {
            self.come_out(at);
        }
        is_dead
    }

    /// The entry of a message comes out if that was cancelled; whether it was.
    pub(super) fn sweep_slot(&mut self, at: u32, position: usize) -> bool {
        let slot = self.all[at as usize].slots.get(position);
        let is_cancelled = slot.is_some_and(|slot| slot.message.is_none());
        if is_cancelled {
            self.come_out(at);
        }
        is_cancelled
    }

    /// An entry that points at a batch has come out.
    #[inline]
    pub(super) fn come_out(&mut self, at: u32) {
        let batch = &mut self.all[at as usize];
        batch.entries -= 1;
        if batch.entries == 0 {
            self.release(at);
        }
    }

    /// Returns `true` if no batch is in use.
    pub(super) fn is_empty(&self) -> bool {
        self.empty.len() == self.all.len()
    }

    /// Gives back memory; what is kept for the next messages too if they are not expected.
    pub(super) fn shrink(&mut self, how: Shrink, expected: bool) {
        if !expected {
            self.spare = Vec::new();
            if self.is_empty() && (self.all.capacity() > 0 || self.open.len() > FEWEST_OPEN) {
                *self = Self::new();
            }
        }
        how.room(&mut self.all, 0);
        how.room(&mut self.empty, 0);
    }

    /// Drops every message, one by one.
    pub(super) fn drop_all(&mut self, panics: &mut FirstPanic) {
        let slots = self.all.iter_mut().flat_map(|batch| &mut batch.slots);
        panics.drop_each(slots.map(|slot| slot.message.take()));
    }

    #[cold]
    fn release(&mut self, at: u32) {
        let batch = &mut self.all[at as usize];
        let mut slots = batch.end();
        if slots.capacity() > 0 && self.spare.len() < SPARE {
            slots.clear();
            self.spare.push(slots);
        }
        self.empty.push(at);
        if self.empty.len() == self.all.len() && self.all.len() > SPARE {
            self.all = Vec::new();
            self.empty = Vec::new();
            self.remember(FEWEST_OPEN);
        }
    }
}
