//! The letters of one type that were published in one frame: the messages, and what is written on
//! them. Both have one entry for each letter, in the order published.

use std::mem::needs_drop;

use super::Letter;
use super::metadata::{Metadata, Needed};
use crate::caught::FirstPanic;
use crate::message::{AnyMessage, Message};
use crate::room::Shrink;

pub(crate) struct Letters<M> {
    /// In the order published; empty if they are sorted.
    messages: Vec<M>,
    /// Sorted by address. What was there before may be left, if it needs no dropping.
    sorted: Vec<Option<M>>,
    covers: Metadata,
    /// The ordinal of the first of them: how many of the type were published before.
    first: u64,
}

impl<M: Message> Letters<M> {
    /// Nothing yet; the first will have this ordinal.
    pub(super) fn beginning_with(first: u64) -> Self {
        Self {
            first,
            ..Self::default()
        }
    }

    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "a letter that is made where it is put is never in memory as a whole; measured"
    )]
    pub(crate) fn push(&mut self, letter: Letter<M>) {
        self.covers.push(&letter);
        self.messages.push(letter.message);
    }

    /// Puts in what was put aside.
    #[cold]
    pub(super) fn append(&mut self, aside: &mut Vec<Letter<M>>) {
        aside.drain(..).for_each(|letter| self.push(letter));
    }

    /// From now on nothing is added.
    pub(super) fn close(mut self) -> Self {
        self.covers.close();
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.covers.count() == 0
    }

    pub(super) fn covers(&self) -> &Metadata {
        &self.covers
    }

    #[inline]
    pub(super) fn message(&self, slot: u32) -> &M {
        let slot = slot as usize;
        match self.messages.get(slot) {
            Some(message) => message,
            None => self.sorted[slot]
                .as_ref()
                .expect("every letter has a message"),
        }
    }

    /// Sorts the messages by address, so that those of one messagee are read from one place.
    pub(super) fn sort(&mut self) {
        let Self {
            messages,
            sorted,
            covers,
            ..
        } = self;
        if covers.can_be_sorted() {
            sorted.resize_with(messages.len(), || None);
            let mut messages = messages.drain(..);
            covers.sort(|slot| sorted[slot] = messages.next());
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
    pub(super) fn position_of(&self, ordinal: u64) -> u32 {
        u32::try_from(ordinal.saturating_sub(self.first)).unwrap_or(u32::MAX)
    }

    /// Drops the messages, one by one. The room that they took is kept to be used again.
    pub(super) fn clear(&mut self, panics: &mut FirstPanic) {
        self.covers.clear();
        if needs_drop::<M>() {
            panics.drop_each(self.messages.drain(..));
            panics.drop_each(self.sorted.iter_mut().map(Option::take));
        }
        self.messages.clear();
    }

    /// How much room the letters need.
    pub(super) fn needed(&self) -> Needed {
        self.covers.needed()
    }

    /// Gives back memory, when letters needed so much lately.
    pub(super) fn shrink(&mut self, how: Shrink, needed: Needed) {
        how.room(&mut self.messages, needed.letters);
        if !self.covers.are_sorted() {
            // What is there is left from before.
            let left = match how {
                Shrink::ToFit => 0,
                Shrink::Spikes => needed.letters,
            };
            if how.is_due(self.sorted.capacity(), left, size_of::<Option<M>>()) {
                self.sorted.truncate(left);
            }
        }
        how.room(&mut self.sorted, needed.letters);
        self.covers.shrink(how, needed);
    }

    /// Takes over the room of others, to put letters in.
    pub(super) fn take_room_of(&mut self, other: &mut Self) {
        take_room(&mut self.messages, &mut other.messages);
        self.covers.take_room_of(&mut other.covers);
    }

    /// Takes over the room of others, to sort letters.
    pub(super) fn take_sorting_room_of(&mut self, other: &mut Self) {
        take_room(&mut self.sorted, &mut other.sorted);
        self.covers.take_indices_of(&mut other.covers);
    }

    /// Takes over the room of the messages of others that were sorted.
    pub(super) fn take_sorted_room_of(&mut self, other: &mut Self) {
        if other.messages.is_empty() {
            take_room(&mut self.messages, &mut std::mem::take(&mut other.messages));
        }
    }
}

/// Takes over the room of a list that was cleared, if there is more than the other has, and that
/// is empty.
pub(super) fn take_room<T>(list: &mut Vec<T>, cleared: &mut Vec<T>) {
    if list.is_empty() && list.capacity() < cleared.capacity() {
        std::mem::swap(list, cleared);
    }
}

impl<M> Default for Letters<M> {
    fn default() -> Self {
        Self {
            messages: Vec::new(),
            sorted: Vec::new(),
            covers: Metadata::default(),
            first: 0,
        }
    }
}

/// Letters whose message type is not known.
pub(crate) trait AnyLetters {
    fn covers(&self) -> &Metadata;

    fn any_message(&self, slot: u32) -> &dyn AnyMessage;
}

impl<M: Message> AnyLetters for Letters<M> {
    fn covers(&self) -> &Metadata {
        &self.covers
    }

    fn any_message(&self, slot: u32) -> &dyn AnyMessage {
        self.message(slot)
    }
}
