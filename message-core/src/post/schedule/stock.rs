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
use crate::post::schedule::wheel::{BlockList, SLOTS, Slot};
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

    /// Makes the last block of a slot longer, or opens another one there, and makes room for one message. Returns the
    /// block.
    fn open(&mut self, slot: &mut Slot) -> u32;

    /// Frees a block, and drops what is left in it.
    fn close(&mut self, block: u32);

    fn len(&self, block: u32) -> usize;

    fn head(&self, block: u32, at: usize) -> Option<&Head>;

    /// Returns the place in a list of blocks that are in order, where a message is or belongs. The due time of its key
    /// counts if they are in the order of due time first, and is zero otherwise.
    fn search(&self, blocks: &[u32], by_due: bool, key: Key, stamps: &Stamps) -> Place;

    /// Moves the items of a block to the slots of a level, and frees the block. Returns a bit for each of
    /// these slots.
    fn spread(&mut self, block: u32, shift: u32, stamps: &Stamps, into: &mut [Slot; SLOTS]) -> u64;

    /// Puts all items of a list of blocks in order, by due time if that is asked for, and by posting. They move to the
    /// first block, unless they are in order and the blocks are long.
    fn sort(&mut self, blocks: &mut BlockList, by_due: bool, stamps: &Stamps);

    /// Takes a message out.
    fn take(&mut self, block: u32, at: usize) -> Option<Box<dyn ErasedMessage>>;

    /// The first items of a block leave their stamps.
    fn leave(&self, block: u32, items: usize, stamps: &mut Stamps);

    /// Drops the first items of a block.
    fn pass_by(&mut self, block: u32, items: usize);

    /// Drops the items that were cancelled, which leave their stamps. Returns how many there were. They still count as
    /// cancelled.
    fn sweep(&mut self, block: u32, stamps: &mut Stamps) -> usize;

    #[cfg(feature = "data")]
    fn message(&self, block: u32, at: usize) -> Option<&dyn AnyMessage>;

    /// Calls handlers with the first items of a block. See [`walk`](crate::post::walk).
    fn walk(&mut self, block: u32, walk: &mut Walk<'_>) -> Option<Box<HandlerError>>;

    fn shrink_to_fit(&mut self);

    /// Drops every message, one by one.
    fn drop_all(&mut self, panics: &mut FirstPanic);
}

/// The blocks of one type.
pub(crate) struct Blocks<S> {
    all: Vec<Block<S>>,
    /// The numbers of those that were freed. Full-sized ones keep their memory, to be used again: W5.
    free: Vec<u32>,
}

/// Messages in order.
enum Block<S> {
    /// Filled at the end.
    Filling(Vec<Item<S>>),
    /// Emptied from the beginning. Nothing is added, so the items stay in one slice.
    Coming(VecDeque<Item<S>>),
}

impl<S> Block<S> {
    #[inline]
    fn items(&self) -> &[Item<S>] {
        match self {
            Self::Filling(items) => items,
            Self::Coming(items) => items.as_slices().0,
        }
    }

    /// Returns the items, to change them anywhere.
    #[inline]
    fn filling(&mut self) -> &mut Vec<Item<S>> {
        if let Self::Coming(items) = self {
            *self = Self::Filling(std::mem::take(items).into());
        }
        match self {
            Self::Filling(items) => items,
            Self::Coming(_) => is_broken("it was changed a moment ago"),
        }
    }

    /// Returns the items, to take some out at the beginning.
    #[inline]
    fn coming(&mut self) -> &mut VecDeque<Item<S>> {
        if let Self::Filling(items) = self {
            *self = Self::Coming(std::mem::take(items).into());
        }
        match self {
            Self::Coming(items) => items,
            Self::Filling(_) => is_broken("it was changed a moment ago"),
        }
    }
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
    fn free(&mut self, block: u32, items: Vec<Item<S>>) {
        if items.capacity() >= Self::ROOM {
            *self.all[block as usize].filling() = items;
        }
        self.free.push(block);
    }

