//! The pending messages of one type: those in batches, and single ones.

use std::any::Any;
use std::num::NonZeroU64;
use std::ops::ControlFlow;

use crate::caught::FirstPanic;
use crate::message::{AnyMessage, Facts};
use crate::post::queue::batch::Origin;
use crate::post::queue::batches::Batches;
use crate::post::queue::slab::Slab;
use crate::post::queue::slot::{Slot, in_batch, whole_batch};
use crate::post::queue::span::Span;
use crate::post::queue::{DueEntry, Left, Record, Stored};
use crate::room::Shrink;
use crate::world::World;

pub(crate) struct PendingOf<M> {
    pub(super) slab: Slab<M>,
    pub(super) batches: Batches<M>,
    /// What was cancelled, until all is told and it can be dropped.
    cancelled: Vec<M>,
    /// Whether any message has fallen due since memory was given back.
    lately: bool,
    /// What is known of the message type.
    facts: &'static Facts,
}

/// With more room than this for what was cancelled its memory is given back.
const CANCELLED: usize = 64;

impl<M: Stored> PendingOf<M> {
    pub(super) fn new(facts: &'static Facts) -> Self {
        Self {
            slab: Slab::new(),
            batches: Batches::new(),
            cancelled: Vec::new(),
            lately: false,
            facts,
        }
    }

    #[inline]
    pub(super) fn of(queue: &mut dyn AnyPendingOf) -> &mut Self {
        (queue as &mut dyn Any)
            .downcast_mut()
            .expect("a queue stands at the index of its message type")
    }

    /// Takes a message out for its delivery. Unless it repeats, its slot is free then.
    #[inline]
    pub(super) fn take(&mut self, at: u32) -> Option<(Record, M)> {
        match Slot::of(at) {
            Slot::Single(at) => self.slab.take(at),
            Slot::Batched { batch, position } => self.batches.take(batch, position),
            Slot::Batch(_) => None,
        }
    }
}

/// What is done about a pending message: its slot, and what is known of it.
type Visit<'a> = dyn FnMut(u32, &Record) -> ControlFlow<()> + 'a;

/// A queue of whatever message type.
pub(super) trait AnyPendingOf: Any + Send {
    /// What is known of the message in a slot.
    fn record(&self, at: u32) -> Option<Record>;

    /// Of a single message.
    fn record_mut(&mut self, at: u32) -> Option<&mut Record>;

    /// Returns how many messages there are, some cancelled ones among them.
    fn in_use(&self) -> usize;

    /// Visits every message that is pending, until a visit breaks off.
    fn for_each(&self, visit: &mut Visit<'_>) -> ControlFlow<()>;

    /// Fills in the numbers of entries that are due. Those that were cancelled get none, and
    /// their slots are free then; how many there were.
    fn number(&mut self, spans: &mut [Span]) -> usize;

    /// Gives each message of a batch an entry of its own.
    fn spread(&mut self, entry: DueEntry, into: &mut Vec<DueEntry>);

    /// What is left of a batch that an entry stands for, after a panic: the numbers of its next
    /// posting and its last.
    fn rest(&mut self, at: u32) -> Option<(u64, u64)>;

    /// The next message of the batch that an entry stands for: its slot, and its number.
    fn front(&mut self, at: u32) -> Option<(u32, u64)>;

    /// Of the batch that an entry stands for: the origin at a position, and when it is due.
    fn origin(&self, at: u32, position: usize) -> Option<(Origin, u64)>;

    /// Frees a slot, or a batch, if what was there was cancelled; whether it was.
    fn sweep(&mut self, at: u32) -> bool;

    /// The entry of a batch has come out that has nothing left. Returns `true` if it was cancelled.
    fn come_out(&mut self, at: u32) -> bool;

    /// Takes a message out that will not be delivered any more, to be dropped by
    /// [`drop_cancelled`](Self::drop_cancelled).
    fn discard(&mut self, at: u32, number: NonZeroU64) -> Option<Discarded>;

    /// Drops the message that was discarded. Comes when all is told of it, since a `Drop` may panic.
    fn drop_cancelled(&mut self);

    /// Drops the messages that were discarded, one by one.
    fn drop_all_cancelled(&mut self, panics: &mut FirstPanic);

    /// As [`discard`](Self::discard), with the message, which is a single one. `None` also when it
    /// is being delivered right now.
    fn take_any(&mut self, at: u32, number: NonZeroU64) -> Option<(Record, Box<dyn AnyMessage>)>;

    fn facts(&self) -> &'static Facts;

    /// Gives back memory.
    fn shrink(&mut self, how: Shrink);

    /// Drops every message, one by one.
    fn drop_all(&mut self, panics: &mut FirstPanic);
}

impl<M: Stored> AnyPendingOf for PendingOf<M> {
    fn record(&self, at: u32) -> Option<Record> {
        match Slot::of(at) {
            Slot::Single(at) => self.slab.record(at).copied(),
            Slot::Batched { batch, position } => self.batches.get(batch)?.record(position),
            Slot::Batch(_) => None,
        }
    }

    fn record_mut(&mut self, at: u32) -> Option<&mut Record> {
        match Slot::of(at) {
            Slot::Single(at) => self.slab.record_mut(at),
            Slot::Batched { .. } | Slot::Batch(_) => None,
        }
    }

    fn in_use(&self) -> usize {
        self.slab.in_use() + self.batches.live()
    }

