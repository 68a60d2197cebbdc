//! The messages of one chunk, without the messages themselves: of a batch, or single ones.
//!
//! The messages of a batch are due together, and that is most of what is posted. Due time, stage and
//! clock stand once for all of them, and so do sender and metadata of the post while these are the
//! same. What is left for each message is whom it is for, and how many postings it came after the
//! first. One entry stands for the whole batch in its queue. Nothing is put into a position a second
//! time, so an old ticket never meets a newcomer.
//!
//! A single message has a record of its own, and an entry. A slot is known by the number of the
//! posting that it holds, so an old ticket never meets a newcomer here, either. A single message that
//! was cancelled leaves its slot marked until the entry that points there has come out of its queue:
//! so an entry never meets a newcomer.

use std::num::NonZeroU64;

use crate::address::MessageeId;
use crate::key::{Key, Life};
use crate::post::queue::Record;
use crate::post::queue::post_meta::Postmarks;
use crate::post::queue::record::State;

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
pub(crate) const CLOCK: u32 = 4;
pub(crate) const UNSCALED: u8 = 1 << CLOCK;
pub(crate) const BY_FRAMES: u8 = 2 << CLOCK;
pub(crate) const READY: u8 = 1 << 6;
/// Instead of a queue: of single messages that are due at about the same time, and of single messages
/// of whatever time.
pub(super) const NEIGHBOURS: u8 = 1 << 7;
pub(super) const MIXED: u8 = NEIGHBOURS | 1;
/// The queue of a chunk that nothing is added to any more.
pub(super) const CLOSED: u8 = u8::MAX;

/// Who posted a message, and the number of its post's metadata.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Origin {
    pub(super) sender: Option<MessageeId>,
    pub(super) post_meta: u32,
}

/// What is known of one message of a batch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    /// The two halves of a messagee's id: apart they are aligned to four bytes. The bits of
    /// the life, or zero when the message was cancelled.
    index: u32,
    life: u32,
    /// The number of its posting, counted from the first of the batch.
    number: u32,
}

impl Head {
    /// Whom it is for, unless it was cancelled.
    #[inline]
    pub(crate) fn to(&self) -> Option<MessageeId> {
        let life = Life::from_bits(self.life)?;
        Some(MessageeId(Key::from_parts(self.index, life)))
    }

    /// Whom it is for, if it is known not to be cancelled.
    #[inline]
    pub(super) fn pending_to(&self) -> Option<MessageeId> {
        Key::from_halves(self.index, self.life).map(MessageeId)
    }
}

/// What is asked of it when a message is added stands first, in one line of the cache.
#[repr(C, align(64))]
pub(super) struct Chunk {
    /// Of the messages of a batch.
    pub(super) heads: Vec<Head>,
    /// The number of the first posting of a batch.
    first: u64,
    due: u64,
    sender: Option<MessageeId>,
    post_meta: u32,
    queue: u8,
    /// `true` if the messages of a batch are of several origins.
    is_varied: bool,
    /// `true` if the last message of a batch was cancelled, so that its entry waits in vain.
    pub(super) is_dead: bool,
    is_batch: bool,
    /// So many messages fit in it.
    pub(super) room: u32,
    /// How many messages of a batch are not pending any more.
    gone: u32,
    /// What is before in a batch has come out.
    next: u32,
    /// How many entries or messages need it.
    pub(super) in_use: u32,
    /// One for each message of a batch, once they are not all the same.
    origins: Vec<Origin>,
    /// Of single messages.
    pub(super) records: Vec<Record>,
}

/// The next message of a batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    pub(super) position: u32,
    pub(super) number: u64,
}

impl Chunk {
    /// A batch, whose first posting is that.
    pub(super) fn batch(term: Term, first: NonZeroU64, origin: Origin, room: usize) -> Self {
        Self {
            heads: Vec::with_capacity(room),
            first: first.get(),
            sender: origin.sender,
            post_meta: origin.post_meta,
            is_batch: true,
            in_use: 1,
            ..Self::singles(term, room)
        }
    }

    /// A chunk of single messages.
    #[allow(clippy::cast_possible_truncation, reason = "a chunk has few slots")]
    pub(super) fn singles(term: Term, room: usize) -> Self {
        Self {
            heads: Vec::new(),
            first: 0,
            due: term.due,
            sender: None,
            post_meta: 0,
            queue: term.queue,
            is_varied: false,
            is_dead: false,
            is_batch: false,
            room: room as u32,
            gone: 0,
            next: 0,
            in_use: 0,
            origins: Vec::new(),
            records: Vec::new(),
        }
    }

    #[inline]
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

    #[inline]
    pub(super) fn is_batch(&self) -> bool {
        self.is_batch
    }

    /// Returns `true` if single messages of whatever time are in it.
    pub(super) fn is_mixed(&self) -> bool {
        self.queue == MIXED
    }

    /// Returns the number of a batch's messages that are pending.
    #[allow(clippy::cast_possible_truncation, reason = "a batch has few slots")]
    pub(super) fn live(&self) -> u32 {
        self.heads.len() as u32 - self.gone
    }

    /// Returns `true` if there is room in a batch for a posting of that number, which is counted from
    /// the first.
    #[inline]
    pub(super) fn has_room(&self, number: NonZeroU64) -> bool {
        self.heads.len() < self.heads.capacity() && u32::try_from(number.get() - self.first).is_ok()
    }

    /// Returns `true` if all messages of a batch are of that origin.
    #[inline]
    pub(super) fn is_of(&self, origin: Origin) -> bool {
        let bits = |sender: Option<MessageeId>| sender.map_or(0, |id| id.0.bits());
        bits(self.sender) == bits(origin.sender)
            && self.post_meta == origin.post_meta
            && !self.is_varied
    }

