//! Messages on their way into the schedule and out of it: by value, or in a box if nothing knew their type when they
//! were posted.

use crate::error::HandlerError;
#[cfg(feature = "data")]
use crate::message::AnyMessage;
use crate::message::{Facts, Message};
use crate::post::pass::Due;
use crate::post::schedule::column::{Column, Messages};
use crate::post::walk::{Walk, walk};
use crate::send::ErasedMessage;
use crate::send::erased::OwnedMessage;
use crate::world::World;

/// A message by value, or in a box if its type was not known when it was posted. The boxed ones of a type have a queue of
/// their own, so that posting them takes no code for each type.
pub(crate) trait Stored: Send + Sized + 'static {
    const IS_BOXED: bool;

    fn boxed(self) -> Box<dyn ErasedMessage>;

    #[cfg(feature = "data")]
    fn as_any_message(&self) -> &dyn AnyMessage;

    /// Calls handlers with messages from the first on, if that can be done in one loop.
    fn walk(messages: &mut [Self], it: &mut Walk<'_>) -> Option<Box<HandlerError>>;

    /// Delivers the message, which has come out.
    fn deliver(self, world: &World, due: &Due);
}

impl<M: Message> Stored for M {
    const IS_BOXED: bool = false;

    fn boxed(self) -> Box<dyn ErasedMessage> {
        Box::new(self)
    }

    #[cfg(feature = "data")]
    fn as_any_message(&self) -> &dyn AnyMessage {
        self
    }

    fn walk(messages: &mut [M], it: &mut Walk<'_>) -> Option<Box<HandlerError>> {
        walk(messages, it)
    }

    #[inline]
    fn deliver(self, world: &World, due: &Due) {
        let mut held = Some(self);
        if !due.enter(world, &mut held) {
            due.deliver(world, &mut held);
        }
    }
}

impl Stored for Box<dyn ErasedMessage> {
    const IS_BOXED: bool = true;

    fn boxed(self) -> Self {
        self
    }

    #[cfg(feature = "data")]
    fn as_any_message(&self) -> &dyn AnyMessage {
        &**self
    }

    /// Each is delivered by itself.
    fn walk(_: &mut [Self], _: &mut Walk<'_>) -> Option<Box<HandlerError>> {
        None
    }

    fn deliver(self, world: &World, due: &Due) {
        due.deliver(world, &mut Some(self));
    }
}

/// A message on its way into the schedule, or out of it.
pub(crate) trait Held: OwnedMessage {
    /// Returns `true` if it belongs in the queue for the boxed messages of its type.
    fn is_boxed(&self) -> bool;

    /// Returns what makes the column for such messages.
    fn column(&self) -> fn() -> Box<dyn Column>;

    /// Puts it at the end of a block, which has room for it.
    fn store(&mut self, into: &mut dyn Column, block: u32);
}

impl dyn Held + '_ {
    /// Returns what is known of the message's type.
    pub(crate) fn facts(&mut self) -> &'static Facts {
        (*self.get()).facts()
    }
}

impl<S: Stored> Held for Option<S>
where
    Self: OwnedMessage,
{
    fn is_boxed(&self) -> bool {
        S::IS_BOXED
    }

    fn column(&self) -> fn() -> Box<dyn Column> {
        Messages::<S>::boxed
    }

    fn store(&mut self, into: &mut dyn Column, block: u32) {
        if let Some(message) = Self::take(self) {
            Messages::push(into, block, message);
        }
    }
}
