//! Messages of one type that fall due together: most of what is posted.
//!
//! Due time, stage and clock stand once for all of them, and so do sender and postmark while these
//! are the same. What is left for each message is whom it is for, how many postings it came after
//! the first, and the message itself: a pass reads these as they lie.
//!
//! One entry stands for the whole batch in its queue. Where other messages come between its own in
//! a pass, the batch is spread: then each of its messages has an entry. Nothing is put into a slot
//! a second time, so an old ticket never meets a newcomer.
#![allow(clippy::inline_always, reason = "as for `insert`")]

use std::num::NonZeroU64;

use crate::address::MessageeId;
use crate::heap::Record;
use crate::key::{Key, Life};

/// When a batch is due, and where it waits for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Term {
    /// On the clock of the queue.
    pub(super) due: u64,
    /// Stage and clock, and whether it is for the next pass.
    pub(super) queue: u8,
}

/// Set in a queue, above the stage: the clock, if it is not the scaled one, and whether what is there
/// is for the next pass.
pub(super) const UNSCALED: u8 = 1 << 4;
pub(super) const BY_FRAMES: u8 = 1 << 5;
pub(super) const READY: u8 = 1 << 6;
/// The queue of a batch that nothing is added to any more.
pub(super) const CLOSED: u8 = u8::MAX;

/// Who posted a message, and the number of its postmark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) sender: Option<MessageeId>,
    pub(super) postmark: u32,
}

/// One message of a batch.
pub(crate) struct Batched<M> {
    /// The two halves of a messagee's id: apart they are aligned to four bytes.
    index: u32,
    life: Life,
    /// The number of its posting, counted from the first of the batch.
    number: u32,
    /// Absent when it was delivered or cancelled.
    pub(crate) message: Option<M>,
}

impl<M> Batched<M> {
    /// Whom it is for.
    #[inline]
    pub(crate) fn to(&self) -> MessageeId {
        MessageeId(Key::from_parts(self.index, self.life))
    }
}

pub(super) struct Batch<M> {
    pub(super) term: Term,
    /// The number of the first posting.
    first: u64,
    pub(super) slots: Vec<Batched<M>>,
    origin: Origin,
    /// One for each message, once they are not all the same.
    origins: Vec<Origin>,
    /// While it is not spread: what is before has come out.
    next: u32,
    /// How many messages are pending.
    pub(super) live: u32,
    /// How many entries point at it.
    pub(super) entries: u32,
    pub(super) is_spread: bool,
    /// Whether its last message was cancelled, so that its entry waits in vain.
    pub(super) is_dead: bool,
}

impl<M> Batch<M> {
    pub(super) fn new(
        term: Term,
        first: NonZeroU64,
        origin: Origin,
        slots: Vec<Batched<M>>,
    ) -> Self {
        Self {
            term,
            first: first.get(),
            slots,
            origin,
            origins: Vec::new(),
            next: 0,
            live: 0,
            entries: 1,
            is_spread: false,
            is_dead: false,
        }
    }

    /// Whether a posting of that number can be added, which is counted from the first.
    #[inline]
    pub(super) fn counts_to(&self, number: NonZeroU64) -> bool {
        u32::try_from(number.get() - self.first).is_ok()
    }

