//! A walk over messages that are due: the handlers of one component type are called with one after the
//! other, in one loop into which the handler is inlined: W5.
//!
//! It is a specialisation under the delivery of a [pass](super::pass), for handlers that take no context, and
//! while nobody listens: nothing can look at the schedule from within, and nothing has to be settled in
//! between. It ends before the first message that is not for the only component of a messagee with the same
//! layout as that of the first, or about which anything is unusual. That one is delivered by itself.

use std::cell::RefMut;

use smallvec::SmallVec;

use crate::address::Recipient;
use crate::error::HandlerError;
use crate::handler::run::{Each, Run, Steps, WalkEnd};
use crate::handler::{RouteTable, Typed};
use crate::message::{Facts, Message};
use crate::post::pass::Due;
use crate::post::schedule::{Ahead, Item, Passed, Schedule, Stamp, Stamps, Turn};
use crate::send::entry::settle_single;
use crate::send::plan::Stop;
use crate::send::verdict::Verdict;
use crate::send::{Extras, Sent};
use crate::storage::{LayoutId, Messagees, Pool};
use crate::world::World;

/// How far a walk has come. A message counts before it is called with, so also after a panic.
struct Progress {
    current: Passed,
    /// Those with other stamps than the current ones.
    before: SmallVec<[Passed; 2]>,
}

/// A run that is being walked over. The walk is ended also after a panic.
struct Walking<'w> {
    schedule: RefMut<'w, Schedule>,
    turn: &'w Turn,
    progress: Progress,
}

impl Walking<'_> {
    #[inline]
    fn end(&mut self) -> usize {
        let Progress { current, before } = &mut self.progress;
        let mut all = std::mem::take(current);
        self.schedule.passed(all);
        for passed in std::mem::take(before) {
            all.delivered += passed.delivered;
            all.cancelled += passed.cancelled;
            self.schedule.passed(passed);
        }
        self.schedule
            .pass_by(self.turn, all.delivered + all.cancelled);
        all.delivered
    }
}

impl Drop for Walking<'_> {
    #[inline]
    fn drop(&mut self) {
        // Only after a panic of the handler that was called last.
        if self.progress.current.delivered > 0 {
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
    pool: &'a Pool,
    at: usize,
    /// The stamp of the current messages.
    stamp: &'a Stamp,
    /// The walk ends before the first message that is not ahead.
    ahead: Ahead,
    progress: &'a mut Progress,
}

impl Walk<'_> {
    /// Returns the slot of the component that the next message is for, and the message.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "the loop of W5")]
    pub(crate) fn next<'m, M>(&mut self, items: &'m mut [Item<M>]) -> Option<(u32, &'m mut M)> {
        loop {
            let head = items.get(self.at)?.head();
            if head.stamp() != self.progress.current.stamp && !self.turn_to(head.stamp()) {
                return None;
            }
            if !self.ahead.has(head, self.stamp) {
                return None;
            }
            if self.stamps.is_cancelled(head) {
                self.progress.current.cancelled += 1;
                self.at += 1;
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
            self.progress.current.delivered += 1;
            self.at += 1;
            return Some((slot, items[self.at - 1].message_mut()));
        }
    }

    /// Goes on with messages of another stamp. Returns `false` if these have to be delivered one by one.
    #[inline(never)]
    fn turn_to(&mut self, stamp: u32) -> bool {
        if !self.stamps.is_plain(stamp) {
            return false;
        }
        self.stamp = self.stamps.get(stamp);
        let Progress { current, before } = &mut *self.progress;
        let fresh = Passed {
            stamp,
            ..Passed::default()
        };
        let passed = std::mem::replace(current, fresh);
        before.push(passed);
        true
    }

    /// The component of the last message could not be called.
    fn was_not_called(&mut self) {
        self.progress.current.delivered -= 1;
    }
}

/// Calls handlers with messages from the first on. Returns the error of the one that was called last, if it
/// has failed.
pub(crate) fn walk<M: Message>(
    items: &mut [Item<M>],
    walk: &mut Walk<'_>,
) -> Option<Box<HandlerError>> {
    let Typed { run, walk: through } = Typed::<M>::of_route(walk.table.route(walk.stop.route))?;
    let Run::Alone(run) = run else {
        return None;
    };
    let pool = walk.pool;
    let each = Each { items, walk };
    match through(pool, Steps::Each(each), &mut None).end {
        WalkEnd::Through => None,
        WalkEnd::At(_, _, error) => error,
        // The components do not lie packed, or are busy.
        _ => {
            while let Some((slot, message)) = walk.next(items) {
                let (verdict, error) = run(pool, slot, message, &mut None);
                if verdict == Verdict::Busy {
                    walk.was_not_called();
                }
                if verdict == Verdict::Busy || error.is_some() {
                    return error;
                }
            }
            None
        }
    }
}

/// Walks over the first messages of a run. Returns how many were delivered; `None` if not even the first one
/// can be delivered so.
pub(super) fn walk_over(world: &World, turn: &Turn) -> Option<usize> {
    let schedule = world.schedule.borrow_mut();
    let table = schedule.table(turn)?;
    if table.takes_context || world.waiting.kept.any() || world.trace.is_on() {
        return None;
    }
    let record = world.structure.messagees.here(turn.head().to()?)?;
    let layout = record.layout();
    let stop = world
        .listen
        .subscriptions
        .plans
        .single(table.index, layout)?
        .stop();
    let pool = world.structure.pools.get(stop.component.into())?;
    let first = turn.head().stamp();
    if !schedule.stamps().is_plain(first) {
        return None;
    }
    let mut walking = Walking {
        schedule,
        turn,
        progress: Progress {
            current: Passed {
                stamp: first,
                ..Passed::default()
            },
            before: SmallVec::new(),
        },
    };
    let ahead = walking.schedule.ahead(turn);
    let (stock, stamps) = walking.schedule.stock(turn);
    let failure = stock.walk(
        turn.block(),
        &mut Walk {
            table,
            messagees: &world.structure.messagees,
            stamps,
            layout,
            stop,
            pool,
            at: 0,
            stamp: stamps.get(first),
            ahead,
            progress: &mut walking.progress,
        },
    );
    let Some(failure) = failure else {
        let delivered = walking.end();
        return (delivered > 0).then_some(delivered);
    };
    // The one that was called last stays until its failure is reported, since its `Drop` may panic.
    walking.progress.current.delivered -= 1;
    let delivered = walking.end();
    let facts = walking.schedule.facts(turn);
    let (due, _message) = walking.schedule.take_first(turn);
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
