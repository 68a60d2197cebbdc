//! The messages of one type that are pending, by value: all of the heap that is compiled for each
//! type.
//!
//! What is known of a message stands in its [chunk](super::chunk); here is a row for each chunk, with
//! the messages at the same positions. Which of them are pending is not asked here.

use std::any::Any;

use crate::caught::FirstPanic;
use crate::message::{Facts, Message};
use crate::post::queue::Deliver;
use crate::post::queue::slot::{chunk_of, position_of, row_of};
use crate::room::Shrink;
use crate::send::ErasedMessage;
use crate::send::erased::{BoxedMessage, OwnedMessage};
use crate::world::World;

/// The messages of one type, as all that does not depend on the type sees them.
pub(crate) trait Messages: Any + Send {
    /// A row of that number, with room for so many messages.
    fn open(&mut self, row: usize, room: usize);

    /// Ends a row, and drops what is left in it.
    fn close(&mut self, row: usize);

    /// Drops a message; ends its row before, if nothing else is left there.
    fn drop_at(&mut self, row: usize, position: usize, is_last: bool);

    /// Takes a message out.
    fn take(&mut self, row: usize, position: usize) -> Option<Box<dyn ErasedMessage>>;

    /// Gives back the room for rows.
    fn shrink(&mut self, how: Shrink);

    /// Drops every message, one by one.
    fn drop_all(&mut self, panics: &mut FirstPanic);
}

/// The messages of one type: a row for each chunk.
pub(crate) struct Rows<S>(pub(super) Vec<Vec<Option<S>>>);

impl<S: Send + 'static> Rows<S> {
    #[inline]
    pub(crate) fn of(messages: &mut dyn Messages) -> &mut Self {
        (messages as &mut dyn Any)
            .downcast_mut()
            .expect("a queue stands at the index of its message type")
    }

    /// Puts a message in at the end of its row, which is where that slot is.
    #[inline]
    pub(crate) fn push(&mut self, slot: u32, message: S) {
        self.0[row_of(slot)].push(Some(message));
    }

    /// Takes a message out of a slot.
    #[inline]
    pub(crate) fn take(&mut self, slot: u32) -> Option<S> {
        self.fetch(chunk_of(slot) as usize, position_of(slot))
    }

    /// Puts a message in, at a position that is free or at the end of a row.
    fn put(&mut self, row: usize, position: usize, message: Option<S>) {
        let row = &mut self.0[row];
        match row.get_mut(position) {
            Some(free) => *free = message,
            None => row.push(message),
        }
    }

    #[inline]
    fn fetch(&mut self, row: usize, position: usize) -> Option<S> {
        self.0.get_mut(row)?.get_mut(position)?.take()
    }
}

/// What becomes a message in a box.
trait Boxable {
    fn boxed(self) -> Box<dyn ErasedMessage>;
}

impl<M: Message> Boxable for M {
    fn boxed(self) -> Box<dyn ErasedMessage> {
        Box::new(self)
    }
}

impl Boxable for Box<dyn ErasedMessage> {
    fn boxed(self) -> Box<dyn ErasedMessage> {
        self
    }
}

impl<S: Boxable + Send + 'static> Messages for Rows<S> {
    fn open(&mut self, row: usize, room: usize) {
        while self.0.len() <= row {
            self.0.push(Vec::new());
        }
        self.0[row].reserve_exact(room);
    }

    fn close(&mut self, row: usize) {
        if let Some(row) = self.0.get_mut(row) {
            drop(std::mem::take(row));
        }
    }

    fn drop_at(&mut self, row: usize, position: usize, is_last: bool) {
        let message = self.fetch(row, position);
        if is_last {
            self.close(row);
        }
        // Last, since a `Drop` may panic.
        drop(message);
    }

    fn take(&mut self, row: usize, position: usize) -> Option<Box<dyn ErasedMessage>> {
        self.fetch(row, position).map(Boxable::boxed)
    }

    fn shrink(&mut self, how: Shrink) {
        // Rows that are not in use stand at the end, if there are any.
        let used = self.0.iter().rposition(|row| row.capacity() > 0);
        self.0.truncate(used.map_or(0, |last| last + 1));
        how.room(&mut self.0, 0);
    }

    fn drop_all(&mut self, panics: &mut FirstPanic) {
        panics.drop_each(self.0.iter_mut().flatten().map(Option::take));
    }
}

/// A message on its way into the heap, or out of it: by value, or in a box if it was posted while
/// nothing knew its type. The boxed ones of a type have a queue of their own, so that posting them
/// takes no code for each type.
pub(crate) trait Held: OwnedMessage {
    /// `true` if it stands in the queue for the boxed messages of its type.
    fn is_boxed(&self) -> bool;

    /// A queue for such messages, and what delivers them.
    fn queue(&self) -> (Box<dyn Messages>, Deliver);

    /// Puts it into the heap.
    fn store(&mut self, into: &mut dyn Messages, row: usize, position: usize);
}

impl dyn Held + '_ {
    /// What is known of the message's type.
    pub(crate) fn facts(&mut self) -> &'static Facts {
        (*self.get()).facts()
    }
}

impl<M: Message> Held for Option<M> {
    fn is_boxed(&self) -> bool {
        false
    }

    fn queue(&self) -> (Box<dyn Messages>, Deliver) {
        let deliver = Deliver {
            one: World::deliver_due::<M>,
            walk: World::walk_batch::<M>,
        };
        (Box::new(Rows::<M>(Vec::new())), deliver)
    }

    fn store(&mut self, into: &mut dyn Messages, row: usize, position: usize) {
        Rows::<M>::of(into).put(row, position, self.take());
    }
}

impl Held for BoxedMessage {
    fn is_boxed(&self) -> bool {
        true
    }

    fn queue(&self) -> (Box<dyn Messages>, Deliver) {
        let deliver = Deliver {
            one: World::deliver_boxed,
            walk: |_, _, _| None,
        };
        let rows = Rows::<Box<dyn ErasedMessage>>(Vec::new());
        (Box::new(rows), deliver)
    }

    fn store(&mut self, into: &mut dyn Messages, row: usize, position: usize) {
        Rows::of(into).put(row, position, self.0.take());
    }
}
