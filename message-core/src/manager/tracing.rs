//! The sinks of a manager's trace.

use crate::hash::HashedMap;
use crate::manager::MessageManager;
use crate::trace::TraceSink;

impl MessageManager {
    /// Sets a sink for the events of every message, or removes the sink of that type with `None`. Returns the previous
    /// sink of that type. There can be one sink of each type; all of them get the same events.
    ///
    /// The recorder of the crate `message-trace` does this in its `start` and `stop`.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_core::trace::{TraceEvent, TraceSink};
    ///
    /// /// Prints every event.
    /// struct Printer;
    ///
    /// impl TraceSink for Printer {
    ///     fn event(&mut self, event: TraceEvent) { println!("{}", message_trace::describe(&event)); }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// assert!(manager.set_trace_sink(Some(Printer)).is_none());
    /// let printer: Option<Printer> = manager.set_trace_sink(None);
    /// assert!(printer.is_some());
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    pub fn set_trace_sink<S: TraceSink>(&mut self, sink: Option<S>) -> Option<S> {
        self.settle();
        let world = self.no_input();
        let before = world.trace.set_sink(sink);
        let is_traced = !world.trace.sinks.is_empty();
        world.listen.subscriptions.set_traced(is_traced);
        if !is_traced {
            world.schedule.get_mut().traced = HashedMap::default();
        }
        world.mail.current.set(None);
        before
    }
}
