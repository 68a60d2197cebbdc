//! The messages of one type that are pending, by value: all of the schedule that is compiled for each type.
//! Which message is where is decided by the [stock](super::stock), which has their heads.

use std::any::Any;
use std::cell::RefMut;
use std::mem::{needs_drop, size_of};

use crate::message::{AnyMessage, Stored};
use crate::post::pass::Due;
use crate::post::schedule::stock::Stock;
use crate::world::World;

/// The messages of one type, block by block, as all that does not depend on the type sees them.
pub(crate) trait Column: Any + Send {
    /// Gives a block room for exactly that many messages. A block that there is not is made.
    fn set_room(&mut self, block: u32, room: usize);

    /// Keeps the first messages of a block, and drops the others.
    fn truncate(&mut self, block: u32, len: usize);

    /// Swaps each message of a block from a place on with another one behind it: the first with that at the first of
    /// `with`, and so on.
    fn swap(&mut self, block: u32, start: usize, with: &[u32]);

    /// Moves each message of a block to the end of another one, which has room for it. They come out from the last to
    /// the first.
    fn scatter(&mut self, block: u32, to: &[u32]);

    /// Takes the last message of a block out.
    fn pop(&mut self, block: u32) -> Box<dyn AnyMessage>;

    fn message(&self, block: u32, at: usize) -> &dyn AnyMessage;

    fn message_mut(&mut self, block: u32, at: usize) -> &mut dyn AnyMessage;

    /// Returns what takes the last message of a block out, and delivers it.
    fn deliver(&self) -> Deliver;

    /// Returns `true` if dropping one of the messages does something.
    fn needs_drop(&self) -> bool;

    /// Returns the number of bytes of a message.
    fn message_size(&self) -> usize;
}

/// Takes the last message of a block out, and delivers it when the schedule is free.
pub(crate) type Deliver = fn(&World, RefMut<'_, Stock>, block: u32, &Due);

pub(crate) struct Messages<S>(Vec<Vec<S>>);

impl<S: Stored> Messages<S> {
    /// Makes a column without blocks.
    pub(super) fn boxed() -> Box<dyn Column> {
        Box::new(Self(Vec::new()))
    }

    #[inline]
    fn of(column: &mut dyn Column) -> &mut Self {
        match (column as &mut dyn Any).downcast_mut() {
            Some(messages) => messages,
            None => is_broken("a queue stands at the index of its message type"),
        }
    }

    fn vec(&mut self, block: u32) -> &mut Vec<S> {
        &mut self.0[block as usize]
    }

    /// Adds a message at the end of a block, which has room for it.
    #[inline]
    pub(super) fn push(column: &mut dyn Column, block: u32, held: &mut Option<S>) {
        let messages = Self::of(column).with_room(block);
        if let Some(message) = held.take() {
            messages.push(message);
        }
    }

    /// Returns a block that has room for one more. Growing diverges, so that nothing is compiled for it.
    #[inline]
    fn with_room(&mut self, block: u32) -> &mut Vec<S> {
        let messages = self.vec(block);
        if messages.len() == messages.capacity() {
            is_broken(ROOM);
        }
        messages
    }

    /// A block without messages diverges out of line. If it were `None`, LLVM could merge that with an empty
    /// option and move a message of one integer bit by bit: `W5-word`.
    #[inline]
    fn take_last(&mut self, block: u32) -> S {
        match self.vec(block).pop() {
            Some(message) => message,
            None => is_broken("a message is there as long as its head"),
        }
    }
}

/// The invariant behind a post that asks for no room.
const ROOM: &str = "a slot counts the room of its last block";

/// Fails out of line, so that little is compiled where it is called.
#[cold]
#[inline(never)]
fn is_broken(invariant: &str) -> ! {
    unreachable!("{invariant}")
}

/// Delivers the last message of a block.
fn deliver<S: Stored>(world: &World, mut stock: RefMut<'_, Stock>, block: u32, due: &Due) {
    let message = Messages::<S>::of(stock.column()).take_last(block);
    drop(stock);
    due.deliver(world, &mut Some(message));
}

impl<S: Stored> Column for Messages<S> {
    fn set_room(&mut self, block: u32, room: usize) {
        if block as usize == self.0.len() {
            self.0.push(Vec::new());
        }
        let messages = self.vec(block);
        messages.reserve_exact(room - messages.len());
        messages.shrink_to(room);
    }

    fn truncate(&mut self, block: u32, len: usize) {
        self.vec(block).truncate(len);
    }

    fn swap(&mut self, block: u32, start: usize, with: &[u32]) {
        let messages = self.vec(block);
        for (at, &with) in (start..).zip(with) {
            messages.swap(at, with as usize);
        }
    }

    fn scatter(&mut self, block: u32, to: &[u32]) {
        for &to in to {
            let message = self.take_last(block);
            self.with_room(to).push(message);
        }
    }

    fn pop(&mut self, block: u32) -> Box<dyn AnyMessage> {
        self.take_last(block).boxed()
    }

    fn message(&self, block: u32, at: usize) -> &dyn AnyMessage {
        self.0[block as usize][at].as_any()
    }

    fn message_mut(&mut self, block: u32, at: usize) -> &mut dyn AnyMessage {
        self.vec(block)[at].as_any_mut()
    }

    fn deliver(&self) -> Deliver {
        deliver::<S>
    }

    fn needs_drop(&self) -> bool {
        needs_drop::<S>()
    }

    fn message_size(&self) -> usize {
        size_of::<S>()
    }
}
