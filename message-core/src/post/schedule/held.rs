//! Messages on their way into the schedule and out of it: by value, or in a box if nothing knew their type when they
//! were posted.

use crate::message::AnyMessage;
use crate::message::{Facts, Message};
use crate::post::schedule::column::{Column, Messages};
use crate::send::erased::OwnedMessage;

/// A message by value, or in a box if its type was not known when it was posted. The boxed ones of a type have a queue
/// of their own, so that posting them takes no code for each type.
pub(crate) trait Stored: Send + Sized + 'static {
    const IS_BOXED: bool;

    /// Returns the facts about its type.
    fn facts(held: Option<&Self>) -> &'static Facts;

    fn boxed(self) -> Box<dyn AnyMessage>;

    fn as_any_message_mut(&mut self) -> &mut dyn AnyMessage;

    #[cfg(feature = "data")]
    fn as_any_message(&self) -> &dyn AnyMessage;
}

impl<M: Message> Stored for M {
    const IS_BOXED: bool = false;

    fn facts(_: Option<&Self>) -> &'static Facts {
        M::FACTS
    }

    fn boxed(self) -> Box<dyn AnyMessage> {
        Box::new(self)
    }

    fn as_any_message_mut(&mut self) -> &mut dyn AnyMessage {
        self
    }

    #[cfg(feature = "data")]
    fn as_any_message(&self) -> &dyn AnyMessage {
        self
    }
}

impl Stored for Box<dyn AnyMessage> {
    const IS_BOXED: bool = true;

    fn facts(held: Option<&Self>) -> &'static Facts {
        let message = held.expect("a message is there until it is stored");
        message.facts()
    }

    fn boxed(self) -> Self {
        self
    }

    fn as_any_message_mut(&mut self) -> &mut dyn AnyMessage {
        &mut **self
    }

    #[cfg(feature = "data")]
    fn as_any_message(&self) -> &dyn AnyMessage {
        &**self
    }
}

/// A message on its way into the schedule, or out of it.
pub(crate) trait Held: OwnedMessage {
    /// Returns the facts about the message's type.
    fn facts(&self) -> &'static Facts;

    /// Returns `true` if it belongs in the queue for the boxed messages of its type.
    fn is_boxed(&self) -> bool;

    /// Returns the function that makes the column for such messages.
    fn column(&self) -> fn() -> Box<dyn Column>;

    /// Puts it at the end of a block, which has room for it.
    fn store(&mut self, into: &mut dyn Column, block: u32);
}

impl<S: Stored> Held for Option<S>
where
    Self: OwnedMessage,
{
    fn facts(&self) -> &'static Facts {
        S::facts(self.as_ref())
    }

    fn is_boxed(&self) -> bool {
        S::IS_BOXED
    }

    fn column(&self) -> fn() -> Box<dyn Column> {
        Messages::<S>::boxed
    }

    fn store(&mut self, into: &mut dyn Column, block: u32) {
        Messages::push(into, block, self);
    }
}
