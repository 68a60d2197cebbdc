//! A walk over messages that are due: the handler of one component type is called with one after the other, in a loop
//! that is compiled for the message type: W5, W5-mixed, W5-context.
//!
//! It is a specialisation under the delivery of a [pass](super::pass), while nobody listens and nothing is kept. It
//! ends before the first message that is not for the only component of a messagee with the same layout as that of the
//! first in its run, or about which anything is unusual. That one is delivered by itself.
//!
//! A handler that takes no context can neither look at the schedule nor do anything that has to be settled. It is called
//! with the messages where they lie, and the walk goes on from run to run. For a handler that takes a context, each
//! message comes out of the schedule before the call, and the walk ends if anything has to be settled or somebody has
//! taken a message out of the pass.

use crate::address::MessageeId;
use crate::context::Context;
use crate::error::HandlerError;
use crate::handler::HandlerRow;
use crate::handler::run::Run;
use crate::message::Stored;
use crate::post::pass::{Due, Pass};
use crate::post::schedule::{Head, Key, Line, Messages, Schedule, Stamps, Stock, Turn};
use crate::send::plan::SingleStop;
use crate::send::verdict::Ended;
use crate::send::{Frame, Plans};
use crate::storage::{LayoutId, Pool};
use crate::structure::Structure;
use crate::world::World;

/// The number of messages whose components are found before the first of them is called, and at the most. There are few
/// at first, because after a failure they have to be found again.
const AT_FIRST: usize = 8;
const AT_MOST: usize = 32;

/// The properties that all messages of one walk share: each goes to the only component that receives it, at messagees
/// with one layout.
struct Alike<'w> {
    structure: &'w Structure,
    layout: LayoutId,
    stop: SingleStop,
    /// The slot of the component that receives the first message.
    slot: u32,
    pool: &'w Pool,
    row: &'static HandlerRow,
    line: Line,
    /// The key of the first message of all other runs.
    until: Key,
}

impl<'w> Alike<'w> {
    /// Returns what the next messages have in common with the first one of the run whose turn it is, if that can be walked
    /// over.
    #[inline]
    fn find(structure: &'w Structure, plans: &Plans, turn: &Turn<'_>) -> Option<Self> {
        let (queue, first) = (&*turn.queue, turn.first());
        if queue.is_boxed() || !turn.stamps.get(first.stamp).meta.is_plain() {
            return None;
        }
        let table = queue.facts.table()?;
        let record = structure.messagees.here(first.to()?)?;
        let layout = record.layout();
        let stop = plans.single(table.index, layout);
        let (route, slot) = stop.route_and_slot(record)?;
        let route = table.route(route);
        let pool = structure.pools.get(route.component)?;
        pool.is_at_hand(slot).then(|| Self {
            structure,
            layout,
            stop,
            slot,
            pool,
            row: route.row,
            line: turn.line(),
            until: turn.until(),
        })
    }

    /// Returns the slot of the component that receives a message, if it is like the first one, and before all other runs.
    #[inline]
    fn slot_for(&self, head: &Head, stamps: &Stamps) -> Option<u32> {
        let stamp = stamps.get(head.stamp);
        if !stamp.meta.is_plain()
            || (self.until != Key::END && self.line.key(head, stamp) >= self.until)
        {
            return None;
        }
        let record = self.structure.messagees.here(head.to()?)?;
        let is_like_first = record.layout() == self.layout;
        let slot = is_like_first.then(|| self.stop.slot(record)).flatten();
        slot.filter(|&slot| self.pool.is_at_hand(slot))
    }
}

/// A walk over messages where they lie, which is ended also after a panic of a handler.
struct InPlace<'s> {
    turn: Turn<'s>,
    /// The number of messages that were called. Each is counted before the call, so that a panic does not repeat it.
    passed: usize,
}

impl InPlace<'_> {
    /// Walks over the next messages of the run whose turn it is, if they lie in the same block. Returns the error of the one
    /// that was called last, if it has failed.
    fn walk(&mut self, alike: &Alike<'_>) -> Option<Box<HandlerError>> {
        let Self { turn, passed } = self;
        let block = turn.next.block;
        let (heads, column) = turn.queue.stock.walkable(block);
        let mut heads = heads[1..].iter();
        let mut slots = [alike.slot; AT_MOST];
        let (mut most, mut len, mut found) = (AT_FIRST, 1, 0);
        loop {
            for (place, head) in slots[len..most].iter_mut().zip(heads.by_ref()) {
                let Some(slot) = alike.slot_for(head, turn.stamps) else {
                    break;
                };
                (*place, len) = (slot, len + 1);
            }
            found += len;
            let of = (alike.pool, &slots[..len]);
            let error = column.walk(block, alike.row, of, passed);
            if error.is_some() || len < most || *passed < found {
                return error;
            }
            (most, len) = ((2 * most).min(AT_MOST), 0);
        }
    }
}

