//! The messages of one type that are pending, by value: all of the heap that is compiled for each
//! type.
//!
//! There is a row for each [chunk](super::chunk), with the messages at the same positions. Each message of a batch has
//! its head next to it. The chunk holds what all messages of a batch have in common, and the records of single ones.

use std::any::Any;
use std::mem::needs_drop;

use crate::address::MessageeId;
use crate::caught::FirstPanic;
use crate::handler::run::Run;
#[cfg(feature = "data")]
use crate::message::AnyMessage;
use crate::message::{Facts, Message};
use crate::post::queue::Deliver;
use crate::post::queue::chunk::Head;
use crate::post::queue::cursor::Cursor;
use crate::post::queue::lent::walk_part;
use crate::post::queue::slot::{position_of, row_of};
use crate::send::ErasedMessage;
use crate::send::Ways;
use crate::send::entry::Single;
use crate::send::erased::{BoxedMessage, OwnedMessage};
use crate::send::verdict::{Ended, FALL_BACK, Verdict};
use crate::world::World;

/// All calls of a row that had to be made were made.
const CALLED: Ended = (Some(Verdict::Received), None);

/// The messages of one type, as all that does not depend on the type sees them.
pub(crate) trait Messages: Any + Send {
    /// A row of that number, with room for so many messages.
    fn open(&mut self, row: usize, room: usize);

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

    /// Calls handlers that take no context with the messages of a batch from a cursor on, each for
    /// the only component of its messagee that receives it, as long as they were posted before the posting of a number.
    /// Returns how a call ended that could not be made, or whose handler failed: the cursor stays at its message.
    /// What was delivered without a failure is dropped.
    fn call(&mut self, row: usize, cursor: &mut Cursor, until: u64, ways: &mut Ways<'_>) -> Ended;

    /// Frees the memory that is not used by the first `rows` rows. The others are empty.
    fn shrink_to_fit(&mut self, rows: usize);

    /// Drops every message, one by one.
    fn drop_all(&mut self, panics: &mut FirstPanic);
}

/// What is in a slot.
pub(crate) struct Slot<S> {
    /// What is known of a message of a batch. A single one has a [record](super::Record) instead.
    pub(super) head: Head,
    pub(super) message: Option<S>,
}

/// The messages of one type: a row for each chunk, and what is known of each of a batch beside it, so
/// that a post writes to one place and a pass reads as it lies. Rows of single messages are of the same
/// form, so that nothing is compiled twice for each type.
pub(crate) struct Rows<S>(pub(super) Vec<Vec<Slot<S>>>);

impl<S: Send + 'static> Rows<S> {
    pub(super) fn new() -> Self {
        Self(Vec::new())
    }

    #[inline]
    pub(crate) fn of(messages: &mut dyn Messages) -> &mut Self {
        match (messages as &mut dyn Any).downcast_mut() {
            Some(rows) => rows,
            None => is_of_another_type(),
        }
    }

    /// Puts a message in at the end of its batch, which is where that slot is.
    #[inline]
    pub(crate) fn push(&mut self, slot: u32, head: Head, message: S) {
        let message = Some(message);
        self.0[row_of(slot)].push(Slot { head, message });
    }

    /// Takes a message out of a slot.
    ///
    /// A slot that does not exist diverges out of line. If it were `None`, like an empty slot, LLVM would merge the
    /// two and move a message of one integer bit by bit: 7.6 KB for each type, 870 instructions for each message
    /// (`W5-word`).
    #[inline]
    pub(crate) fn take(&mut self, slot: u32) -> Option<S> {
        let row = self.0.get_mut(row_of(slot));
        match row.and_then(|row| row.get_mut(position_of(slot))) {
            Some(slot) => slot.message.take(),
            None => is_no_slot(),
        }
    }

    /// Puts a message in, at a position that is free or at the end of a row.
    #[inline]
    fn put(&mut self, row: usize, position: usize, head: Head, message: Option<S>) {
        let row = &mut self.0[row];
        match row.get_mut(position) {
            Some(free) => free.message = message,
            None => row.push(Slot { head, message }),
        }
    }

    #[inline]
    fn fetch(&mut self, row: usize, position: usize) -> Option<S> {
        self.0.get_mut(row)?.get_mut(position)?.message.take()
    }
}

/// Not at each place that asks, so that little is compiled for it.
#[cold]
#[inline(never)]
fn is_of_another_type() -> ! {
    unreachable!("a queue stands at the index of its message type")
}

#[cold]
#[inline(never)]
fn is_no_slot() -> ! {
    unreachable!("a message that is due has a slot")
}

/// What becomes a message in a box.
trait Boxable {
    fn boxed(self) -> Box<dyn ErasedMessage>;

