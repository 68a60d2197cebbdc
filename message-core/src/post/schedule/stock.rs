//! The messages of one type that are pending, by value, in blocks: all of the schedule that is compiled
//! for each type.
//!
//! The [wheels](super::wheel) and [runs](super::run) are lists of numbers of blocks. Items are added at
//! the end of a block, and come out at its beginning, so a pass reads them as they lie.

use std::any::Any;
use std::cell::RefMut;
use std::collections::VecDeque;
use std::mem::{needs_drop, size_of};

use crate::caught::FirstPanic;
use crate::error::HandlerError;
#[cfg(feature = "data")]
use crate::message::AnyMessage;
use crate::message::{Facts, Message};
use crate::post::pass::Due;
use crate::post::schedule::head::{Head, Item};
use crate::post::schedule::search::partition_near;
use crate::post::schedule::stamp::Stamps;
use crate::post::schedule::wheel::{SLOTS, Slot};
use crate::post::walk::{Walk, walk};
use crate::send::ErasedMessage;
use crate::send::erased::{BoxedMessage, OwnedMessage};
use crate::world::World;

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

    fn head_mut(&mut self, block: u32, at: usize) -> Option<&mut Head>;

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

    /// Takes a message out if it is to be dropped at once, since that does something. Otherwise only marks
    /// it, which is cheaper: W5-cancel.
    fn cancel(&mut self, block: u32, at: usize) -> Option<Box<dyn ErasedMessage>>;

    /// Drops the first items of a block.
    fn pass_by(&mut self, block: u32, items: usize);

    /// Drops the items that were cancelled.
    fn sweep(&mut self, block: u32);

    #[cfg(feature = "data")]
    fn message(&self, block: u32, at: usize) -> Option<&dyn AnyMessage>;

    /// Calls handlers with the first items of a block. See [`walk`].
    fn walk(&mut self, block: u32, walk: &mut Walk<'_>) -> Option<Box<HandlerError>>;

    fn shrink_to_fit(&mut self);

    /// Drops every message, one by one.
    fn drop_all(&mut self, panics: &mut FirstPanic);
}

/// The blocks of one type.
pub(crate) struct Blocks<S> {
    blocks: Vec<VecDeque<Item<S>>>,
    free: Vec<u32>,
}

impl<S: Stored> Blocks<S> {
    pub(super) fn boxed() -> Box<dyn Stock> {
        Box::new(Self {
            blocks: Vec::new(),
            free: Vec::new(),
        })
    }

    #[inline]
    pub(crate) fn of(stock: &mut dyn Stock) -> &mut Self {
        match (stock as &mut dyn Any).downcast_mut() {
            Some(blocks) => blocks,
            None => is_of_another_type(),
        }
    }

    /// Adds an item at the end of a block, which has room for it.
    #[inline]
    pub(crate) fn push(&mut self, block: u32, head: Head, message: S) {
        add(&mut self.blocks[block as usize], Item { head, message });
    }

    /// Inserts an item at its place.
    fn insert(&mut self, block: u32, at: usize, head: Head, message: S) {
        self.blocks[block as usize].insert(at, Item { head, message });
    }

