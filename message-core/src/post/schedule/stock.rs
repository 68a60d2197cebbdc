//! The pending messages of one type, in blocks: their heads here, and the messages themselves at the same places of a
//! [column](super::column). All that is decided about them is decided by their heads, so it is compiled once.
//!
//! The [wheels](super::wheel) and [runs](super::run) are lists of numbers of blocks. Messages are added at
//! the end of a block, and come out at its beginning, so a pass reads them as they lie.

use std::mem::{size_of, take};

use crate::message::AnyMessage;
use crate::post::schedule::column::Column;
use crate::post::schedule::wheel::{BlockList, SLOTS};
use crate::post::schedule::{Head, Held, Key, Stamps};
use crate::storage::narrow;

/// The most messages of a block, and the most bytes unless one message has more.
const BLOCK: usize = 512;
const BLOCK_BYTES: usize = 1 << 15;

/// The invariant behind a block that was asked to have room.
const ROOM: &str = "a block has the room that was made in it";

/// A place in a list of blocks: which of them, and the position there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(super) nth: usize,
    pub(super) at: usize,
}

/// The blocks of one type.
pub(crate) struct Stock {
    blocks: Vec<Block>,
    column: Box<dyn Column>,
    /// Makes a column without blocks.
    make_column: fn() -> Box<dyn Column>,
    /// The numbers of those that were freed. Full-sized ones keep their memory, to be used again: W5.
    free: Vec<u32>,
    /// The room of a full-sized block.
    room: usize,
    /// Places on their way to the column. Kept for their memory.
    places: Vec<u32>,
}

/// Messages in order.
#[derive(Default)]
struct Block {
    heads: Vec<Head>,
    /// The number of messages that have come out in front. Their heads stay.
    gone: usize,
}

impl Block {
    #[inline]
    fn heads(&self) -> &[Head] {
        &self.heads[self.gone..]
    }

    fn clear(&mut self) {
        self.heads.clear();
        self.gone = 0;
    }

    /// Adds a head at the end, if there is room. Inlined, since a head that was just written in pieces is not read as a
    /// whole without a delay.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "part of a post: W5")]
    fn push(&mut self, head: Head) -> Option<()> {
        if self.heads.len() == self.heads.capacity() {
            return None;
        }
        self.heads.push(head);
        Some(())
    }
}

/// The messages have to be cloneable. The blocks of the clone have as much room, so that posts go on as they would here.
impl Clone for Stock {
    fn clone(&self) -> Self {
        let mut clone = Self::new(self.make_column);
        clone.clone_from(self);
        clone
    }

    fn clone_from(&mut self, from: &Self) {
        if self.blocks.len() > from.blocks.len() {
            // Its column would have blocks that the other does not have.
            *self = Self::new(from.make_column);
        }
        self.blocks.resize_with(from.blocks.len(), Block::default);
        for (block, (to, from_block)) in (0..).zip(self.blocks.iter_mut().zip(&from.blocks)) {
            to.clear();
            if !from_block.heads().is_empty() {
                to.heads.reserve_exact(from_block.heads.capacity());
                to.heads.extend_from_slice(from_block.heads());
            }
            let room = to.heads.capacity();
            from.column.copy_block(block, room, &mut *self.column);
        }
        self.free.clone_from(&from.free);
    }
}

impl Stock {
    pub(super) fn new(make_column: fn() -> Box<dyn Column>) -> Self {
        let column = make_column();
        let fits = BLOCK_BYTES / (size_of::<Head>() + column.message_size());
        Self {
            blocks: Vec::new(),
            column,
            make_column,
            free: Vec::new(),
            room: fits.clamp(1, BLOCK),
            places: Vec::new(),
        }
    }

    #[inline]
    pub(crate) fn column(&mut self) -> &mut dyn Column {
        &mut *self.column
    }

    #[inline]
    pub(super) fn heads(&self, block: u32) -> &[Head] {
        self.blocks[block as usize].heads()
    }

