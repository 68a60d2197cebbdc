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

use std::any::Any;
use std::mem::needs_drop;

use super::letters::take_room;
use super::metadata::Metadata;
use crate::caught::FirstPanic;
use crate::message::{AnyMessage, Message};
use crate::room::Shrink;

/// A message in a box.
pub(super) type AnyBox = Box<dyn AnyMessage>;

/// Makes room for the messages of a frame.
pub(super) type NewStore = fn() -> Box<dyn Store>;

/// What is stored of a message.
pub(super) trait Content: Send + 'static {
    /// `true` if the messages are in boxes.
    const BOXED: bool;

    /// What is stored of a message in a box, which has to be of the type that the store is for.
    fn from_box(message: AnyBox) -> Self;

    fn as_any_message(&self) -> &dyn AnyMessage;
}

impl<M: Message> Content for M {
    const BOXED: bool = false;

    fn from_box(message: AnyBox) -> Self {
        *message.downcast().unwrap_or_else(|_| wrong_type())
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
fn wrong_type() -> ! {
    unreachable!("a mailbox stands at the index of its message type")
}

/// The messages of a frame, in one of the two places.
pub(super) struct Messages<S> {
    /// In the order published; empty if they are sorted.
    plain: Vec<S>,
    /// Sorted by address. What was there before may be left, if it needs no dropping.
    sorted: Vec<Option<S>>,
}

impl<S: Content> Messages<S> {
    #[cold]
    pub(super) fn new_store() -> Box<dyn Store> {
        Box::new(Self {
            plain: Vec::new(),
            sorted: Vec::new(),
        })
    }

    #[inline]
    pub(super) fn push(&mut self, message: S) {
        self.plain.push(message);
    }

    #[inline]
    pub(super) fn at(&self, slot: u32) -> &S {
        let slot = slot as usize;
        match self.plain.get(slot) {
            Some(message) => message,
            None => self.sorted[slot]
                .as_ref()
                .expect("every letter has a message"),
        }
    }
}

/// The messages of a frame, whose type is not known.
pub(super) trait Store: Any + Send {
    /// Returns `true` if the messages are in boxes.
    fn is_boxed(&self) -> bool;

    fn push_boxed(&mut self, message: AnyBox);

    fn any_message(&self, slot: u32) -> &dyn AnyMessage;

    /// Sorts the messages by address, which has to be possible.
    fn sort(&mut self, covers: &mut Metadata);

    /// Drops the messages, one by one. The room that they took is kept to be used again.
    fn clear(&mut self, panics: &mut FirstPanic);

    /// Gives back memory, when so many letters were there lately. `sorted` tells whether they are
    /// sorted.
    fn shrink(&mut self, how: Shrink, needed: usize, sorted: bool);

    /// Takes over some of the room of a store, if that stores messages as this one does.
    fn take(&mut self, room: Room, other: &mut dyn Store);
}

/// Room that is used again.
#[derive(Clone, Copy)]
pub(super) enum Room {
    /// That of messages that were dropped, to put letters in.
    Cleared,
    /// That of sorted messages that were dropped, to sort letters.
    Sorting,
    /// That from which messages were sorted, to put letters in.
    Sorted,
}

impl<S: Content> Store for Messages<S> {
    fn is_boxed(&self) -> bool {
        S::BOXED
    }

    fn push_boxed(&mut self, message: AnyBox) {
        self.push(S::from_box(message));
    }

    fn any_message(&self, slot: u32) -> &dyn AnyMessage {
        self.at(slot).as_any_message()
    }

    fn sort(&mut self, covers: &mut Metadata) {
        let Self { plain, sorted } = self;
        sorted.resize_with(plain.len(), || None);
        let mut plain = plain.drain(..);
        covers.sort(|slot| sorted[slot] = plain.next());
    }

    fn clear(&mut self, panics: &mut FirstPanic) {
        if needs_drop::<S>() {
            panics.drop_each(self.plain.drain(..));
            panics.drop_each(self.sorted.iter_mut().map(Option::take));
        }
        self.plain.clear();
    }

    fn shrink(&mut self, how: Shrink, needed: usize, sorted: bool) {
        how.room(&mut self.plain, needed);
        if !sorted {
            // What is there is left from before.
            let left = match how {
                Shrink::ToFit => 0,
                Shrink::Spikes => needed,
            };
            if how.is_due(self.sorted.capacity(), left, size_of::<Option<S>>()) {
                self.sorted.truncate(left);
            }
        }
        how.room(&mut self.sorted, needed);
    }

    fn take(&mut self, room: Room, other: &mut dyn Store) {
        let other: &mut dyn Any = other;
        let Some(other) = other.downcast_mut::<Self>() else {
            return;
        };
        match room {
            Room::Cleared => take_room(&mut self.plain, &mut other.plain),
            Room::Sorting => take_room(&mut self.sorted, &mut other.sorted),
            Room::Sorted if other.plain.is_empty() => {
                take_room(&mut self.plain, &mut std::mem::take(&mut other.plain));
            }
            Room::Sorted => {}
        }
    }
}
