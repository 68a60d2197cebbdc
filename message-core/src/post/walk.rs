//! A walk over messages that are due: the handler of one component type is called with one after the other, in a loop
//! that is compiled for it: W5, W5-mixed, W5-context.
//!
//! It is a specialisation under the delivery of a [pass](super::pass), while nobody listens and nothing is kept. It
//! ends before the first message that is not for the only component of a messagee with the same layout as that of the
//! first in its run, or about which anything is unusual. That one is delivered by itself.
//!
//! A handler that takes no context can neither look at the schedule nor do anything that has to be settled. It is called
//! with the messages where they lie, and the walk goes on from run to run. For a handler that takes a context, each
//! message comes out of the schedule before the call, and the walk ends if anything has to be settled or somebody has
//! taken a message out of the pass.

use std::cell::RefMut;

use crate::address::MessageeId;
use crate::error::HandlerError;
use crate::handler::HandlerRow;
use crate::handler::run::{LEFT_OUT, Passed, WalkDue, WalkInPlace};
use crate::message::Message;
use crate::post::pass::Due;
use crate::post::schedule::{Head, Key, Line, Messages, Schedule, Stamps};
use crate::send::plan::Stop;
use crate::send::{Plans, ReceiverSlot};
use crate::storage::{LayoutId, Pool};
use crate::structure::Structure;
use crate::world::World;

/// The number of messages whose components are found before the first of them is called, and at the most. There are few
/// at first, because after a failure they have to be found again.
const AT_FIRST: usize = 8;
const AT_MOST: usize = 64;

/// What the messages of a run have in common that a walk calls: the only component that receives them at messagees with
/// one layout.
struct Alike<'w> {
    structure: &'w Structure,
    layout: LayoutId,
    stop: Stop,
    pool: &'w Pool,
    row: &'static HandlerRow,
    line: Line,
    /// The key of the first message of all other runs.
    until: Key,
}

impl<'w> Alike<'w> {
    /// Returns what the next messages have in common with the first one of the run whose turn it is.
    #[inline]
    fn find(structure: &'w Structure, plans: &Plans, schedule: &Schedule) -> Option<Self> {
        let queue = schedule.queue();
        let table = queue.facts.table().filter(|_| !queue.is_boxed())?;
        let layout = structure.messagees.here(schedule.first().to()?)?.layout();
        let stop = plans.single(table.index, layout)?;
        let (line, until) = schedule.line_until();
        Some(Self {
            structure,
            layout,
            stop,
            pool: structure.pools.get(stop.component.into())?,
            row: table.route(stop.route).row,
            line,
            until,
        })
    }

    /// Returns the slot of the component that receives a message, or [`LEFT_OUT`] if it was cancelled. Returns `None` if it
    /// is not like the others, or not next.
    #[inline]
    fn slot_for(&self, head: &Head, stamps: &Stamps) -> Option<u32> {
        let stamp = stamps.get(head.stamp);
        if !stamp.meta.is_plain()
            || (self.until != Key::END && self.line.key(head, stamp) >= self.until)
        {
            return None;
        }
        if stamps.is_cancelled(head) {
            return Some(LEFT_OUT);
        }
        let record = self.structure.messagees.here(head.to()?)?;
        let is_like_first = record.layout() == self.layout;
        let slot = is_like_first.then(|| self.stop.slot_in(record)).flatten();
        slot.filter(|&slot| self.pool.is_at_hand(slot))
    }
}

/// A walk over messages where they lie, which is ended also after a panic of a handler.
struct InPlace<'w> {
    schedule: RefMut<'w, Schedule>,
    /// The messages of the run whose turn it is. Each is counted before the call, so that a panic does not repeat it.
    passed: Passed,
}

/// The failure of the message that was called last.
type Failure = Option<(ReceiverSlot, Box<HandlerError>)>;

