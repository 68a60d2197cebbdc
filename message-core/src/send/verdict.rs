//! The result of one delivery without its types, in a register.

use crate::error::HandlerError;
use crate::handler::{Outcome, StopAt};
use crate::receipt::Receipt;
use crate::send::Tally;
use crate::trace::TraceOutcome;

/// The result of one message at one component. `E` is the error of a failure.
///
/// In a byte, also where the error is a pointer in a register of its own: each handler returns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Verdict<E = ()> {
    /// Passed over, disabled, or declined.
    NotReceived,
    Received,
    /// Received, and the answer is where the caller asked for it.
    Answered,
    /// Received, and nobody else shall receive the message.
    Consumed,
    /// Received, and only the other components of its messagee shall still receive the message.
    ConsumedByMessagee,
    /// Received, and the handler has failed or panicked.
    Failed(E),
    /// Not called: it is busy, or a closer look has to decide whether it is called.
    NotCalled,
}

/// The verdict of a call, with a failure that is still to be reported. The failure is boxed so that all of it fits in two
/// registers, and the verdict of a usual call is known after one comparison: W1, W3-out.
pub(crate) type Ended = Verdict<Box<HandlerError>>;

impl Ended {
    /// Converts the outcome of a handler. Passes an answer to `answer`.
    #[inline(always)] // A known verdict costs nothing: W2.
    pub(crate) fn of<R>(outcome: Outcome<R>, answer: impl FnOnce(R)) -> Self {
        match outcome {
            Outcome::NotReceived => Self::NotReceived,
            Outcome::Received => Self::Received,
            Outcome::Consumed(StopAt::Component) => Self::Consumed,
            Outcome::Consumed(StopAt::Messagee) => Self::ConsumedByMessagee,
            Outcome::Answered(reply) => {
                answer(reply);
                Self::Answered
            }
            Outcome::Failed(error) => Self::Failed(Box::new(error)),
        }
    }

    /// Returns the verdict without the failure. Compiles to nothing, since the variants are the same.
    #[inline]
    pub(crate) fn verdict(&self) -> Verdict {
        match self {
            Self::Failed(_) => Verdict::Failed(()),
            Self::NotReceived => Verdict::NotReceived,
            Self::Received => Verdict::Received,
            Self::Answered => Verdict::Answered,
            Self::Consumed => Verdict::Consumed,
            Self::ConsumedByMessagee => Verdict::ConsumedByMessagee,
            Self::NotCalled => Verdict::NotCalled,
        }
    }
}

impl Verdict {
    /// Returns the receipt of a send with this one delivery.
    #[inline]
    pub(crate) fn receipt(self) -> Receipt {
        match self {
            Self::Received => Receipt::counted(1, 0, false),
            verdict => verdict.rare_receipt(),
        }
    }

    #[cold]
    fn rare_receipt(self) -> Receipt {
        let mut tally = Tally::default();
        tally.count(self);
        tally.receipt()
    }
}

impl From<Verdict> for TraceOutcome {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::NotReceived | Verdict::NotCalled => Self::Declined,
            Verdict::Received => Self::Received,
            Verdict::Answered => Self::Answered,
            Verdict::Failed(()) => Self::Failed,
            Verdict::Consumed | Verdict::ConsumedByMessagee => Self::Consumed,
        }
    }
}
