//! Messages on their way into the schedule and out of it: by value, or in a box if nothing knew their type when they
//! were posted.

use std::cell::RefMut;

use crate::error::HandlerError;
#[cfg(feature = "data")]
use crate::message::AnyMessage;
use crate::message::{Facts, Message};
use crate::post::pass::Due;
use crate::post::schedule::head::{Head, Item};
use crate::post::schedule::stock::{Blocks, Stock};
use crate::post::walk::{Walk, walk};
use crate::send::ErasedMessage;
use crate::send::erased::{BoxedMessage, OwnedMessage};
use crate::world::World;

/// A message by value, or in a box if its type was not known when it was posted.
pub(crate) trait Stored: Send + Sized + 'static {
    /// The message on its way out.
    type Out: Held;

    fn out(self) -> Self::Out;

    fn boxed(self) -> Box<dyn ErasedMessage>;

    #[cfg(feature = "data")]
    fn as_any_message(&self) -> &dyn AnyMessage;

    /// Calls handlers with messages from the first on, if that can be done in one loop.
    fn walk(_: &mut [Item<Self>], _: &mut Walk<'_>) -> Option<Box<HandlerError>> {
        None
    }

    /// Delivers a message where a send to one component begins, if it can be over there.
    fn enter(_: &mut Self::Out, _: &World, _: &Due) -> bool {
        false
    }
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
}

/// Takes the first message of a block out, and delivers it when the schedule is free.
pub(crate) type DeliverFirst = fn(&World, RefMut<'_, dyn Stock>, block: u32, &Due);

pub(super) fn deliver_first<S: Stored>(
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

    /// Makes the blocks for such messages.
    fn stock(&self) -> Box<dyn Stock>;

    /// Puts it into a block, at its place.
    fn store(&mut self, into: &mut dyn Stock, block: u32, at: usize, head: Head);
}

impl dyn Held + '_ {
    /// Returns what is known of the message's type.
    pub(crate) fn facts(&mut self) -> &'static Facts {
        (*self.get()).facts()
    }
}

fn store<S: Stored>(message: Option<S>, into: &mut dyn Stock, block: u32, at: usize, head: Head) {
    if let Some(message) = message {
        Blocks::<S>::of(into).insert(block, at, head, message);
    }
}

impl<M: Message> Held for Option<M> {
    fn is_boxed(&self) -> bool {
        false
    }

    fn stock(&self) -> Box<dyn Stock> {
        Blocks::<M>::boxed()
    }

    fn store(&mut self, into: &mut dyn Stock, block: u32, at: usize, head: Head) {
        store(self.take(), into, block, at, head);
    }
}

impl Held for BoxedMessage {
    fn is_boxed(&self) -> bool {
        true
    }

    fn stock(&self) -> Box<dyn Stock> {
        Blocks::<Box<dyn ErasedMessage>>::boxed()
    }

    fn store(&mut self, into: &mut dyn Stock, block: u32, at: usize, head: Head) {
        store(self.0.take(), into, block, at, head);
    }
}
