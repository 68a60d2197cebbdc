//! What became of one message at one component, without types: what a targeted send needs to know,
//! in a register.

use std::ops::ControlFlow;

use crate::dispatch::call::{Call, OnBusy, Replies, Spot, Tally};
use crate::receipt::Receipt;
use crate::storage::AnyPool;
use crate::trace::TraceOutcome;

/// What became of one message at one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Left out, disabled, or declined.
    NotReceived,
    Received,
    /// Received, and the answer is where the caller asked for it.
    Answered,
    /// Received, and the failure is reported.
    Failed,
    /// Received, and nobody behind shall.
    Consumed,
    /// Not called, because it is running.
    Busy,
}

impl Verdict {
    /// The receipt of a send with this one delivery.
    #[inline]
    pub(crate) fn receipt(self) -> Receipt {
        Receipt {
            received: usize::from(!matches!(self, Self::NotReceived | Self::Busy)),
            pending: 0,
            failed: usize::from(self == Self::Failed),
            consumed: self == Self::Consumed,
        }
    }
}

impl From<Verdict> for TraceOutcome {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::NotReceived | Verdict::Busy => Self::Declined,
            Verdict::Received => Self::Received,
            Verdict::Answered => Self::Answered,
            Verdict::Failed => Self::Failed,
            Verdict::Consumed => Self::Consumed,
        }
    }
}

/// Adds a verdict on a component that was not busy to those of a send.
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "a verdict that is known when compiling leaves only a count in a broadcast; measured"
)]
pub(super) fn count<R>(
    verdict: Verdict,
    reply: Option<R>,
    (pool, slot): (&dyn AnyPool, usize),
    replies: &mut Replies<'_, R>,
    tally: &mut Tally,
) -> ControlFlow<()> {
    match verdict {
        Verdict::NotReceived | Verdict::Busy => return ControlFlow::Continue(()),
        Verdict::Received => {}
        Verdict::Failed => tally.failed += 1,
        Verdict::Consumed => {
            tally.received += 1;
            tally.consumed = true;
            return ControlFlow::Break(());
        }
        Verdict::Answered => match replies {
            Replies::Ignore => {}
            Replies::First(first) => {
                tally.received += 1;
                **first = reply;
                return ControlFlow::Break(());
            }
            Replies::All(all) => {
                let owner = pool.meta(slot).owner;
                all.extend(reply.map(|reply| (owner, reply)));
            }
        },
    }
    tally.received += 1;
    ControlFlow::Continue(())
}

impl<R> Call<'_, R> {
    /// Takes in what became of the message at one component. Breaks when nobody else shall
    /// receive it.
    pub(super) fn take(
        &mut self,
        verdict: Verdict,
        reply: Option<R>,
        pool: &dyn AnyPool,
        slot: usize,
    ) -> ControlFlow<()> {
        if verdict == Verdict::Busy {
            return self.meet_busy(pool, slot);
        }
        let (replies, tally) = (&mut self.replies, &mut self.tally);
        count(verdict, reply, (pool, slot), replies, tally)
    }

    /// Remembers a receiver that is busy.
    #[cold]
    pub(super) fn meet_busy(&mut self, pool: &dyn AnyPool, slot: usize) -> ControlFlow<()> {
        self.waiting().busy.push(Spot::new(pool, slot));
        match self.on_busy {
            OnBusy::Keep => ControlFlow::Continue(()),
            OnBusy::Refuse => ControlFlow::Break(()),
        }
    }
}