    /// Adds a message to a batch, and returns its position.
    #[inline]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a batch has few slots, and counts to the number"
    )]
    pub(super) fn push(&mut self, to: MessageeId, number: NonZeroU64) -> u32 {
        let position = self.heads.len();
        self.heads.push(Head {
            index: to.0.place(),
            life: to.0.life_bits(),
            number: (number.get() - self.first) as u32,
        });
        position as u32
    }

    /// The next message to be added to a batch is of that origin, and others are not.
    #[inline(never)]
    pub(super) fn vary(&mut self, origin: Origin, postmarks: &mut Postmarks) {
        if !self.is_varied {
            self.is_varied = true;
            self.origins = Vec::with_capacity(self.room as usize);
            self.origins.resize(self.heads.len(), self.first_origin());
        }
        let last = self.origins.last().map(|last| last.post_meta);
        if last.is_none_or(|last| last != origin.post_meta) {
            postmarks.enter_again(origin.post_meta);
        }
        self.origins.push(origin);
    }

    #[inline]
    fn first_origin(&self) -> Origin {
        Origin {
            sender: self.sender,
            post_meta: self.post_meta,
        }
    }

    #[inline]
    pub(super) fn origin(&self, position: usize) -> Origin {
        let own = self.origins.get(position).copied();
        own.unwrap_or_else(|| self.first_origin())
    }

    /// The last message of a batch was cancelled: only its entry is left. Or that has come out, too.
    pub(super) fn end(&mut self, postmarks: &mut Postmarks) {
        if !self.is_batch || self.is_dead {
            return;
        }
        self.close();
        self.is_dead = true;
        self.gone = 0;
        self.heads = Vec::new();
        let origins = std::mem::take(&mut self.origins);
        let mut last = self.post_meta;
        postmarks.leave(last);
        for Origin { post_meta, .. } in origins {
            if post_meta != last {
                last = post_meta;
                postmarks.leave(last);
            }
        }
    }

    /// Whom a message of a batch is for, unless it was cancelled.
    #[inline]
    pub(super) fn to(&self, position: usize) -> Option<MessageeId> {
        self.heads.get(position)?.to()
    }

    fn number_of(&self, head: &Head) -> u64 {
        self.first + u64::from(head.number)
    }

    /// What is known of a message that is pending.
    pub(super) fn record(&self, position: usize) -> Option<Record> {
        if !self.is_batch {
            let record = self.records.get(position)?;
            return (record.number.is_some() && record.state != State::Cancelled)
                .then_some(*record);
        }
        let head = self.heads.get(position)?;
        let to = head.to()?;
        let Origin { sender, post_meta } = self.origin(position);
        let number = NonZeroU64::new(self.number_of(head));
        let is_pending = position >= self.next as usize;
        is_pending.then(|| Record::batched(number, to, sender, self.due, post_meta))
    }

    /// Every message that is pending, with its position.
    pub(super) fn pending(&self) -> impl Iterator<Item = (u32, Record)> {
        let positions = 0..self.heads.len().max(self.records.len());
        positions.filter_map(|position| {
            let at = u32::try_from(position).ok()?;
            Some((at, self.record(position)?))
        })
    }

    /// Takes a message out of a batch that will not be delivered any more, if it is that posting.
    #[inline]
    pub(super) fn discard(&mut self, position: usize, number: NonZeroU64) -> bool {
        let (first, next) = (self.first, self.next);
        let Some(head) = self.heads.get_mut(position) else {
            return false;
        };
        let is_pending = first + u64::from(head.number) == number.get()
            && head.life != 0
            && position >= next as usize;
        if is_pending {
            head.life = 0;
            self.gone += 1;
        }
        is_pending
    }

    /// The next message of a batch that has not come out.
    #[inline]
    pub(super) fn front(&mut self) -> Option<Next> {
        loop {
            let head = self.heads.get(self.next as usize)?;
            if head.life != 0 {
                return Some(Next {
                    position: self.next,
                    number: self.number_of(head),
                });
            }
            self.next += 1;
        }
    }

    /// The next message of a batch comes out.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.next += 1;
        self.gone += 1;
    }

    /// What a walk can deliver of a batch: from the next message on, those posted before a number.
    /// `None` if these are fewer than so many.
    pub(super) fn part(&mut self, until: u64, fewest: usize) -> Option<(usize, usize)> {
        let next = self.front()?.position as usize;
        let enough = self.heads.get(next + fewest - 1)?;
        if self.number_of(enough) >= until {
            return None;
        }
        let last = self.heads.last()?;
        if self.number_of(last) < until {
            return Some((next, self.heads.len()));
        }
        let before = |head: &Head| self.first + u64::from(head.number) < until;
        let length = self.heads[next..].partition_point(before);
        Some((next, next + length))
    }

    /// What is known of the messages of a batch, and the position of the next.
    pub(super) fn lend(&mut self) -> (&[Head], &mut u32) {
        (&self.heads, &mut self.next)
    }

    /// A walk has gone on from a position to the next message. Returns how many it has delivered.
    #[allow(clippy::cast_possible_truncation, reason = "a batch has few slots")]
    pub(super) fn advanced_from(&mut self, begin: usize) -> usize {
        let walked = &self.heads[begin..self.next as usize];
        let delivered = if self.gone as usize == begin {
            walked.len()
        } else {
            walked.iter().filter(|head| head.life != 0).count()
        };
        self.gone += delivered as u32;
        delivered
    }
}
