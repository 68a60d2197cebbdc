//! A pass of a stage: everything that is due is delivered, each message as an outermost send of its
//! own, so that what one leads to is settled before the next.

use std::cell::RefMut;
use std::num::NonZeroU64;
use std::time::Duration;

use crate::address::{Recipient, Sender};
use crate::caught::caught;
use crate::error::{SendError, SendErrorKind};
use crate::message::Message;
use crate::post::schedule::Held;
use crate::post::walk::walk_over;
use crate::send::origin::{Origin, Outside};
use crate::send::{Extras, Posted, Redelivery, Sent, Verdict, call_single};
use crate::time::Stage;
use crate::trace::TraceId;
use crate::world::World;

/// Begins the next frame: what waited for it by number is due now, and what was published can be found.
/// Returns how many fixed steps were left out.
pub(crate) fn begin_frame(world: &mut World, scaled: Duration, unscaled: Duration) -> u64 {
    let common = &mut world.common;
    let max_steps = common.config.max_fixed_steps;
    let skipped = common.time.begin_frame(scaled, unscaled, max_steps);
    let (frame, now) = (common.time.frame, common.time.now());
    world.schedule.get_mut().begin_frame(frame, now);
    world.mail.turn(frame);
    skipped
}

/// The pass of a stage that is under way. After a panic no pass is.
pub(crate) struct Pass<'w> {
    world: &'w mut World,
    lane: usize,
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.world.common.time.end_fixed_pass();
    }
}

impl Pass<'_> {
    /// Runs one pass of a stage. Returns how many posted messages it has delivered.
    pub(crate) fn run(world: &mut World, stage: Stage) -> usize {
        let Some(lane) = stage.lane() else { return 0 };
        let time = &mut world.common.time;
        if stage == Stage::FixedUpdate {
            time.begin_fixed_pass();
        } else {
            time.end_fixed_pass();
        }
        let clocks = *time.clocks();
        let staged = world.listen.staged.len(lane);
        world.schedule.get_mut().begin_pass(lane, clocks);
        let mut pass = Pass { world, lane };
        let delivered = pass.deliver_posts();
        pass.deliver_staged(staged);
        delivered
    }

    fn deliver_posts(&mut self) -> usize {
        let mut delivered = 0;
        while self.world.schedule.get_mut().next() {
            delivered += self.deliver();
            self.world.settle_outermost();
        }
        delivered
    }

    /// Delivers the next messages: as many as can be walked over, or else one. Returns how many were delivered.
    fn deliver(&mut self) -> usize {
        let world = &*self.world;
        let mut schedule = world.schedule.borrow_mut();
        if !schedule.takes_context() {
            drop(schedule);
            if let Some(delivered) = walk_over(world) {
                return delivered;
            }
            schedule = world.schedule.borrow_mut();
        }
        let (block, due) = (schedule.turn().block, schedule.come_out());
        let stock = RefMut::map(schedule, |schedule| schedule.stock().0);
        let deliver = stock.deliver_first();
        deliver(world, stock, block, &due);
        usize::from(due.then != Then::LeftOut)
    }

    /// Delivers the first `staged` of the messages that subscribers receive in this stage.
    fn deliver_staged(&mut self, staged: usize) {
        for _ in 0..staged {
            let next = self.world.listen.staged.take_next(self.lane);
            let Some((id, message)) = next else { break };
            let World {
                listen, structure, ..
            } = &mut *self.world;
            listen.subscriptions.free_overhearer(id, structure);
            Redelivery::outside(self.world).deliver_staged(&message, id);
            self.world.settle_outermost();
        }
    }
}

/// The fate of a message whose turn has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Then {
    /// It is delivered for the last time.
    Ends,
    /// It is delivered, and waits again.
    Repeats,
    /// It is not delivered this time: it has been, too often in this frame.
    LeftOut,
}

/// The data of a message that has come out of the schedule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Due {
    pub(crate) posted: Posted,
    pub(crate) to: Recipient,
    pub(crate) sender: Sender,
    /// The number of its posting.
    pub(crate) number: NonZeroU64,
    /// Its number in the trace, if it had one.
    pub(crate) traced: Option<TraceId>,
    pub(crate) then: Then,
}

impl Due {
    /// Delivers the message by the [entry](crate::send::entry) of a send, if that is over there: it is for one
    /// component, and nothing is unusual. W5-context, W5-header.
    #[inline]
    pub(crate) fn enter<M: Message>(&self, world: &World, held: &mut Option<M>) -> bool {
        let mark = &self.posted.mark;
        let Some(message) = held else {
            return false;
        };
        if mark.retain || self.then != Then::Ends {
            return false;
        }
        let from = Outside {
            world,
            sender: self.sender,
            extras: &Extras {
                posted: Some(&self.posted),
                ..Extras::NONE
            },
        };
        let verdict = call_single(from, self.to, mark.place, message, &mut None);
        if verdict == Verdict::Busy {
            return false;
        }
        if mark.require > 0 {
            let sent = from.sent_of(M::FACTS, &self.to, mark.place);
            sent.bury_unless_received(Ok(verdict.receipt()), held);
        }
        true
    }

    /// Delivers the message as a [send](crate::send).
    #[inline(never)]
    pub(crate) fn deliver(&self, world: &World, held: &mut dyn Held) {
        if self.then == Then::LeftOut {
            return world.schedule.borrow_mut().leave_out(held);
        }
        let extras = Extras {
            posted: Some(&self.posted),
            number: self.traced,
            ..Extras::NONE
        };
        let place = self.posted.mark.place;
        let sent = Sent {
            extras: &extras,
            ..Sent::of_type(held.facts(), world, self.sender, &self.to, place)
        };
        let number = match self.traced {
            None if world.trace.is_on() => sent.trace_overdue(held.get(), self),
            number => number,
        };
        let extras = Extras { number, ..extras };
        let sent = sent.with(&extras);
        if self.then == Then::Repeats {
            sent.deliver_repeat(held);
        } else {
            sent.deliver_in_full(held);
        }
    }
}

/// Puts a message back that repeats, also after a panic.
struct PutBack<'a> {
    world: &'a World,
    held: &'a mut dyn Held,
    is_lent: bool,
}

impl Drop for PutBack<'_> {
    fn drop(&mut self) {
        // Only after a panic: a second one in the `Drop` of what has ended would be too many.
        if self.is_lent {
            self.put_back();
            let _ = caught(|| drop(self.held.take()));
        }
    }
}

impl PutBack<'_> {
    /// The caller keeps one that has ended.
    fn put_back(&mut self) {
        self.is_lent = false;
        self.world.schedule.borrow_mut().put_back(self.held);
    }
}

impl Sent<'_> {
    /// Delivers a message that repeats, and puts it back.
    #[cold]
    fn deliver_repeat(&self, held: &mut dyn Held) {
        let mut lent = PutBack {
            world: self.world,
            held,
            is_lent: true,
        };
        let result = self.send_lent(lent.held.get());
        let error = result.as_ref().map_err(SendError::kind).err();
        let is_gone = matches!(error, Some(SendErrorKind::Gone { .. }));
        if is_gone {
            // Nobody will ever have that id again.
            lent.is_lent = false;
            self.world.schedule.borrow_mut().end_away();
            return self.bury_unless_received(result, lent.held);
        }
        if let Some((why, got)) = self.shortfall(result) {
            let copy = (*lent.held.get()).try_clone();
            self.bury(why, got, copy);
        }
        lent.put_back();
    }
}
