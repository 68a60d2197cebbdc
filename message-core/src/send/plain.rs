//! The plain case of the long way: to one messagee that is alive, while nothing is traced, kept or
//! switched. Some of its components receive the message, or the subscribers of one list hear it.
//!
//! It does what the [long way](super::slow) does, and asks only what can be so in this case. Where a
//! delivery turns out not to be plain (a component is busy, or about to be removed), the long way goes on
//! from there.

use std::ops::ControlFlow;

use crate::address::{MessageeId, Recipient};
use crate::caught::catch;
use crate::config::PanicPolicy;
use crate::error::SendError;
use crate::handler::run::At;
use crate::handler::{Route, RouteTable};
use crate::receipt::Receipt;
use crate::send::Sent;
use crate::send::call::{Call, OnBusy, Tally, Waiting};
use crate::send::erased::{ErasedMessage, Replies, Source};
use crate::send::verdict::{Ended, Verdict, count};
use crate::storage::Pool;
use crate::subscription::{AnyListeners, Hearing, Part};
use crate::trace::SentBy;
use crate::world::World;

/// How far a send has come before the long way goes on with it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// How many of the messagee's components it has passed.
    pub(super) passed: usize,
    pub(super) tally: Tally,
    /// How many messages had been kept when it began.
    pub(super) kept: u64,
    /// How often components had been enabled or disabled when it began.
    pub(super) switches: u64,
}

/// A message that is sent to one messagee.
struct One<'a> {
    id: MessageeId,
    table: &'a RouteTable,
    sent: &'a Sent<'a>,
    /// A panic ends with the component.
    guarded: bool,
}

/// Who receives a message after a component.
pub(super) enum After {
    NextOne,
    Nobody,
    /// Those who receive it on the long way, with the component itself unless that was `called`.
    LongWay {
        called: bool,
    },
}

