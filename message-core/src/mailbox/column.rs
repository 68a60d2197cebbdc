//! The messages of the letters of one type and frame: by value, or in boxes.
//!
//! Messages are stored by value once the mailbox has been used by a caller that knows their type. Until then they
//! stay in the boxes in which they were published, so that a message type adds no code to a program that does not
//! publish or read it by its type. Each frame is stored in one of the two ways. When the type becomes known nothing
//! is moved: messages are stored by value from the next frame on.

use std::any::Any;

use crate::caught::FirstPanic;
use crate::message::{AnyMessage, Message};

/// A message in a box.
pub(crate) type AnyBox = Box<dyn AnyMessage>;

/// Makes an empty column.
pub(crate) type NewColumn = fn() -> Box<dyn Column>;

/// A message that is about to be published: `Some`, by value or in a box. Through it, everything that publishes is
/// compiled once for all message types.
pub(crate) trait Unpublished: Any {
    fn get(&self) -> &dyn AnyMessage;

    /// Takes the message out, in a box.
    fn take_boxed(&mut self) -> AnyBox;

    /// Returns the function that makes a column for the message's type, if the type is known.
    fn new_column(&self) -> Option<NewColumn>;
}

/// The messages of a frame, in the order published. It is a vector of messages or of boxes.
pub(crate) trait Column: Any + Send {
    fn capacity(&self) -> usize;

    /// Takes and adds a message, which has to be of the type of the column.
    fn push(&mut self, message: &mut dyn Unpublished);

    fn get(&self, at: usize) -> &dyn AnyMessage;

    /// Drops the messages one by one.
    fn clear(&mut self, panics: &mut FirstPanic);

    fn shrink_to_fit(&mut self);
}

/// An element of a column.
trait Stored: Send + 'static {
    const NEW_COLUMN: Option<NewColumn>;

    fn from_box(message: AnyBox) -> Self;

    fn into_box(self) -> AnyBox;

    fn as_any(&self) -> &dyn AnyMessage;
}

impl<M: Message> Stored for M {
    const NEW_COLUMN: Option<NewColumn> = Some(by_value::<M>);

    fn from_box(message: AnyBox) -> Self {
        let message: Box<dyn Any> = message;
        let Ok(message) = message.downcast() else {
            is_of_another_type()
        };
        *message
    }

    fn into_box(self) -> AnyBox {
        Box::new(self)
    }

    fn as_any(&self) -> &dyn AnyMessage {
        self
    }
}

impl Stored for AnyBox {
    const NEW_COLUMN: Option<NewColumn> = None;

    fn from_box(message: AnyBox) -> Self {
        message
    }

    fn into_box(self) -> AnyBox {
        self
    }

    fn as_any(&self) -> &dyn AnyMessage {
        &**self
    }
}

#[cold]
fn is_of_another_type() -> ! {
    unreachable!("a mailbox is at the index of its message type")
}

#[cold]
fn is_published() -> ! {
    unreachable!("a message is published once")
}

// In a debug build, each method of an option is one more function for each type.
impl<S: Stored> Unpublished for Option<S> {
    fn get(&self) -> &dyn AnyMessage {
        let Some(message) = self else { is_published() };
        message.as_any()
    }

    fn take_boxed(&mut self) -> AnyBox {
        let Some(message) = self.take() else {
            is_published()
        };
        message.into_box()
    }

    fn new_column(&self) -> Option<NewColumn> {
        S::NEW_COLUMN
    }
}

impl<S: Stored> Column for Vec<S> {
    fn capacity(&self) -> usize {
        self.capacity()
    }

    fn push(&mut self, message: &mut dyn Unpublished) {
        let same: &mut dyn Any = message;
        let same = same.downcast_mut().and_then(Option::take);
        self.push(match same {
            Some(same) => same,
            None => S::from_box(message.take_boxed()),
        });
    }

    fn get(&self, at: usize) -> &dyn AnyMessage {
        self[at].as_any()
    }

    fn clear(&mut self, panics: &mut FirstPanic) {
        if std::mem::needs_drop::<S>() {
            panics.drop_each(self.drain(..));
        }
        self.clear();
    }

    fn shrink_to_fit(&mut self) {
        self.shrink_to_fit();
    }
}

/// Makes a column of messages by value.
pub(crate) fn by_value<M: Message>() -> Box<dyn Column> {
    Box::new(Vec::<M>::new())
}

/// Makes a column of messages in boxes.
pub(crate) fn in_boxes() -> Box<dyn Column> {
    Box::new(Vec::<AnyBox>::new())
}
