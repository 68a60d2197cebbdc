//! The messages of one type that are pending, by value, in blocks: all of the schedule that is compiled
//! for each type.
//!
//! The [wheels](super::wheel) and [runs](super::run) are lists of numbers of blocks. Items are added at
//! the end of a block, and come out at its beginning, so a pass reads them as they lie.

use std::any::Any;
use std::collections::VecDeque;
use std::mem::{needs_drop, size_of};

use crate::caught::FirstPanic;
use crate::error::HandlerError;
#[cfg(feature = "data")]
use crate::message::AnyMessage;
use crate::post::schedule::head::{Head, Item};
use crate::post::schedule::held::{DeliverFirst, Stored, deliver_first};
use crate::post::schedule::run::Key;
use crate::post::schedule::stamp::Stamps;
use crate::post::schedule::wheel::{BlockList, SLOTS};
use crate::post::walk::Walk;
use crate::send::ErasedMessage;

/// The most messages of a block, and the most bytes unless one message has more.
const BLOCK: usize = 512;
const BLOCK_BYTES: usize = 1 << 15;

/// A place in a list of blocks: which of them, and the position there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    pub(super) nth: usize,
    pub(super) at: usize,
}

/// The messages of one type, as all that does not depend on the type sees them.
pub(crate) trait Stock: Any + Send {
    /// Returns `true` if dropping one of the messages does something.
    fn needs_drop(&self) -> bool;

    /// Returns what delivers the first message of a block.
    fn deliver_first(&self) -> DeliverFirst;

    /// Makes room for one more message at the end of a list of blocks, and returns the block.
    fn make_room(&mut self, list: &mut BlockList) -> u32;

    /// Frees a block, and drops what is left in it.
    fn close(&mut self, block: u32);

    fn len(&self, block: u32) -> usize;

    fn head(&self, block: u32, at: usize) -> Option<&Head>;

    /// Returns the place in a list of blocks that are in order, where a message is or belongs. The due time of its key
    /// counts if they are in the order of due time first, and is zero otherwise.
    fn search(&self, blocks: &[u32], by_due: bool, key: Key, stamps: &Stamps) -> Place;

    /// Moves the items of a block to the slots of a level, and frees the block. Returns a bit for each of
    /// these slots.
    fn spread(
        &mut self,
        block: u32,
        shift: u32,
        stamps: &Stamps,
        into: &mut [BlockList; SLOTS],
    ) -> u64;

    /// Puts all items of a list of blocks in order, by due time if that is asked for, and by posting. They move to the
    /// first block, unless they are in order and the blocks are long.
    fn sort(&mut self, blocks: &mut BlockList, by_due: bool, stamps: &Stamps);

    /// Takes a message out.
    fn take(&mut self, block: u32, at: usize) -> Option<Box<dyn ErasedMessage>>;

    /// The first items of a block leave their stamps and are dropped.
    fn pass_by(&mut self, block: u32, items: usize, stamps: &mut Stamps);

    /// Drops the items that were cancelled, which leave their stamps. They still count as cancelled.
    fn sweep(&mut self, block: u32, stamps: &mut Stamps);

    #[cfg(feature = "data")]
    fn message(&self, block: u32, at: usize) -> Option<&dyn AnyMessage>;

    /// Calls handlers with the first items of a block. See [`walk`](crate::post::walk).
    fn walk(&mut self, block: u32, walk: &mut Walk<'_>) -> Option<Box<HandlerError>>;

    fn shrink_to_fit(&mut self);

    /// Drops every message, one by one.
    fn drop_all(&mut self, panics: &mut FirstPanic);
}

impl dyn Stock + '_ {
    /// Returns the head of the last message of a list of blocks.
    pub(super) fn last_head(&self, list: &BlockList) -> Option<&Head> {
        let &block = list.last()?;
        self.head(block, self.len(block).checked_sub(1)?)
    }

    /// Frees a block of a list, which has become empty.
    pub(super) fn close_in(&mut self, list: &mut BlockList, nth: usize) {
        self.close(list.remove(nth));
    }
}

/// The blocks of one type.
pub(crate) struct Blocks<S> {
    /// Filled at the end and emptied from the beginning.
    all: Vec<VecDeque<Item<S>>>,
    /// The numbers of those that were freed. Full-sized ones keep their memory, to be used again: W5.
    free: Vec<u32>,
}

