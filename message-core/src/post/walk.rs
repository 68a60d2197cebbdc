//! A walk over messages that are due: the handlers of one component type are called with one after the
//! other, in one loop: W5.
//!
//! It is a specialisation under the delivery of a [pass](super::pass), for handlers that take no context, and
//! while nobody listens: nothing can look at the schedule from within, and nothing has to be settled in
//! between. It ends before the first message that is not for the only component of a messagee with the same
//! layout as that of the first, or about which anything is unusual. That one is delivered by itself.

use std::cell::RefMut;
use std::panic::Location;

use crate::address::{Recipient, Sender};
use crate::post::schedule::{Key, Schedule, Walkable};
use crate::send::erased::Replies;
use crate::send::verdict::Ended;
use crate::send::{Extras, ReceiverSlot, Sent};
use crate::world::World;

/// A walk, which is ended also after a panic of a handler.
struct Walking<'w> {
    schedule: RefMut<'w, Schedule>,
    passed: Passed,
}

/// The messages that a walk has passed. Each is counted before the call, so that a panic does not repeat it.
#[derive(Clone, Copy, Default)]
struct Passed {
    items: usize,
    /// Those of them that were not cancelled.
    delivered: usize,
}

impl Passed {
    /// Uncounts the last message, which stays in the schedule.
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

/// Walks over the next messages of a pass, whose handlers take no context. Returns how many were delivered, or `None` if not
/// even the first one can be delivered so.
pub(super) fn walk_over(world: &World) -> Option<usize> {
    let schedule = world.schedule.borrow_mut();
    let facts = schedule.queue().facts;
    let table = facts.table()?;
    let subscriptions = &world.listen.subscriptions;
    if world.waiting.kept.any() || world.trace.is_on() || !subscriptions.is_clear() {
        return None;
    }
    let (messagees, first) = (&world.structure.messagees, schedule.first());
    let record = messagees.here(first.to()?)?;
    let layout = record.layout();
    let stop = subscriptions.plans.single(table.index, layout);
    let (route, _) = stop.known(record)?;
    let route = table.route(route);
    let pool = world.structure.pools.get(route.component)?;
    let call = route.row.call;
    let mut walking = Walking {
        schedule,
        passed: Passed::default(),
    };
    let Walking { schedule, passed } = &mut walking;
    let (block, (line, until)) = (schedule.turn().block, schedule.line_until());
    let (stock, stamps) = schedule.stock();
    let Walkable {
        heads,
        is_turned,
        column,
    } = stock.walkable(block);
    // A handler that takes no context does not see the send.
    let (by, to, place) = (Sender::Outside, Recipient::Everyone, Location::caller());
    let sent = Sent::of_type(facts, world, by, to, place);
    let (component, mut failure) = (route.component, None);
    for (at, head) in heads.iter().enumerate() {
        let stamp = stamps.get(head.stamp);
        if !stamp.meta.is_plain() || (until != Key::END && line.key(head, stamp) >= until) {
            break;
        }
        if stamps.is_cancelled(head) {
            continue;
        }
        let slot = head.to().and_then(|to| {
            let record = messagees.here(to)?;
            let is_like_first = record.layout() == layout;
            Some(stop.known(record).filter(|_| is_like_first)?.1)
        });
        let Some(slot) = slot.filter(|&slot| pool.is_at_hand(slot)) else {
            break;
        };
        (passed.items, passed.delivered) = (at + 1, passed.delivered + 1);
        let index = if is_turned { heads.len() - 1 - at } else { at };
        let message = column.message_mut(block, index);
        match call(pool, slot, message, &sent, &mut Replies::Ignore) {
            Ended::Busy => {
                passed.take_back();
                break;
            }
            ended @ Ended::Failed(_) => {
                failure = Some((ReceiverSlot { component, slot }, ended));
                break;
            }
            _ => {}
        }
    }
    let Some((at, failed)) = failure else {
        return (walking.passed.items > 0).then(|| walking.end());
    };
    // The one that was called last stays until its failure is reported, since its `Drop` may panic.
    walking.passed.take_back();
    let delivered = walking.end();
    let (due, _message) = walking.schedule.take_first();
    drop(walking);
    let extras = Extras {
        posted: Some(&due.posted),
        ..Extras::NONE
    };
    due.sent(world, &extras).settle_at(at, failed);
    Some(delivered + 1)
}
