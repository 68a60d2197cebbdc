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
use crate::post::queue::cursor::Cursor;
use crate::post::queue::post_meta::Postmarks;
use crate::post::queue::record::State;
use crate::post::queue::{Messages, Record};

/// Where messages of several batches alternate, so many are delivered one by one before it is looked
/// again how many follow each other.
const SKIP_PARTS: u32 = 15;

/// When a batch is due, and where it waits for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Term {
    /// On the clock of the queue.
    pub(super) due: u64,
    /// Stage and clock, and whether it is for the next pass.
    pub(super) queue: u8,
}

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
    /// That of a single message, which stands in its record.
    pub(super) const NONE: Self = Self {
        index: 0,
        life: 0,
        number: 0,
    };

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

impl Head {
    /// Returns `true` if it is of the posting with that number, and was not cancelled.
    #[inline]
    pub(super) fn is(&self, number: u32) -> bool {
        self.number == number && self.life != 0
    }

    /// The number of its posting, counted from the first of the batch.
    #[inline]
    pub(super) fn counted(&self) -> u64 {
        u64::from(self.number)
    }

    /// The message is cancelled.
    pub(super) fn cancel(&mut self) {
        self.life = 0;
    }
}

/// The heads of one batch, which stand beside its messages.
#[derive(Clone, Copy)]
pub(super) struct Heads<'q> {
    pub(super) messages: &'q dyn Messages,
    pub(super) row: usize,
}

impl Heads<'_> {
    #[inline]
    fn get(self, position: usize) -> Option<Head> {
        self.messages.head(self.row, position)
    }
}

/// What is asked of it when a message is added stands first, in one line of the cache.
#[repr(C, align(64))]
pub(super) struct Chunk {
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
    /// How many messages there are in a batch, those that are not pending any more among them.
    len: u32,
    /// One for each message of a batch, once they are not all the same.
    origins: Vec<Origin>,
    /// How many messages of a batch are not pending any more.
    gone: u32,
    /// What is before in a batch has come out.
    next: u32,
    /// So many times more it is not asked which [part](Self::part) a walk can deliver, since others came
    /// in between.
    skip_parts: u32,
    /// The message at `next`, once it was asked for.
    front: Option<(NonZeroU64, MessageeId)>,
    /// How many entries or messages need it.
    pub(super) in_use: u32,
    /// Of single messages.
    pub(super) records: Vec<Record>,
}

/// The next message of a batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    pub(super) position: u32,
    pub(super) number: u64,
    pub(super) to: MessageeId,
}

impl Chunk {
    /// A batch, whose first posting is that.
    pub(super) fn batch(term: Term, first: NonZeroU64, origin: Origin, room: usize) -> Self {
        Self {
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
            first: 0,
            due: term.due,
            sender: None,
            post_meta: 0,
            queue: term.queue,
            is_varied: false,
            is_dead: false,
            is_batch: false,
            room: room as u32,
            len: 0,
            origins: Vec::new(),
            gone: 0,
            next: 0,
            skip_parts: 0,
            front: None,
            in_use: 0,
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
    pub(super) fn live(&self) -> u32 {
        self.len - self.gone
    }

    /// Returns `true` if there is room in a batch for a posting of that number, which is counted from
    /// the first.
    #[inline]
    pub(super) fn has_room(&self, number: NonZeroU64) -> bool {
        self.len < self.room && u32::try_from(number.get() - self.first).is_ok()
    }

    /// Returns `true` if all messages of a batch are of that origin.
    #[inline]
    pub(super) fn is_of(&self, origin: Origin) -> bool {
        let bits = |sender: Option<MessageeId>| sender.map_or(0, |id| id.0.bits());
        bits(self.sender) == bits(origin.sender)
            && self.post_meta == origin.post_meta
            && !self.is_varied
    }

    /// Adds a message to a batch, and returns its position and its head.
    #[inline]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "a batch counts to the number"
    )]
    pub(super) fn push(&mut self, to: MessageeId, number: NonZeroU64) -> (u32, Head) {
        let position = self.len;
        self.len += 1;
        let head = Head {
            index: to.0.place(),
            life: to.0.life_bits(),
            number: (number.get() - self.first) as u32,
        };
        (position, head)
    }

    /// The next message to be added to a batch is of that origin, and others are not.
    #[inline(never)]
    pub(super) fn vary(&mut self, origin: Origin, postmarks: &mut Postmarks) {
        // Empty until messages of several origins are in it.
        let last = self.origins.last();
        if last.is_none_or(|last| last.post_meta != origin.post_meta) {
            self.vary_more(origin, postmarks);
        }
        self.origins.push(origin);
    }