    #[inline]
    pub(super) fn len(&self, block: u32) -> usize {
        self.heads(block).len()
    }

    #[inline]
    pub(in crate::post) fn head(&self, block: u32, at: usize) -> Option<&Head> {
        self.heads(block).get(at)
    }

    /// Adds the head of a message at the end of a block, if there is room. The message has to be added to the column
    /// next.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "part of a post: W5")]
    pub(super) fn push_head(&mut self, block: u32, head: Head) -> Option<()> {
        self.blocks[block as usize].push(head)
    }

    /// Inserts a message at its place.
    pub(super) fn insert(&mut self, (block, at): (u32, usize), head: Head, message: &mut dyn Held) {
        self.straighten(block);
        let heads = &mut self.blocks[block as usize].heads;
        let last = heads.len();
        if last == heads.capacity() {
            self.set_room(block, 2 * last + 1);
        }
        self.blocks[block as usize].heads.push(head);
        message.store(&mut *self.column, block);
        if at < last {
            self.reorder(block, at, [last].into_iter().chain(at..last));
        }
    }

    /// Gives a block room for exactly that many messages.
    fn set_room(&mut self, block: u32, room: usize) {
        let it = &mut self.blocks[block as usize];
        it.heads.reserve_exact(room - it.heads.len());
        it.heads.shrink_to(room);
        self.column.set_room(block, it.heads.capacity());
    }

    /// Forgets the heads of the messages that have come out of a block.
    fn straighten(&mut self, block: u32) {
        let it = &mut self.blocks[block as usize];
        it.heads.drain(..take(&mut it.gone));
    }

    /// Puts the messages of a block from a place on into an order, given by their places.
    fn reorder(&mut self, block: u32, start: usize, order: impl IntoIterator<Item = usize>) {
        let heads = &mut self.blocks[block as usize].heads;
        self.places.clear();
        for (at, mut from) in (start..).zip(order) {
            // One that was at a place before has been swapped to where that one came from.
            while from < at {
                from = self.places[from - start] as usize;
            }
            self.places.push(narrow(from));
            heads.swap(at, from);
        }
        self.column.swap(block, start, &self.places);
    }

    /// Returns how many messages a block has room for that is being filled.
    #[inline]
    fn room(&self, block: u32) -> usize {
        self.blocks[block as usize].heads.capacity()
    }

    /// Makes room for one more message at the end of a list of blocks, and returns the block.
    pub(super) fn make_room(&mut self, blocks: &mut BlockList) -> u32 {
        let last = blocks.last().copied();
        let last = last.filter(|&last| self.len(last) < self.room(last));
        last.unwrap_or_else(|| self.open(blocks))
    }

    /// Makes the last block of a list longer, or opens another one there. Returns the block.
    #[cold]
    #[inline(never)]
    fn open(&mut self, blocks: &mut BlockList) -> u32 {
        let has_spare = self.free.last().is_some_and(|&free| self.room(free) > 0);
        match blocks.last() {
            Some(&last) if !has_spare && self.len(last).max(self.room(last)) < self.room => {
                self.straighten(last);
                let room = 2 * self.len(last).max(1);
                self.set_room(last, room.min(self.room).max(self.room(last)));
                last
            }
            last => {
                // The first one of a slot is short, since many slots have few messages.
                let room = if last.is_none() { 2 } else { self.room };
                let at = self.free.pop().unwrap_or_else(|| {
                    self.blocks.push(Block::default());
                    narrow(self.blocks.len() - 1)
                });
                self.set_room(at, room.min(self.room));
                blocks.push(at);
                at
            }
        }
    }

    /// Returns the head of the last message of a list of blocks.
    pub(super) fn last_head(&self, list: &BlockList) -> Option<&Head> {
        self.heads(*list.last()?).last()
    }

    /// Frees a block of a list, which has become empty.
    pub(super) fn close_in(&mut self, list: &mut BlockList, nth: usize) {
        self.close(list.remove(nth));
    }