impl<S: Stored> Blocks<S> {
    /// The room of a full-sized block.
    const ROOM: usize = {
        let fits = BLOCK_BYTES / size_of::<Item<S>>();
        match fits {
            0 => 1,
            1..BLOCK => fits,
            _ => BLOCK,
        }
    };

    /// Frees an empty block.
    fn free(&mut self, block: u32, items: VecDeque<Item<S>>) {
        if items.capacity() >= Self::ROOM {
            self.all[block as usize] = items;
        }
        self.free.push(block);
    }

    /// Returns `true` if a block has room for one more message.
    #[inline]
    pub(super) fn has_room(&self, block: u32) -> bool {
        let items = &self.all[block as usize];
        items.len() < items.capacity()
    }

    /// Makes the last block of a list longer, or opens another one there.
    #[cold]
    #[inline(never)]
    fn open(&mut self, list: &mut BlockList) -> u32 {
        let room = |block: u32| self.all[block as usize].capacity();
        let has_spare = self.free.last().is_some_and(|&free| room(free) > 0);
        match list.last() {
            Some(&last) if !has_spare && room(last) < Self::ROOM => {
                let items = &mut self.all[last as usize];
                let more = items.len().clamp(1, Self::ROOM - items.len());
                items.reserve_exact(more);
                last
            }
            last => {
                let at = self.free.pop().unwrap_or_else(|| {
                    self.all.push(VecDeque::new());
                    u32::try_from(self.all.len() - 1).expect("there are fewer than 2^32 blocks")
                });
                let items = &mut self.all[at as usize];
                // The first one of a slot is short, since many slots have few messages.
                if last.is_none() {
                    *items = VecDeque::with_capacity(Self::ROOM.min(2));
                } else if items.capacity() == 0 {
                    *items = VecDeque::with_capacity(Self::ROOM);
                }
                list.push(at);
                at
            }
        }
    }

    pub(super) fn boxed() -> Box<dyn Stock> {
        Box::new(Self {
            all: Vec::new(),
            free: Vec::new(),
        })
    }

    #[inline]
    pub(crate) fn of(stock: &mut dyn Stock) -> &mut Self {
        match (stock as &mut dyn Any).downcast_mut() {
            Some(blocks) => blocks,
            None => is_broken("a queue stands at the index of its message type"),
        }
    }

    /// Adds an item at the end of a block, which has room for it. Growing diverges, so that nothing is compiled for it.
    #[inline]
    pub(super) fn push(&mut self, block: u32, head: Head, message: S) {
        let items = &mut self.all[block as usize];
        if items.len() == items.capacity() {
            is_broken("a message is put where there is room");
        }
        items.push_back(Item { head, message });
    }

    /// Inserts an item at its place.
    pub(super) fn insert(&mut self, block: u32, at: usize, head: Head, message: S) {
        self.all[block as usize].insert(at, Item { head, message });
    }

    /// Returns the key of an item, without the due time unless that is asked for.
    fn key(item: &Item<S>, by_due: bool, stamps: &Stamps) -> Key {
        Key {
            due: if by_due { stamps.due(&item.head) } else { 0 },
            number: stamps.number(&item.head),
        }
    }

    /// Takes the first message of a block out.
    ///
    /// A block without one diverges out of line. If it were `None`, LLVM could merge that with an empty
    /// option and move a message of one integer bit by bit: `W5-word`.
    #[inline]
    pub(super) fn pop(&mut self, block: u32) -> S {
        match self.all[block as usize].pop_front() {
            Some(item) => item.message,
            None => is_broken("a message that is due is the first of its block"),
        }
    }
}

/// Fails out of line, so that little is compiled where it is called.
#[cold]
#[inline(never)]
fn is_broken(invariant: &str) -> ! {
    unreachable!("{invariant}")
}

impl<S: Stored> Stock for Blocks<S> {
    fn needs_drop(&self) -> bool {
        needs_drop::<S>()
    }

    fn deliver_first(&self) -> DeliverFirst {
        deliver_first::<S>
    }

    fn make_room(&mut self, list: &mut BlockList) -> u32 {
        let last = list.last().copied();
        let last = last.filter(|&last| self.has_room(last));
        last.unwrap_or_else(|| self.open(list))
    }

