//! The letters of one type that were published in one frame: the messages, and what is written on
//! them. Both have one entry for each letter, in the order published.

use std::any::Any;

use super::letter::Letter;
use super::metadata::Metadata;
use super::payloads::{AnyBox, Messages, NewPayloads, Payloads, Room};
use crate::address::MessageeId;
use crate::caught::FirstPanic;
use crate::message::{AnyMessage, Message};

pub(crate) struct Letters {
    payloads: Box<dyn Payloads>,
    metadata: Metadata,
    /// The ordinal of the first of them: how many of the type were published before.
    first: u64,
}

impl Letters {
    /// Nothing yet; the first will have this ordinal.
    pub(super) fn beginning_with(first: u64, payloads: Box<dyn Payloads>) -> Self {
        Self {
            payloads,
            metadata: Metadata::default(),
            first,
        }
    }

    /// Puts in what is written on a letter that is published in that frame. Its message has to be put
    /// into what is returned.
    #[inline]
    pub(crate) fn push(&mut self, letter: Letter, frame: u64) -> &mut dyn Payloads {
        self.metadata.push(letter, frame);
        &mut *self.payloads
    }

    /// As [`push`](Self::push), of a letter to one messagee that is of the same run as the last one.
    #[inline]
    pub(super) fn push_for_one(&mut self, id: MessageeId) -> &mut dyn Payloads {
        self.metadata.push_for_one(id);
        &mut *self.payloads
    }

    /// As [`push_for_one`](Self::push_for_one), of a letter to everyone.
    #[inline]
    pub(super) fn push_for_everyone(&mut self) -> &mut dyn Payloads {
        self.metadata.push_for_everyone();
        &mut *self.payloads
    }

    /// Puts in the message of a letter that was [put in](Self::push) just now.
    pub(crate) fn push_boxed(&mut self, message: AnyBox) {
        self.payloads.push_boxed(message);
    }

    /// The messages, to put those of letters in, if they are stored by value. After that,
    /// [`include`](Self::include) has to be called.
    pub(crate) fn messages_mut<M: Message>(&mut self) -> Option<&mut Messages<M>> {
        let payloads: &mut dyn Any = &mut *self.payloads;
        payloads.downcast_mut()
    }

    /// Puts in what is written on the letters whose messages were put in. The first is written like
    /// that; the numbers of the others follow on. Returns how many there are.
    pub(crate) fn include(&mut self, letter: Letter, frame: u64) -> u32 {
        let count = self.payloads.rooms().count - self.metadata.count() as usize;
        let count = u32::try_from(count);
        let count = count.expect("fewer than 2^32 messages are published in a frame");
        self.metadata.push_each(letter, frame, count);
        count
    }

    /// Puts in what was put aside in that frame.
    #[cold]
    pub(super) fn append(&mut self, aside: &mut Vec<(Letter, AnyBox)>, frame: u64) {
        for (letter, message) in aside.drain(..) {
            self.push(letter, frame).push_boxed(message);
        }
    }

    /// From now on nothing is added.
    pub(super) fn close(mut self) -> Self {
        self.metadata.close();
        self
    }

    pub(super) fn is_empty(&self) -> bool {
        self.metadata.count() == 0
    }

    #[inline]
    pub(super) fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The messages, if they are stored by value.
    #[inline]
    pub(super) fn messages<M: Message>(&self) -> Option<&Messages<M>> {
        let payloads: &dyn Any = &*self.payloads;
        payloads.downcast_ref()
    }

    /// Returns `true` if the messages are in boxes.
    pub(super) fn are_boxed(&self) -> bool {
        self.payloads.rooms().boxed
    }

    pub(super) fn any_message(&self, slot: u32) -> &dyn AnyMessage {
        self.payloads.any_message(slot)
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
    pub(super) fn renew(&mut self, new: NewPayloads) {
        if self.are_boxed() {
            self.payloads = new();
        }
    }

    /// Sorts the messages by address, if that can be done, so that those of one messagee are read from
    /// one place.
    pub(super) fn sort(&mut self) {
        self.metadata.sort(|ranks| self.payloads.sort(ranks));
    }

    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// The ordinal of the first letter behind them.
    pub(super) fn end(&self) -> u64 {
        self.first + u64::from(self.metadata.count())
    }

    /// The position of the letter with that ordinal, or where it would be.
    #[inline]
    pub(super) fn position_of(&self, ordinal: u64) -> u32 {
        u32::try_from(ordinal.saturating_sub(self.first)).unwrap_or(u32::MAX)
    }

    /// Drops the messages, one by one. The room that they took is kept to be used again.
    pub(super) fn clear(&mut self, panics: &mut FirstPanic) {
        self.metadata.clear();
        self.payloads.clear(panics);
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.metadata.shrink_to_fit();
        self.payloads.shrink_to_fit(self.metadata.are_sorted());
    }

    /// Takes over the room of letters that were cleared, to put letters in.
    pub(super) fn take_room_of(&mut self, cleared: &mut Self) {
        self.take_more_room(Room::Plain, cleared);
        self.metadata.take_room_of(&mut cleared.metadata);
    }

    /// Takes over the room of letters that were cleared, to sort letters.
    pub(super) fn take_sorting_room_of(&mut self, cleared: &mut Self) {
        self.take_more_room(Room::Sorted, cleared);
        self.metadata.take_indices_of(&mut cleared.metadata);
    }

    /// Takes over the room from which the messages of others were sorted, to put letters in.
    pub(super) fn take_sorted_room_of(&mut self, sorted: &mut Self) {
        if sorted.metadata.are_sorted() {
            self.take_more_room(Room::Plain, sorted);
        }
    }

    /// Takes over a room in which nothing is, where there is less and nothing yet.
    fn take_more_room(&mut self, room: Room, other: &mut Self) {
        let (own, others) = (self.payloads.rooms(), other.payloads.rooms());
        let is_more = match room {
            Room::Plain => self.is_empty() && own.plain < others.plain,
            Room::Sorted => !self.metadata.are_sorted() && own.sorted < others.sorted,
        };
        if is_more {
            self.payloads.exchange(room, &mut *other.payloads);
        }
    }

    /// What messages that were dropped were stored in, to be used again, if their type is known.
    /// Room that nobody has taken over is given back.
    pub(super) fn into_payloads(mut self) -> Option<Box<dyn Payloads>> {
        self.payloads.shrink_to_fit(false);
        (!self.payloads.rooms().boxed).then_some(self.payloads)
    }
}

/// Takes over the room of a list that was cleared, if there is more than the other has, and that
/// is empty.
pub(super) fn take_room<T>(list: &mut Vec<T>, cleared: &mut Vec<T>) {
    if list.is_empty() && list.capacity() < cleared.capacity() {
        std::mem::swap(list, cleared);
    }
}
