//! What became of one message at one component, without types: what a targeted send needs to know,
//! in a register.

use crate::error::HandlerError;
use crate::handler::Outcome;
use crate::receipt::Receipt;
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

/// How a delivery has ended: what became of the message, or nothing when nobody was called because the
/// component is busy; with it a failure that is still to be reported, in a box, so that all of it fits in
/// two registers.
pub(crate) type Ended = (Option<Verdict>, Option<Box<HandlerError>>);

/// Nobody was called.
pub(crate) const FALL_BACK: Ended = (None, None);

impl Verdict {
    /// Converts the outcome of a handler. An answer goes to its place; a failure is still to be
    /// reported.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "a verdict that is known when compiling leaves nothing of it: W2"
    )]
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