    fn close(&mut self, block: u32) {
        let mut items = std::mem::take(&mut self.all[block as usize]);
        // If a `Drop` unwinds here, only the memory is lost.
        items.clear();
        self.free(block, items);
    }

    fn len(&self, block: u32) -> usize {
        self.all[block as usize].len()
    }

    fn head(&self, block: u32, at: usize) -> Option<&Head> {
        let item = self.all[block as usize].get(at)?;
        Some(&item.head)
    }

    fn search(&self, blocks: &[u32], by_due: bool, key: Key, stamps: &Stamps) -> Place {
        let key_of = |item: &Item<S>| Self::key(item, by_due, stamps);
        let begins_before = |&block: &u32| {
            let first = self.all[block as usize].front();
            first.is_none_or(|first| key_of(first) <= key)
        };
        let nth = blocks.partition_point(begins_before).saturating_sub(1);
        let Some(&block) = blocks.get(nth) else {
            return Place { nth, at: 0 };
        };
        let at = self.all[block as usize].partition_point(|item| key_of(item) < key);
        Place { nth, at }
    }

    fn spread(
        &mut self,
        block: u32,
        shift: u32,
        stamps: &Stamps,
        into: &mut [BlockList; SLOTS],
    ) -> u64 {
        let mut items = std::mem::take(&mut self.all[block as usize]);
        let mut touched = 0;
        for item in items.drain(..) {
            let digit = (stamps.due(&item.head) >> shift) % SLOTS as u64;
            touched |= 1 << digit;
            let block = self.make_room(&mut into[usize::try_from(digit).unwrap_or(0) % SLOTS]);
            self.all[block as usize].push_back(item);
        }
        self.free(block, items);
        touched
    }

    fn sort(&mut self, blocks: &mut BlockList, by_due: bool, stamps: &Stamps) {
        let key = |item: &Item<S>| Self::key(item, by_due, stamps);
        let all = || blocks.iter().flat_map(|&block| &self.all[block as usize]);
        let is_sorted = all().is_sorted_by_key(key);
        // A walk begins anew for each block, so short ones are put together: W5-word.
        if is_sorted && all().count() >= 16 * (blocks.len() - 1) {
            return;
        }
        let mut items = VecDeque::new();
        for &block in &*blocks {
            items.append(&mut self.all[block as usize]);
        }
        if !is_sorted {
            items.make_contiguous().sort_by_cached_key(key);
        }
        self.all[blocks[0] as usize] = items;
        for block in blocks.drain(1..) {
            self.close(block);
        }
    }

    fn take(&mut self, block: u32, at: usize) -> Option<Box<dyn ErasedMessage>> {
        let item = self.all[block as usize].remove(at)?;
        Some(item.message.boxed())
    }

    fn pass_by(&mut self, block: u32, items: usize, stamps: &mut Stamps) {
        let all = &mut self.all[block as usize];
        let passed = &all.make_contiguous()[..items];
        for same in passed.chunk_by(|a, b| a.head.stamp == b.head.stamp) {
            stamps.leave(same[0].head.stamp, same.len());
        }
        drop(all.drain(..items));
    }

    fn sweep(&mut self, block: u32, stamps: &mut Stamps) {
        self.all[block as usize].retain(|item| {
            let is_cancelled = stamps.is_cancelled(&item.head);
            if is_cancelled {
                stamps.leave(item.head.stamp, 1);
            }
            !is_cancelled
        });
    }

    #[cfg(feature = "data")]
    fn message(&self, block: u32, at: usize) -> Option<&dyn AnyMessage> {
        let item = self.all[block as usize].get(at)?;
        Some(item.message.as_any_message())
    }

    fn walk(&mut self, block: u32, walk: &mut Walk<'_>) -> Option<Box<HandlerError>> {
        S::walk(self.all[block as usize].make_contiguous(), walk)
    }

    fn shrink_to_fit(&mut self) {
        if self.free.len() == self.all.len() {
            (self.all, self.free) = (Vec::new(), Vec::new());
        }
        for block in &mut self.all {
            block.shrink_to_fit();
        }
        self.free.shrink_to_fit();
    }

    fn drop_all(&mut self, panics: &mut FirstPanic) {
        for block in &mut self.all {
            panics.drop_each(std::mem::take(block));
        }
    }
}
