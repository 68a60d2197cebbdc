//! Messages that were published in a box, while nothing knew their type.
//!
//! A message type has at most one mailbox in a manager, so that the order, the ordinals and the index by
//! recipient of its letters stay those of one mailbox. It holds the messages by value, once anything
//! that knows the type has published one or set the retention. A type that was only published in boxes
//! has a mailbox of boxes: all of these are of one Rust type, so that a type that nobody publishes adds
//! no code. Who knows the type reads such a mailbox through a downcast; when the next frame begins, it
//! is converted, so that only the first frame is read the slow way.

use std::any::Any;

use super::letters::Letters;
use super::{AnyMailbox, Letter, Mailbox};
use crate::message::{AnyMessage, Message};

/// A message in a box.
pub(super) type AnyBox = Box<dyn AnyMessage>;

/// What a mailbox holds: messages of one type by value, or in boxes.
pub(crate) trait Content: Send + 'static {
    fn as_any_message(&self) -> &dyn AnyMessage;

    /// What is stored of a message in a box, which has to be of the mailbox's message type.
    fn from_box(message: Box<dyn AnyMessage>) -> Self;
}

impl<M: Message> Content for M {
    fn as_any_message(&self) -> &dyn AnyMessage {
        self
    }

    fn from_box(message: Box<dyn AnyMessage>) -> Self {
        match message.downcast() {
            Ok(message) => *message,
            Err(_) => unreachable!("{OF_ITS_TYPE}"),
        }
    }
}

impl Content for AnyBox {
    fn as_any_message(&self) -> &dyn AnyMessage {
        &**self
    }

    fn from_box(message: Box<dyn AnyMessage>) -> Self {
        message
    }
}

const OF_ITS_TYPE: &str = "a mailbox stands at the index of its message type";

/// The mailbox of a type, as it is found by who knows the type.
pub(super) enum Found<'a, M> {
    Typed(&'a Mailbox<M>),
    Boxed(&'a Mailbox<AnyBox>),
}

impl<M> Clone for Found<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Found<'_, M> {}

impl<M: Message> Found<'_, M> {
    /// The ordinal of the first letter that cannot be read yet.
    pub(super) fn end(self) -> u64 {
        match self {
            Self::Typed(mailbox) => mailbox.end(),
            Self::Boxed(mailbox) => mailbox.end(),
        }
    }

    /// The ordinal of the first letter that can still be read, or will be.
    pub(super) fn oldest(self) -> u64 {
        match self {
            Self::Typed(mailbox) => mailbox.oldest(),
            Self::Boxed(mailbox) => mailbox.oldest(),
        }
    }
}

/// Returns a mailbox of boxes, if it is one.
#[cold]
pub(super) fn boxed(mailbox: &dyn AnyMailbox) -> &Mailbox<AnyBox> {
    let mailbox = (mailbox as &dyn Any).downcast_ref();
    mailbox.expect(OF_ITS_TYPE)
}

/// Converts the mailbox of a type, if it is one of boxes. Drops no message.
#[cold]
pub(super) fn convert<M: Message>(mailbox: &mut Box<dyn AnyMailbox>) {
    let any: &mut dyn Any = &mut **mailbox;
    if let Some(boxes) = any.downcast_mut::<Mailbox<AnyBox>>() {
        *mailbox = Box::new(std::mem::take(boxes).unboxed::<M>());
    }
}

/// The message in one of the boxes of a type's mailbox.
#[cold]
pub(super) fn opened<M: Message>(message: &AnyBox) -> &M {
    message.downcast_ref().expect(OF_ITS_TYPE)
}

impl Mailbox<AnyBox> {
    fn unboxed<M: Message>(self) -> Mailbox<M> {
        let unboxed = Letters::unboxed;
        let aside = self.aside.into_inner().into_iter();
        Mailbox {
            // Taken out of its cell, so that a guard that was leaked is forgotten.
            writing: self.writing.into_inner().unboxed().into(),
            aside: aside.map(Letter::unboxed).collect::<Vec<_>>().into(),
            readable: self.readable.into_iter().map(unboxed).collect(),
            expired: self.expired.into_iter().map(unboxed).collect(),
            retention: self.retention,
            sorts: self.sorts,
            listed: self.listed,
            needed: self.needed,
        }
    }
}

impl Letter<AnyBox> {
    /// As it is put into a mailbox of its type.
    pub(super) fn unboxed<S: Content>(self) -> Letter<S> {
        self.with(S::from_box)
    }
}

impl<M: Message> Letter<M> {
    /// As it is put into a mailbox of boxes.
    pub(crate) fn boxed(self) -> Letter<Box<dyn AnyMessage>> {
        self.with(|message| Box::new(message) as AnyBox)
    }
}

impl<S> Letter<S> {
    fn with<T>(self, change: impl FnOnce(S) -> T) -> Letter<T> {
        Letter {
            message: change(self.message),
            to: self.to,
            address: self.address,
            mark: self.mark,
            frame: self.frame,
        }
    }
}
