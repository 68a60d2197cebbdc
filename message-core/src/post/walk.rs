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
use crate::handler::run::Run;
use crate::handler::{RouteTable, Typed};
use crate::message::{Facts, Message};
use crate::post::pass::Due;
use crate::post::schedule::{Item, Key, Line, Schedule, Stamp, Stamps};
use crate::send::entry::settle_single;
use crate::send::plan::Stop;
use crate::send::verdict::Verdict;
use crate::send::{Extras, Sent};
use crate::storage::{LayoutId, Messagees, Pool};
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
    cancelled: usize,
}

impl Walking<'_> {
    /// Ends the walk and returns how many messages were delivered.
    fn end(&mut self) -> usize {
        let Passed { items, cancelled } = std::mem::take(&mut self.passed);
        self.schedule.pass_by(items, cancelled);
        items - cancelled
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
    table: &'a RouteTable,
    messagees: &'a Messagees,
    stamps: &'a Stamps,
    layout: LayoutId,
    stop: Stop,
    pub(crate) pool: &'a Pool,
    /// The stamp of the last message, which is a plain one.
    stamp: u32,
    /// What the messages with that stamp bear.
    borne: &'a Stamp,
    line: Line,
    /// The walk ends before the first message that does not come before this.
    until: Key,
    passed: &'a mut Passed,
}

impl Walk<'_> {
    /// Returns the slot of the component that the next message is for, and the message.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "the loop of W5")]
    pub(crate) fn next<'m, M>(&mut self, items: &'m mut [Item<M>]) -> Option<(u32, &'m mut M)> {
        loop {
            let head = &items.get(self.passed.items)?.head;
            if head.stamp != self.stamp {
                let borne = self.stamps.get(head.stamp);
                if !borne.meta.is_plain() {
                    return None;
                }
                (self.stamp, self.borne) = (head.stamp, borne);
            }
            if self.until != Key::END && self.line.key(head, self.borne) >= self.until {
                return None;
            }
            if self.stamps.is_cancelled(head) {
                self.passed.items += 1;
                self.passed.cancelled += 1;
                continue;
            }
            let to = head.to()?;
            let record = self.messagees.here(to)?;
            if record.layout() != self.layout {
                return None;
            }
            let slot = self.stop.slot_in(record)?;
            if !self.pool.roster().is_at_hand(slot) {
                return None;
            }
            self.passed.items += 1;
            return Some((slot, &mut items[self.passed.items - 1].message));
        }
    }
}

/// Calls handlers with messages from the first on. Returns the error of the one that was called last, if it
/// has failed.
pub(crate) fn walk<M: Message>(
    items: &mut [Item<M>],
    walk: &mut Walk<'_>,
) -> Option<Box<HandlerError>> {
    let Typed { run, batch, .. } = Typed::<M>::of_route(walk.table.route(walk.stop.route))?;
    let Run::Alone(run) = run else {
        return None;
    };
    if let Some(result) = batch.and_then(|batch| batch(items, walk)) {
        return result.err();
    }
    // The components do not lie packed, or are busy.
    while let Some((slot, message)) = walk.next(items) {
        let (verdict, error) = run(walk.pool, slot, message, &mut None);
        if verdict == Verdict::Busy {
            walk.passed.items -= 1;
        }
        if verdict == Verdict::Busy || error.is_some() {
            return error;
        }
    }
    None
}

/// Walks over the next messages of a pass, whose handlers take no context. Returns how many were delivered; `None` if not even the first one
/// can be delivered so.
pub(super) fn walk_over(world: &World) -> Option<usize> {
    let schedule = world.schedule.borrow_mut();
    let table = schedule.queue().table?;
    if world.waiting.kept.any() || world.trace.is_on() {
        return None;
    }
    let (next, (line, until)) = (schedule.turn(), schedule.line_until());
    let (block, first) = (next.block, next.head.stamp);
    let record = world.structure.messagees.here(next.head.to()?)?;
    let layout = record.layout();
    let stop = world
        .listen
        .subscriptions
        .plans
        .single(table.index, layout)?;
    let pool = world.structure.pools.get(stop.component.into())?;
    let mut walking = Walking {
        schedule,
        passed: Passed::default(),
    };
    let (stock, stamps) = walking.schedule.stock();
    let failure = stock.walk(
        block,
        &mut Walk {
            table,
            messagees: &world.structure.messagees,
            stamps,
            layout,
            stop,
            pool,
            stamp: u32::MAX,
            borne: stamps.get(first),
            line,
            until,
            passed: &mut walking.passed,
        },
    );
    let Some(failure) = failure else {
        return (walking.passed.items > 0).then(|| walking.end());
    };
    // The one that was called last stays until its failure is reported, since its `Drop` may panic.
    walking.passed.items -= 1;
    let delivered = walking.end();
    let facts = walking.schedule.queue().facts;
    let (due, _message) = walking.schedule.take_first();
    drop(walking);
    due.settle(world, facts, failure);
    Some(delivered + 1)
}

impl Due {
    /// Reports the failure of the handler that was called with the message.
    #[cold]
    fn settle(&self, world: &World, facts: &'static Facts, failure: Box<HandlerError>) {
        let extras = Extras {
            posted: Some(&self.posted),
            ..Extras::NONE
        };
        let sent = Sent {
            extras: &extras,
            ..Sent::of_type(facts, world, self.sender, &self.to, self.posted.mark.place)
        };
        if let Recipient::Id(id) = self.to {
            settle_single(&sent, id, Some(failure));
        }
    }
}