    /// Adds a message, and returns its position.
    #[inline(always)]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a batch has few slots, and counts to the number"
    )]
    pub(super) fn push(&mut self, to: MessageeId, number: NonZeroU64, message: M) -> u32 {
        let position = self.slots.len();
        self.live += 1;
        self.slots.push(Batched {
            index: to.0.place(),
            life: to.0.life(),
            number: (number.get() - self.first) as u32,
            message: Some(message),
        });
        position as u32
    }

    /// The next message to be added is of that origin.
    pub(super) fn add_origin(&mut self, origin: Origin) {
        if origin != self.origin || !self.origins.is_empty() {
            self.origins.resize(self.slots.len(), self.origin);
            self.origins.push(origin);
        }
    }

    /// The origin of all messages, if they have the same.
    #[inline]
    pub(super) fn sole_origin(&self) -> Option<Origin> {
        self.origins.is_empty().then_some(self.origin)
    }

    pub(super) fn origin(&self, position: usize) -> Origin {
        self.origins.get(position).copied().unwrap_or(self.origin)
    }

    /// Its last message was cancelled. Only its entry is left.
    #[cold]
    pub(super) fn die(&mut self) {
        self.is_dead = true;
        self.end();
    }

    /// Gives its memory back: nothing is pending any more.
    pub(super) fn end(&mut self) -> Vec<Batched<M>> {
        self.term.queue = CLOSED;
        self.origins = Vec::new();
        std::mem::take(&mut self.slots)
    }

    fn number_of(&self, slot: &Batched<M>) -> u64 {
        self.first + u64::from(slot.number)
    }

    /// The numbers of its first posting and of its last.
    pub(super) fn numbers(&self) -> (u64, u64) {
        let last = self.slots.last().map(|last| self.number_of(last));
        (self.first, last.unwrap_or(self.first))
    }

    /// What is known of a message that is pending.
    pub(super) fn record(&self, position: usize) -> Option<Record> {
        let slot = self.slots.get(position)?;
        slot.message.as_ref()?;
        Some(self.record_of(position, slot))
    }

    #[inline]
    fn record_of(&self, position: usize, slot: &Batched<M>) -> Record {
        let Origin { sender, postmark } = self.origin(position);
        let number = NonZeroU64::new(self.number_of(slot));
        Record::batched(number, slot.to(), sender, self.term.due, postmark)
    }

    /// The positions of what is pending, and the numbers of the postings.
    pub(super) fn pending(&self) -> impl Iterator<Item = (u32, u64)> {
        let slots = (0..).zip(&self.slots);
        let pending = slots.filter(|(_, slot)| slot.message.is_some());
        pending.map(|(position, slot)| (position, self.number_of(slot)))
    }

    /// Takes a message out for its delivery.
    #[inline]
    pub(super) fn take(&mut self, position: usize) -> Option<(Record, M)> {
        let message = self.slots.get_mut(position)?.message.take()?;
        self.live -= 1;
        Some((self.record_of(position, &self.slots[position]), message))
    }

    /// Takes a message out that will not be delivered any more, if it is that posting.
    #[inline]
    pub(super) fn discard(&mut self, position: usize, number: NonZeroU64) -> Option<(Record, M)> {
        let slot = self.slots.get(position)?;
        if self.number_of(slot) != number.get() {
            return None;
        }
        self.take(position)
    }

    /// While it is not spread: the position of the next message, and the number of its posting.
    #[inline]
    pub(super) fn front(&mut self) -> Option<(u32, u64)> {
        loop {
            let slot = self.slots.get(self.next as usize)?;
            if slot.message.is_some() {
                return Some((self.next, self.number_of(slot)));
            }
            self.next += 1;
        }
    }

    /// Lends its messages for a walk over them, with the position of the next. `None` where it would
    /// not be known afterwards which of them the walk has met.
    pub(super) fn lend(&mut self) -> Option<(Vec<Batched<M>>, usize)> {
        let next = self.next as usize;
        let is_whole = self.live as usize == self.slots.len() - next;
        (is_whole || self.origins.is_empty()).then(|| (std::mem::take(&mut self.slots), next))
    }

    /// Takes back what was [lent](Self::lend) and was walked over up to `next`. Tells each origin,
    /// and how many messages of it are gone.
    pub(super) fn give_back(
        &mut self,
        slots: Vec<Batched<M>>,
        next: usize,
        gone: &mut dyn FnMut(Origin, u32),
    ) {
        let rest = slots[next..].iter();
        let rest = rest.filter(|slot| slot.message.is_some()).count();
        #[allow(clippy::cast_possible_truncation, reason = "a batch has few slots")]
        let (rest, next) = (rest as u32, next as u32);
        if self.origins.is_empty() {
            gone(self.origin, self.live - rest);
        } else {
            for &origin in &self.origins[self.next as usize..next as usize] {
                gone(origin, 1);
            }
        }
        self.live = rest;
        self.next = next;
        self.slots = slots;
    }
}
