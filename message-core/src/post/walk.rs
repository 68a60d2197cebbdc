//! A walk over messages that are due: the handlers of one component type are called with one after the
//! other, in one loop into which the handler is inlined: W5.
//!
//! It is a specialisation under the delivery of a [pass](super::pass), for handlers that take no context, and
//! while nobody listens: nothing can look at the schedule from within, and nothing has to be settled in
//! between. It ends before the first message that is not for the only component of a messagee with the same
//! layout as that of the first, or about which anything is unusual. That one is delivered by itself.

use std::cell::RefMut;

use crate::address::Recipient;
use crate::error::HandlerError;
use crate::handler::RouteTable;
use crate::post::pass::Due;
use crate::post::schedule::{Column, Head, Key, Line, Schedule, Stamp, Stamps, Walkable};
use crate::send::Extras;
use crate::send::entry::settle_single;
use crate::send::plan::Stop;
use crate::storage::{LayoutId, Messagees, Pool, narrow};
use crate::world::World;

/// A walk, which is ended also after a panic of a handler.
struct Walking<'w> {
    schedule: RefMut<'w, Schedule>,
    passed: Passed,
}

/// The messages that a walk has passed. One counts before it is called with.
#[derive(Clone, Copy, Default)]
struct Passed {
    items: usize,
    /// Those of them that were not cancelled.
    delivered: usize,
}

impl Passed {
    /// Takes the last message back: it was called with, but stays.
    fn take_back(&mut self) {
        self.items -= 1;
        self.delivered -= 1;
    }
}

impl Walking<'_> {
    /// Ends the walk and returns how many messages were delivered.
    fn end(&mut self) -> usize {
        let Passed { items, delivered } = std::mem::take(&mut self.passed);
        self.schedule.pass_by(items, items - delivered);
        delivered
    }
}

impl Drop for Walking<'_> {
    fn drop(&mut self) {
        if self.passed.items > 0 {
            self.end();
        }
    }
}

/// The receivers of a walk.
pub(crate) struct Walk<'a> {
    /// The heads of the messages of the block.
    heads: &'a [Head],
    /// The messages lie in reverse order.
    is_turned: bool,
    table: &'a RouteTable,
    messagees: &'a Messagees,
    stamps: &'a Stamps,
    layout: LayoutId,
    stop: Stop,
    pub(crate) pool: &'a Pool,
    /// The stamp of the last message, which is a plain one.
    stamp: u32,
    /// The data that the messages with that stamp share.
    borne: &'a Stamp,
    line: Line,
    /// The walk ends before the first message that does not come before this.
    until: Key,
    passed: &'a mut Passed,
    /// The slots of the components that the next messages are for, and the places of these messages.
    found: [(u32, u32); STEP],
    /// The number of messages found.
    count: usize,
    /// The number of those that the walk has passed.
    nth: usize,
    /// `true` if the messages found reach the end of the walk.
    is_over: bool,
}

/// The number of receivers that are found at once, so that little is compiled for each handler: W5.
const STEP: usize = 32;

impl Walk<'_> {
    /// Finds the components that the next messages are for. Returns `false` at the end of the walk.
    fn find(&mut self) -> bool {
        (self.count, self.nth) = (if self.is_over { 0 } else { self.find_step() }, 0);
        self.count > 0
    }

    /// Finds up to [`STEP`] components, and returns their number.
    fn find_step(&mut self) -> usize {
        let (mut found, first) = (0, self.passed.items);
        for (at, head) in (narrow(first)..).zip(&self.heads[first..]) {
            if found == STEP {
                return found;
            }
            if head.stamp != self.stamp {
                let borne = self.stamps.get(head.stamp);
                if !borne.meta.is_plain() {
                    break;
                }
                (self.stamp, self.borne) = (head.stamp, borne);
            }
            if self.until != Key::END && self.line.key(head, self.borne) >= self.until {
                break;
            }
            if self.stamps.is_cancelled(head) {
                continue;
            }
            let Some(slot) = self.slot_of(head) else {
                break;
            };
            self.found[found] = (slot, at);
            found += 1;
        }
        self.is_over = true;
        found
    }

    /// Returns the slot of the component that a message is for, if its messagee is like that of the first.
    #[inline]
    fn slot_of(&self, head: &Head) -> Option<u32> {
        let record = self.messagees.here(head.to()?)?;
        if record.layout() != self.layout {
            return None;
        }
        let slot = self.stop.slot_in(record)?;
        self.pool.is_at_hand(slot).then_some(slot)
    }

    /// Passes the next message and the cancelled ones before it. Returns the slot of the component that it is for, and its
    /// place, or `None` at the end of the walk.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<(u32, usize)> {
        if self.nth == self.count && !self.find() {
            return None;
        }
        let (slot, at) = *self.found.get(self.nth)?;
        let at = at as usize;
        self.nth += 1;
        self.passed.items = at + 1;
        self.passed.delivered += 1;
        let place = if self.is_turned {
            self.heads.len() - 1 - at
        } else {
            at
        };
        Some((slot, place))
    }

    /// Calls handlers with the messages of a block from the first on. Returns the error of the one that was called last, if
    /// it has failed. Calls none if the messages are in boxes, or the components do not lie packed or are busy.
    fn call(&mut self, column: &mut dyn Column, block: u32) -> Option<Box<HandlerError>> {
        let batch = self.table.route(self.stop.route).row.batch?;
        batch(column.block(block), self)?.err()
    }
}

/// Walks over the next messages of a pass, whose handlers take no context. Returns how many were delivered; `None` if not even the first one
/// can be delivered so.
pub(super) fn walk_over(world: &World) -> Option<usize> {
    let schedule = world.schedule.borrow_mut();
    let table = schedule.queue().table?;
    let subscriptions = &world.listen.subscriptions;
    if world.waiting.kept.any() || world.trace.is_on() || !subscriptions.is_clear() {
        return None;
    }
    let (block, (line, until)) = (schedule.turn().block, schedule.line_until());
    let first = schedule.first();
    let (stamp, record) = (first.stamp, world.structure.messagees.here(first.to()?)?);
    let layout = record.layout();
    let stop = subscriptions.plans.single(table.index, layout)?;
    let pool = world.structure.pools.get(stop.component.into())?;
    let mut walking = Walking {
        schedule,
        passed: Passed::default(),
    };
    let (stock, stamps) = walking.schedule.stock();
    let Walkable {
        heads,
        is_turned,
        column,
    } = stock.walkable(block);
    let mut walk = Walk {
        heads,
        is_turned,
        table,
        messagees: &world.structure.messagees,
        stamps,
        layout,
        stop,
        pool,
        stamp: u32::MAX,
        borne: stamps.get(stamp),
        line,
        until,
        passed: &mut walking.passed,
        found: [(0, 0); STEP],
        count: 0,
        nth: 0,
        is_over: false,
    };
    let failure = walk.call(column, block);
    let Some(failure) = failure else {
        return (walking.passed.items > 0).then(|| walking.end());
    };
    // The one that was called last stays until its failure is reported, since its `Drop` may panic.
    walking.passed.take_back();
    let delivered = walking.end();
    let (due, _message) = walking.schedule.take_first();
    drop(walking);
    due.settle(world, failure);
    Some(delivered + 1)
}

impl Due {
    /// Reports the failure of the handler that was called with the message.
    #[cold]
    fn settle(&self, world: &World, failure: Box<HandlerError>) {
        let extras = Extras {
            posted: Some(&self.posted),
            ..Extras::NONE
        };
        if let Recipient::Id(id) = self.to {
            settle_single(&self.sent(world, &extras), id, Some(failure));
        }
    }
}
