//! The messages of one type that are pending, by value: all of the schedule that is compiled for each type.
//! Which message is where is decided by the [stock](super::stock), which has their heads.

use std::any::Any;
use std::cell::RefMut;
use std::collections::VecDeque;
use std::mem::{needs_drop, replace, size_of, take};

use crate::caught::FirstPanic;
use crate::error::HandlerError;
use crate::handler::HandlerRow;
use crate::handler::run::Run;
use crate::message::{AnyMessage, Stored};
use crate::post::OneByOne;
use crate::post::pass::Due;
use crate::post::schedule::stock::Stock;
use crate::send::verdict::Ended;
use crate::storage::Pool;
use crate::world::World;

/// The messages of one type, block by block, as all that does not depend on the type sees them.
pub(crate) trait Column: Any + Send {
    /// Gives a block room for exactly that many messages. A block that there is not is made.
    fn set_room(&mut self, block: u32, room: usize);

    /// Clones the messages of a block into the same block of another column of the type, which gets that much room. They
    /// have to be cloneable. A block that there is not is made.
    fn copy_block(&self, block: u32, room: usize, into: &mut dyn Column);

    /// Keeps the first messages of a block, and drops the others.
    fn truncate(&mut self, block: u32, len: usize);

    /// Swaps each message of a block from a place on with another one behind it: the first with that at the first of
    /// `with`, and so on.
    fn swap(&mut self, block: u32, start: usize, with: &[u32]);

    /// Moves each message of a block to the end of another one, which has room for it.
    fn scatter(&mut self, block: u32, to: &[u32]);

    /// Drops the first messages of a block.
    fn pass_by(&mut self, block: u32, count: usize);

    /// Takes the first message of a block out.
    fn remove_first(&mut self, block: u32) -> Box<dyn AnyMessage>;

    /// Drops every message whose drop does something, one by one.
    fn drop_all(&mut self, panics: &mut FirstPanic);

    fn message(&self, block: u32, at: usize) -> &dyn AnyMessage;

    /// Returns what takes the first message of a block out, and delivers it.
    fn deliver(&self) -> Deliver;

