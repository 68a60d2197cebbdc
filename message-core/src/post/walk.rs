//! A walk over messages that are due: the handler of one component type is called with one after the other, in a loop
//! that is compiled for it: W5, W5-mixed.
//!
//! It is a specialisation under the delivery of a [pass](super::pass), for handlers that take no context, and
//! while nobody listens: nothing can look at the schedule from within, and nothing has to be settled in
//! between. It goes on from run to run, and ends before the first message that is not for the only component of a messagee
//! with the same layout as that of the first in its run, or about which anything is unusual. That one is delivered by
//! itself.

use std::cell::RefMut;

use crate::error::HandlerError;
use crate::handler::run::{LEFT_OUT, Passed};
use crate::post::schedule::{Head, Key, Schedule};
use crate::send::verdict::Ended;
use crate::send::{Extras, Plans, ReceiverSlot};
use crate::structure::Structure;
use crate::world::World;

/// The number of messages whose components are found before the first of them is called, and at the most. There are few
/// at first, because after a failure they have to be found again.
const AT_FIRST: usize = 8;
const AT_MOST: usize = 64;

/// A walk, which is ended also after a panic of a handler.
struct Walking<'w> {
    schedule: RefMut<'w, Schedule>,
    /// The messages of the run whose turn it is. Each is counted before the call, so that a panic does not repeat it.
    passed: Passed,
}

/// The failure of the message that was called last.
type Failure = Option<(ReceiverSlot, Box<HandlerError>)>;

impl Walking<'_> {
    /// Ends the walk over a run and returns how many messages were delivered.
    fn end(&mut self) -> usize {
        let Passed { items, left_out } = std::mem::take(&mut self.passed);
        self.schedule.pass_by(items, left_out);
        items - left_out
    }

    /// Walks over the next messages of the run whose turn it is. Returns `None` if not even the first one can be delivered
    /// so.
    fn walk(&mut self, structure: &Structure, plans: &Plans) -> Option<Failure> {
        let Self { schedule, passed } = self;
        let facts = schedule.queue().facts;
        let table = facts.table()?;
        let here = |head: &Head| structure.messagees.here(head.to()?);
        let first = here(schedule.first())?;
        let layout = first.layout();
        let stop = plans.single(table.index, layout);
        let route = table.route(stop.known(first)?.0);
        let pool = structure.pools.get(route.component)?;
        let (component, walk) = (route.component, route.row.walk_due);
        let (block, (line, until)) = (schedule.turn().block, schedule.line_until());
        let (stock, stamps) = schedule.stock();
        let (heads, messages) = stock.walkable(block)?;
        let slot_for = |head: &Head| {
            let stamp = stamps.get(head.stamp);
            if !stamp.meta.is_plain() || (until != Key::END && line.key(head, stamp) >= until) {
                return None;
            }
            if stamps.is_cancelled(head) {
                return Some(LEFT_OUT);
            }
            let record = here(head)?;
            let known = stop.known(record).filter(|_| record.layout() == layout);
            known
                .map(|(_, slot)| slot)
                .filter(|&slot| pool.is_at_hand(slot))
        };
        let (mut heads, mut most, mut found) = (heads.iter(), AT_FIRST, 0);
        let mut slots = [LEFT_OUT; AT_MOST];
        loop {
            let (before, mut len) = (found, 0);
            for (place, head) in slots[..most].iter_mut().zip(heads.by_ref()) {
                let Some(slot) = slot_for(head) else { break };
                (*place, len) = (slot, len + 1);
            }
            found += len;
            if let Some(error) = walk(pool, &slots[..len], messages, passed) {
                let slot = slots[passed.items - before - 1];
                return Some(Some((ReceiverSlot { component, slot }, error)));
            }
            if len < most || passed.items < found {
                return (passed.items > 0).then_some(None);
            }
            most = (2 * most).min(AT_MOST);
        }
    }
}

impl Drop for Walking<'_> {
    fn drop(&mut self) {
        if self.passed.items > 0 {
            self.end();
        }
    }
}

/// Walks over the next messages of a pass, whose handlers take no context. Returns how many were delivered, or `None` if
/// not even the first one can be delivered so.
pub(super) fn walk_over(world: &World) -> Option<usize> {
    let (structure, subscriptions) = (&world.structure, &world.listen.subscriptions);
    if world.waiting.kept.any() || world.trace.is_on() || !subscriptions.is_clear() {
        return None;
    }
    let mut walking = Walking {
        schedule: world.schedule.borrow_mut(),
        passed: Passed::default(),
    };
    let mut delivered = None;
    while let Some(failure) = walking.walk(structure, &subscriptions.plans) {
        let before = delivered.unwrap_or(0);
        let Some((at, error)) = failure else {
            delivered = Some(before + walking.end());
            if walking.schedule.next() && !walking.schedule.takes_context() {
                continue;
            }
            break;
        };
        // The one that was called last stays until its failure is reported, since its `Drop` may panic.
        walking.passed.items -= 1;
        let before = before + walking.end();
        let (due, _message) = walking.schedule.take_first();
        drop(walking);
        let extras = Extras {
            posted: Some(&due.posted),
            ..Extras::NONE
        };
        due.sent(world, &extras).settle_at(at, Ended::Failed(error));
        return Some(before + 1);
    }
    delivered
}
