//! The manager's tracing.

use std::cell::Ref;

use crate::manager::MessageManager;
use crate::trace::{Explanation, Recorder, TraceId};

impl MessageManager {
    /// Starts recording what happens to every message. Replaces the recorder that was there, and
    /// returns it.
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    pub fn start_recording(&mut self, recorder: Recorder) -> Option<Recorder> {
        self.settle();
        self.world
            .change_trace(|trace| trace.set_recorder(Some(recorder)))
    }

    /// Stops recording. Returns the recorder with its events.
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    pub fn stop_recording(&mut self) -> Option<Recorder> {
        self.settle();
        self.world.change_trace(|trace| trace.set_recorder(None))
    }

    /// Borrows the recorder with its events so far. Returns `None` while nothing is recorded.
    #[must_use]
    pub fn recorder(&self) -> Option<Ref<'_, Recorder>> {
        self.world.trace.recorder()
    }

    /// Explains a delivery or a send: returns the chain from the outermost cause to it, and what
    /// became of it, or `None` if nothing is recorded of it. See [`Explanation`].
    #[must_use]
    pub fn explain(&self, id: TraceId) -> Option<Explanation> {
        self.recorder()?.explain(id)
    }

    /// Switches events of the `tracing` crate on or off: one event for each step of a message, with
    /// target `message`, and level `TRACE` for sends and deliveries, `DEBUG` for what waits or is
    /// cancelled, `WARN` for failures.
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    #[cfg(feature = "tracing")]
    pub fn emit_tracing_events(&mut self, emit: bool) {
        self.settle();
        self.world.change_trace(|trace| trace.set_emits(emit));
    }
}