impl Drop for InPlace<'_> {
    fn drop(&mut self) {
        if self.passed > 0 {
            let (turn, passed) = (&mut self.turn, self.passed);
            let stock = &mut turn.queue.stock;
            stock.pass_by(turn.next.block, passed, turn.stamps);
        }
    }
}

/// A walk over messages that come out one by one.
pub(crate) struct OneByOne<'w> {
    world: &'w World,
    alike: Alike<'w>,
    /// The message that has come out last, its messagee, and the slot of the component there.
    due: Due,
    me: MessageeId,
    slot: u32,
    delivered: usize,
}

impl OneByOne<'_> {
    /// Calls the handler with one message after the other, as long as all are ordinary.
    pub(in crate::post) fn walk<S: Stored>(&mut self) {
        let Some(&Run::InContext(run)) = self.alike.row.run::<S>() else {
            return;
        };
        while let Some(mut message) = self.next::<S>() {
            let extras = self.due.extras();
            let sent = self.due.sent(self.world, &extras);
            let pool = self.alike.pool;
            let mut context = Context::new(Frame::at(pool, self.slot, self.me, &sent));
            match run(pool, &mut message, &mut context, &mut None) {
                Ended::NotCalled => return sent.deliver_in_full(&mut Some(message)),
                ended => sent.settle_at(context.frame.spot, ended),
            };
        }
    }

    /// Takes the next message out, if the walk goes on.
    #[inline]
    fn next<S: Stored>(&mut self) -> Option<S> {
        let mut schedule = self.world.schedule.borrow_mut();
        let (stock, block) = self.come_out(&mut schedule)?;
        Some(Messages::of(stock.column()).take_first(block))
    }

    /// The head of the next message comes out. Returns the stock and the block that the message is in. Compiled once.
    #[inline(never)]
    fn come_out<'s>(&mut self, schedule: &'s mut Schedule) -> Option<(&'s mut Stock, u32)> {
        let (waiting, alike) = (&self.world.waiting, &self.alike);
        if waiting.pending.is_unsettled() || waiting.kept.any() || schedule.is_disturbed {
            return None;
        }
        let mut turn = schedule.turn();
        let head = *turn.queue.stock.head(turn.next.block, 0)?;
        let slot = alike.slot_for(&head, turn.stamps)?;
        turn.come_out(&head, alike.line, &mut self.due);
        (self.me, self.slot) = (head.to()?, slot);
        self.delivered += 1;
        Some((&mut turn.queue.stock, turn.next.block))
    }
}

impl Pass<'_> {
    /// Walks over the next messages. Returns how many were delivered, or `None` if not even the first one can be
    /// delivered so.
    pub(super) fn walk_over(&self) -> Option<usize> {
        let world = &*self.world;
        let (structure, subscriptions) = (&world.structure, &world.listen.subscriptions);
        if world.waiting.kept.any() || world.trace.is_on() || !subscriptions.is_clear() {
            return None;
        }
        let (mut schedule, mut delivered) = (world.schedule.borrow_mut(), 0);
        loop {
            let turn = schedule.turn();
            let Some(alike) = Alike::find(structure, &subscriptions.plans, &turn) else {
                break;
            };
            if alike.row.takes_context {
                if delivered > 0 {
                    break;
                }
                let (due, me) = (turn.due(), turn.first().to()?);
                let walk = turn.queue.stock.column().one_by_one();
                drop(schedule);
                let mut walking = OneByOne {
                    world,
                    alike,
                    due,
                    me,
                    slot: 0,
                    delivered: 0,
                };
                walk(&mut walking);
                delivered = walking.delivered;
                break;
            }
            let mut walking = InPlace { turn, passed: 0 };
            let (error, passed) = (walking.walk(&alike), walking.passed);
            delivered += passed;
            let Some(error) = error else {
                drop(walking);
                if passed > 0 && schedule.next() {
                    continue;
                }
                break;
            };
            // The one that was called last stays until its failure is reported, since its `Drop` may panic.
            walking.passed -= 1;
            drop(walking);
            let (due, _message) = schedule.take_first();
            drop(schedule);
            due.sent(world, &due.extras()).fail(error);
            break;
        }
        (delivered > 0).then_some(delivered)
    }
}
