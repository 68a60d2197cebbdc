//! Messages on their way into the schedule and out of it.

use crate::message::{Facts, OwnedMessage, Stored};
use crate::post::schedule::column::{Column, Messages};

/// A message on its way into the schedule, or out of it.
pub trait Held: OwnedMessage {
    /// Returns the facts about the message's type.
    fn facts(&self) -> &'static Facts;

    /// Returns `true` if it belongs in the queue for the boxed messages of its type.
    fn is_boxed(&self) -> bool;

    /// Returns the function that makes the column for such messages.
    fn column(&self) -> fn() -> Box<dyn Column>;

    /// Puts it at the end of a block, which has room for it.
    fn store(&mut self, into: &mut dyn Column, block: u32);
}

impl<S: Stored> Held for Option<S> {
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
