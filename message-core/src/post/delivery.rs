//! A pass of a stage: everything that is due is delivered, each message as an outermost send of its
//! own, so that what one leads to is settled before the next.

use std::cell::RefMut;

use crate::address::{Recipient, Sender};
use crate::caught::{FirstPanic, caught};
use crate::context::Context;
use crate::error::{SendError, SendErrorKind, Undelivered};
use crate::handler::run::Run;
use crate::lifecycle::DeadLetter;
use crate::message::{AnyMessage, Facts, Message, MessageIndex};
use crate::post::queue::{Bounds, Deliver, Due, DueEntry, Held, Messages, Rows, Taken};
use crate::receipt::Receipt;
use crate::report::Report;
use crate::send::Ways;
use crate::send::call::{Extras, Frame, Posted, Sent, Staging};
use crate::send::entry::{Single, settle_single};
use crate::send::erased::{BoxedMessage, OwnedMessage};
use crate::send::origin::{Origin, Outside};
use crate::send::verdict::FALL_BACK;
use crate::subscription::Shared;
use crate::time::{Advance, Stage};
use crate::trace::TraceId;
use crate::world::World;

/// The pass of a stage that is under way. After a panic no pass is.
struct Pass<'w>(&'w mut World);

impl Drop for Pass<'_> {
    fn drop(&mut self) {
        self.0.common.time.end_fixed_pass();
    }
}

/// The only component that receives a message that is due, ready to be called.
pub(crate) struct Way<'a> {
    to: Single<'a>,
    sent: &'a Sent<'a>,
    /// What the handler is given, if it takes that.
    context: Option<Context<'a>>,
}

/// What is asked of the type of messages that are due.
#[derive(Clone, Copy)]
pub(super) struct DueType {
    facts: &'static Facts,
    index: MessageIndex,
    /// `true` if one of the handlers takes a context.
    pub(super) takes_context: bool,
}

impl DueType {
    pub(super) fn of(facts: &'static Facts) -> Self {
        let table = facts.table();
        Self {
            facts,
            index: table.map_or(MessageIndex::UNKNOWN, |table| table.index),
            takes_context: table.is_some_and(|table| table.takes_context),
        }
    }
}

/// Where a message comes from that is due.
pub(super) type FromHeap<'a> = Outside<'a, Extras<'a>>;

impl<'a> FromHeap<'a> {
    /// With the number of the message, if it is traced.
    #[inline]
    pub(super) fn new(world: &'a World, due: &'a Due, number: Option<TraceId>) -> Self {
        Self {
            world,
            sender: due.sender,
            extras: Extras {
                posted: Some(&due.posted),
                number,
                ..Extras::NONE
            },
        }
    }
}

impl World {
    fn bounds(&self) -> Bounds {
        Bounds {
            now: self.common.time.now(),
            unscaled: self.common.time.unscaled_now,
            frame: self.common.time.frame,
        }
    }

    /// Begins the next frame: what waited for it by number is due now, and what was published can
    /// be found. Returns how many fixed steps were left out.
    pub(crate) fn begin_frame(&mut self, by: Advance) -> u64 {
        let skipped = self
            .common
            .time
            .begin_frame(by, self.common.config.max_fixed_steps);
        let (frame, now) = (self.common.time.frame, self.common.time.now());
        self.schedule.get_mut().begin_frame(frame, now);
        self.mail.turn(frame);
        skipped
    }

    /// Runs one pass of a stage. Returns how many posted messages it has delivered.
    pub(crate) fn run_pass(&mut self, stage: Stage) -> usize {
        let Some(lane) = stage.lane() else { return 0 };
        if stage == Stage::FixedUpdate {
            self.common.time.begin_fixed_pass();
        } else {
            self.common.time.end_fixed_pass();
        }
        let bounds = self.bounds();
        let staged = self.listen.staged.len(lane);
        self.schedule.get_mut().begin_pass(lane, bounds);
        let pass = Pass(self);
        let mut delivered = 0;
        while let Some((entry, until)) = pass.0.schedule.get_mut().next(lane) {
            delivered += pass.0.deliver_entry(lane, entry, until);
        }
        for _ in 0..staged {
            let next = pass.0.listen.staged.take_next(lane);
            let Some((id, message)) = next else { break };
            let World {
                listen, structure, ..
            } = &mut *pass.0;
            listen.subscriptions.free_overhearer(id, structure);
            pass.0.deliver_staged(&message, id);
            pass.0.settle_outermost();
        }
        delivered
    }

