//! What a queue holds: messages of one type by value, or in boxes those that were posted while nothing
//! knew their type. The boxed ones of a type have a queue of their own, so that posting them takes no
//! code for each type.

use crate::message::{AnyMessage, Facts, Message};
use crate::post::queue::pending_of::DeliverDue;
use crate::send::ErasedMessage;
use crate::world::World;

/// A message as it is stored while it is pending.
pub(crate) trait Stored: Send + 'static {
    /// `true` if it stands in the queue for the boxed messages of its type.
    const BOXED: bool;

    /// What delivers it.
    const DELIVER: DeliverDue;

    fn facts(&self) -> &'static Facts;

    fn as_any_message(&self) -> &dyn AnyMessage;

    fn as_erased(&mut self) -> &mut dyn ErasedMessage;

    fn into_any_message(self) -> Box<dyn AnyMessage>;
}

impl<M: Message> Stored for M {
    const BOXED: bool = false;
    const DELIVER: DeliverDue = World::deliver_entry::<M>;

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "it is a constant; as for a post")]
    fn facts(&self) -> &'static Facts {
        M::FACTS
    }

    fn as_any_message(&self) -> &dyn AnyMessage {
        self
    }

    fn as_erased(&mut self) -> &mut dyn ErasedMessage {
        self
    }

    fn into_any_message(self) -> Box<dyn AnyMessage> {
        Box::new(self)
    }
}

impl Stored for Box<dyn ErasedMessage> {
    const BOXED: bool = true;
    const DELIVER: DeliverDue = World::deliver_boxed;

    fn facts(&self) -> &'static Facts {
        AnyMessage::facts(&**self)
    }

    fn as_any_message(&self) -> &dyn AnyMessage {
        &**self
    }

    fn as_erased(&mut self) -> &mut dyn ErasedMessage {
        &mut **self
    }

    fn into_any_message(self) -> Box<dyn AnyMessage> {
        self
    }
}
