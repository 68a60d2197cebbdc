//! Events in words.

use std::fmt;

use crate::error::NotHandled;
use crate::time::Stage;
use crate::trace::{PassedOver, TraceEvent, TraceOutcome, Traced, WaitsUntil};

/// Prints the event, in one line.
impl fmt::Display for TraceEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            message,
            sender,
            recipient,
            moment,
            ..
        } = self;
        match &self.what {
            Traced::Sent {
                by,
                place,
                stage,
                contents,
                ..
            } => {
                self.number(f)?;
                let by = by.verb();
                write!(f, "`{message}` {by} by {sender} to {recipient} at {place}")?;
                if *stage != Stage::Immediate {
                    write!(f, " for {stage:?}")?;
                }
                write!(f, ", in frame {} at {:?}", moment.frame, moment.time)?;
                match contents {
                    Some(contents) => write!(f, ": {contents}"),
                    None => Ok(()),
                }
            }
            Traced::Called {
                delivery,
                receiver,
                handler,
                ..
            } => {
                write!(f, "{delivery} received by {receiver}")?;
                match handler {
                    Some(handler) => write!(f, " in `{handler}`"),
                    None => Ok(()),
                }
            }
            Traced::Erred {
                delivery, error, ..
            } => write!(f, "{delivery} failed: {error}"),
            Traced::Returned {
                delivery, outcome, ..
            } => write!(f, "{delivery} {outcome}"),
            Traced::PassedOver { receiver, why } => {
                self.number(f)?;
                write!(f, "not received by {receiver}: {why}")
            }
            Traced::Unhandled {
                messagee,
                components,
                handled_by,
            } => {
                self.number(f)?;
                let reason = NotHandled {
                    message,
                    components,
                    handled_by,
                };
                write!(f, "not handled: messagee {messagee} {reason}")
            }
            Traced::Carried { proxy } => {
                self.number(f)?;
                write!(
                    f,
                    "written for messagee {proxy}, which stands for one of another manager"
                )
            }
            Traced::Waits { until } => {
                self.number(f)?;
                write!(f, "waits {until}")
            }
            Traced::Settled { receipt } => {
                self.number(f)?;
                write!(f, "settled: received by {}", receipt.received)?;
                if receipt.pending > 0 {
                    write!(f, ", later by {}", receipt.pending)?;
                }
                Ok(())
            }
            Traced::Refused { error } => {
                self.number(f)?;
                write!(f, "refused: {error}")
            }
            Traced::Died { why } => {
                self.number(f)?;
                write!(f, "dead letter: {why}")
            }
            Traced::Cancelled => {
                self.number(f)?;
                f.write_str("cancelled")
            }
            Traced::Replaced => {
                self.number(f)?;
                f.write_str("replaced by another under its key")
            }
        }
    }
}

impl TraceEvent {
    fn number(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.send {
            Some(send) => write!(f, "{send} "),
            None => Ok(()),
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
            Self::Leaving => "it is going to be removed",
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