    /// Frees an empty block.
    fn free(&mut self, block: u32) {
        if self.room(block) < self.room {
            self.set_room(block, 0);
        }
        self.free.push(block);
    }

    /// Frees a block, and drops what is left in it.
    pub(super) fn close(&mut self, block: u32) {
        self.blocks[block as usize].clear();
        // If a `Drop` unwinds here, only the memory is lost.
        self.column.truncate(block, 0);
        self.free(block);
    }

    /// Returns the place in a list of blocks that are in order, where a message is or belongs. The due time of its key
    /// counts if they are in the order of due time first, and is zero otherwise.
    pub(super) fn search(&self, blocks: &[u32], by_due: bool, key: Key, stamps: &Stamps) -> Place {
        let key_of = |head: &Head| key_of(head, by_due, stamps);
        let begins_before = |&block: &u32| {
            let first = self.heads(block).first();
            first.is_none_or(|first| key_of(first) <= key)
        };
        let nth = blocks.partition_point(begins_before).saturating_sub(1);
        let Some(&block) = blocks.get(nth) else {
            return Place { nth, at: 0 };
        };
        let at = self.heads(block).partition_point(|head| key_of(head) < key);
        Place { nth, at }
    }

    /// Moves the messages of a block to the slots of a level, and frees the block. Returns a bit for each of
    /// these slots.
    pub(super) fn spread(
        &mut self,
        block: u32,
        shift: u32,
        stamps: &Stamps,
        into: &mut [BlockList; SLOTS],
    ) -> u64 {
        self.straighten(block);
        let it = &mut self.blocks[block as usize];
        let (heads, mut to) = (take(&mut it.heads), take(&mut self.places));
        let (mut touched, mut stamp, mut since) = (0, u32::MAX, 0);
        // The blocks at the ends of the slots, once they are known.
        let mut ends = [u32::MAX; SLOTS];
        to.clear();
        to.resize(heads.len(), 0);
        for (head, to) in heads.iter().zip(&mut to) {
            if head.stamp != stamp {
                (stamp, since) = (head.stamp, stamps.get(head.stamp).due);
            }
            let digit = ((since + u64::from(head.due)) >> shift) % SLOTS as u64;
            let digit = usize::try_from(digit).unwrap_or(0) % SLOTS;
            let end = self.blocks.get_mut(ends[digit] as usize);
            if end.and_then(|end| end.push(*head)).is_none() {
                touched |= 1 << digit;
                ends[digit] = self.make_room(&mut into[digit]);
                self.push_head(ends[digit], *head).expect(ROOM);
            }
            *to = ends[digit];
        }
        self.column.scatter(block, &to);
        let it = &mut self.blocks[block as usize];
        it.heads = heads;
        it.clear();
        self.places = to;
        self.free(block);
        touched
    }

    /// Puts all messages of a list of blocks in order, by due time if that is asked for, and by posting. They move to
    /// the first block, unless they are in order and the blocks are long.
    pub(super) fn sort(&mut self, blocks: &mut BlockList, by_due: bool, stamps: &Stamps) {
        let key = |head: &Head| key_of(head, by_due, stamps);
        let all = || blocks.iter().flat_map(|&block| self.heads(block));
        let (is_sorted, count) = (all().is_sorted_by_key(key), all().count());
        // A walk begins anew for each block, so short ones are put together: W5-word.
        if is_sorted && count >= 16 * (blocks.len() - 1) {
            return;
        }
        let first = blocks[0];
        if blocks.len() > 1 {
            self.set_room(first, count);
        }
        for block in blocks.drain(1..) {
            self.straighten(block);
            let heads = take(&mut self.blocks[block as usize].heads);
            self.blocks[first as usize].heads.extend_from_slice(&heads);
            self.column.scatter(block, &vec![first; heads.len()]);
            self.blocks[block as usize].heads = heads;
            self.close(block);
        }
        if !is_sorted {
            let mut order: Vec<usize> = (0..count).collect();
            let heads = self.heads(first);
            order.sort_by_cached_key(|&at| key(&heads[at]));
            self.reorder(first, 0, order);
        }
    }

