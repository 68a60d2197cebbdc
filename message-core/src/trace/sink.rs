//! The seam to whatever takes the events of a traced manager.

use std::any::Any;

use crate::message::MessageIndex;
use crate::structure::Structure;
use crate::trace::{TraceContext, TraceEvent, TraceId};

/// Takes the events of a traced manager. The crate `message-trace` has a `Recorder`, which keeps the last of them, and
/// a sink that emits them with the `tracing` crate.
///
/// [`set_trace_sink`](crate::MessageManager::set_trace_sink) begins to trace.
///
/// ```
/// use message_core::prelude::*;
/// use message_core::trace::{TraceEvent, TraceSink, Traced};
///
/// /// Counts the messages that were sent.
/// #[derive(Default)]
/// struct Sends(usize);
///
/// impl TraceSink for Sends {
///     fn event(&mut self, event: TraceEvent) {
///         self.0 += usize::from(matches!(event.what, Traced::Sent { .. }));
///     }
/// }
///
/// #[derive(Message)]
/// struct Ping;
///
/// let mut manager = MessageManager::new();
/// manager.set_trace_sink(Some(Sends::default()));
/// manager.send(Everyone, Ping)?;
/// assert_eq!(manager.trace_sink::<Sends>().map(|sends| sends.0), Some(1));
/// let sends: Option<Sends> = manager.set_trace_sink(None);
/// assert!(sends.is_some());
/// # Ok::<(), SendError>(())
/// ```
pub trait TraceSink: Any + Send {
    /// Takes an event. It is called in the middle of a delivery, so whatever it does slows that down. If it panics, the
    /// panic goes the way of a panic in a handler.
    fn event(&mut self, event: TraceEvent);

    /// Returns `true` if it takes no more events. While all sinks are full, no events are made. It is asked after each
    /// event. By default it is never full.
    fn is_full(&self) -> bool {
        false
    }

    /// Returns `true` if [`Traced::Sent`](crate::trace::Traced::Sent) should have the contents of the message, which are
    /// printed by its `Debug`. By default it does not.
    fn wants_contents(&self) -> bool {
        false
    }

    /// Returns the ids by which other programs know a send or a delivery. They accompany a message to another manager. By
    /// default there are none.
    fn context(&self, _of: TraceId) -> Option<TraceContext> {
        None
    }

    /// Looks at the components: before the event that a receiver is called, and before the event that it has returned. So
    /// a sink can tell which delivery has changed what. A component that is borrowed meanwhile cannot be read.
    fn look(&mut self, _structure: &Structure) {}

    /// Notes that a receiver is about to be called with a message of that type. It is also called while all sinks are
    /// full.
    fn called(&mut self, _message: MessageIndex) {}
}
