//! A batch that is lent out to be delivered in one walk.
//!
//! Only to a walk that nothing can look at from within: the heap stays borrowed until it is over.

use std::mem::needs_drop;
use std::slice;

use crate::address::{Recipient, Sender};
use crate::error::HandlerError;
use crate::handler::run::{Call, Each, Run, Steps, WalkEnd};
use crate::handler::{RouteTable, Typed};
use crate::message::Message;
use crate::post::queue::messages::Slot;
use crate::post::queue::slot::{chunk_of, slot_at};
use crate::post::queue::{DelayHeap, Due, DueEntry, Messages, QUEUE, Rows};
use crate::send::Ways;
use crate::send::call::Posted;
use crate::send::entry::Single;

/// A batch is lent for as many messages at least: for fewer it is not worth it.
const FEWEST: usize = 4;

/// The part of a batch that a walk is to deliver.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    entry: DueEntry,
    begin: usize,
    end: usize,
}

/// The messages of that part.
pub(crate) struct Lent<'h> {
    messages: &'h mut dyn Messages,
    row: usize,
    begin: usize,
    end: usize,
    /// Counts on with each message that the walk meets: also after a panic it is behind the one that was
    /// called last.
    next: &'h mut u32,
}

/// So many calls are gathered at most before they are made.
const TOGETHER: usize = 64;

/// See [`WalkPart`](super::WalkPart).
pub(super) fn walk_part<M: Message>(
    lent: Lent<'_>,
    ways: &mut Ways<'_>,
    table: &RouteTable,
) -> Option<Box<HandlerError>> {
    let Lent {
        messages,
        row,
        begin,
        end,
        next,
    } = lent;
    let slots = Rows::<M>::of(messages)
        .0
        .get_mut(row)?
        .get_mut(begin..end)?;
    if needs_drop::<M>() {
        walk_in_turn(slots, next, ways)
    } else {
        walk_together(slots, next, ways, table)
    }
}

/// Messages for components of one type, which are called together.
struct Together<'m, 'w, M> {
    calls: Vec<Call<'m, M>>,
    /// The component of the first.
    first: Option<Single<'w>>,
    /// A message behind them for a component of another type.
    other: Option<(Single<'w>, Call<'m, M>)>,
}

/// As [`walk_part`], of messages without a `Drop`: finds the slots of a few components, and calls with all
/// of them at once.
#[inline]
fn walk_together<M: Message>(
    slots: &mut [Slot<M>],
    next: &mut u32,
    ways: &mut Ways<'_>,
    table: &RouteTable,
) -> Option<Box<HandlerError>> {
    let mut position = *next;
    let mut together = Together {
        calls: Vec::with_capacity(TOGETHER.min(slots.len())),
        first: None,
        other: None,
    };
    let mut slots = slots.iter_mut();
    loop {
        let goes_on = gather(&mut slots, &mut position, ways, &mut together);
        let Some(Single { route, pool, .. }) = together.first.take() else {
            *next = position;
            return None;
        };
        let Typed { run, walk } = Typed::<M>::of_route(table.route(route))?;
        let Run::Alone(run) = run else {
            return None;
        };
        let each = Each {
            calls: &mut together.calls,
            next: &mut *next,
        };
        match walk(pool, Steps::Each(each), &mut None).end {
            WalkEnd::Through => {}
            WalkEnd::At(_, _, error) => return error,
            // The components do not lie packed, or are busy.
            _ => {
                for call in &mut together.calls {
                    *next = call.position + 1;
                    let (verdict, error) = run(pool, call.slot, call.message, &mut None);
                    if verdict.is_none() {
                        *next = call.position;
                    }
                    if verdict.is_none() || error.is_some() {
                        return error;
                    }
                }
            }
        }
        *next = match &together.other {
            Some((_, call)) => call.position,
            None => position,
        };
        if !goes_on {
            return None;
        }
    }
}

