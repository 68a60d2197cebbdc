//! The letters of one type that were published in one frame: a column of messages, and their postmarks. Both are in
//! the order published.

use std::any::Any;

use crate::caught::FirstPanic;
use crate::mailbox::column::{Column, column_of};
use crate::mailbox::{Postmark, Postmarks, Unpublished};
use crate::message::{AnyBox, AnyMessage, Message};

pub struct Letters {
    pub(super) messages: Box<dyn Column>,
    pub postmarks: Postmarks,
    /// The number of letters of the type that were published before these.
    pub(super) first: u64,
}

/// The messages have to be cloneable.
impl Clone for Letters {
    fn clone(&self) -> Self {
        let mut clone = Self::new(self.first, column_of::<AnyBox>());
        clone.clone_from(self);
        clone
    }

    fn clone_from(&mut self, from: &Self) {
        from.messages.copy(&mut self.messages);
        self.postmarks.clone_from(&from.postmarks);
        self.first = from.first;
    }
}

impl Letters {
    pub fn new(first: u64, messages: Box<dyn Column>) -> Self {
        Self {
            messages,
            postmarks: Postmarks::default(),
            first,
        }
    }

    /// Takes a message and adds a letter.
    pub fn push(&mut self, postmark: Postmark, message: &mut dyn Unpublished) {
        self.messages.push(message);
        self.postmarks.push(postmark);
    }

    /// Adds letters that were put aside.
    #[cold]
    pub(super) fn push_all(&mut self, aside: &mut Vec<(Postmark, AnyBox)>) {
        for (postmark, message) in aside.drain(..) {
            self.push(postmark, &mut Some(message));
        }
    }

    /// Returns the messages, or `None` if they are in boxes.
    pub(super) fn messages<M: Message>(&self) -> Option<&Vec<M>> {
        let messages: &dyn Any = &*self.messages;
        messages.downcast_ref()
    }

    /// Returns both columns to add letters to them, or `None` if the messages are in boxes.
    #[inline]
    pub(super) fn by_value<M: Message>(&mut self) -> Option<(&mut Vec<M>, &mut Postmarks)> {
        let messages: &mut dyn Any = &mut *self.messages;
        Some((messages.downcast_mut()?, &mut self.postmarks))
    }

    pub fn message(&self, at: u32) -> &dyn AnyMessage {
        self.messages.get(at as usize)
    }

    /// Returns a message that is in a box.
    #[cold]
    #[inline(never)]
    pub(super) fn boxed_message<M: Message>(&self, at: u32) -> &M {
        let message = self.message(at).downcast_ref();
        message.expect("a mailbox is at the index of its message type")
    }

    pub(super) fn is_empty(&self) -> bool {
        self.postmarks.count == 0
    }

    /// Returns the ordinal that follows the last letter.
    pub(super) fn end(&self) -> u64 {
        self.first + u64::from(self.postmarks.count)
    }

    /// Drops the messages one by one. Keeps the memory.
    pub(super) fn clear(&mut self, panics: &mut FirstPanic) {
        self.postmarks.clear();
        self.messages.clear(panics);
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.messages.shrink_to_fit();
        self.postmarks.shrink_to_fit();
    }
}
