//! What became of one message at one component, without types: what a targeted send needs to know,
//! in a register.

use std::ops::ControlFlow;

use crate::handler::{HandlerError, Outcome};
use crate::receipt::Receipt;
use crate::send::call::{Call, OnBusy, ReceiverSlot, Tally};
use crate::send::erased::Replies;
use crate::send::handover::{hears_of_being_disabled, why_passed_over};
use crate::storage::Pool;
use crate::trace::TraceOutcome;
use crate::world::World;

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

/// How a delivery has ended: what became of the message, or nothing when nobody was called because the
/// component is busy; with it a failure that is still to be reported, in a box, so that all of it fits in
/// two registers.
pub(crate) type Ended = (Option<Verdict>, Option<Box<HandlerError>>);

/// Nobody was called. On the short way: it has to be the long way.
pub(crate) const FALL_BACK: Ended = (None, None);

impl Verdict {
    /// Converts the outcome of a handler. An answer goes to its place; a failure is still to be
    /// reported.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "as for `count`")]
    pub(crate) fn of<R>(outcome: Outcome<R>, reply: &mut Option<R>) -> Ended {
        let verdict = match outcome {
            Outcome::NotReceived => Self::NotReceived,
            Outcome::Received => Self::Received,
            Outcome::Consumed => Self::Consumed,
            Outcome::Answered(answer) => {
                *reply = Some(answer);
                Self::Answered
            }
            Outcome::Failed(error) => return (Some(Self::Failed), Some(Box::new(error))),
        };
        (Some(verdict), None)
    }

    /// The receipt of a send with this one delivery.
    #[inline]
    pub(crate) fn receipt(self) -> Receipt {
        Receipt {
            received: u32::from(!matches!(self, Self::NotReceived | Self::Busy)),
            failed: u16::from(self == Self::Failed),
            consumed: self == Self::Consumed,
            ..Receipt::default()
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

/// Adds a verdict on a component that was not busy to those of a send. Breaks when nobody else shall
/// receive it.
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "a verdict that is known when compiling leaves only a count in a broadcast; measured"
)]
pub(crate) fn count(
    verdict: Verdict,
    world: &World,
    replies: &mut Replies<'_>,
    tally: &mut Tally,
) -> ControlFlow<()> {
    match verdict {
        Verdict::NotReceived | Verdict::Busy => return ControlFlow::Continue(()),
        Verdict::Received => {}
        Verdict::Failed => {
            tally.failed += 1;
            replies.take_error(world);
        }
        Verdict::Consumed => {
            tally.received += 1;
            tally.consumed = true;
            return ControlFlow::Break(());
        }
        Verdict::Answered => {
            tally.received += 1;
            return match replies {
                Replies::First(..) => ControlFlow::Break(()),
                Replies::Ignore | Replies::All(_) => ControlFlow::Continue(()),
            };
        }
    }
    tally.received += 1;
    ControlFlow::Continue(())
}

impl Call<'_> {
    /// Takes in what became of the message at one component. Breaks when nobody else shall
    /// receive it.
    pub(crate) fn take(&mut self, verdict: Verdict, pool: &Pool, slot: usize) -> ControlFlow<()> {
        if verdict == Verdict::Busy {
            return self.meet_busy(pool, slot);
        }
        count(verdict, self.sent.world, &mut self.replies, &mut self.tally)
    }

    /// Handles the cases in which a component is not called at once. Returns `None` if it is called. A send waits
    /// behind messages that are kept for the component; a message that cannot be kept meets the component as it
    /// is. A component that was disabled when the send began is not one of its receivers.
    #[cold]
    pub(crate) fn except(&mut self, pool: &Pool, slot: usize) -> Option<ControlFlow<()>> {
        if pool.roster().was_disabled_at(slot, self.begun)
            && !hears_of_being_disabled(pool, slot, self.sent)
        {
            return Some(ControlFlow::Continue(()));
        }
        let waits = self.on_busy == OnBusy::Keep
            && self
                .sent
                .world
                .kept
                .waits_for(ReceiverSlot::new(pool, slot))
            && why_passed_over(pool, slot, self.sent).is_none();
        waits.then(|| self.meet_busy(pool, slot))
    }

    /// Remembers a receiver that is busy.
    #[cold]
    pub(crate) fn meet_busy(&mut self, pool: &Pool, slot: usize) -> ControlFlow<()> {
        let world = self.sent.world;
        let busy = ReceiverSlot::new(pool, slot);
        self.waiting().add_busy(world, busy);
        match self.on_busy {
            OnBusy::Keep => ControlFlow::Continue(()),
            OnBusy::Refuse => ControlFlow::Break(()),
        }
    }
}
