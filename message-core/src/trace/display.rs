//! Outcomes and reasons in words.

use std::fmt;

use crate::trace::{PassedOver, TraceOutcome, WaitsUntil};

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