impl InPlace<'_> {
    /// Ends the walk over a run and returns how many messages were delivered.
    fn end(&mut self) -> usize {
        let Passed { items, left_out } = std::mem::take(&mut self.passed);
        self.schedule.pass_by(items, left_out);
        items - left_out
    }

    /// Walks over the next messages of the run whose turn it is. Returns `None` if not even the first one can be delivered
    /// so.
    fn walk(&mut self, alike: &Alike<'_>, walk: WalkInPlace) -> Option<Failure> {
        let Self { schedule, passed } = self;
        let block = schedule.turn().block;
        let (stock, stamps) = schedule.stock();
        let (heads, messages) = stock.walkable(block)?;
        let (mut heads, mut most, mut found) = (heads.iter(), AT_FIRST, 0);
        let mut slots = [LEFT_OUT; AT_MOST];
        loop {
            let (before, mut len) = (found, 0);
            for (place, head) in slots[..most].iter_mut().zip(heads.by_ref()) {
                let Some(slot) = alike.slot_for(head, stamps) else {
                    break;
                };
                (*place, len) = (slot, len + 1);
            }
            found += len;
            if let Some(error) = walk(alike.pool, &slots[..len], messages, passed) {
                let component = alike.stop.component.into();
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

impl Drop for InPlace<'_> {
    fn drop(&mut self) {
        if self.passed.items > 0 {
            self.end();
        }
    }
}

/// A walk over messages that come out one by one.
pub(crate) struct OneByOne<'w> {
    pub(crate) world: &'w World,
    alike: Alike<'w>,
    /// The message that has come out last, its messagee, and the slot of the component there.
    pub(crate) due: Due,
    pub(crate) me: MessageeId,
    pub(crate) slot: u32,
    delivered: usize,
}

impl OneByOne<'_> {
    /// Takes the next message out, if the walk goes on.
    #[inline]
    pub(crate) fn next<M: Message>(&mut self) -> Option<M> {
        let mut schedule = self.world.schedule.borrow_mut();
        let block = self.come_out(&mut schedule)?;
        let column = schedule.stock().0.column();
        Some(Messages::of(column).take_first(block))
    }

    /// The head of the next message comes out. Returns its block. Compiled once.
    #[inline(never)]
    fn come_out(&mut self, schedule: &mut Schedule) -> Option<u32> {
        let (waiting, alike) = (&self.world.waiting, &self.alike);
        if waiting.pending.is_unsettled() || waiting.kept.any() || schedule.is_disturbed {
            return None;
        }
        let block = schedule.turn().block;
        let (stock, stamps) = schedule.stock();
        let head = *stock.head(block, 0)?;
        let slot = alike.slot_for(&head, stamps)?;
        if slot == LEFT_OUT {
            return None;
        }
        let key = alike.line.key(&head, stamps.get(head.stamp));
        (self.me, self.slot) = (head.to()?, slot);
        schedule.come_out_as(&mut self.due, &head, key);
        self.delivered += 1;
        Some(block)
    }
}

/// Walks over the next messages of a pass. Returns how many were delivered, or `None` if not even the first one can be
/// delivered so.
pub(super) fn walk_over(world: &World) -> Option<usize> {
    let (structure, subscriptions) = (&world.structure, &world.listen.subscriptions);
    if world.waiting.kept.any() || world.trace.is_on() || !subscriptions.is_clear() {
        return None;
    }
    let mut walking = InPlace {
        schedule: world.schedule.borrow_mut(),
        passed: Passed::default(),
    };
    let mut delivered = None;
    while let Some(alike) = Alike::find(structure, &subscriptions.plans, &walking.schedule) {
        let walk = match alike.row.walk_due {
            WalkDue::InPlace(walk) => walk,
            WalkDue::OneByOne(_) if delivered.is_some() => break,
            WalkDue::OneByOne(walk) => {
                let (due, me) = (walking.schedule.due(), walking.schedule.first().to()?);
                drop(walking);
                let pool = alike.pool;
                let mut walking = OneByOne {
                    world,
                    alike,
                    due,
                    me,
                    slot: 0,
                    delivered: 0,
                };
                walk(pool, &mut walking);
                return Some(walking.delivered).filter(|&delivered| delivered > 0);
            }
        };
        let Some(failure) = walking.walk(&alike, walk) else {
            break;
        };
        let before = delivered.unwrap_or(0);
        let Some((at, error)) = failure else {
            delivered = Some(before + walking.end());
            if walking.schedule.next() {
                continue;
            }
            break;
        };
        // The one that was called last stays until its failure is reported, since its `Drop` may panic.
        walking.passed.items -= 1;
        let before = before + walking.end();
        let (due, _message) = walking.schedule.take_first();
        drop(walking);
        let extras = due.extras();
        due.sent(world, &extras).settle_at(at, Some(error));
        return Some(before + 1);
    }
    delivered
}
