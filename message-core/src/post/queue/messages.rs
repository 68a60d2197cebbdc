//! The messages of one type that are pending, by value: all of the heap that is compiled for each
//! type.
//!
//! What is known of a message stands in its [chunk](super::chunk); here is a row for each chunk, with
//! the messages at the same positions. Which of them are pending is not asked here.

use std::any::Any;
use std::mem::needs_drop;

use crate::address::MessageeId;
use crate::caught::FirstPanic;
use crate::handler::run::{At, Run};
#[cfg(feature = "data")]
use crate::message::AnyMessage;
use crate::message::{Facts, Message};
use crate::post::queue::Deliver;
use crate::post::queue::chunk::Head;
use crate::post::queue::slot::{position_of, row_of};
use crate::room::Shrink;
use crate::send::ErasedMessage;
use crate::send::erased::{BoxedMessage, OwnedMessage};
use crate::send::verdict::{Ended, FALL_BACK};
use crate::storage::Pool;
use crate::world::World;

/// The messages of one type, as all that does not depend on the type sees them.
pub(crate) trait Messages: Any + Send {
    /// A row of that number, with room for so many messages of a batch, or single ones.
    fn open(&mut self, row: usize, room: usize, is_batch: bool);

    /// What is known of a message of a batch.
    fn head(&self, row: usize, position: usize) -> Option<Head>;

    /// A message of a batch is cancelled, if it is of the posting with that number.
    fn cancel(&mut self, row: usize, position: usize, number: u32) -> bool;

    /// Ends a row, and drops what is left in it.
    fn close(&mut self, row: usize);

    /// Drops a message; ends its row before, if nothing else is left there.
    fn drop_at(&mut self, row: usize, position: usize, is_last: bool);

    /// Takes a message out.
    fn take(&mut self, row: usize, position: usize) -> Option<Box<dyn ErasedMessage>>;

    /// A message that is pending, to be looked at.
    #[cfg(feature = "data")]
    fn get(&self, row: usize, position: usize) -> Option<&dyn AnyMessage>;

    /// Gives back the room for rows behind so many.
    fn shrink(&mut self, how: Shrink, rows: usize);

    /// Drops every message, one by one.
    fn drop_all(&mut self, panics: &mut FirstPanic);
}

/// One message of a batch.
pub(crate) struct Batched<S> {
    pub(super) head: Head,
    pub(super) message: Option<S>,
}

/// The messages of one type: a row for each chunk, and what is known of each of a batch beside it, so
/// that a post writes to one place and a pass reads as it lies.
pub(crate) struct Rows<S> {
    pub(super) batches: Vec<Vec<Batched<S>>>,
    pub(super) singles: Vec<Vec<Option<S>>>,
}

impl<S: Send + 'static> Rows<S> {
    pub(super) fn new() -> Self {
        Self {
            batches: Vec::new(),
            singles: Vec::new(),
        }
    }

    #[inline]
    pub(crate) fn of(messages: &mut dyn Messages) -> &mut Self {
        (messages as &mut dyn Any)
            .downcast_mut()
            .expect("a queue stands at the index of its message type")
    }

    /// Puts a message in at the end of its batch, which is where that slot is.
    #[inline]
    pub(crate) fn push(&mut self, slot: u32, head: Head, message: S) {
        let message = Some(message);
        self.batches[row_of(slot)].push(Batched { head, message });
    }

    /// Takes a message out of a slot.
    #[inline]
    pub(crate) fn take(&mut self, slot: u32) -> Option<S> {
        self.fetch(row_of(slot), position_of(slot))
    }

    /// Puts a message in, at a position that is free or at the end of a row. One of a batch has a head.
    fn put(&mut self, row: usize, position: usize, head: Option<Head>, message: Option<S>) {
        if let Some(head) = head {
            self.batches[row].push(Batched { head, message });
            return;
        }
        let row = &mut self.singles[row];
        match row.get_mut(position) {
            Some(free) => *free = message,
            None => row.push(message),
        }
    }

    #[inline(never)]
    fn fetch(&mut self, row: usize, position: usize) -> Option<S> {
        if let Some(batched) = self.batches.get_mut(row)?.get_mut(position) {
            return batched.message.take();
        }
        self.singles.get_mut(row)?.get_mut(position)?.take()
    }
}

/// What becomes a message in a box.
trait Boxable {
    fn boxed(self) -> Box<dyn ErasedMessage>;

    #[cfg(feature = "data")]
    fn as_any_message(&self) -> &dyn AnyMessage;
}

impl<M: Message> Boxable for M {
    fn boxed(self) -> Box<dyn ErasedMessage> {
        Box::new(self)
    }