    /// Returns the first place in a list of blocks that is not before what is sought. `guess` returns about where that
    /// is in a block.
    #[inline]
    fn search_by(
        &self,
        blocks: &[u32],
        guess: impl Fn(&[Item<S>]) -> usize,
        is_before: impl Fn(&Item<S>) -> bool,
    ) -> Place {
        let begins_before = |&block: &u32| {
            let first = self.blocks[block as usize].front();
            first.is_none_or(&is_before)
        };
        let nth = blocks.partition_point(begins_before).saturating_sub(1);
        let Some(block) = blocks.get(nth).map(|&block| &self.blocks[block as usize]) else {
            return Place { nth, at: 0 };
        };
        let (items, wrapped) = block.as_slices();
        let mut at = partition_near(items, guess(items), &is_before);
        if at == items.len() {
            at += wrapped.partition_point(&is_before);
        }
        if at == block.len() && nth + 1 < blocks.len() {
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
    fn pop(&mut self, block: u32) -> S {
        match self.blocks[block as usize].pop_front() {
            Some(item) => item.message,
            None => is_empty(),
        }
    }
}

/// Returns about where a posting is, as if the numbers in a block rose evenly. Nearly right, so that a search reads few
/// items: W5-cancel.
fn guess<S>(items: &[Item<S>], number: u64, stamps: &Stamps) -> usize {
    let ends = (items.first(), items.last());
    let (Some(first), Some(last)) = ends else {
        return 0;
    };
    let (first, last) = (stamps.number(&first.head), stamps.number(&last.head));
    let steps = (items.len() - 1) as u64;
    let (distance, span) = (number.saturating_sub(first), last.saturating_sub(first));
    let at = (distance.min(span) * steps).checked_div(span);
    at.map_or(0, |at| usize::try_from(at).unwrap_or(0))
}

/// Adds an item to a block that has room. Growing diverges, so that nothing is compiled for it.
#[inline]
fn add<S>(block: &mut VecDeque<Item<S>>, item: Item<S>) {
    if block.len() == block.capacity() {
        is_full();
    }
    block.push_back(item);
}

#[cold]
#[inline(never)]
fn is_full() -> ! {
    unreachable!("a slot counts the room of its last block")
}

/// Not at each place that asks, so that little is compiled for it.
#[cold]
#[inline(never)]
fn is_of_another_type() -> ! {
    unreachable!("a queue stands at the index of its message type")
}

#[cold]
#[inline(never)]
fn is_empty() -> ! {
    unreachable!("a message that is due is the first of its block")
}

/// A message by value, or in a box if its type was not known when it was posted.
pub(crate) trait Stored: Send + Sized + 'static {
    /// The message on its way out.
    type Out: Held;

    fn out(self) -> Self::Out;

    fn boxed(self) -> Box<dyn ErasedMessage>;

    #[cfg(feature = "data")]
    fn as_any_message(&self) -> &dyn AnyMessage;

    fn walk(items: &mut [Item<Self>], walk: &mut Walk<'_>) -> Option<Box<HandlerError>>;

    /// Delivers a message where a send to one component begins, if it can be over there.
    fn enter(held: &mut Self::Out, world: &World, due: &Due) -> bool;
}

impl<M: Message> Stored for M {
    type Out = Option<M>;

    #[inline]
    fn out(self) -> Option<M> {
        Some(self)
    }

    fn boxed(self) -> Box<dyn ErasedMessage> {
        Box::new(self)
    }

    #[cfg(feature = "data")]
    fn as_any_message(&self) -> &dyn AnyMessage {
        self
    }

    fn walk(items: &mut [Item<M>], it: &mut Walk<'_>) -> Option<Box<HandlerError>> {
        walk(items, it)
    }

    #[inline]
    fn enter(held: &mut Option<M>, world: &World, due: &Due) -> bool {
        due.enter(world, held)
    }
}

impl Stored for Box<dyn ErasedMessage> {
    type Out = BoxedMessage;

    fn out(self) -> BoxedMessage {
        BoxedMessage(Some(self))
    }

    fn boxed(self) -> Self {
        self
    }

    #[cfg(feature = "data")]
    fn as_any_message(&self) -> &dyn AnyMessage {
        &**self
    }

    /// Each is delivered by itself.
    fn walk(_: &mut [Item<Self>], _: &mut Walk<'_>) -> Option<Box<HandlerError>> {
        None
    }

    fn enter(_: &mut BoxedMessage, _: &World, _: &Due) -> bool {
        false
    }
}

impl<S: Stored> Stock for Blocks<S> {
    #[cold]
    #[inline(never)]
    fn open(&mut self, slot: &mut Slot) -> u32 {
        // As many as there are: so little room is never used, and few blocks are opened.
        let before = BLOCK.min(1 << slot.blocks.len().clamp(1, 16));
        let room = before.min(BLOCK_BYTES / size_of::<Item<S>>()).max(1);
        let block = VecDeque::with_capacity(room);
        let at = if let Some(free) = self.free.pop() {
            self.blocks[free as usize] = block;
            free
        } else {
            self.blocks.push(block);
            u32::try_from(self.blocks.len() - 1).expect("there are fewer than 2^32 blocks")
        };
        slot.blocks.push(at);
        slot.room = u32::try_from(room - 1).expect("a block has few messages");
        at
    }

    fn close(&mut self, block: u32) {
        let items = std::mem::take(&mut self.blocks[block as usize]);
        self.free.push(block);
        drop(items);
    }

    fn len(&self, block: u32) -> usize {
        self.blocks[block as usize].len()
    }

    fn head(&self, block: u32, at: usize) -> Option<&Head> {
        let item = self.blocks.get(block as usize)?.get(at)?;
        Some(&item.head)
    }

    fn head_mut(&mut self, block: u32, at: usize) -> Option<&mut Head> {
        let item = self.blocks.get_mut(block as usize)?.get_mut(at)?;
        Some(&mut item.head)
    }

    fn search(&self, blocks: &[u32], due: Option<u64>, number: u64, stamps: &Stamps) -> Place {
        match due {
            None => self.search_by(
                blocks,
                |items| guess(items, number, stamps),
                |item| stamps.number(&item.head) < number,
            ),
            Some(due) => self.search_by(
                blocks,
                |items| items.len() / 2,
                |item| (stamps.due(&item.head), stamps.number(&item.head)) < (due, number),
            ),
        }
    }

    fn spread(&mut self, block: u32, shift: u32, stamps: &Stamps, into: &mut [Slot; SLOTS]) -> u64 {
        // A vector, since its iterator has nothing to wrap around.
        let items = Vec::from(std::mem::take(&mut self.blocks[block as usize]));
        self.free.push(block);
        let mut touched = 0;
        for item in items {
            let digit = (stamps.due(&item.head) >> shift) % SLOTS as u64;
            touched |= 1 << digit;
            let slot = &mut into[usize::try_from(digit).unwrap_or(0) % SLOTS];
            let block = match slot.blocks.last() {
                Some(&last) if slot.room > 0 => {
                    slot.room -= 1;
                    last
                }
                _ => self.open(slot),
            };
            add(&mut self.blocks[block as usize], item);
        }
        touched
    }

    fn arrange(&mut self, blocks: &[u32], places: &mut [u32]) {
        let mut all = VecDeque::with_capacity(places.len());
        for &block in blocks {
            all.append(&mut self.blocks[block as usize]);
        }
        let items = all.make_contiguous();
        for at in 0..places.len() {
            while places[at] as usize != at {
                let to = places[at] as usize;
                items.swap(at, to);
                places.swap(at, to);
            }
        }
        if let Some(&first) = blocks.first() {
            self.blocks[first as usize] = all;
        }
    }

    fn take(&mut self, block: u32, at: usize) -> Option<Box<dyn ErasedMessage>> {
        let item = self.blocks.get_mut(block as usize)?.remove(at)?;
        Some(item.message.boxed())
    }

    fn cancel(&mut self, block: u32, at: usize) -> Option<Box<dyn ErasedMessage>> {
        if needs_drop::<S>() {
            return self.take(block, at);
        }
        if let Some(head) = self.head_mut(block, at) {
            head.cancel();
        }
        None
    }

    fn pass_by(&mut self, block: u32, items: usize) {
        let block = &mut self.blocks[block as usize];
        if items == block.len() {
            block.clear();
        } else {
            for _ in 0..items {
                block.pop_front();
            }
        }
    }

    fn sweep(&mut self, block: u32) {
        self.blocks[block as usize].retain(|item| !item.head.is_cancelled());
    }

    #[cfg(feature = "data")]
    fn message(&self, block: u32, at: usize) -> Option<&dyn AnyMessage> {
        let item = self.blocks.get(block as usize)?.get(at)?;
        Some(item.message.as_any_message())
    }

    fn walk(&mut self, block: u32, walk: &mut Walk<'_>) -> Option<Box<HandlerError>> {
        S::walk(self.blocks[block as usize].make_contiguous(), walk)
    }

    fn shrink_to_fit(&mut self) {
        if self.free.len() == self.blocks.len() {
            (self.blocks, self.free) = (Vec::new(), Vec::new());
        }
        for block in &mut self.blocks {
            block.shrink_to_fit();
        }
        self.free.shrink_to_fit();
    }

    fn drop_all(&mut self, panics: &mut FirstPanic) {
        for block in &mut self.blocks {
            panics.drop_each(block.drain(..));
        }
    }
}

/// Takes the first message of a block out, and delivers it when the schedule is free.
pub(crate) type DeliverFirst = fn(&World, RefMut<'_, dyn Stock>, block: u32, &Due);

fn deliver_first<S: Stored>(
    world: &World,
    mut stock: RefMut<'_, dyn Stock>,
    block: u32,
    due: &Due,
) {
    let mut held = Blocks::<S>::of(&mut *stock).pop(block).out();
    drop(stock);
    if !S::enter(&mut held, world, due) {
        due.deliver(world, &mut held);
    }
}

/// A message on its way into the schedule, or out of it: by value, or in a box if it was posted while
/// nothing knew its type. The boxed ones of a type have a queue of their own, so that posting them takes
/// no code for each type.
pub(crate) trait Held: OwnedMessage {
    /// Returns `true` if it belongs in the queue for the boxed messages of its type.
    fn is_boxed(&self) -> bool;

    /// Makes the blocks for such messages, with what delivers them.
    fn stock(&self) -> (Box<dyn Stock>, DeliverFirst);

    /// Puts it into a block: at a place, or at the end.
    fn store(&mut self, into: &mut dyn Stock, block: u32, at: Option<usize>, head: Head);
}

impl dyn Held + '_ {
    /// Returns what is known of the message's type.
    pub(crate) fn facts(&mut self) -> &'static Facts {
        (*self.get()).facts()
    }
}

fn store<S: Stored>(
    message: Option<S>,
    into: &mut dyn Stock,
    block: u32,
    at: Option<usize>,
    head: Head,
) {
    if let Some(message) = message {
        let blocks = Blocks::<S>::of(into);
        match at {
            Some(at) => blocks.insert(block, at, head, message),
            None => blocks.push(block, head, message),
        }
    }
}

impl<M: Message> Held for Option<M> {
    fn is_boxed(&self) -> bool {
        false
    }

    fn stock(&self) -> (Box<dyn Stock>, DeliverFirst) {
        (Blocks::<M>::boxed(), deliver_first::<M>)
    }

    fn store(&mut self, into: &mut dyn Stock, block: u32, at: Option<usize>, head: Head) {
        store(self.take(), into, block, at, head);
    }
}

impl Held for BoxedMessage {
    fn is_boxed(&self) -> bool {
        true
    }

    fn stock(&self) -> (Box<dyn Stock>, DeliverFirst) {
        let stock = Blocks::<Box<dyn ErasedMessage>>::boxed();
        (stock, deliver_first::<Box<dyn ErasedMessage>>)
    }

    fn store(&mut self, into: &mut dyn Stock, block: u32, at: Option<usize>, head: Head) {
        store(self.0.take(), into, block, at, head);
    }
}