/// What has come of the attempt to deliver a message plainly.
enum Plainly<'a> {
    /// Nothing was done.
    Not,
    Done(Tally),
    /// Nothing was done: it is for a proxy alone.
    ForProxy(MessageeId),
    /// It goes on the long way.
    Rest(Progress),
    /// All who could receive it have. These could not.
    Waiting(Box<Waiting<'a>>, Progress),
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
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "little is left of it for each way to send; measured"
    )]
    pub(super) fn send_by(
        &self,
        (sent, table): (&Sent<'_>, Option<&'static RouteTable>),
        by: SentBy,
        mut replies: Replies<'_>,
        on_busy: OnBusy,
        mut source: Source<'_>,
    ) -> Result<Receipt, SendError> {
        match self.send_plainly((sent, table), source.get(), &mut replies, on_busy) {
            Plainly::Done(tally) => Ok(tally.receipt()),
            other => self.send_on(other, sent, by, replies, on_busy, source),
        }
    }

    /// Delivers what was not delivered plainly, or not to all.
    #[inline(never)]
    fn send_on(
        &self,
        plainly: Plainly<'_>,
        sent: &Sent<'_>,
        by: SentBy,
        replies: Replies<'_>,
        on_busy: OnBusy,
        source: Source<'_>,
    ) -> Result<Receipt, SendError> {
        match plainly {
            Plainly::Done(tally) => Ok(tally.receipt()),
            Plainly::ForProxy(proxy) if on_busy == OnBusy::Keep => {
                let mut source = source;
                self.carry_alone(proxy, sent, source.get())
            }
            Plainly::Not | Plainly::ForProxy(_) => {
                let receipt = self.begin_full(sent, by, replies, on_busy, source)?;
                match by {
                    SentBy::Request => Ok(receipt),
                    _ => self.require_by_default(sent, receipt),
                }
            }
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

    #[inline]
    fn send_plainly<'s>(
        &self,
        (sent, table): (&'s Sent<'s>, Option<&'static RouteTable>),
        message: &mut dyn ErasedMessage,
        replies: &mut Replies<'_>,
        on_busy: OnBusy,
    ) -> Plainly<'s> {
        let (Recipient::Id(id), Some(table)) = (*sent.to, table) else {
            return Plainly::Not;
        };
        if !self.is_calm()
            || sent.depth > self.config.max_depth
            || sent.extras.posted.is_some()
            || (on_busy == OnBusy::Refuse && sent.parent.is_some())
        {
            return Plainly::Not;
        }
        if self.subscriptions.are_traced() || self.config.require != 0 || table.ranked {
            return Plainly::Not;
        }
        let to = One {
            id,
            table,
            sent,
            guarded: self.config.panic_policy == PanicPolicy::Unhook,
        };
        if !self.subscriptions.any_listens(table.index) {
            return self.deliver_plainly(&to, message, replies);
        }
        self.send_to_heard(&to, message, replies, on_busy)
    }

    /// As [`send_plainly`](Self::send_plainly), where somebody listens to the message.
    #[inline(never)]
    fn send_to_heard<'s>(
        &self,
        to: &One<'s>,
        message: &mut dyn ErasedMessage,
        replies: &mut Replies<'_>,
        on_busy: OnBusy,
    ) -> Plainly<'s> {
        let list = self.subscriptions.only_list(to.table.index);
        let list = list.filter(|_| !to.guarded);
        let heads = list.map_or(&[][..], |list| list.heads(Part::After).places());
        let direct = heads.len() == 1 && heads[0].is_direct();
        let list = match list {
            Some(list) if direct => list,
            _ => match self.subscriptions.hearing(to.table, to.id, to.sent) {
                Hearing::Nobody => return self.deliver_plainly(to, message, replies),
                // A filter that asks for a mnemonic asks how it is bound before the handlers run.
                Hearing::One(list) if !to.guarded && !self.subscriptions.any_by_mnemonic() => list,
                Hearing::One(_) | Hearing::Many => return Plainly::Not,
            },
        };
        let (kept, switches) = (self.kept.count(), self.switches.count());
        let mut tally = match self.deliver_to_single(to, message, replies) {
            Some(tally) => tally,
            None => match self.deliver_plainly(to, message, replies) {
                Plainly::Done(tally) => tally,
                Plainly::ForProxy(_) => return Plainly::Not,
                delivered => return delivered,
            },
        };
        if tally.consumed {
            return Plainly::Done(tally);
        }
        if let [head] = heads
            && head.is_direct()
        {
            match list.hear(0, message, to.sent) {
                Verdict::Busy => {}
                verdict => {
                    tally.consumed = verdict == Verdict::Consumed;
                    let received = verdict != Verdict::NotReceived && !head.is_hidden();
                    tally.received += usize::from(received);
                    if self.kept.any() {
                        self.end_listener(head, to.sent);
                    }
                    return Plainly::Done(tally);
                }
            }
        }
        let progress = Progress {
            passed: usize::MAX,
            tally,
            kept,
            switches,
        };
        self.tell_in_turn(list, to.sent, message, on_busy, progress)
    }

    /// Returns `true` if no message is kept and no component is switched.
    #[inline]
    pub(super) fn is_calm(&self) -> bool {
        !self.kept.any() && !self.switches.any()
    }

    /// Delivers a message to the only component that handles it. `None`, with nobody called, if it is not
    /// so.
    #[inline]
    fn deliver_to_single(
        &self,
        to: &One<'_>,
        message: &mut dyn ErasedMessage,
        replies: &mut Replies<'_>,
    ) -> Option<Tally> {
        let component = self.subscriptions.fast_routes.single(to.table.index)?;
        let pool = self.pools.get(component)?;
        let route = to.table.single_route()?;
        let slot = pool.roster().at_hand(to.id)?;
        let (verdict, error) = self.call_plainly(to, route, pool, slot, message, replies);
        let verdict = verdict?;
        let mut tally = Tally::default();
        if error.is_some() || self.kept.any() {
            self.finish_at((pool, At::slot(slot)), route, error, to.sent);
        } else if verdict == Verdict::Received {
            tally.received = 1;
            return Some(tally);
        }
        let _ = count(verdict, self, replies, &mut tally);
        Some(tally)
    }

    /// Delivers a message to the components of a messagee.
    #[inline(never)]
    fn deliver_plainly(
        &self,
        to: &One<'_>,
        message: &mut dyn ErasedMessage,
        replies: &mut Replies<'_>,
    ) -> Plainly<'static> {
        let record = self.messagees.get(to.id);
        let Some(record) = record.filter(|record| !record.is_leaving()) else {
            return Plainly::Not;
        };
        if record.outbox().is_some() {
            return Plainly::ForProxy(to.id);
        }
        let mut tally = Tally::default();
        let (kept, switches) = (self.kept.count(), self.switches.count());
        let rest = |passed, tally| {
            Plainly::Rest(Progress {
                passed,
                tally,
                kept,
                switches,
            })
        };
        for (passed, hook) in self.components_of(record).enumerate() {
            let Some(stop) = to.table.stop(hook.component) else {
                continue;
            };
            let pool = self.pools.at(hook.component);
            if !pool.roster().is_at_hand(hook.slot) {
                if pool.roster().has_exceptions() {
                    return rest(passed, tally);
                }
                // It is disabled.
                continue;
            }
            let slot = hook.slot;
            let ended = self.call_plainly(to, stop.route, pool, slot, message, replies);
            if ended.1.is_none() && self.is_calm() {
                match ended.0 {
                    Some(Verdict::Received) => {
                        tally.received += 1;
                        continue;
                    }
                    Some(Verdict::NotReceived) => continue,
                    Some(verdict) => match count(verdict, self, replies, &mut tally) {
                        ControlFlow::Continue(()) => continue,
                        ControlFlow::Break(()) => break,
                    },
                    None => {}
                }
            }
            match self.finish_plainly(
                to.sent,
                stop.route,
                (pool, slot),
                ended,
                replies,
                &mut tally,
            ) {
                After::NextOne => {}
                After::Nobody => break,
                After::LongWay { called } => return rest(passed + usize::from(called), tally),
            }
        }
        Plainly::Done(tally)
    }

    /// What follows from a delivery of which more is to be said than that a component has received the
    /// message.
    #[inline(never)]
    pub(super) fn finish_plainly(
        &self,
        sent: &Sent<'_>,
        route: &Route,
        (pool, slot): (&Pool, u32),
        (verdict, error): Ended,
        replies: &mut Replies<'_>,
        tally: &mut Tally,
    ) -> After {
        let Some(verdict) = verdict else {
            return After::LongWay { called: false };
        };
        let goes_on = error.is_none() && self.is_calm();
        if !goes_on {
            self.finish_at((pool, At::slot(slot)), route, error, sent);
        }
        match count(verdict, self, replies, tally) {
            ControlFlow::Break(()) => After::Nobody,
            ControlFlow::Continue(()) if goes_on => After::NextOne,
            ControlFlow::Continue(()) => After::LongWay { called: true },
        }
    }

    /// Calls a component by a route. If a panic shall end with it, that is told here.
    #[inline]
    fn call_plainly(
        &self,
        to: &One<'_>,
        route: &Route,
        pool: &Pool,
        slot: u32,
        message: &mut dyn ErasedMessage,
        replies: &mut Replies<'_>,
    ) -> Ended {
        if to.guarded {
            return self.call_guarded(to.sent, route, (pool, slot), message, replies);
        }
        message.call_one(route, pool, slot, to.sent, replies)
    }

    /// As [`call_plainly`](Self::call_plainly), of a component with which a panic ends.
    #[inline]
    pub(super) fn call_guarded(
        &self,
        sent: &Sent<'_>,
        route: &Route,
        (pool, slot): (&Pool, u32),
        message: &mut dyn ErasedMessage,
        replies: &mut Replies<'_>,
    ) -> Ended {
        let ended = catch(|| message.call_one(route, pool, slot, sent, replies));
        ended.unwrap_or_else(|panic| {
            self.panicked((pool, At::slot(slot)), route, sent, panic);
            (Some(Verdict::Failed), None)
        })
    }

    /// Tells the subscribers of the only list that hears the message.
    #[inline(never)]
    fn tell_in_turn<'s>(
        &self,
        list: &dyn AnyListeners,
        sent: &'s Sent<'s>,
        message: &mut dyn ErasedMessage,
        on_busy: OnBusy,
        mut progress: Progress,
    ) -> Plainly<'s> {
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
