//! The messages of one type that are pending, by value, in blocks: all of the schedule that is compiled
//! for each type.
//!
//! The [wheels](super::wheel) and [runs](super::run) are lists of numbers of blocks. Items are added at
//! the end of a block, and come out at its beginning, so a pass reads them as they lie.

use std::any::Any;
use std::collections::VecDeque;
use std::mem::size_of;

use crate::caught::FirstPanic;
use crate::error::HandlerError;
#[cfg(feature = "data")]
use crate::message::AnyMessage;
use crate::post::schedule::head::{Head, Item};
use crate::post::schedule::held::Stored;
use crate::post::schedule::stamp::Stamps;
use crate::post::schedule::wheel::{SLOTS, Slot};
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
    /// Opens another block in a slot and makes room for one message there. Returns the block.
    fn open(&mut self, slot: &mut Slot) -> u32;

    /// Frees a block, and drops what is left in it.
    fn close(&mut self, block: u32);

    fn len(&self, block: u32) -> usize;

    fn head(&self, block: u32, at: usize) -> Option<&Head>;

    /// Returns the first place in a list of blocks, which are in order, where no earlier posting is.
    /// `due` is given if they are in the order of due time first.
    fn search(&self, blocks: &[u32], due: Option<u64>, number: u64, stamps: &Stamps) -> Place;

    /// Moves the items of a block to the slots of a level, and frees the block. Returns a bit for each of
    /// these slots.
    fn spread(&mut self, block: u32, shift: u32, stamps: &Stamps, into: &mut [Slot; SLOTS]) -> u64;

    /// Puts all items of a list of blocks into the first of them. `places` has the place that each gets,
    /// and is used up.
    fn arrange(&mut self, blocks: &[u32], places: &mut [u32]);

    /// Takes a message out.
    fn take(&mut self, block: u32, at: usize) -> Option<Box<dyn ErasedMessage>>;

    /// Drops the first items of a block.
    fn pass_by(&mut self, block: u32, items: usize);

    /// Drops the items that were cancelled.
    fn sweep(&mut self, block: u32, stamps: &Stamps);

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
    /// The numbers of those that were freed.
    free: Vec<u32>,
    /// The memory of full-sized blocks that were freed, to be used again: W5.
    spare: Vec<Vec<Item<S>>>,
}

/// Messages in order.
enum Block<S> {
    /// Filled at the end.
    Filling(Vec<Item<S>>),
    /// Emptied from the beginning. Nothing is added, so the items stay in one slice.
    Coming(VecDeque<Item<S>>),
}

impl<S> Default for Block<S> {
    fn default() -> Self {
        Self::Filling(Vec::new())
    }
}

impl<S> Block<S> {
    #[inline]
    fn items(&self) -> &[Item<S>] {
        match self {
            Self::Filling(items) => items,
            Self::Coming(items) => items.as_slices().0,
        }
    }

    #[inline]
    fn items_mut(&mut self) -> &mut [Item<S>] {
        match self {
            Self::Filling(items) => items,
            Self::Coming(items) => items.as_mut_slices().0,
        }
    }

    /// Takes all items out.
    fn take(&mut self) -> Vec<Item<S>> {
        match std::mem::take(self) {
            Self::Filling(items) => items,
            Self::Coming(items) => items.into(),
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
            Self::Filling(_) => unreachable!("it was changed a moment ago"),
        }
    }

