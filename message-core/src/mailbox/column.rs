//! The messages of the letters of one type and frame: by value, or in boxes.
//!
//! Messages are stored by value once the mailbox has been used by a caller that knows their type. Until then they
//! stay in the boxes in which they were published, so that a message type adds no code to a program that does not
//! publish or read it by its type. Each frame is stored in one of the two ways. When the type becomes known nothing
//! is moved: messages are stored by value from the next frame on.

use std::any::Any;

use crate::caught::FirstPanic;
use crate::message::{AnyMessage, OwnedMessage, Stored};

/// Makes an empty column.
pub(crate) type NewColumn = fn() -> Box<dyn Column>;

/// A message that is about to be published: `Some`, by value or in a box. Through it, everything that publishes is
/// compiled once for all message types.
pub trait Unpublished: OwnedMessage + Any {
    /// Returns the function that makes a column of such messages by value, if their type is known.
    fn new_column(&self) -> Option<NewColumn>;
}

/// The messages of a frame, in the order published. It is a vector of messages or of boxes.
pub trait Column: Any + Send {
    fn capacity(&self) -> usize;

    /// Takes and adds a message, which has to be of the type of the column.
    fn push(&mut self, message: &mut dyn Unpublished);

    fn get(&self, at: usize) -> &dyn AnyMessage;

    /// Clones the messages, which have to be cloneable, into another column, or into a new one if that is of another type.
    fn copy(&self, into: &mut Box<dyn Column>);

    /// Drops the messages one by one.
    fn clear(&mut self, panics: &mut FirstPanic);

    fn shrink_to_fit(&mut self);
}

#[cold]
fn is_published() -> ! {
    unreachable!("a message is published once")
}

impl<S: Stored> Unpublished for Option<S> {
    fn new_column(&self) -> Option<NewColumn> {
        (!S::IS_BOXED).then_some(column_of::<S> as NewColumn)
    }
}

impl<S: Stored> Column for Vec<S> {
    fn capacity(&self) -> usize {
        self.capacity()
    }

    fn push(&mut self, message: &mut dyn Unpublished) {
        let same: &mut dyn Any = message;
        let same = same.downcast_mut().and_then(Option::take);
        let message = same.or_else(|| message.take().map(S::unboxed));
        let Some(message) = message else {
            is_published()
        };
        self.push(message);
    }

    fn get(&self, at: usize) -> &dyn AnyMessage {
        self[at].as_any()
    }

    fn copy(&self, into: &mut Box<dyn Column>) {
        let any: &mut dyn Any = &mut **into;
        let Some(into) = any.downcast_mut::<Self>() else {
            *into = Box::new(self.iter().map(S::copied).collect::<Self>());
            return;
        };
        into.clear();
        into.extend(self.iter().map(S::copied));
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

/// Makes a column of messages that are stored like this: by value, or as [`AnyBox`](crate::message::AnyBox).
pub fn column_of<S: Stored>() -> Box<dyn Column> {
    Box::new(Vec::<S>::new())
}
