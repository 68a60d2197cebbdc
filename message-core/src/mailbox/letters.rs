//! The letters of one type that were published in one frame: the messages, and what is written on
//! them. Both have one entry for each letter, in the order published.

use std::mem::needs_drop;

use super::Letter;
use super::covers::Covers;
use crate::message::{AnyMessage, Message};

pub(crate) struct Letters<M> {
    /// In the order published; empty if they are sorted.
    messages: Vec<M>,
    /// Sorted by address. What was there before may be left, if it needs no dropping.
    sorted: Vec<Option<M>>,
    covers: Covers,
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

    pub(super) fn covers(&self) -> &Covers {
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

    /// Drops the messages. The room that they took is kept to be used again, unless it is far more
    /// than was needed.
    pub(super) fn clear(&mut self) {
        let used = self.covers.count() as usize;
        self.covers.clear();
        clear(&mut self.messages);
        if needs_drop::<M>() {
            self.sorted.fill_with(|| None);
        }
        if self.sorted.len() / 4 > used.max(KEPT) {
            self.sorted = Vec::new();
        }
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

/// As much room is kept in any case.
const KEPT: usize = 256;

/// Clears a list; its room shrinks if less than a quarter of it was used.
pub(super) fn clear<T>(list: &mut Vec<T>) {
    let used = list.len().max(KEPT);
    list.clear();
    if list.capacity() / 4 > used {
        list.shrink_to(used);
    }
}

impl<M> Default for Letters<M> {
    fn default() -> Self {
        Self {
            messages: Vec::new(),
            sorted: Vec::new(),
            covers: Covers::default(),
            first: 0,
        }
    }
}

/// Letters whose message type is not known.
pub(crate) trait AnyLetters {
    fn covers(&self) -> &Covers;

    fn any_message(&self, slot: u32) -> &dyn AnyMessage;
}

impl<M: Message> AnyLetters for Letters<M> {
    fn covers(&self) -> &Covers {
        &self.covers
    }

    fn any_message(&self, slot: u32) -> &dyn AnyMessage {
        self.message(slot)
    }
}

#[cfg(test)]
mod tests {
    use super::clear;

    #[test]
    fn room_is_kept_as_long_as_a_quarter_of_it_is_used() {
        let mut list: Vec<u32> = (0..10_000).collect();
        clear(&mut list);
        assert!(list.capacity() >= 10_000);
        list.extend(0..3_000);
        clear(&mut list);
        assert!(list.capacity() >= 10_000);
        list.extend(0..1_000);
        clear(&mut list);
        assert!(list.is_empty());
        assert!((1_000..3_000).contains(&list.capacity()));
    }
}