/// Finds the slots of the components that messages are for. Returns `false` if it ends with the last message, or
/// before one whose component cannot be called at once.
#[inline(never)]
fn gather<'m, 'w, M>(
    slots: &mut slice::IterMut<'m, Slot<M>>,
    position: &mut u32,
    ways: &mut Ways<'w>,
    together: &mut Together<'m, 'w, M>,
) -> bool {
    let Together {
        calls,
        first,
        other,
    } = together;
    calls.clear();
    if let Some((single, call)) = other.take() {
        *first = Some(single);
        calls.push(call);
    }
    for Slot { head, message } in slots {
        // A message that was cancelled is not there any more.
        if let (Some(message), Some(to)) = (message, head.pending_to()) {
            let Some(single) = ways.to(to) else {
                return false;
            };
            let call = Call {
                slot: single.slot,
                position: *position,
                message,
            };
            *position += 1;
            let route = first.get_or_insert(single).route;
            if route != single.route {
                *other = Some((single, call));
                return true;
            }
            calls.push(call);
            if calls.len() == TOGETHER {
                return true;
            }
        } else {
            *position += 1;
        }
    }
    false
}

/// As [`walk_part`], of messages with a `Drop`. Whatever becomes of a message, also if the call panics, it is
/// delivered then, unless it cannot be called with.
#[inline]
fn walk_in_turn<M: Message>(
    slots: &mut [Slot<M>],
    next: &mut u32,
    ways: &mut Ways<'_>,
) -> Option<Box<HandlerError>> {
    let routes = M::cell().routes();
    for Slot { head, message } in slots {
        // A message that was cancelled is not there any more.
        if let (Some(it), Some(to)) = (message.as_mut(), head.pending_to()) {
            let Single { route, pool, slot } = ways.to(to)?;
            let Run::Alone(run) = routes.run(route)? else {
                return None;
            };
            *next += 1;
            let (verdict, error) = run(pool, slot, it, &mut None);
            if verdict.is_none() {
                *next -= 1;
            }
            if verdict.is_none() || error.is_some() {
                return error;
            }
            *message = None;
        } else {
            *next += 1;
        }
    }
    None
}

impl DelayHeap {
    /// The part of the batch that an entry stands for, as far as its messages were posted before the
    /// posting of a number, if it can be lent: otherwise its messages have to be taken out one by one.
    pub(crate) fn part(&mut self, entry: DueEntry, until: u64) -> Option<Part> {
        if !self.traced.is_empty() {
            return None;
        }
        let queue = self.queue_mut(entry.slab);
        let (batch, heads) = queue.batch(chunk_of(entry.slot))?;
        let (begin, end) = batch.part(until, FEWEST, heads)?;
        Some(Part { entry, begin, end })
    }

    /// Lends a part of a batch. The walk over it has to be [ended](Self::end_walk).
    pub(crate) fn lend(&mut self, part: Part) -> Lent<'_> {
        let Part { entry, begin, end } = part;
        let at = chunk_of(entry.slot);
        let (batch, messages) = self.queue_mut(entry.slab).split(at);
        Lent {
            messages,
            row: at as usize,
            begin,
            end,
            next: batch.next_mut(),
        }
    }

    /// A walk over a part of a batch is over. Returns how many messages it has delivered.
    pub(crate) fn end_walk(&mut self, part: Part) -> usize {
        let Part { entry, begin, .. } = part;
        let batch = self.queue_mut(entry.slab).batch(chunk_of(entry.slot));
        let delivered = batch.map_or(0, |(batch, heads)| batch.advanced_from(begin, heads));
        self.pending -= delivered;
        delivered
    }

    /// What is known of the message that a walk has met last.
    pub(crate) fn met(&mut self, part: Part) -> Option<Due> {
        let Part { entry, .. } = part;
        let at = chunk_of(entry.slot);
        let queue = self.queues[entry.slab as usize].as_deref_mut();
        let (batch, heads) = queue.expect(QUEUE).batch(at)?;
        let position = batch.next_mut().checked_sub(1)?;
        let head = heads.messages.head(heads.row, position as usize)?;
        let origin = batch.origin(position as usize);
        Some(Due {
            posted: Posted {
                mark: *self.postmarks.get(origin.post_meta),
                due: batch.term().due,
                since: entry.due,
            },
            to: Recipient::Id(head.to()?),
            sender: origin.sender.map_or(Sender::Outside, Sender::Messagee),
            entry: DueEntry {
                slot: slot_at(at, position),
                ..entry
            },
            plain: true,
            repeats: false,
            is_single: false,
        })
    }

    /// Drops a message that a walk has met.
    pub(crate) fn drop_met(&mut self, due: &Due) {
        self.queue_mut(due.entry.slab).drop_one(due.entry.slot);
    }
}