    /// Returns what calls a handler that takes a context with one message after the other.
    fn one_by_one(&self) -> fn(&mut OneByOne<'_>);

    /// Calls a handler that takes no context with the messages of a block where they lie, from that at `passed` on, given
    /// the slots of their components. Counts each message before the call, and stops behind a component that fails, and
    /// before one that is busy. Returns the error of a failure.
    fn walk(
        &mut self,
        block: u32,
        row: &HandlerRow,
        of: (&Pool, &[u32]),
        passed: &mut usize,
    ) -> Option<Box<HandlerError>>;

    /// Returns `true` if dropping one of the messages does something.
    fn needs_drop(&self) -> bool;

    /// Returns the number of bytes of a message.
    fn message_size(&self) -> usize;
}

/// Takes the first message of a block out, and delivers it when the schedule is free.
pub(crate) type Deliver = fn(&World, RefMut<'_, Stock>, block: u32, &Due);

/// Messages leave a block at its front, in the order in which they were added.
pub(crate) struct Messages<S>(Vec<VecDeque<S>>);

impl<S: Stored> Messages<S> {
    /// Makes a column without blocks.
    pub(super) fn boxed() -> Box<dyn Column> {
        Box::new(Self(Vec::new()))
    }

    #[inline]
    pub(crate) fn of(column: &mut dyn Column) -> &mut Self {
        match (column as &mut dyn Any).downcast_mut() {
            Some(messages) => messages,
            None => is_broken("a queue is at the index of its message type"),
        }
    }

    #[inline]
    pub(crate) fn block(&mut self, block: u32) -> &mut VecDeque<S> {
        &mut self.0[block as usize]
    }

    /// Adds a message at the end of a block, which has room for it.
    #[inline]
    pub(super) fn push(column: &mut dyn Column, block: u32, held: &mut Option<S>) {
        let messages = Self::of(column).with_room(block);
        if let Some(message) = held.take() {
            messages.push_back(message);
        }
    }

    /// Returns a block that has room for one more. Growing diverges, so that nothing is compiled for it.
    #[inline]
    fn with_room(&mut self, block: u32) -> &mut VecDeque<S> {
        let messages = self.block(block);
        if messages.len() == messages.capacity() {
            is_broken(ROOM);
        }
        messages
    }

    /// A block without messages diverges out of line. If it were `None`, LLVM could merge that with an empty
    /// option and move a message of one integer bit by bit: `W5-word`.
    #[inline]
    pub(in crate::post) fn take_first(&mut self, block: u32) -> S {
        match self.block(block).pop_front() {
            Some(message) => message,
            None => is_broken(HEAD),
        }
    }
}

/// The invariant behind every message that is taken out.
const HEAD: &str = "a message is there as long as its head";

/// The invariant behind a post that asks for no room.
const ROOM: &str = "a slot counts the room of its last block";

/// Fails out of line, so that little is compiled where it is called.
#[cold]
#[inline(never)]
fn is_broken(invariant: &str) -> ! {
    unreachable!("{invariant}")
}

/// Delivers the first message of a block.
fn deliver<S: Stored>(world: &World, mut stock: RefMut<'_, Stock>, block: u32, due: &Due) {
    let message = Messages::<S>::of(stock.column()).take_first(block);
    drop(stock);
    due.deliver(world, &mut Some(message));
}

impl<S: Stored> Column for Messages<S> {
    fn set_room(&mut self, block: u32, room: usize) {
        if block as usize == self.0.len() {
            self.0.push(VecDeque::new());
        }
        // They are moved one by one, since memory that grows in place takes much code for each type.
        let mut from = replace(self.block(block), VecDeque::with_capacity(room));
        while let Some(message) = from.pop_front() {
            self.with_room(block).push_back(message);
        }
    }

    fn copy_block(&self, block: u32, room: usize, into: &mut dyn Column) {
        let into = Self::of(into);
        if block as usize == into.0.len() {
            into.0.push(VecDeque::new());
        }
        let into = into.block(block);
        into.clear();
        into.reserve(room);
        into.extend(self.0[block as usize].iter().map(S::copied));
    }

    fn truncate(&mut self, block: u32, len: usize) {
        let messages = self.block(block);
        match len {
            // Begins at the start of its memory again.
            0 => messages.clear(),
            _ => messages.truncate(len),
        }
    }

    fn swap(&mut self, block: u32, start: usize, with: &[u32]) {
        let messages = self.block(block);
        for (at, &with) in (start..).zip(with) {
            messages.swap(at, with as usize);
        }
    }

    fn scatter(&mut self, block: u32, to: &[u32]) {
        let mut from = take(self.block(block));
        for &to in to {
            if let Some(message) = from.pop_front() {
                self.with_room(to).push_back(message);
            }
        }
        *self.block(block) = from;
    }

    fn pass_by(&mut self, block: u32, count: usize) {
        let messages = self.block(block);
        for _ in 0..count {
            messages.pop_front();
        }
    }

    fn remove_first(&mut self, block: u32) -> Box<dyn AnyMessage> {
        self.take_first(block).boxed()
    }

    fn drop_all(&mut self, panics: &mut FirstPanic) {
        if const { needs_drop::<S>() } {
            panics.drop_each(self.0.drain(..).flatten());
        }
    }

    fn message(&self, block: u32, at: usize) -> &dyn AnyMessage {
        self.0[block as usize][at].as_any()
    }

    fn deliver(&self) -> Deliver {
        deliver::<S>
    }

    fn one_by_one(&self) -> fn(&mut OneByOne<'_>) {
        |walking| walking.walk::<S>()
    }

    fn walk(
        &mut self,
        block: u32,
        row: &HandlerRow,
        (pool, slots): (&Pool, &[u32]),
        passed: &mut usize,
    ) -> Option<Box<HandlerError>> {
        let Run::Alone(run) = row.run()? else {
            return None;
        };
        // If they lie in two pieces, a later walk passes the others.
        let messages = self.block(block).as_mut_slices().0.get_mut(*passed..)?;
        for (&slot, message) in slots.iter().zip(messages) {
            *passed += 1;
            match run(pool, slot, message, &mut None) {
                Ended::Failed(error) => return Some(error),
                Ended::NotCalled => {
                    *passed -= 1;
                    break;
                }
                _ => {}
            }
        }
        None
    }

    fn needs_drop(&self) -> bool {
        needs_drop::<S>()
    }

    fn message_size(&self) -> usize {
        size_of::<S>()
    }
}
