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

/// The messages of a frame, in the order published. It is a vector of messages or of boxes.
pub(crate) trait Column: Any + Send {
    fn capacity(&self) -> usize;

    /// Adds a message, which has to be of the type of the column.
    fn push_boxed(&mut self, message: AnyBox);

    fn get(&self, at: usize) -> &dyn AnyMessage;

    /// Drops the messages one by one.
    fn clear(&mut self, panics: &mut FirstPanic);

    fn shrink_to_fit(&mut self);
}

/// An element of a column.
trait Stored: Send + 'static {
    fn from_box(message: AnyBox) -> Self;

    fn as_any(&self) -> &dyn AnyMessage;
}

impl<M: Message> Stored for M {
    fn from_box(message: AnyBox) -> Self {
        let message = message.downcast().ok();
        *message.expect("a mailbox is at the index of its message type")
    }

    fn as_any(&self) -> &dyn AnyMessage {
        self
    }
}

impl Stored for AnyBox {
    fn from_box(message: AnyBox) -> Self {
        message
    }

    fn as_any(&self) -> &dyn AnyMessage {
        &**self
    }
}

impl<S: Stored> Column for Vec<S> {
    fn capacity(&self) -> usize {
        self.capacity()
    }

    fn push_boxed(&mut self, message: AnyBox) {
        self.push(S::from_box(message));
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