    /// Adds an item, for which there is room. Growing diverges, so that nothing is compiled for it.
    #[inline]
    fn add(&mut self, item: Item<S>) {
        match self {
            Self::Filling(items) if items.len() < items.capacity() => items.push(item),
            _ => is_broken(HAS_ROOM),
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

    /// Makes a block for a slot with that many others.
    fn block(&mut self, others: usize) -> Vec<Item<S>> {
        if others > 0
            && let Some(spare) = self.spare.pop()
        {
            return spare;
        }
        // As many as there are: so little room is never used, and few blocks are opened.
        let room = Self::ROOM.min(1 << others.clamp(1, 16));
        Vec::with_capacity(room)
    }

    /// Keeps the memory of an empty block, if it is worth that.
    fn recycle(&mut self, block: Vec<Item<S>>) {
        if block.capacity() >= Self::ROOM {
            self.spare.push(block);
        }
    }

    pub(super) fn boxed() -> Box<dyn Stock> {
        Box::new(Self {
            all: Vec::new(),
            free: Vec::new(),
            spare: Vec::new(),
        })
    }

    #[inline]
    pub(crate) fn of(stock: &mut dyn Stock) -> &mut Self {
        match (stock as &mut dyn Any).downcast_mut() {
            Some(blocks) => blocks,
            None => is_broken("a queue stands at the index of its message type"),
        }
    }

    /// Adds an item at the end of a block, which has room for it.
    #[inline]
    pub(crate) fn push(&mut self, block: u32, head: Head, message: S) {
        self.all[block as usize].add(Item { head, message });
    }

    /// Inserts an item at its place, in a block that is being filled.
    pub(super) fn insert(&mut self, block: u32, at: usize, head: Head, message: S) {
        match &mut self.all[block as usize] {
            Block::Filling(items) => items.insert(at, Item { head, message }),
            Block::Coming(_) => is_broken(HAS_ROOM),
        }
    }

    /// Returns the first place in a list of blocks that is not before what is sought.
    fn search_by(&self, blocks: &[u32], is_before: impl Fn(&Item<S>) -> bool) -> Place {
        let begins_before = |&block: &u32| {
            let first = self.all[block as usize].items().first();
            first.is_none_or(&is_before)
        };
        let nth = blocks.partition_point(begins_before).saturating_sub(1);
        let Some(block) = blocks.get(nth).map(|&block| &self.all[block as usize]) else {
            return Place { nth, at: 0 };
        };
        let at = block.items().partition_point(is_before);
        if at == block.items().len() && nth + 1 < blocks.len() {
            // The first of the next block is no earlier one.
            return Place {
                nth: nth + 1,
                at: 0,
            };
        }
        Place { nth, at }
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

const HAS_ROOM: &str = "a slot counts the room of its last block, which is being filled";

/// Fails out of line, so that little is compiled where it is called.
#[cold]
#[inline(never)]
fn is_broken(invariant: &str) -> ! {
    unreachable!("{invariant}")
}

impl<S: Stored> Stock for Blocks<S> {
    #[cold]
    #[inline(never)]
    fn open(&mut self, slot: &mut Slot) -> u32 {
        let block = self.block(slot.blocks.len());
        let room = block.capacity();
        let at = if let Some(free) = self.free.pop() {
            self.all[free as usize] = Block::Filling(block);
            free
        } else {
            self.all.push(Block::Filling(block));
            u32::try_from(self.all.len() - 1).expect("there are fewer than 2^32 blocks")
        };
        slot.blocks.push(at);
        slot.tail = at;
        slot.room = u32::try_from(room - 1).expect("a block has few messages");
        at
    }

    fn close(&mut self, block: u32) {
        let mut items = self.all[block as usize].take();
        self.free.push(block);
        // If a `Drop` unwinds here, only the memory is lost.
        items.clear();
        self.recycle(items);
    }

    fn len(&self, block: u32) -> usize {
        self.all[block as usize].items().len()
    }

    fn head(&self, block: u32, at: usize) -> Option<&Head> {
        let item = self.all.get(block as usize)?.items().get(at)?;
        Some(&item.head)
    }

    fn search(&self, blocks: &[u32], due: Option<u64>, number: u64, stamps: &Stamps) -> Place {
        let number_of = |item: &Item<S>| stamps.number(&item.head);
        match due {
            None => self.search_by(blocks, |item| number_of(item) < number),
            Some(due) => self.search_by(blocks, |item| {
                (stamps.due(&item.head), number_of(item)) < (due, number)
            }),
        }
    }

    fn spread(&mut self, block: u32, shift: u32, stamps: &Stamps, into: &mut [Slot; SLOTS]) -> u64 {
        let mut items = self.all[block as usize].take();
        self.free.push(block);
        let mut touched = 0;
        for item in items.drain(..) {
            let digit = (stamps.due(&item.head) >> shift) % SLOTS as u64;
            touched |= 1 << digit;
            let slot = &mut into[usize::try_from(digit).unwrap_or(0) % SLOTS];
            let block = slot.last().unwrap_or_else(|| self.open(slot));
            self.all[block as usize].add(item);
        }
        self.recycle(items);
        touched
    }

    fn arrange(&mut self, blocks: &[u32], places: &mut [u32]) {
        let mut items = Vec::with_capacity(places.len());
        for &block in blocks {
            items.append(&mut self.all[block as usize].take());
        }
        for at in 0..places.len() {
            while places[at] as usize != at {
                let to = places[at] as usize;
                items.swap(at, to);
                places.swap(at, to);
            }
        }
        if let Some(&first) = blocks.first() {
            self.all[first as usize] = Block::Filling(items);
        }
    }

    fn take(&mut self, block: u32, at: usize) -> Option<Box<dyn ErasedMessage>> {
        let item = match self.all.get_mut(block as usize)? {
            Block::Filling(items) if at < items.len() => items.remove(at),
            Block::Filling(_) => return None,
            Block::Coming(items) => items.remove(at)?,
        };
        Some(item.message.boxed())
    }

    fn pass_by(&mut self, block: u32, items: usize) {
        match &mut self.all[block as usize] {
            Block::Filling(all) if all.len() == items => all.clear(),
            block => drop(block.coming().drain(..items)),
        }
    }

    fn sweep(&mut self, block: u32, stamps: &Stamps) {
        let block = &mut self.all[block as usize];
        let mut items = block.take();
        items.retain(|item| !stamps.is_cancelled(&item.head));
        *block = Block::Filling(items);
    }

    #[cfg(feature = "data")]
    fn message(&self, block: u32, at: usize) -> Option<&dyn AnyMessage> {
        let item = self.all.get(block as usize)?.items().get(at)?;
        Some(item.message.as_any_message())
    }

    fn walk(&mut self, block: u32, walk: &mut Walk<'_>) -> Option<Box<HandlerError>> {
        S::walk(self.all[block as usize].items_mut(), walk)
    }

    fn shrink_to_fit(&mut self) {
        if self.free.len() == self.all.len() {
            (self.all, self.free) = (Vec::new(), Vec::new());
        }
        for block in &mut self.all {
            if let Block::Filling(items) = block {
                items.shrink_to_fit();
            }
        }
        self.free.shrink_to_fit();
        self.spare = Vec::new();
    }

    fn drop_all(&mut self, panics: &mut FirstPanic) {
        for block in &mut self.all {
            panics.drop_each(block.take());
        }
    }
}