    fn for_each(&self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        for (at, record) in self.slab.iter() {
            visit(at, record)?;
        }
        for (at, batch) in self.batches.iter() {
            for (position, _) in batch.pending() {
                if let Some(record) = batch.record(position as usize) {
                    visit(in_batch(at, position), &record)?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    fn number(&mut self, spans: &mut [Span]) -> usize {
        self.lately = true;
        let mut cancelled = 0;
        for span in spans {
            let numbers = match Slot::of(span.entry.slot) {
                Slot::Single(at) => self.slab.number(at).map(|number| (number, number)),
                Slot::Batched { .. } => unreachable!("only a pass spreads a batch"),
                Slot::Batch(at) => self.batches.fall_due(at),
            };
            match numbers {
                Some((first, last)) => {
                    span.entry.number = first.get();
                    span.last = last.get();
                }
                None => cancelled += 1,
            }
        }
        cancelled
    }

    fn spread(&mut self, entry: DueEntry, into: &mut Vec<DueEntry>) {
        match Slot::of(entry.slot) {
            Slot::Batch(at) => {
                for (position, number) in self.batches.spread(at) {
                    into.push(DueEntry {
                        number,
                        slot: in_batch(at, position),
                        ..entry
                    });
                }
            }
            Slot::Single(_) | Slot::Batched { .. } => into.push(entry),
        }
    }

    fn front(&mut self, at: u32) -> Option<(u32, u64)> {
        let Slot::Batch(at) = Slot::of(at) else {
            return None;
        };
        let (position, number) = self.batches.get_mut(at)?.front()?;
        Some((in_batch(at, position), number))
    }

    fn rest(&mut self, at: u32) -> Option<(u64, u64)> {
        let Slot::Batch(at) = Slot::of(at) else {
            return None;
        };
        let batch = self.batches.get_mut(at)?;
        let (_, next) = batch.front()?;
        let (_, last) = batch.numbers();
        Some((next, last))
    }

    fn origin(&self, at: u32, position: usize) -> Option<(Origin, u64)> {
        let Slot::Batch(at) = Slot::of(at) else {
            return None;
        };
        let batch = self.batches.get(at)?;
        Some((batch.origin(position), batch.term().due))
    }

    fn sweep(&mut self, at: u32) -> bool {
        match Slot::of(at) {
            Slot::Single(at) => self.slab.sweep(at),
            Slot::Batched { batch, position } => self.batches.sweep_slot(batch, position),
            Slot::Batch(at) => self.batches.sweep(at),
        }
    }

    fn come_out(&mut self, at: u32) -> bool {
        let Slot::Batch(batch) = Slot::of(at) else {
            return false;
        };
        let was_cancelled = self.batches.sweep(batch);
        if !was_cancelled {
            self.batches.come_out(batch);
        }
        was_cancelled
    }

    fn discard(&mut self, at: u32, number: NonZeroU64) -> Option<Discarded> {
        match Slot::of(at) {
            Slot::Single(at) => {
                let (record, message) = self.slab.discard(at, number)?;
                let leaves_entry = message.is_some();
                self.cancelled.extend(message);
                Some(Discarded {
                    left: Left::of(&record),
                    leaves_entry,
                })
            }
            Slot::Batched { batch, position } => {
                let (post_meta, message, leaves_entry) =
                    self.batches.discard(batch, position, number)?;
                self.cancelled.push(message);
                Some(Discarded {
                    left: Left::batched(number, post_meta),
                    leaves_entry,
                })
            }
            Slot::Batch(_) => None,
        }
    }

    fn drop_cancelled(&mut self) {
        while let Some(message) = self.cancelled.pop() {
            drop(message);
        }
        if self.cancelled.capacity() > CANCELLED {
            self.cancelled = Vec::new();
        }
    }

    fn drop_all_cancelled(&mut self, panics: &mut FirstPanic) {
        for message in std::mem::take(&mut self.cancelled) {
            panics.catch(|| drop(message));
        }
    }

    fn take_any(&mut self, at: u32, number: NonZeroU64) -> Option<(Record, Box<dyn AnyMessage>)> {
        match Slot::of(at) {
            Slot::Single(at) => {
                let (record, message) = self.slab.take_pending(at, number)?;
                Some((record, message.into_any_message()))
            }
            Slot::Batched { .. } | Slot::Batch(_) => None,
        }
    }

    fn facts(&self) -> &'static Facts {
        self.facts
    }

    fn shrink(&mut self, how: Shrink) {
        let is_empty = self.slab.in_use() == 0 && self.batches.is_empty();
        let lately = std::mem::take(&mut self.lately);
        let expected = how == Shrink::Spikes && (lately || !is_empty);
        self.slab.shrink(how, expected);
        self.batches.shrink(how, expected);
        how.room(&mut self.cancelled, 0);
    }

    fn drop_all(&mut self, panics: &mut FirstPanic) {
        panics.drop_each(self.cancelled.drain(..));
        self.slab.drop_all(panics);
        self.batches.drop_all(panics);
    }
}

/// What became of a message that was discarded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Discarded {
    pub(super) left: Left,
    /// `true` if an entry is left that points at nothing any more.
    pub(super) leaves_entry: bool,
}

/// The number of a batch's entry, from that of a message in it.
pub(super) fn entry_of(at: u32) -> u32 {
    match Slot::of(at) {
        Slot::Batched { batch, .. } => whole_batch(batch),
        Slot::Single(_) | Slot::Batch(_) => at,
    }
}

/// Delivers what an entry stands for that is due. How many of the messages were not cancelled.
pub(crate) type DeliverDue = fn(&mut World, DueEntry) -> usize;
