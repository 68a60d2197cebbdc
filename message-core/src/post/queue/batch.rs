//! Messages of one type that fall due together: most of what is posted.
//!
//! Due time, stage and clock stand once for all of them, and so do sender and metadata of the post
//! while these are the same. What is left for each message is whom it is for, how many postings it
//! came after the first, and the message itself: a pass reads these as they lie.
//!
//! One entry stands for the whole batch in its queue. Where other messages come between its own in
//! a pass, the batch is spread: then each of its messages has an entry. Nothing is put into a slot
//! a second time, so an old ticket never meets a newcomer.
#![allow(clippy::inline_always, reason = "as for `insert`")]

use std::num::NonZeroU64;

use crate::address::MessageeId;
use crate::key::{Key, Life};
use crate::post::queue::Record;

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

/// Who posted a message, and the number of its post's metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) sender: Option<MessageeId>,
    pub(super) post_meta: u32,
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

/// What is asked of it when a message is added stands first, in one line of the cache.
#[repr(C, align(64))]
pub(super) struct Batch<M> {
    pub(super) slots: Vec<Batched<M>>,
    /// The number of the first posting.
    first: u64,
    due: u64,
    sender: Option<MessageeId>,
    post_meta: u32,
    queue: u8,
    /// `true` if its messages are of several origins.
    is_varied: bool,
    pub(super) is_spread: bool,
    /// `true` if its last message was cancelled, so that its entry waits in vain.
    pub(super) is_dead: bool,
    /// How many of its messages are not pending any more.
    gone: u32,
    /// While it is not spread: what is before has come out.
    next: u32,
    /// How many entries point at it.
    pub(super) entries: u32,
    /// One for each message, once they are not all the same.
    origins: Vec<Origin>,
}

impl<M> Batch<M> {
    pub(super) fn new(
        term: Term,
        first: NonZeroU64,
        origin: Origin,
        slots: Vec<Batched<M>>,
    ) -> Self {
        Self {
            slots,
            first: first.get(),
            due: term.due,
            sender: origin.sender,
            post_meta: origin.post_meta,
            queue: term.queue,
            is_varied: false,
            is_spread: false,
            is_dead: false,
            gone: 0,
            next: 0,
            entries: 1,
            origins: Vec::new(),
        }
    }

    #[inline(always)]
    pub(super) fn term(&self) -> Term {
        Term {
            due: self.due,
            queue: self.queue,
        }
    }

    /// Nothing is added to it any more.
    pub(super) fn close(&mut self) {
        self.queue = CLOSED;
    }

    /// Returns the number of messages that are pending.
    #[allow(clippy::cast_possible_truncation, reason = "a batch has few slots")]
    pub(super) fn live(&self) -> u32 {
        self.slots.len() as u32 - self.gone
    }

    /// Returns `true` if a posting of that number can be added, which is counted from the first.
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
        let first = self.first_origin();
        if origin != first || self.is_varied {
            self.is_varied = true;
            self.origins.resize(self.slots.len(), first);
            self.origins.push(origin);
        }
    }

    #[inline(always)]
    fn first_origin(&self) -> Origin {
        Origin {
            sender: self.sender,
            post_meta: self.post_meta,
        }
    }

    /// The origin of all messages, if they have the same.
    #[inline(always)]
    pub(super) fn sole_origin(&self) -> Option<Origin> {
        (!self.is_varied).then(|| self.first_origin())
    }

    pub(super) fn origin(&self, position: usize) -> Origin {
        let own = self.origins.get(position).copied();
        own.unwrap_or_else(|| self.first_origin())
    }

    /// Its last message was cancelled. Only its entry is left.
    #[cold]
    pub(super) fn die(&mut self) {
        self.is_dead = true;
        self.end();
    }

    /// Gives its memory back: nothing is pending any more.
    pub(super) fn end(&mut self) -> Vec<Batched<M>> {
        self.close();
        self.gone = 0;
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
        let Origin { sender, post_meta } = self.origin(position);
        let number = NonZeroU64::new(self.number_of(slot));
        Record::batched(number, slot.to(), sender, self.due, post_meta)
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
        self.gone += 1;
        Some((self.record_of(position, &self.slots[position]), message))
    }

    /// Takes a message out that will not be delivered any more, if it is that posting. With the number
    /// of its post's metadata.
    #[inline]
    pub(super) fn discard(&mut self, position: usize, number: NonZeroU64) -> Option<(u32, M)> {
        let first = self.first;
        let slot = self.slots.get_mut(position)?;
        if first + u64::from(slot.number) != number.get() {
            return None;
        }
        let message = slot.message.take()?;
        self.gone += 1;
        let origin = self.sole_origin();
        let post_meta = origin.map_or_else(|| self.origin(position).post_meta, |it| it.post_meta);
        Some((post_meta, message))
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
        // What was taken out one by one is before the next.
        self.front()?;
        let next = self.next as usize;
        let is_whole = self.gone == self.next;
        (is_whole || !self.is_varied).then(|| (std::mem::take(&mut self.slots), next))
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
        #[allow(clippy::cast_possible_truncation, reason = "a batch has few slots")]
        let (all_gone, next) = (
            next as u32 + rest.filter(|slot| slot.message.is_none()).count() as u32,
            next as u32,
        );
        if self.is_varied {
            for &origin in &self.origins[self.next as usize..next as usize] {
                gone(origin, 1);
            }
        } else {
            gone(self.first_origin(), all_gone - self.gone);
        }
        self.gone = all_gone;
        self.next = next;
        self.slots = slots;
    }
}