    #[cfg(feature = "data")]
    fn as_any_message(&self) -> &dyn AnyMessage {
        self
    }
}

impl Boxable for Box<dyn ErasedMessage> {
    fn boxed(self) -> Box<dyn ErasedMessage> {
        self
    }

    #[cfg(feature = "data")]
    fn as_any_message(&self) -> &dyn AnyMessage {
        &**self
    }
}

impl<S: Boxable + Send + 'static> Messages for Rows<S> {
    fn open(&mut self, row: usize, room: usize, is_batch: bool) {
        if self.batches.len() == row {
            self.batches.push(Vec::new());
            self.singles.push(Vec::new());
        }
        if is_batch {
            self.batches[row].reserve_exact(room);
        } else {
            self.singles[row].reserve_exact(room);
        }
    }

    fn head(&self, row: usize, position: usize) -> Option<Head> {
        let batched = self.batches.get(row)?.get(position)?;
        Some(batched.head)
    }

    fn cancel(&mut self, row: usize, position: usize, number: u32) -> bool {
        let batched = self
            .batches
            .get_mut(row)
            .and_then(|row| row.get_mut(position));
        let batched = batched.filter(|batched| batched.head.is(number));
        batched.is_some_and(|batched| {
            batched.head.cancel();
            true
        })
    }

    fn close(&mut self, row: usize) {
        if let (Some(batch), Some(singles)) = (self.batches.get_mut(row), self.singles.get_mut(row))
        {
            // One of them is empty, and nothing is left to be dropped in the other.
            *batch = Vec::new();
            *singles = Vec::new();
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

    #[cfg(feature = "data")]
    fn get(&self, row: usize, position: usize) -> Option<&dyn AnyMessage> {
        let batched = self.batches.get(row).and_then(|row| row.get(position));
        let message = match batched {
            Some(batched) => batched.message.as_ref(),
            None => self.singles.get(row)?.get(position)?.as_ref(),
        };
        message.map(Boxable::as_any_message)
    }

    fn shrink(&mut self, how: Shrink, rows: usize) {
        self.batches.truncate(rows);
        self.singles.truncate(rows);
        how.room(&mut self.batches, 0);
        how.room(&mut self.singles, 0);
    }

    fn drop_all(&mut self, panics: &mut FirstPanic) {
        let batched = self.batches.iter_mut().flatten();
        panics.drop_each(batched.map(|batched| batched.message.take()));
        panics.drop_each(self.singles.iter_mut().flatten().map(Option::take));
    }
}

/// See [`CallAlone`](super::CallAlone).
fn call_alone<M: Message>(
    messages: &mut dyn Messages,
    row: usize,
    position: usize,
    pool: &Pool,
    to: MessageeId,
) -> Ended {
    let Some(Run::Alone(run)) = M::cell().routes().run_single() else {
        return FALL_BACK;
    };
    let batch = Rows::<M>::of(messages).batches.get_mut(row);
    let Some(batched) = batch.and_then(|batch| batch.get_mut(position)) else {
        return FALL_BACK;
    };
    let Some(message) = &mut batched.message else {
        return FALL_BACK;
    };
    let ended = run(pool, At::only(to), message, &mut None);
    if needs_drop::<M>() && matches!(ended, (Some(_), None)) {
        batched.message = None;
    }
    ended
}

/// A message on its way into the heap, or out of it: by value, or in a box if it was posted while
/// nothing knew its type. The boxed ones of a type have a queue of their own, so that posting them
/// takes no code for each type.
pub(crate) trait Held: OwnedMessage {
    /// `true` if it stands in the queue for the boxed messages of its type.
    fn is_boxed(&self) -> bool;

    /// A queue for such messages, and what delivers them.
    fn queue(&self) -> (Box<dyn Messages>, Deliver);

    /// Puts it into the heap; with a head into a batch.
    fn store(&mut self, into: &mut dyn Messages, row: usize, position: usize, head: Option<Head>);
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
            alone: call_alone::<M>,
        };
        (Box::new(Rows::<M>::new()), deliver)
    }

    fn store(&mut self, into: &mut dyn Messages, row: usize, position: usize, head: Option<Head>) {
        Rows::<M>::of(into).put(row, position, head, self.take());
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
            alone: |_, _, _, _, _| FALL_BACK,
        };
        let rows = Rows::<Box<dyn ErasedMessage>>::new();
        (Box::new(rows), deliver)
    }

    fn store(&mut self, into: &mut dyn Messages, row: usize, position: usize, head: Option<Head>) {
        Rows::of(into).put(row, position, head, self.0.take());
    }
}
