//! The result of one delivery without its types, in a register.

use crate::error::HandlerError;
use crate::handler::Outcome;
use crate::receipt::Receipt;
use crate::trace::TraceOutcome;

/// The result of one message at one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Passed over, disabled, or declined.
    NotReceived,
    Received,
    /// Received, and the answer is where the caller asked for it.
    Answered,
    /// Received, and the failure is reported.
    Failed,
    /// Received, and nobody behind it shall receive the message.
    Consumed,
    /// Not called: it is busy, or a closer look has to decide whether it is called.
    Busy,
}

/// The verdict of a call, and a failure that is still to be reported. The failure is boxed so that both fit in two
/// registers.
pub(crate) type Ended = (Verdict, Option<Box<HandlerError>>);

/// Nobody was called.
pub(crate) const FALL_BACK: Ended = (Verdict::Busy, None);

impl Verdict {
    /// Converts the outcome of a handler. Passes an answer to `answer`, and returns a failure to be
    /// reported.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "a verdict that is known when compiling leaves nothing of it: W2"
    )]
    pub(crate) fn of<R>(outcome: Outcome<R>, answer: impl FnOnce(R)) -> Ended {
        let verdict = match outcome {
            Outcome::NotReceived => Self::NotReceived,
            Outcome::Received => Self::Received,
            Outcome::Consumed => Self::Consumed,
            Outcome::Answered(reply) => {
                answer(reply);
                Self::Answered
            }
            Outcome::Failed(error) => return (Self::Failed, Some(Box::new(error))),
        };
        (verdict, None)
    }

    /// Returns the receipt of a send with this one delivery. Looked up, since each sending line has a copy of this.
    #[inline]
    pub(crate) fn receipt(self) -> Receipt {
        RECEIPTS[self as usize]
    }
}

/// The receipts of sends with one delivery, by [`Verdict`].
static RECEIPTS: [Receipt; 6] = {
    const NONE: Receipt = Receipt {
        received: 0,
        pending: 0,
        failed: 0,
        unreached: 0,
        consumed: false,
    };
    const ONE: Receipt = Receipt {
        received: 1,
        ..NONE
    };
    let mut receipts = [NONE; Verdict::Busy as usize + 1];
    receipts[Verdict::Received as usize] = ONE;
    receipts[Verdict::Answered as usize] = ONE;
    receipts[Verdict::Failed as usize] = Receipt { failed: 1, ..ONE };
    receipts[Verdict::Consumed as usize] = Receipt {
        consumed: true,
        ..ONE
    };
    receipts
};

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
