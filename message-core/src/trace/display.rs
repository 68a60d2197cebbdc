//! Events in words.

use std::fmt;

use crate::error::Unhandled;
use crate::time::Stage;
use crate::trace::{PassedOver, TraceEvent, TraceOutcome, Traced, WaitsUntil};

/// Prints the event, in one line that begins with the number of the delivery or the message.
impl fmt::Display for TraceEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (message, moment) = (self.message, self.moment);
        if let Some(number) = self.what.delivery().or(self.send) {
            write!(f, "{number} ")?;
        }
        match &self.what {
            Traced::Sent {
                by,
                place,
                stage,
                contents,
                ..
            } => {
                let (by, sender, to) = (by.verb(), self.sender, self.recipient);
                write!(f, "`{message}` {by} by {sender} to {to} at {place}")?;
                if *stage != Stage::Immediate {
                    write!(f, " for {stage:?}")?;
                }
                write!(f, ", in frame {} at {:?}", moment.frame, moment.time)?;
                contents.iter().try_for_each(|it| write!(f, ": {it}"))
            }
            Traced::Arrived { of } => write!(f, "`{message}` has arrived: {of}"),
            Traced::CameBack { from } => write!(f, "`{message}` has come back from {from}"),
            Traced::Called {
                receiver, handler, ..
            } => {
                write!(f, "received by {receiver}")?;
                handler.iter().try_for_each(|it| write!(f, " in `{it}`"))
            }
            Traced::Erred { error, .. } => write!(f, "failed: {error}"),
            Traced::Returned { outcome, .. } => write!(f, "{outcome}"),
            Traced::PassedOver { receiver, why } => write!(f, "not received by {receiver}: {why}"),
            Traced::Unhandled {
                messagee,
                components,
                handled_by,
            } => {
                let reason = Unhandled::reason(message, components, handled_by);
                write!(f, "not handled: messagee {messagee} {reason}")
            }
            Traced::Carried { proxy } => {
                write!(
                    f,
                    "written for messagee {proxy}, which is in another manager"
                )
            }
            Traced::Waits { until } => write!(f, "waits {until}"),
            Traced::Settled { receipt } => {
                write!(f, "settled: received by {}", receipt.received)?;
                if receipt.pending > 0 {
                    write!(f, ", later by {}", receipt.pending)?;
                }
                Ok(())
            }
            Traced::Refused { error } => write!(f, "refused: {error}"),
            Traced::Died { why } => write!(f, "dead letter: {why}"),
            Traced::Cancelled => f.write_str("cancelled"),
            Traced::Replaced => f.write_str("replaced by another under its key"),
        }
    }
}

impl fmt::Display for TraceOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Received => "returned",
            Self::Declined => "declined",
            Self::Answered => "answered",
            Self::Consumed => "consumed it",
            Self::Failed => "returned an error",
            Self::Panicked => "panicked",
        })
    }
}

impl fmt::Display for PassedOver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Disabled => "it is disabled",
            Self::Leaving => "it is leaving",
            Self::Sender => "its messagee is the sender",
        })
    }
}

impl fmt::Display for WaitsUntil {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Free(receiver) => write!(f, "until {receiver} is free"),
            Self::Intercepted(id) => write!(f, "until interceptor {id} is free"),
            Self::Alive(id) => write!(f, "until messagee {id} comes alive"),
            Self::Hooked(hook) => write!(f, "until the component of hook {hook} is attached"),
            Self::Stage(stage) => write!(f, "for a subscriber until {stage:?}"),
        }
    }
}
