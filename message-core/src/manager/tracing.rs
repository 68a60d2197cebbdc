//! The manager's tracing.

use std::cell::Ref;

use crate::manager::MessageManager;
use crate::trace::{Explanation, Recorder, TraceId};

impl MessageManager {
    /// Records from now on what happens to every message, in the place of the recorder before,
    /// which is returned.
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

    /// Ends the recording, and returns the recorder with what it has recorded.
    ///
    /// # Panics
    ///
    /// When a handler panics while what an earlier panic left is settled; see
    /// [`settle`](Self::settle).
    pub fn stop_recording(&mut self) -> Option<Recorder> {
        self.settle();
        self.world.change_trace(|trace| trace.set_recorder(None))
    }

    /// What is recorded so far; `None` while nothing is.
    #[must_use]
    pub fn recorder(&self) -> Option<Ref<'_, Recorder>> {
        self.world.trace.recorder()
    }

    /// Why there was this delivery or send: the chain from the outermost cause to it, and what became
    /// of it. `None` when nothing is recorded of it. See [`Explanation`].
    #[must_use]
    pub fn explain(&self, id: TraceId) -> Option<Explanation> {
        self.recorder()?.explain(id)
    }

    /// Emits an event of the `tracing` crate for whatever happens to a message, from now on or not
    /// any more: target `message`, level `TRACE` for the ways of messages, `DEBUG` for what waits
    /// or is cancelled, `WARN` for what fails.
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