    /// Returns how many items a block that is being filled has room for.
    fn room(&self, block: u32) -> usize {
        match &self.all[block as usize] {
            Block::Filling(items) => items.capacity(),
            Block::Coming(_) => 0,
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

    #[inline]
    fn items(&self, block: u32) -> &[Item<S>] {
        self.all[block as usize].items()
    }

    /// Adds an item at the end of a block, which has room for it. Growing diverges, so that nothing is compiled for it.
    #[inline]
    pub(crate) fn push(&mut self, block: u32, head: Head, message: S) {
        match &mut self.all[block as usize] {
            Block::Filling(items) if items.len() < items.capacity() => {
                items.push(Item { head, message });
            }
            _ => is_broken("a slot counts the room of its last block, which is being filled"),
        }
    }

    /// Inserts an item at its place.
    pub(super) fn insert(&mut self, block: u32, at: usize, head: Head, message: S) {
        self.all[block as usize]
            .filling()
            .insert(at, Item { head, message });
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
        match self.all[block as usize].coming().pop_front() {
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

    #[cold]
    #[inline(never)]
    fn open(&mut self, slot: &mut Slot) -> u32 {
        let has_spare = self.free.last().is_some_and(|&free| self.room(free) > 0);
        let at = match slot.blocks.last() {
            Some(&last) if !has_spare && self.room(last) < Self::ROOM => {
                let items = self.all[last as usize].filling();
                if items.len() == items.capacity() {
                    let more = items.len().clamp(1, Self::ROOM - items.len());
                    items.reserve_exact(more);
                }
                last
            }
            last => {
                // The first one of a slot is short, since many slots have few messages.
                let room = if last.is_none() { 2 } else { Self::ROOM };
                let at = self.free.pop().unwrap_or_else(|| {
                    self.all.push(Block::Filling(Vec::new()));
                    u32::try_from(self.all.len() - 1).expect("there are fewer than 2^32 blocks")
                });
                let items = self.all[at as usize].filling();
                if last.is_none() || items.capacity() == 0 {
                    *items = Vec::with_capacity(room.min(Self::ROOM));
                }
                slot.blocks.push(at);
                at
            }
        };
        let room = self.room(at) - self.len(at);
        slot.tail = at;
        slot.room = u32::try_from(room - 1).expect("a block has few messages");
        at
    }

    fn close(&mut self, block: u32) {
        let mut items = std::mem::take(self.all[block as usize].filling());
        // If a `Drop` unwinds here, only the memory is lost.
        items.clear();
        self.free(block, items);
    }

    fn len(&self, block: u32) -> usize {
        self.items(block).len()
    }

    fn head(&self, block: u32, at: usize) -> Option<&Head> {
        let item = self.items(block).get(at)?;
        Some(&item.head)
    }

    fn search(&self, blocks: &[u32], by_due: bool, key: Key, stamps: &Stamps) -> Place {
        let key_of = |item: &Item<S>| Self::key(item, by_due, stamps);
        let begins_before = |&block: &u32| {
            let first = self.items(block).first();
            first.is_none_or(|first| key_of(first) <= key)
        };
        let nth = blocks.partition_point(begins_before).saturating_sub(1);
        let Some(&block) = blocks.get(nth) else {
            return Place { nth, at: 0 };
        };
        let at = self.items(block).partition_point(|item| key_of(item) < key);
        Place { nth, at }
    }

    fn spread(&mut self, block: u32, shift: u32, stamps: &Stamps, into: &mut [Slot; SLOTS]) -> u64 {
        let mut items = std::mem::take(self.all[block as usize].filling());
        let mut touched = 0;
        for item in items.drain(..) {
            let digit = (stamps.due(&item.head) >> shift) % SLOTS as u64;
            touched |= 1 << digit;
            let slot = &mut into[usize::try_from(digit).unwrap_or(0) % SLOTS];
            let block = slot.last().unwrap_or_else(|| self.open(slot));
            self.all[block as usize].filling().push(item);
        }
        self.free(block, items);
        touched
    }

    fn sort(&mut self, blocks: &mut BlockList, by_due: bool, stamps: &Stamps) {
        let key = |item: &Item<S>| Self::key(item, by_due, stamps);
        let all = || blocks.iter().flat_map(|&block| self.items(block));
        let is_sorted = all().is_sorted_by_key(key);
        // A walk begins anew for each block, so short ones are put together: W5-word.
        if is_sorted && all().count() >= 16 * (blocks.len() - 1) {
            return;
        }
        let mut items = Vec::new();
        for &block in &*blocks {
            items.append(self.all[block as usize].filling());
        }
        if !is_sorted {
            items.sort_by_cached_key(key);
        }
        *self.all[blocks[0] as usize].filling() = items;
        for block in blocks.drain(1..) {
            self.close(block);
        }
    }

    fn take(&mut self, block: u32, at: usize) -> Option<Box<dyn ErasedMessage>> {
        let items = self.all[block as usize].filling();
        (at < items.len()).then(|| items.remove(at).message.boxed())
    }

    fn leave(&self, block: u32, items: usize, stamps: &mut Stamps) {
        let mut passed = &self.items(block)[..items];
        while let Some(first) = passed.first() {
            let stamp = first.head.stamp;
            let same = passed.iter().take_while(|item| item.head.stamp == stamp);
            let same = same.count();
            stamps.leave(stamp, same);
            passed = &passed[same..];
        }
    }

    fn pass_by(&mut self, block: u32, items: usize) {
        match &mut self.all[block as usize] {
            Block::Filling(all) if all.len() == items => all.clear(),
            block => drop(block.coming().drain(..items)),
        }
    }

    fn sweep(&mut self, block: u32, stamps: &mut Stamps) -> usize {
        let items = self.all[block as usize].filling();
        let before = items.len();
        items.retain(|item| {
            let is_cancelled = stamps.is_cancelled(&item.head);
            if is_cancelled {
                stamps.leave(item.head.stamp, 1);
            }
            !is_cancelled
        });
        before - items.len()
    }

    #[cfg(feature = "data")]
    fn message(&self, block: u32, at: usize) -> Option<&dyn AnyMessage> {
        let item = self.items(block).get(at)?;
        Some(item.message.as_any_message())
    }

    fn walk(&mut self, block: u32, walk: &mut Walk<'_>) -> Option<Box<HandlerError>> {
        let items = match &mut self.all[block as usize] {
            Block::Filling(items) => items,
            Block::Coming(items) => items.as_mut_slices().0,
        };
        S::walk(items, walk)
    }

    fn shrink_to_fit(&mut self) {
        if self.free.len() == self.all.len() {
            (self.all, self.free) = (Vec::new(), Vec::new());
        }
        for block in &mut self.all {
            block.filling().shrink_to_fit();
        }
        self.free.shrink_to_fit();
    }

    fn drop_all(&mut self, panics: &mut FirstPanic) {
        for block in &mut self.all {
            panics.drop_each(std::mem::take(block.filling()));
        }
    }
}