    /// Takes a message out.
    pub(super) fn take(&mut self, block: u32, at: usize) -> Option<(Head, Box<dyn AnyMessage>)> {
        self.straighten(block);
        let heads = &mut self.blocks[block as usize].heads;
        if at >= heads.len() {
            return None;
        }
        let head = heads.remove(at);
        // It comes to the front, since each one before it changes places with the next.
        self.places.clear();
        self.places.resize(at, narrow(at));
        self.column.swap(block, 0, &self.places);
        Some((head, self.column.remove_first(block)))
    }

    /// Takes the head of the first message of a block out. The message has to be taken out of the column next.
    #[inline]
    pub(super) fn pop_head(&mut self, block: u32) {
        self.blocks[block as usize].gone += 1;
    }

    /// The first messages of a block leave their stamps and are dropped.
    pub(in crate::post) fn pass_by(&mut self, block: u32, items: usize, stamps: &mut Stamps) {
        let (passed, left) = self.heads(block).split_at(items);
        for same in passed.chunk_by(|one, other| one.stamp == other.stamp) {
            stamps.leave(same[0].stamp, same.len());
        }
        // The messages last, since a `Drop` may panic.
        if left.is_empty() {
            self.blocks[block as usize].clear();
            self.column.truncate(block, 0);
        } else {
            self.blocks[block as usize].gone += items;
            self.column.pass_by(block, items);
        }
    }

    /// Drops the messages of a list of blocks that were cancelled, and frees the blocks that have become empty.
    pub(super) fn sweep(&mut self, blocks: &mut BlockList, stamps: &mut Stamps) {
        for nth in (0..blocks.len()).rev() {
            if stamps.cancelled.waiting == 0 {
                return;
            }
            let block = blocks[nth];
            self.straighten(block);
            let heads = &mut self.blocks[block as usize].heads;
            let Some(start) = heads.iter().position(|head| stamps.is_cancelled(head)) else {
                continue;
            };
            self.places.clear();
            for at in start..heads.len() {
                let head = heads[at];
                if stamps.is_cancelled(&head) {
                    stamps.cancelled.waiting -= 1;
                    stamps.leave(head.stamp, 1);
                } else {
                    heads.swap(start + self.places.len(), at);
                    self.places.push(narrow(at));
                }
            }
            let len = start + self.places.len();
            heads.truncate(len);
            self.column.swap(block, start, &self.places);
            self.column.truncate(block, len);
            if self.len(block) == 0 {
                self.close_in(blocks, nth);
            }
        }
    }

    pub(super) fn message(&self, block: u32, at: usize) -> Option<&dyn AnyMessage> {
        (at < self.len(block)).then(|| self.column.message(block, at))
    }

    /// Returns the heads of a block, and the column that has its messages.
    pub(in crate::post) fn walkable(&mut self, block: u32) -> (&[Head], &mut dyn Column) {
        (self.blocks[block as usize].heads(), &mut *self.column)
    }

    pub(super) fn shrink_to_fit(&mut self) {
        if self.free.len() == self.blocks.len() {
            self.column = (self.make_column)();
            (self.blocks, self.free) = (Vec::new(), Vec::new());
        }
        for block in 0..narrow(self.blocks.len()) {
            self.straighten(block);
            self.set_room(block, self.len(block));
        }
        self.free.shrink_to_fit();
        self.places = Vec::new();
    }
}

/// Returns the key of a message, without the due time unless that is asked for.
fn key_of(head: &Head, by_due: bool, stamps: &Stamps) -> Key {
    Key {
        due: if by_due { stamps.due(head) } else { 0 },
        number: stamps.number(head),
    }
}