    /// A message for a subscriber that receives it in a stage of its own. Returns `true` if it
    /// waits for that: not if the subscriber has what it wanted. An error is the limit that stands
    /// against it.
    pub(crate) fn wait_for_stage(&self, staging: Staging, message: &Shared) -> Result<bool, usize> {
        let Staging { spot, stage, .. } = staging;
        let lane = stage.lane().expect("a stage of its own is not `Immediate`");
        let at = spot.as_subscription();
        let Some(it) = at.and_then(|at| self.listen.subscriptions.at(at)) else {
            return Ok(false);
        };
        if self.listen.staged.len(lane) >= self.common.config.max_pending {
            return Err(self.common.config.max_pending);
        }
        let waits = it.reserve();
        if waits {
            self.listen.staged.push(lane, it.id(), message);
        }
        Ok(waits)
    }

    /// Delivers a message that has come out of the heap.
    pub(super) fn deliver_one(
        &self,
        deliver: &Deliver,
        due: &Due,
        number: Option<TraceId>,
        of: DueType,
    ) {
        let is_open = due.plain && self.can_walk(of.index);
        let ways = &mut Ways::new(self, of.index);
        let ways = is_open.then_some(ways);
        self.deliver_by(deliver, of, self.messages(due), due, number, ways);
    }

