//! Messages that are passed on by value: to a send, into the schedule, or into a mailbox.

use std::any::Any;

use crate::message::{AnyMessage, Facts, Message, NoReply};

pub type AnyBox = Box<dyn AnyMessage>;

/// A message by value, or in a box if its type was not known when it came. Boxed ones are kept apart from the others of
/// their type, so that they take no code for each type.
pub(crate) trait Stored: Send + Sized + 'static {
    /// The reply of a message by value.
    type Reply: 'static;

    const IS_BOXED: bool;

    /// Returns the facts about its type.
    fn facts(held: Option<&Self>) -> &'static Facts;

    fn boxed(self) -> AnyBox;

    fn unboxed(message: AnyBox) -> Self;

    /// Returns a clone. Must not be called if the type is not [cloned](Facts::is_cloned).
    fn copied(&self) -> Self;

    fn as_any(&self) -> &dyn AnyMessage;

    fn as_any_mut(&mut self) -> &mut dyn AnyMessage;
}

impl<M: Message> Stored for M {
    type Reply = M::Reply;
    const IS_BOXED: bool = false;

    fn facts(_: Option<&Self>) -> &'static Facts {
        M::FACTS
    }

    fn boxed(self) -> AnyBox {
        Box::new(self)
    }

    fn unboxed(message: AnyBox) -> Self {
        let message: Box<dyn Any> = message;
        let Ok(message) = message.downcast() else {
            is_of_another_type()
        };
        *message
    }

    fn copied(&self) -> Self {
        let Some(clone) = M::OFFERS.clone else {
            is_not_cloned()
        };
        clone(self)
    }

    fn as_any(&self) -> &dyn AnyMessage {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn AnyMessage {
        self
    }
}

impl Stored for AnyBox {
    type Reply = NoReply;
    const IS_BOXED: bool = true;

    fn facts(held: Option<&Self>) -> &'static Facts {
        held.expect(THERE).facts()
    }

    fn boxed(self) -> AnyBox {
        self
    }

    fn unboxed(message: AnyBox) -> Self {
        message
    }

    fn copied(&self) -> Self {
        self.try_clone().unwrap_or_else(|| is_not_cloned())
    }

    fn as_any(&self) -> &dyn AnyMessage {
        &**self
    }

    fn as_any_mut(&mut self) -> &mut dyn AnyMessage {
        &mut **self
    }
}

/// A message whose type is not known where it is passed on.
pub(crate) trait OwnedMessage {
    fn get(&mut self) -> &mut dyn AnyMessage;

    /// Takes the message, if that is possible.
    fn take(&mut self) -> Option<AnyBox>;
}

// In a debug build, each method of an option is one more function for each type.
impl<S: Stored> OwnedMessage for Option<S> {
    fn get(&mut self) -> &mut dyn AnyMessage {
        match self {
            Some(message) => message.as_any_mut(),
            None => is_taken(),
        }
    }

    fn take(&mut self) -> Option<AnyBox> {
        match self.take() {
            Some(message) => Some(message.boxed()),
            None => None,
        }
    }
}

const THERE: &str = "a message is there until it is taken";

/// Compiled once.
#[cold]
fn is_taken() -> ! {
    unreachable!("{THERE}")
}

#[cold]
fn is_not_cloned() -> ! {
    unreachable!("only messages that are `Clone` are copied")
}

#[cold]
fn is_of_another_type() -> ! {
    unreachable!("a message is stored with those of its type")
}
