//! The messages of the letters of one frame: by value, or in boxes.
//!
//! The messages of a type whose mailbox has been used by somebody who knows the type are stored by
//! value. Until then, what was published in boxes stays in them. Boxes are of one Rust type,
//! whatever is in them: so a message type adds no code to a program that does not publish or read it
//! by its type.
//!
//! Each frame is stored in one of the two ways, and stays so. All of it stands in one mailbox, whose
//! order, ordinals and indices know nothing of how the messages are stored. When the type becomes known
//! nothing is moved: from the next frame on, messages are stored by value.
//!
//! What is here is compiled for each message type, so it only moves, shows and drops messages: where
//! each goes, and what becomes of the room, is decided elsewhere.

use std::any::Any;
use std::mem::needs_drop;

use super::recipients::AddressRanks;
use crate::caught::FirstPanic;
use crate::message::{AnyMessage, Message};

/// A message in a box.
pub(crate) type AnyBox = Box<dyn AnyMessage>;

/// Makes room for the messages of a frame.
pub(crate) type NewPayloads = fn() -> Box<dyn Payloads>;

/// What is stored of a message.
pub(crate) trait Content: Send + 'static {
    /// `true` if the messages are in boxes.
    const BOXED: bool;

    /// What is stored of a message in a box, which has to be of the type that the store is for.
    fn from_box(message: AnyBox) -> Self;

    fn as_any_message(&self) -> &dyn AnyMessage;
}

impl<M: Message> Content for M {
    const BOXED: bool = false;

    fn from_box(message: AnyBox) -> Self {
        let message: Box<dyn Any> = message;
        match message.downcast() {
            Ok(message) => *message,
            Err(other) => wrong_type(other),
        }
    }

    fn as_any_message(&self) -> &dyn AnyMessage {
        self
    }
}

impl Content for AnyBox {
    const BOXED: bool = true;

    fn from_box(message: AnyBox) -> Self {
        message
    }

    fn as_any_message(&self) -> &dyn AnyMessage {
        &**self
    }
}

#[cold]
fn wrong_type(_: Box<dyn Any>) -> ! {
    unreachable!("a mailbox stands at the index of its message type")
}

#[cold]
fn no_message() -> ! {
    unreachable!("every letter has a message")
}

/// The messages of a frame, in one of the two places.
pub(crate) struct Messages<S> {
    /// In the order published; empty if they are sorted.
    plain: Vec<S>,
    /// Sorted by address. What was there before may be left, if it needs no dropping.
    sorted: Vec<Option<S>>,
}

impl<S: Content> Messages<S> {
    #[cold]
    pub(crate) fn new_payloads() -> Box<dyn Payloads> {
        Box::new(Self {
            plain: Vec::new(),
            sorted: Vec::new(),
        })
    }

    #[inline]
    pub(crate) fn push(&mut self, message: S) {
        self.plain.push(message);
    }

    #[inline]
    pub(crate) fn extend(&mut self, messages: impl Iterator<Item = S>) {
        self.plain.extend(messages);
    }

    /// Those in the order published, or none if they are sorted.
    #[inline]
    pub(super) fn plain(&self) -> &[S] {
        &self.plain
    }

    /// Those that are sorted, or what is left from before.
    #[inline]
    pub(super) fn sorted(&self) -> &[Option<S>] {
        &self.sorted
    }
}

/// The messages of a frame, whose type is not known.
pub(crate) trait Payloads: Any + Send {
    fn rooms(&self) -> Rooms;

    fn push_boxed(&mut self, message: AnyBox);

    fn any_message(&self, slot: u32) -> &dyn AnyMessage;

    /// Puts each message where it goes; the ranks come in the order of the last to the first.
    fn sort(&mut self, ranks: AddressRanks<'_>);

    /// Drops the messages, one by one. The room that they took is kept to be used again.
    fn clear(&mut self, panics: &mut FirstPanic);

    /// Frees the memory that is not used. If the messages are not `sorted`, what stands in that place is left
    /// from before.
    fn shrink_to_fit(&mut self, sorted: bool);

    /// Exchanges a room with that of another, if that stores messages as this one does.
    fn exchange(&mut self, room: Room, other: &mut dyn Payloads);
}

/// The two places in which messages can be.
#[derive(Clone, Copy)]
pub(crate) enum Room {
    /// In the order published.
    Plain,
    Sorted,
}

/// What is known of the room in a frame's [`Messages`].
pub(crate) struct Rooms {
    /// `true` if the messages are in boxes.
    pub(super) boxed: bool,
    /// How many are there in the order published.
    pub(super) count: usize,
    /// How many have room unsorted.
    pub(super) plain: usize,
    /// How many have room sorted.
    pub(super) sorted: usize,
}

impl<S: Content> Payloads for Messages<S> {
    fn rooms(&self) -> Rooms {
        Rooms {
            boxed: S::BOXED,
            count: self.plain.len(),
            plain: self.plain.capacity(),
            sorted: self.sorted.capacity(),
        }
    }

    fn push_boxed(&mut self, message: AnyBox) {
        self.push(S::from_box(message));
    }

    fn any_message(&self, slot: u32) -> &dyn AnyMessage {
        let slot = slot as usize;
        let sorted = || self.sorted.get(slot).and_then(Option::as_ref);
        let message = self.plain.get(slot).or_else(sorted);
        message.unwrap_or_else(|| no_message()).as_any_message()
    }

    fn sort(&mut self, ranks: AddressRanks<'_>) {
        self.sorted.resize_with(self.plain.len(), || None);
        // Both lists are at hand while it runs, and not read again from where they belong.
        let (mut plain, sorted) = (std::mem::take(&mut self.plain), &mut self.sorted[..]);
        for rank in ranks {
            sorted[rank as usize] = plain.pop();
        }
        self.plain = plain;
    }

    fn clear(&mut self, panics: &mut FirstPanic) {
        if needs_drop::<S>() {
            panics.drop_each(self.plain.drain(..));
            panics.drop_each(self.sorted.iter_mut().map(Option::take));
        }
        self.plain.clear();
    }

    fn shrink_to_fit(&mut self, sorted: bool) {
        self.plain.shrink_to_fit();
        if !sorted {
            self.sorted.clear();
        }
        self.sorted.shrink_to_fit();
    }

    fn exchange(&mut self, room: Room, other: &mut dyn Payloads) {
        let other: &mut dyn Any = other;
        if let Some(other) = other.downcast_mut::<Self>() {
            match room {
                Room::Plain => std::mem::swap(&mut self.plain, &mut other.plain),
                Room::Sorted => std::mem::swap(&mut self.sorted, &mut other.sorted),
            }
        }
    }
}
