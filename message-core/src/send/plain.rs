//! The plain case of the long way: to one messagee that is alive, while nothing is traced, kept or
//! switched. Several of its components receive the message, or a subscriber of one list hears it, or
//! panics are caught.
//!
//! It does what the [long way](super::slow) does, and asks only what can be so in this case. Where a
//! delivery turns out not to be plain (a component is busy, or about to be removed), the long way goes on
//! from there.

use crate::address::{MessageeId, Recipient};
use crate::caught::caught;
use crate::config::PanicPolicy;
use crate::error::SendError;
use crate::handler::RouteTable;
use crate::handler::run::At;
use crate::receipt::Receipt;
use crate::send::Sent;
use crate::send::call::{Call, OnBusy, Tally, Waiting};
use crate::send::erased::{ErasedMessage, Replies, Source};
use crate::send::handover::{deliver_kept, report};
use crate::send::verdict::{Verdict, count};
use crate::storage::Record;
use crate::subscription::{AnyListeners, Hearing};
use crate::trace::SentBy;
use crate::world::World;

/// How far a send has come before the long way goes on with it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// How many of the messagee's components it has passed.
    pub(super) passed: usize,
    pub(super) tally: Tally,
    /// How many messages had been kept when it began.
    pub(super) kept: u64,
    /// How often components had been enabled or disabled when it began.
    pub(super) switches: u64,
}

/// The messagee that a message is sent to.
struct One<'a> {
    id: MessageeId,
    record: &'a Record,
    table: &'a RouteTable,
}

/// What has come of the attempt to deliver a message plainly.
enum Plainly {
    /// Nothing was done.
    Not,
    Done(Tally),
    /// It goes on the long way.
    Rest(Progress),
    /// All who could receive it have. These could not.
    Waiting(Box<Waiting>, Progress),
}

impl World {
    /// How far a send has come that begins now.
    #[inline]
    pub(super) fn no_progress(&self) -> Progress {
        Progress {
            passed: 0,
            tally: Tally::default(),
            kept: self.kept.count(),
            switches: self.switches.count(),
        }
    }

    /// Delivers a message plainly if it can be, else the long way.
    #[inline]
    pub(super) fn send_by(
        &self,
        sent: &Sent<'_>,
        by: SentBy,
        mut replies: Replies<'_>,
        on_busy: OnBusy,
        mut source: Source<'_>,
    ) -> Result<Receipt, SendError> {
        if self.is_instrumented()
            && let Some(verdict) = self.send_guarded(sent, source.get(), &mut replies)
        {
            let mut tally = Tally::default();
            let _ = count(verdict, self, &mut replies, &mut tally);
            return Ok(tally.receipt());
        }
        match self.send_plainly(sent, source.get(), &mut replies, on_busy) {
            Plainly::Done(tally) => Ok(tally.receipt()),
            Plainly::Not => self.begin_full(sent, by, replies, on_busy, source),
            Plainly::Rest(progress) => {
                let call = Call::new(sent, replies, on_busy);
                self.carry_on(call, source, &progress)
            }
            Plainly::Waiting(waiting, progress) => {
                let mut call = Call::new(sent, replies, on_busy);
                (call.tally, call.waiting) = (progress.tally, Some(waiting));
                self.end(call, source, progress.kept, false)
            }
        }
    }

    /// Delivers a message to the only component that handles it and whose panic ends with it, if nobody
    /// hears it. `None`, with nobody called, if it is not so.
    #[inline(never)]
    fn send_guarded(
        &self,
        sent: &Sent<'_>,
        message: &mut dyn ErasedMessage,
        replies: &mut Replies<'_>,
    ) -> Option<Verdict> {
        let (Recipient::Id(id), table) = (*sent.to, sent.facts.table()?) else {
            return None;
        };
        if !self.is_calm()
            || self.trace.is_on()
            || sent.depth > self.config.max_depth
            || sent.extras.posted.is_some()
        {
            return None;
        }
        let component = self.subscriptions.component_past(table, id, sent.sender)?;
        let pool = self.pools.get(component as usize)?.as_deref()?;
        let typed = table.all().first()?.typed;
        let run = || message.call_one(typed, (pool, At::only(id)), sent, replies);
        let (verdict, error) = caught(run).unwrap_or_else(|panic| {
            let stop = table.stop(component);
            if let (Some(stop), Some(slot)) = (stop, pool.roster().slot_of(id)) {
                self.panicked(stop, (pool, slot), sent, panic);
            }
            (Some(Verdict::Failed), None)
        });
        if verdict.is_some() && (error.is_some() || self.kept.any()) {
            self.finish_single(pool, id, error, sent);
        }
        verdict
    }

    #[inline]
    fn send_plainly(
        &self,
        sent: &Sent<'_>,
        message: &mut dyn ErasedMessage,
        replies: &mut Replies<'_>,
        on_busy: OnBusy,
    ) -> Plainly {
        let (Recipient::Id(id), Some(table)) = (*sent.to, sent.facts.table()) else {
            return Plainly::Not;
        };
        let Some(record) = self.messagees.get(id) else {
            return Plainly::Not;
        };
        if !self.is_calm()
            || self.trace.is_on()
            || self.config.require != 0
            || sent.depth > self.config.max_depth
            || sent.extras.posted.is_some()
            || (on_busy == OnBusy::Refuse && sent.parent.is_some())
            || table.ranked
        {
            return Plainly::Not;
        }
        let to = One { id, record, table };
        let guards = self.config.panic_policy == PanicPolicy::Unhook;
        if !self.subscriptions.any_listens(table.index) {
            return if guards {
                self.deliver_plainly::<true>(&to, message, sent, replies)
            } else {
                self.deliver_plainly::<false>(&to, message, sent, replies)
            };
        }
        self.send_to_heard(&to, sent, message, replies, on_busy)
    }

