//! A pass of a stage: everything that is due is delivered, each message as an outermost send of its
//! own, so that what one leads to is settled before the next.

use std::cell::RefMut;
use std::num::NonZeroU64;

use crate::address::{Recipient, Sender};
use crate::caught::FirstPanic;
use crate::error::{Absence, SendError, SendErrorKind};
use crate::message::Facts;
use crate::post::schedule::Held;
use crate::send::{Extras, Lent, Posted, Redelivery, Replies, Sent, Verdict};
use crate::time::Stage;
use crate::trace::TraceId;
use crate::world::World;

/// The pass of a stage that is under way. After a panic no pass is.
pub(crate) struct Pass<'w> {
    pub(super) world: &'w mut World,
    lane: usize,
}

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.world.common.time.end_pass();
        self.world.mail.end_pass();
    }
}

impl Pass<'_> {
    /// Runs one pass of a stage. Returns how many posted messages it has delivered.
    pub(crate) fn run(world: &mut World, stage: Stage) -> usize {
        let Some(lane) = stage.lane() else { return 0 };
        let time = &mut world.common.time;
        if stage == Stage::FixedUpdate {
            time.begin_fixed_pass();
            world.mail.begin_fixed_pass();
        }
        let clocks = time.clocks;
        let staged = world.listen.staged.lanes[lane].get_mut().len();
        world.schedule.get_mut().begin_pass(lane, clocks);
        let mut pass = Pass { world, lane };
        let mut delivered = 0;
        while pass.world.schedule.get_mut().next() {
            delivered += pass.deliver();
            pass.world.settle_outermost();
        }
        pass.deliver_staged(staged);
        delivered
    }

    /// Delivers the next messages: as many as can be walked over, or else one. Returns how many were delivered.
    fn deliver(&mut self) -> usize {
        if let Some(delivered) = self.walk_over() {
            return delivered;
        }
        let world = &*self.world;
        let mut schedule = world.schedule.borrow_mut();
        let due = schedule.come_out();
        let block = schedule.turn().next.block;
        let mut stock = RefMut::map(schedule, |schedule| &mut schedule.turn().queue.stock);
        let deliver = stock.column().deliver();
        deliver(world, stock, block, &due);
        usize::from(due.then != Then::LeftOut)
    }

    /// Delivers the first `staged` of the messages that subscribers receive in this stage.
    fn deliver_staged(&mut self, staged: usize) {
        for _ in 0..staged {
            let waiting = &mut self.world.listen.staged.lanes[self.lane];
            let next = waiting.get_mut().pop_front();
            let Some((id, message)) = next else { break };
            let world = &mut *self.world;
            let subscriptions = &world.listen.subscriptions;
            subscriptions.free_overhearer(id, &mut world.structure);
            Redelivery::outside(world).deliver_staged(&message, id);
            world.settle_outermost();
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
    /// It is skipped: it has been delivered as often as it may be in this frame.
    LeftOut,
}

/// The data of a message that has come out of the schedule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Due {
    pub(crate) facts: &'static Facts,
    /// The stamp that it bore.
    pub(super) stamp: u32,
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
    /// Returns the extras of the send that delivers the message.
    #[inline]
    pub(crate) fn extras(&self) -> Extras<'_> {
        Extras::NONE.posted(&self.posted)
    }

    /// Returns the send that delivers the message.
    #[inline]
    pub(crate) fn sent<'a>(&'a self, world: &'a World, extras: &'a Extras<'a>) -> Sent<'a> {
        let (sender, to, place) = (self.sender, self.to, self.posted.mark.place);
        Sent::of_type(self.facts, world, sender, to, place).with(extras)
    }

    /// Delivers the message.
    #[inline(never)]
    pub(crate) fn deliver(&self, world: &World, held: &mut dyn Held) {
        let extras = self.extras();
        let sent = self.sent(world, &extras);
        if !self.deliver_single(&sent, held) {
            self.deliver_in_full(&sent, held);
        }
    }

    /// Delivers the message if it is for one component, and nothing is unusual: W5-header. Otherwise returns
    /// `false`, and nobody was called.
    #[inline]
    fn deliver_single(&self, sent: &Sent<'_>, held: &mut dyn Held) -> bool {
        let mark = &self.posted.mark;
        if mark.retain || self.then != Then::Ends {
            return false;
        }
        // Not as of the beginning of the pass: a handler may have extended the registry meanwhile.
        let table = self.facts.table();
        let callee = table.and_then(|table| sent.single_callee(table));
        let Some(callee) = callee else {
            return false;
        };
        let verdict = sent.call(&callee, held.get(), &mut Replies::Ignore);
        if verdict == Verdict::NotCalled {
            return false;
        }
        if mark.require > 0 {
            sent.bury_unless_received(Ok(verdict.receipt()), held);
        }
        true
    }

    fn deliver_in_full(&self, sent: &Sent<'_>, held: &mut dyn Held) {
        let world = sent.world;
        if self.then == Then::LeftOut {
            let time = &world.common.time;
            return world.schedule.borrow_mut().leave_out(time, held);
        }
        let number = match self.traced {
            None if world.trace.is_on() => sent.trace_overdue(held.get(), self),
            number => number,
        };
        let extras = sent.extras.numbered(number);
        let sent = sent.with(&extras);
        if self.then == Then::Repeats {
            sent.deliver_repeat(held);
        } else {
            sent.deliver_in_full(held);
        }
    }
}

impl Sent<'_> {
    /// Delivers a message that repeats, and puts it back, also after a panic.
    #[cold]
    fn deliver_repeat(&self, held: &mut dyn Held) {
        let (mut panics, mut gone) = (FirstPanic::default(), None);
        panics.catch(|| {
            let result = self.send(&mut Lent(held.get()));
            let error = result.as_ref().map_err(SendError::kind).err();
            if let Some(SendErrorKind::Absent(Absence::Gone)) = error {
                gone = Some(result);
            } else if let Some((why, got)) = self.shortfall(result) {
                let copy = (*held.get()).try_clone();
                self.bury(why, got, copy);
            }
        });
        let mut schedule = self.world.schedule.borrow_mut();
        if let Some(result) = gone {
            // Nobody will ever have that id again.
            schedule.end_away();
            drop(schedule);
            return self.bury_unless_received(result, held);
        }
        schedule.put_back(&self.world.common.time, held);
        drop(schedule);
        // It is dropped here if its series has ended. A panic in its `Drop` is caught, too.
        panics.catch(|| drop(held.take()));
        panics.resume();
    }
}
