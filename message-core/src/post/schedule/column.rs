//! The messages of one type that are pending, by value: all of the schedule that is compiled for each type.
//! Which message is where is decided by the [stock](super::stock), which has their heads.

use std::any::Any;
use std::cell::RefMut;
use std::mem::{needs_drop, take};

use crate::caught::FirstPanic;
use crate::error::HandlerError;
#[cfg(feature = "data")]
use crate::message::AnyMessage;
use crate::post::pass::Due;
use crate::post::schedule::held::Stored;
use crate::post::schedule::stock::Stock;
use crate::post::walk::Walk;
use crate::send::ErasedMessage;
use crate::send::erased::OwnedMessage;
use crate::world::World;

/// The messages of one type, block by block, as all that does not depend on the type sees them.
pub(crate) trait Column: Any + Send {
    /// Adds an empty block.
    fn add(&mut self);

    /// Makes room for that many messages in a block.
    fn reserve(&mut self, block: u32, room: usize);

    /// Frees the memory of a block, which is empty.
    fn release(&mut self, block: u32);

    /// Turns a block around, so that its first message is the last.
    fn reverse(&mut self, block: u32);

    /// Keeps the first messages of a block, and drops the others.
    fn truncate(&mut self, block: u32, len: usize);

    /// Swaps each message of a block from a place on with another one behind it: the first with that at the first of
    /// `with`, and so on.
    fn swap(&mut self, block: u32, start: usize, with: &[u32]);

    /// Moves all messages of a block to the end of another one.
    fn append(&mut self, block: u32, from: u32);

    /// Moves each message of a block to the end of another one.
    fn scatter(&mut self, block: u32, to: &[u32]);

    /// Takes a message out.
    fn take(&mut self, block: u32, at: usize) -> Box<dyn ErasedMessage>;

    #[cfg(feature = "data")]
    fn message(&self, block: u32, at: usize) -> &dyn AnyMessage;

    /// Calls handlers with the first messages of a block. See [`walk`](crate::post::walk).
    fn walk(&mut self, block: u32, walk: &mut Walk<'_>) -> Option<Box<HandlerError>>;

    /// Returns what takes the last message of a block out, and delivers it.
    fn deliver(&self) -> Deliver;

    /// Returns `true` if dropping one of the messages does something.
    fn needs_drop(&self) -> bool;

    fn shrink_to_fit(&mut self);

    /// Drops every message, one by one.
    fn drop_all(&mut self, panics: &mut FirstPanic);
}

/// Takes the last message of a block out, and delivers it when the schedule is free.
pub(crate) type Deliver = fn(&World, RefMut<'_, Stock>, block: u32, &Due);

pub(crate) struct Messages<S>(Vec<Vec<S>>);

impl<S: Stored> Messages<S>
where
    Option<S>: OwnedMessage,
{
    pub(super) fn boxed() -> Box<dyn Column> {
        Box::new(Self(Vec::new()))
    }
}

impl<S: Stored> Messages<S> {
    #[inline]
    fn of(column: &mut dyn Column) -> &mut Self {
        match (column as &mut dyn Any).downcast_mut() {
            Some(messages) => messages,
            None => is_broken("a queue stands at the index of its message type"),
        }
    }

    fn block(&mut self, block: u32) -> &mut Vec<S> {
        &mut self.0[block as usize]
    }

    /// Adds a message at the end of a block, which has room for it. Growing diverges, so that nothing is compiled for it.
    #[inline]
    pub(crate) fn push(column: &mut dyn Column, block: u32, message: S) {
        let messages = Self::of(column).block(block);
        if messages.len() == messages.capacity() {
            is_broken("a slot counts the room of its last block");
        }
        messages.push(message);
    }
}

/// Fails out of line, so that little is compiled where it is called.
#[cold]
#[inline(never)]
pub(super) fn is_broken(invariant: &str) -> ! {
    unreachable!("{invariant}")
}

/// Delivers the last message of a block.
fn deliver<S: Stored>(world: &World, mut stock: RefMut<'_, Stock>, block: u32, due: &Due)
where
    Option<S>: OwnedMessage,
{
    // A block without one diverges out of line. If it were `None`, LLVM could merge that with an empty
    // option and move a message of one integer bit by bit: `W5-word`.
    let Some(message) = Messages::<S>::of(stock.column()).block(block).pop() else {
        is_broken("a message that is due is in its block");
    };
    drop(stock);
    due.deliver(world, &mut Some(message));
}

impl<S: Stored> Column for Messages<S>
where
    Option<S>: OwnedMessage,
{
    fn add(&mut self) {
        self.0.push(Vec::new());
    }

    fn reserve(&mut self, block: u32, room: usize) {
        let messages = self.block(block);
        messages.reserve_exact(room - messages.len());
    }

    fn release(&mut self, block: u32) {
        *self.block(block) = Vec::new();
    }

    fn reverse(&mut self, block: u32) {
        self.block(block).reverse();
    }

    fn truncate(&mut self, block: u32, len: usize) {
        self.block(block).truncate(len);
    }

    fn swap(&mut self, block: u32, start: usize, with: &[u32]) {
        let messages = self.block(block);
        for (at, &with) in (start..).zip(with) {
            messages.swap(at, with as usize);
        }
    }

    fn append(&mut self, block: u32, from: u32) {
        let mut more = take(self.block(from));
        self.block(block).append(&mut more);
        *self.block(from) = more;
    }

    fn scatter(&mut self, block: u32, to: &[u32]) {
        let mut messages = take(self.block(block));
        for (message, &to) in messages.drain(..).zip(to) {
            self.block(to).push(message);
        }
        *self.block(block) = messages;
    }

    fn take(&mut self, block: u32, at: usize) -> Box<dyn ErasedMessage> {
        self.block(block).remove(at).boxed()
    }

    #[cfg(feature = "data")]
    fn message(&self, block: u32, at: usize) -> &dyn AnyMessage {
        self.0[block as usize][at].as_any_message()
    }

    fn walk(&mut self, block: u32, walk: &mut Walk<'_>) -> Option<Box<HandlerError>> {
        S::walk(self.block(block), walk)
    }

    fn deliver(&self) -> Deliver {
        deliver::<S>
    }

    fn needs_drop(&self) -> bool {
        needs_drop::<S>()
    }

    fn shrink_to_fit(&mut self) {
        for messages in &mut self.0 {
            messages.shrink_to_fit();
        }
    }

    fn drop_all(&mut self, panics: &mut FirstPanic) {
        for messages in &mut self.0 {
            panics.drop_each(take(messages));
        }
    }
}
