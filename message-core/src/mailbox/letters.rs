//! The letters of one type that were published in one frame: the messages, and what is written on
//! them. Both have one entry for each letter, in the order published.

use std::any::Any;

use super::Letter;
use super::messages::{AnyBox, Messages, NewStore, Room, Store};
use super::metadata::{Metadata, Needed};
use crate::caught::FirstPanic;
use crate::message::{AnyMessage, Message};
use crate::room::Shrink;

pub(crate) struct Letters {
    messages: Box<dyn Store>,
    covers: Metadata,
    /// The ordinal of the first of them: how many of the type were published before.
    first: u64,
}

impl Letters {
    /// Nothing yet; the first will have this ordinal.
    pub(super) fn beginning_with(first: u64, messages: Box<dyn Store>) -> Self {
        Self {
            messages,
            covers: Metadata::default(),
            first,
        }
    }

    /// Puts a letter in. Returns `false` if its message had to be put in a box.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "a letter that is made where it is put is never in memory as a whole; measured"
    )]
    pub(crate) fn push<M: Message>(&mut self, letter: Letter<M>) -> bool {
        self.covers.push(&letter);
        let messages: &mut dyn Any = &mut *self.messages;
        if let Some(messages) = messages.downcast_mut::<Messages<M>>() {
            messages.push(letter.message);
            true
        } else {
            self.push_in_box(letter.message);
            false
        }
    }

    #[cold]
    #[inline(never)]
    fn push_in_box<M: Message>(&mut self, message: M) {
        self.messages.push_boxed(Box::new(message));
    }

    /// Puts a letter in whose message is in a box.
    pub(super) fn push_boxed(&mut self, letter: Letter<AnyBox>) {
        self.covers.push(&letter);
        self.messages.push_boxed(letter.message);
    }

    /// Puts in what was put aside.
    #[cold]
    pub(super) fn append(&mut self, aside: &mut Vec<Letter<AnyBox>>) {
        aside.drain(..).for_each(|letter| self.push_boxed(letter));
    }

    /// From now on nothing is added.
    pub(super) fn close(mut self) -> Self {
        self.covers.close();
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.covers.count() == 0
    }

    #[inline]
    pub(super) fn covers(&self) -> &Metadata {
        &self.covers
    }

    /// The messages, if they are stored by value.
    #[inline]
    pub(super) fn messages<M: Message>(&self) -> Option<&Messages<M>> {
        let messages: &dyn Any = &*self.messages;
        messages.downcast_ref()
    }

    pub(super) fn any_message(&self, slot: u32) -> &dyn AnyMessage {
        self.messages.any_message(slot)
    }

    /// A message that is in a box.
    #[cold]
    #[inline(never)]
    pub(super) fn boxed_message<M: Message>(&self, slot: u32) -> &M {
        let message = self.any_message(slot).downcast_ref();
        message.expect("a mailbox stands at the index of its message type")
    }

    /// Makes anew what messages are stored in, when there are none, if that was for boxes: their
    /// type may be known by now.
    pub(super) fn renew(&mut self, new: NewStore) {
        if self.messages.is_boxed() {
            self.messages = new();
        }
    }

    /// Sorts the messages by address, so that those of one messagee are read from one place.
    pub(super) fn sort(&mut self) {
        if self.covers.can_be_sorted() {
            self.messages.sort(&mut self.covers);
        }
    }

    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// The ordinal of the first letter behind them.
    pub(super) fn end(&self) -> u64 {
        self.first + u64::from(self.covers.count())
    }

    /// The position of the letter with that ordinal, or where it would be.
    #[inline]
    pub(super) fn position_of(&self, ordinal: u64) -> u32 {
        u32::try_from(ordinal.saturating_sub(self.first)).unwrap_or(u32::MAX)
    }

    /// Drops the messages, one by one. The room that they took is kept to be used again.
    pub(super) fn clear(&mut self, panics: &mut FirstPanic) {
        self.covers.clear();
        self.messages.clear(panics);
    }

    /// How much room the letters need.
    pub(super) fn needed(&self) -> Needed {
        self.covers.needed()
    }

    /// Gives back memory, when letters needed so much lately.
    pub(super) fn shrink(&mut self, how: Shrink, needed: Needed) {
        let sorted = self.covers.are_sorted();
        self.messages.shrink(how, needed.letters, sorted);
        self.covers.shrink(how, needed);
    }

    /// Takes over the room of others, to put letters in.
    pub(super) fn take_room_of(&mut self, other: &mut Self) {
        self.messages.take(Room::Cleared, &mut *other.messages);
        self.covers.take_room_of(&mut other.covers);
    }

    /// Takes over the room of others, to sort letters.
    pub(super) fn take_sorting_room_of(&mut self, other: &mut Self) {
        self.messages.take(Room::Sorting, &mut *other.messages);
        self.covers.take_indices_of(&mut other.covers);
    }

    /// Takes over the room of the messages of others that were sorted.
    pub(super) fn take_sorted_room_of(&mut self, other: &mut Self) {
        self.messages.take(Room::Sorted, &mut *other.messages);
    }

    /// What messages that were dropped were stored in, to be used again, if their type is known.
    /// Room that nobody has taken over is given back.
    pub(super) fn into_store(mut self) -> Option<Box<dyn Store>> {
        self.messages.shrink(Shrink::ToFit, 0, false);
        (!self.messages.is_boxed()).then_some(self.messages)
    }
}

/// The letters of one frame, as they are read by who knows their type.
pub(super) struct Page<'a, M> {
    letters: &'a Letters,
    /// The messages, if they are stored by value.
    messages: Option<&'a Messages<M>>,
}

impl<'a, M: Message> Page<'a, M> {
    #[inline]
    pub(super) fn of(letters: &'a Letters) -> Self {
        Self {
            letters,
            messages: letters.messages(),
        }
    }

    #[inline]
    pub(super) fn message(self, slot: u32) -> &'a M {
        match self.messages {
            Some(messages) => messages.at(slot),
            None => self.letters.boxed_message(slot),
        }
    }

    pub(super) fn letters(self) -> &'a Letters {
        self.letters
    }
}

impl<M> Clone for Page<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Page<'_, M> {}

/// Takes over the room of a list that was cleared, if there is more than the other has, and that
/// is empty.
pub(super) fn take_room<T>(list: &mut Vec<T>, cleared: &mut Vec<T>) {
    if list.is_empty() && list.capacity() < cleared.capacity() {
        std::mem::swap(list, cleared);
    }
}