    /// Hands a message on to what is compiled for its type, with the only component of its messagee that receives
    /// it, if one can be found by `ways`.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "part of the loop over a batch; measured"
    )]
    fn deliver_by(
        &self,
        deliver: &Deliver,
        of: DueType,
        messages: RefMut<'_, dyn Messages>,
        due: &Due,
        number: Option<TraceId>,
        ways: Option<&mut Ways<'_>>,
    ) {
        let to = match (due.to, ways) {
            (Recipient::Id(id), Some(ways)) => ways.to(id),
            _ => None,
        };
        let (Some(to), Recipient::Id(me)) = (to, due.to) else {
            (deliver.one)(self, messages, due, number, None);
            return;
        };
        let from = FromHeap::new(self, due, None);
        let sent = &from.sent_of(of.facts, &due.to, due.posted.mark.place);
        let frame = || Frame::at(to.pool.roster(), to.slot, me, sent);
        let context = of.takes_context.then(|| Context::new(frame()));
        let way = &mut Way { to, sent, context };
        (deliver.one)(self, messages, due, number, Some(way));
    }

    /// Delivers the next messages of a batch to a handler that takes a context, as long as nothing has to
    /// be settled in between. Returns how many, and `true` if no other is left that was posted before the
    /// posting with the number `until`.
    #[inline(never)]
    pub(super) fn deliver_in_context(
        &self,
        deliver: &Deliver,
        of: DueType,
        (entry, until): (DueEntry, u64),
        last: &mut Option<(u32, Due)>,
    ) -> (usize, bool) {
        let mut delivered = 0;
        if !self.listen.subscriptions.is_quiet(of.index) {
            return (0, false);
        }
        let mut ways = Ways::new(self, of.index);
        while !self.trace.is_on()
            && !self.waiting.kept.any()
            && !self.waiting.pending.is_unsettled()
        {
            let mut heap = self.schedule.borrow_mut();
            let Some(due) = heap.take_next_behind(last, entry, until) else {
                return (delivered, true);
            };
            let messages = RefMut::map(heap, |heap| heap.messages(entry));
            delivered += 1;
            let ways = due.plain.then_some(&mut ways);
            self.deliver_by(deliver, of, messages, due, None, ways);
        }
        (delivered, false)
    }

    /// The messages among which one is that has come out.
    #[inline]
    pub(super) fn messages(&self, due: &Due) -> RefMut<'_, dyn Messages> {
        RefMut::map(self.schedule.borrow_mut(), |heap| heap.messages(due.entry))
    }

    /// See [`Deliver::one`].
    pub(crate) fn deliver_due<M: Message>(
        &self,
        mut messages: RefMut<'_, dyn Messages>,
        due: &Due,
        number: Option<TraceId>,
        way: Option<&mut Way<'_>>,
    ) {
        let mut held = Rows::<M>::of(&mut *messages).take(due.entry.slot);
        drop(messages);
        if due.is_single {
            self.was_taken(due);
        }
        if let Some(message) = &mut held
            && let Some(way) = way
            && let Single { route, pool, slot } = way.to
            && let Some(run) = M::cell().routes().run(route)
        {
            let (verdict, error) = match (run, &mut way.context) {
                (Run::Alone(run), _) => run(pool, slot, message, &mut None),
                (Run::InContext(run), Some(context)) => {
                    run(pool.any_values(), message, context, &mut None)
                }
                (Run::InContext(_), None) => FALL_BACK,
            };
            if verdict.is_some() || error.is_some() {
                // Before the message is dropped, since a `Drop` may panic.
                if let (true, Recipient::Id(id)) =
                    (error.is_some() || self.waiting.kept.any(), due.to)
                {
                    settle_single(way.sent, id, error);
                }
                return;
            }
        }
        self.deliver_held(due, number, &mut held);
    }

    /// Like [`deliver_due`](Self::deliver_due), for a boxed message.
    pub(crate) fn deliver_boxed(
        &self,
        mut messages: RefMut<'_, dyn Messages>,
        due: &Due,
        number: Option<TraceId>,
        _: Option<&mut Way<'_>>,
    ) {
        let message = Rows::of(&mut *messages).take(due.entry.slot);
        drop(messages);
        self.was_taken(due);
        self.deliver_held(due, number, &mut BoxedMessage(message));
    }

    /// A single message was taken from its slot.
    #[inline(never)]
    fn was_taken(&self, due: &Due) {
        self.schedule.borrow_mut().was_taken(due);
    }

    /// Delivers a message that was taken out of the heap as a [send](crate::send).
    #[inline(never)]
    fn deliver_held(&self, due: &Due, number: Option<TraceId>, held: &mut dyn Held) {
        let (facts, place) = (held.facts(), due.posted.mark.place);
        let mut from = FromHeap::new(self, due, number);
        if number.is_none() && self.trace.is_on() {
            let sent = from.sent_of(facts, &due.to, place);
            let number = self.trace_overdue(&sent, held.get(), due);
            from = FromHeap::new(self, due, number);
        }
        let sent = from.sent_of(facts, &due.to, place);
        if due.repeats {
            self.deliver_repeat(due.entry, &sent, held);
        } else {
            self.deliver_in_full(&sent, held);
        }
    }

    /// Delivers a message whose sender can no longer get an error. If anything goes wrong, the message
    /// becomes a dead letter.
    pub(crate) fn deliver_in_full(&self, sent: &Sent<'_>, message: &mut dyn OwnedMessage) {
        let result = sent.send_posted(message);
        if let Some((why, got)) = self.shortfall(sent, result) {
            let message = message.take().map(|message| message as Box<dyn AnyMessage>);
            self.bury(sent, why, got, message);
        }
    }

    /// Makes a dead letter of a message that was not accepted.
    #[cold]
    pub(crate) fn bury_refused(
        &self,
        sent: &Sent<'_>,
        error: SendError,
        message: &mut dyn OwnedMessage,
    ) {
        if let Some((why, got)) = self.shortfall(sent, Err(error)) {
            let message = message.take().map(|message| message as Box<dyn AnyMessage>);
            self.bury(sent, why, got, message);
        }
    }

    /// Delivers a message that repeats, and puts it back, also after a panic.
    #[cold]
    fn deliver_repeat(&self, entry: DueEntry, sent: &Sent<'_>, held: &mut dyn Held) {
        struct PutBack<'w> {
            world: &'w World,
            entry: DueEntry,
            held: &'w mut dyn Held,
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
            /// What has ended stays with the caller.
            fn put_back(&mut self) {
                self.is_lent = false;
                let mut heap = self.world.schedule.borrow_mut();
                heap.put_back(self.entry, self.held);
            }
        }

        let mut lent = PutBack {
            world: self,
            entry,
            held,
            is_lent: true,
        };
        let result = sent.send_lent(lent.held.get());
        let gone = match result.as_ref().map_err(SendError::kind) {
            Err(&SendErrorKind::Gone { id, .. }) => Some(Undelivered::Gone { id }),
            Err(&SendErrorKind::HookGone { hook, .. }) => Some(Undelivered::HookGone { hook }),
            _ => None,
        };
        if let Some(why) = gone {
            // Nobody will ever have that id again.
            lent.is_lent = false;
            self.schedule.borrow_mut().end(entry);
            if sent
                .extras
                .posted
                .is_some_and(|posted| posted.mark.if_alive)
            {
                return;
            }
            let message = lent
                .held
                .take()
                .map(|message| message as Box<dyn AnyMessage>);
            return self.bury(sent, why, 0, message);
        }
        if let Some((why, got)) = self.shortfall(sent, result) {
            let copy = (*lent.held.get()).try_clone();
            self.bury(sent, why, got, copy);
        }
        lent.put_back();
    }

    /// Why a message that was posted counts as not delivered, if it does, and how many have
    /// received it.
    #[inline]
    fn shortfall(
        &self,
        sent: &Sent<'_>,
        result: Result<Receipt, SendError>,
    ) -> Option<(Undelivered, usize)> {
        let if_alive = sent
            .extras
            .posted
            .is_some_and(|posted| posted.mark.if_alive);
        let error = match result {
            Ok(receipt) => {
                let got = receipt.receivers();
                let is_short = got < sent.wanted();
                return is_short.then(|| (self.why_unreceived(sent, got), got));
            }
            Err(error) => error,
        };
        let why = match *error.kind() {
            // A messagee that is leaving now will be gone when the dead letter is sent.
            SendErrorKind::Gone { id, .. } | SendErrorKind::Leaving { id, .. } => {
                Undelivered::Gone { id }
            }
            SendErrorKind::HookGone { hook, .. } | SendErrorKind::HookLeaving { hook, .. } => {
                Undelivered::HookGone { hook }
            }
            SendErrorKind::Unbound { mnemonic, .. } => Undelivered::Unbound { mnemonic },
            _ => return Some((Undelivered::Refused { error }, 0)),
        };
        (!if_alive).then_some((why, 0))
    }

    /// Why fewer have received a message than its header requires.
    #[cold]
    pub(crate) fn why_unreceived(&self, sent: &Sent<'_>, got: usize) -> Undelivered {
        if got > 0 {
            return Undelivered::TooFew;
        }
        if let Recipient::Group(group) = *sent.to
            && !self.structure.addresses.has_members(group)
        {
            return Undelivered::EmptyGroup {
                group: group.name(),
            };
        }
        let table = sent.facts.table();
        let has_handler = table.is_some_and(|table| sent.has_handler(table));
        if has_handler || sent.has_listener() {
            Undelivered::Filtered
        } else {
            Undelivered::NoHandler
        }
    }

    /// Makes a dead letter of a message, if anybody hears of dead letters or it is to be reported.
    #[cold]
    pub(crate) fn bury(
        &self,
        sent: &Sent<'_>,
        why: Undelivered,
        got: usize,
        message: Option<Box<dyn AnyMessage>>,
    ) {
        self.waiting
            .failures
            .dead_letters
            .set(self.waiting.failures.dead_letters.get() + 1);
        if self.trace.is_on() {
            self.trace.died(sent.subject(), &why);
        }
        // What is an error that nobody is told of, or was asked for.
        let fails = sent.wanted() > 0
            || matches!(
                why,
                Undelivered::Refused { .. }
                    | Undelivered::NotCloned
                    | Undelivered::Unnamed { .. }
                    | Undelivered::Elsewhere { .. }
            );
        let is_reported = fails && self.common.config.reports();
        if fails {
            self.note_fatal_letter();
        }
        let is_told = !sent.reporting().death && self.may_be_heard::<DeadLetter>();
        if !is_told && !is_reported {
            return;
        }
        let place = sent.place;
        let letter = DeadLetter {
            envelope: sent.envelope(),
            name: sent.message(),
            id: sent.facts.id,
            message,
            wanted: sent.wanted(),
            got,
            why,
        };
        self.waiting
            .pending
            .later(sent.extras.number, move |world| {
                match (is_told, is_reported) {
                    (true, true) => world.tell_everyone(letter, place),
                    (false, _) => world.report(&Report::DeadLetter(letter)),
                    (true, false) => {
                        let to = Recipient::Everyone;
                        let sent = Sent::outside::<DeadLetter>(world, Sender::Manager, &to, place);
                        // Everyone can always be written to.
                        let _ = sent.send(&mut Some(letter));
                    }
                }
            });
    }

    /// Makes dead letters of the messages that were bound to senders that are gone: of all of them,
    /// also if the `Drop` of one panics that nobody hears of.
    pub(crate) fn bury_bound(&self, bound: Vec<Taken>) {
        let mut panics = FirstPanic::default();
        for it in bound {
            let Taken {
                record,
                post_meta,
                message,
                number,
            } = it;
            let Some(sender) = record.sender else {
                continue;
            };
            let posted = Posted {
                mark: post_meta,
                due: record.due,
                since: self.common.time.now(),
            };
            let why = Undelivered::SenderDespawned { id: sender };
            let place = post_meta.place;
            let extras = Extras {
                posted: Some(&posted),
                number,
                ..Extras::NONE
            };
            let sent = Sent {
                facts: (*message).facts(),
                extras: &extras,
                ..Sent::outside::<DeadLetter>(self, sender.into(), &record.to, place)
            };
            panics.catch(|| self.bury(&sent, why, 0, Some(message)));
        }
        panics.resume();
    }
}
