//! Messages on their way into the schedule and out of it: by value, or in a box if nothing knew their type when they
//! were posted.

use crate::error::HandlerError;
#[cfg(feature = "data")]
use crate::message::AnyMessage;
use crate::message::{Facts, Message};
use crate::post::schedule::head::Head;
use crate::post::schedule::stock::Stock;
use crate::post::walk::{Walk, walk};
use crate::send::ErasedMessage;
use crate::send::erased::OwnedMessage;

/// A message by value, or in a box if its type was not known when it was posted. The boxed ones of a type have a queue of
/// their own, so that posting them takes no code for each type.
pub(crate) trait Stored: Send + Sized + 'static {
    const IS_BOXED: bool;

    fn boxed(self) -> Box<dyn ErasedMessage>;

    #[cfg(feature = "data")]
    fn as_any_message(&self) -> &dyn AnyMessage;

    /// Calls handlers with messages from the first on, if that can be done in one loop.
    fn walk(messages: &mut [Self], it: &mut Walk<'_>) -> Option<Box<HandlerError>>;
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
}

/// A message on its way into the schedule, or out of it.
pub(crate) trait Held: OwnedMessage {
    /// Returns `true` if it belongs in the queue for the boxed messages of its type.
    fn is_boxed(&self) -> bool;

    /// Makes the blocks for such messages.
    fn stock(&self) -> Stock;

    /// Puts it into a block, at its place.
    fn store(&mut self, into: &mut Stock, block: u32, at: usize, head: Head);
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

    fn stock(&self) -> Stock {
        Stock::of::<S>()
    }

    fn store(&mut self, into: &mut Stock, block: u32, at: usize, head: Head) {
        if let Some(message) = Self::take(self) {
            into.make_room(block);
            into.push(block, head, message);
            into.move_last(block, at);
        }
    }
}