    /// As [`vary`](Self::vary), where the metadata of the post are not those of the one before.
    #[cold]
    #[inline(never)]
    fn vary_more(&mut self, origin: Origin, postmarks: &mut Postmarks) {
        if !self.is_varied {
            self.is_varied = true;
            self.origins = Vec::with_capacity(self.room as usize);
            self.origins.resize(self.len as usize, self.first_origin());
        }
        let last = self.origins.last().map(|last| last.post_meta);
        if last.is_none_or(|last| last != origin.post_meta) {
            postmarks.enter_again(origin.post_meta);
        }
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
        self.len = 0;
        self.front = None;
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

    fn number_of(&self, head: Head) -> u64 {
        self.first + head.counted()
    }

    /// What is known of a message that is pending. `heads` are those of a batch.
    pub(super) fn record(&self, position: usize, heads: Heads<'_>) -> Option<Record> {
        if !self.is_batch {
            let record = self.records.get(position)?;
            let is_pending = record.number.is_some() && record.state != State::Cancelled;
            return is_pending.then_some(*record);
        }
        if position < self.next as usize || position >= self.len as usize {
            return None;
        }
        let head = heads.get(position)?;
        let to = head.to()?;
        let Origin { sender, post_meta } = self.origin(position);
        let number = NonZeroU64::new(self.number_of(head));
        Some(Record::batched(number, to, sender, self.due, post_meta))
    }

    /// Every message that is pending, with its position.
    pub(super) fn pending(&self, heads: Heads<'_>) -> impl Iterator<Item = (u32, Record)> {
        let positions = 0..self.records.len().max(self.len as usize);
        positions.filter_map(move |position| {
            let at = u32::try_from(position).ok()?;
            Some((at, self.record(position, heads)?))
        })
    }

    /// The number of a posting that may be that of a batch's message at a position, counted from the
    /// first, if that is pending.
    #[inline]
    pub(super) fn counted(&self, position: usize, number: NonZeroU64) -> Option<u32> {
        let is_pending = position >= self.next as usize && position < self.len as usize;
        let counted = number
            .get()
            .checked_sub(self.first)
            .filter(|_| is_pending)?;
        u32::try_from(counted).ok()
    }

    /// A message of a batch was cancelled.
    #[inline]
    pub(super) fn lose(&mut self) {
        self.gone += 1;
        self.front = None;
    }

    /// The next message of a batch that has not come out.
    #[inline]
    pub(super) fn front(&mut self, heads: Heads<'_>) -> Option<Next> {
        if self.front.is_none() {
            self.find_front(heads);
        }
        let (number, to) = self.front?;
        Some(Next {
            position: self.next,
            number: number.get(),
            to,
        })
    }

    /// The next message of a batch comes out, if it was posted before the posting of that number.
    #[inline]
    pub(super) fn take_front(&mut self, until: u64, heads: Heads<'_>) -> Option<Next> {
        let next = self.front(heads).filter(|next| next.number < until)?;
        self.pop();
        Some(next)
    }

    #[inline]
    fn find_front(&mut self, heads: Heads<'_>) {
        while self.next < self.len
            && let Some(head) = heads.get(self.next as usize)
        {
            if let (Some(to), Some(number)) = (head.to(), NonZeroU64::new(self.number_of(head))) {
                self.front = Some((number, to));
                return;
            }
            self.next += 1;
        }
    }

    /// The next message of a batch comes out.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.next += 1;
        self.gone += 1;
        self.front = None;
    }

    /// What a walk can deliver of a batch: from the next message on, those posted before a number.
    /// `None` if these are fewer than so many.
    pub(super) fn part(
        &mut self,
        until: u64,
        fewest: usize,
        heads: Heads<'_>,
    ) -> Option<(usize, usize)> {
        if self.skip_parts > 0 && until < u64::MAX {
            self.skip_parts -= 1;
            return None;
        }
        let next = self.front(heads)?.position as usize;
        let len = self.len as usize;
        if next + fewest > len {
            return None;
        }
        let comes_before = |position: usize| {
            let head = heads.get(position);
            head.is_some_and(|head| self.number_of(head) < until)
        };
        if until == u64::MAX || comes_before(len - 1) {
            return Some((next, len));
        }
        if !comes_before(next + fewest - 1) {
            self.skip_parts = SKIP_PARTS;
            return None;
        }
        let (mut end, mut behind) = (next + fewest, len);
        while end < behind {
            let middle = usize::midpoint(end, behind);
            if comes_before(middle) {
                end = middle + 1;
            } else {
                behind = middle;
            }
        }
        Some((next, end))
    }

    /// Returns `true` if it was found a moment ago that messages of others come in between.
    pub(super) fn alternates(&self) -> bool {
        self.skip_parts == SKIP_PARTS
    }

    /// The position of a batch's next message, for a walk.
    pub(super) fn next_mut(&mut self) -> &mut u32 {
        self.front = None;
        &mut self.next
    }

    /// A cursor at the next message of a batch that has not come out.
    pub(super) fn cursor(&mut self, heads: Heads<'_>) -> Option<Cursor> {
        let next = self.front(heads)?;
        Some(Cursor::new(next.number, self.first, next.position))
    }

    /// So many messages have come out, up to a position.
    pub(super) fn end_at(&mut self, position: u32, delivered: u32) {
        self.next = position;
        self.gone += delivered;
        self.front = None;
    }

    /// A walk has gone on from a position to the next message. Returns how many it has delivered.
    #[allow(clippy::cast_possible_truncation, reason = "a batch has few slots")]
    pub(super) fn advanced_from(&mut self, begin: usize, heads: Heads<'_>) -> usize {
        let walked = begin..self.next as usize;
        let delivered = if self.gone as usize == begin {
            walked.len()
        } else {
            let is_there = |at: usize| heads.get(at).is_some_and(|head| head.life != 0);
            let mut delivered = 0;
            for at in walked {
                delivered += usize::from(is_there(at));
            }
            delivered
        };
        self.gone += delivered as u32;
        delivered
    }
}