    /// Calls the handler, which takes no context, of the only component of a messagee that receives the
    /// message. Nobody is called if that is not possible at once.
    fn call(&mut self, ways: &mut Ways<'_>, to: MessageeId) -> Ended;

    #[cfg(feature = "data")]
    fn as_any_message(&self) -> &dyn AnyMessage;
}

impl<M: Message> Boxable for M {
    fn boxed(self) -> Box<dyn ErasedMessage> {
        Box::new(self)
    }

    #[inline]
    fn call(&mut self, ways: &mut Ways<'_>, to: MessageeId) -> Ended {
        let Some(Single { route, pool, slot }) = ways.to(to) else {
            return FALL_BACK;
        };
        match M::cell().routes().run(route) {
            Some(Run::Alone(run)) => run(pool, slot, self, &mut None),
            _ => FALL_BACK,
        }
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

    /// They are in no batch.
    fn call(&mut self, _: &mut Ways<'_>, _: MessageeId) -> Ended {
        FALL_BACK
    }

    #[cfg(feature = "data")]
    fn as_any_message(&self) -> &dyn AnyMessage {
        &**self
    }
}

impl<S: Boxable + Send + 'static> Messages for Rows<S> {
    fn open(&mut self, row: usize, room: usize) {
        if self.0.len() == row {
            self.0.push(Vec::new());
        }
        if let Some(row) = self.0.get_mut(row) {
            row.reserve_exact(room);
        }
    }

    fn head(&self, row: usize, position: usize) -> Option<Head> {
        let slot = self.0.get(row)?.get(position)?;
        Some(slot.head)
    }

    fn cancel(&mut self, row: usize, position: usize, number: u32) -> bool {
        let slot = self.0.get_mut(row).and_then(|row| row.get_mut(position));
        let slot = slot.filter(|slot| slot.head.is(number));
        slot.is_some_and(|slot| {
            slot.head.cancel();
            true
        })
    }

    fn close(&mut self, row: usize) {
        if let Some(row) = self.0.get_mut(row) {
            // Nothing is left to be dropped in it.
            *row = Vec::new();
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
        let message = self.0.get(row)?.get(position)?.message.as_ref();
        message.map(Boxable::as_any_message)
    }

    fn call(&mut self, row: usize, cursor: &mut Cursor, until: u64, ways: &mut Ways<'_>) -> Ended {
        let Some(slots) = self.0.get_mut(row) else {
            return FALL_BACK;
        };
        while let Some(Slot { head, message }) = slots.get_mut(cursor.position()) {
            if !cursor.comes_before(until, *head) {
                return CALLED;
            }
            // A message that was cancelled is not there any more.
            if let (Some(it), Some(to)) = (message.as_mut(), head.pending_to()) {
                let ended = it.call(ways, to);
                if !matches!(ended, (Some(_), None)) {
                    return ended;
                }
                if needs_drop::<S>() {
                    *message = None;
                }
                cursor.delivered += 1;
            }
            cursor.position += 1;
        }
        cursor.number = u64::MAX;
        CALLED
    }

    fn shrink_to_fit(&mut self, rows: usize) {
        self.0.truncate(rows);
        self.0.shrink_to_fit();
    }

    fn drop_all(&mut self, panics: &mut FirstPanic) {
        let slots = self.0.iter_mut().flatten();
        panics.drop_each(slots.map(|slot| slot.message.take()));
    }
}

/// A message on its way into the heap, or out of it: by value, or in a box if it was posted while
/// nothing knew its type. The boxed ones of a type have a queue of their own, so that posting them
/// takes no code for each type.
pub(crate) trait Held: OwnedMessage {
    /// `true` if it stands in the queue for the boxed messages of its type.
    fn is_boxed(&self) -> bool;

    /// A queue for such messages, and what delivers them.
    fn queue(&self) -> (Box<dyn Messages>, &'static Deliver);

    /// Puts it into the heap.
    fn store(&mut self, into: &mut dyn Messages, row: usize, position: usize, head: Head);
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

    fn queue(&self) -> (Box<dyn Messages>, &'static Deliver) {
        let deliver = const {
            &Deliver {
                one: World::deliver_due::<M>,
                walk: walk_part::<M>,
            }
        };
        (Box::new(Rows::<M>::new()), deliver)
    }

    fn store(&mut self, into: &mut dyn Messages, row: usize, position: usize, head: Head) {
        Rows::<M>::of(into).put(row, position, head, self.take());
    }
}

impl Deliver {
    /// Of messages in boxes, which are in no batch.
    pub(super) const BOXED: Self = Self {
        one: World::deliver_boxed,
        walk: |_, _, _| None,
    };
}

impl Held for BoxedMessage {
    fn is_boxed(&self) -> bool {
        true
    }

    fn queue(&self) -> (Box<dyn Messages>, &'static Deliver) {
        let rows = Rows::<Box<dyn ErasedMessage>>::new();
        (Box::new(rows), &Deliver::BOXED)
    }

    fn store(&mut self, into: &mut dyn Messages, row: usize, position: usize, head: Head) {
        Rows::of(into).put(row, position, head, self.0.take());
    }
}