    /// As [`send_plainly`](Self::send_plainly), where somebody listens to the message.
    #[inline(never)]
    fn send_to_heard(
        &self,
        to: &One<'_>,
        sent: &Sent<'_>,
        message: &mut dyn ErasedMessage,
        replies: &mut Replies<'_>,
        on_busy: OnBusy,
    ) -> Plainly {
        let guards = self.config.panic_policy == PanicPolicy::Unhook;
        let list = match self.hearing(to.table.index, sent) {
            Hearing::Nobody if guards => {
                return self.deliver_plainly::<true>(to, message, sent, replies);
            }
            Hearing::Nobody => None,
            Hearing::One(list) if !guards => Some(list),
            Hearing::One(_) | Hearing::Many => return Plainly::Not,
        };
        let switches = self.switches.count();
        let kept = self.kept.count();
        let delivered = match self.deliver_to_single(to, message, sent, replies) {
            Some(delivered) => delivered,
            None => self.deliver_plainly::<false>(to, message, sent, replies),
        };
        match (delivered, list) {
            (Plainly::Done(tally), Some(list)) if !tally.consumed => {
                let progress = Progress {
                    passed: self.messagees.hooks(to.record).len(),
                    tally,
                    kept,
                    switches,
                };
                self.tell_plainly(list, sent, message, on_busy, progress)
            }
            (delivered, _) => delivered,
        }
    }

    /// Delivers a message to the only component that handles it. `None`, with nobody called, if it is not
    /// so.
    #[inline]
    fn deliver_to_single(
        &self,
        to: &One<'_>,
        message: &mut dyn ErasedMessage,
        sent: &Sent<'_>,
        replies: &mut Replies<'_>,
    ) -> Option<Plainly> {
        let component = self.subscriptions.fast_routes.single(to.table.index)?;
        let pool = self.pools.get(component as usize)?.as_deref()?;
        let typed = to.table.all().first()?.typed;
        let (verdict, error) = message.call_one(typed, (pool, At::only(to.id)), sent, replies);
        let verdict = verdict?;
        if error.is_some() || self.kept.any() {
            self.finish_single(pool, to.id, error, sent);
        }
        let mut tally = Tally::default();
        let _ = count(verdict, self, replies, &mut tally);
        Some(Plainly::Done(tally))
    }

    /// Returns `true` if no message is kept and no component is switched.
    #[inline]
    fn is_calm(&self) -> bool {
        !self.kept.any() && !self.switches.any()
    }

    /// Delivers a message to the components of a messagee. `GUARDS`: a panic ends with the component.
    #[inline(never)]
    fn deliver_plainly<const GUARDS: bool>(
        &self,
        to: &One<'_>,
        message: &mut dyn ErasedMessage,
        sent: &Sent<'_>,
        replies: &mut Replies<'_>,
    ) -> Plainly {
        let mut tally = Tally::default();
        let (kept, switches) = (self.kept.count(), self.switches.count());
        for (passed, hook) in self.components_of(to.record).enumerate() {
            let Some(stop) = to.table.stop(hook.component) else {
                continue;
            };
            let pool = self.pool(hook.component);
            let rest = |passed, tally| {
                Plainly::Rest(Progress {
                    passed,
                    tally,
                    kept,
                    switches,
                })
            };
            if pool.roster().has_exceptions() {
                return rest(passed, tally);
            }
            if hook.slot as usize >= pool.roster().active() {
                continue;
            }
            let at = (pool, At::of(to.id, hook.slot));
            let ended = if GUARDS {
                let run = || message.call_one(stop.route.typed, at, sent, replies);
                caught(run).unwrap_or_else(|panic| {
                    self.panicked(stop, (pool, hook.slot), sent, panic);
                    (Some(Verdict::Failed), None)
                })
            } else {
                message.call_one(stop.route.typed, at, sent, replies)
            };
            let Some(verdict) = ended.0 else {
                return rest(passed, tally);
            };
            if let Some(error) = ended.1 {
                report(*error, stop.route.method, pool, hook.slot as usize, sent);
            }
            let flow = count(verdict, self, replies, &mut tally);
            let is_calm = !stop.route.takes_context || self.is_calm();
            if !is_calm && self.kept.any() {
                deliver_kept(pool, hook.slot as usize, sent);
            }
            if flow.is_break() {
                break;
            }
            if !is_calm {
                return rest(passed + 1, tally);
            }
        }
        Plainly::Done(tally)
    }

    /// Tells the subscribers of the only list that hears the message.
    fn tell_plainly(
        &self,
        list: &dyn AnyListeners,
        sent: &Sent<'_>,
        message: &mut dyn ErasedMessage,
        on_busy: OnBusy,
        mut progress: Progress,
    ) -> Plainly {
        let mut call = Call::new(sent, Replies::Ignore, on_busy);
        (call.tally, call.begun) = (progress.tally, progress.switches);
        self.tell_quickly(list, &mut call, message);
        progress.tally = call.tally;
        match call.waiting {
            None => Plainly::Done(progress.tally),
            Some(waiting) => Plainly::Waiting(waiting, progress),
        }
    }
}
