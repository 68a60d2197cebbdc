//! The manager's tracing.

use std::cell::Ref;

use crate::manager::MessageManager;
use crate::trace::{Explanation, Recorder, TraceId};

impl MessageManager {
    /// Records from now on what happens to every message, in the place of the recorder before,
    /// which is returned.
    pub fn start_recording(&mut self, recorder: Recorder) -> Option<Recorder> {
        self.settle();
        self.world
            .change_trace(|trace| trace.set_recorder(Some(recorder)))
    }

    /// Ends the recording, and returns the recorder with what it has recorded.
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

    /// Runs a function; what it sends has that cause. For what is done about something that was read
    /// and not received: a [`Mail`](crate::Mail), or a number that came from elsewhere. `None`: what
    /// it sends has no cause.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_core::trace::Recorder;
    ///
    /// #[derive(Message)]
    /// struct Step;
    ///
    /// #[derive(Message)]
    /// struct Explode;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.start_recording(Recorder::new(100));
    /// manager.publish(Everyone, Step)?;
    /// manager.tick(std::time::Duration::from_millis(16));
    ///
    /// let step = manager.inbox::<Step>().first().and_then(|step| step.trace_id());
    /// manager.with_cause(step, |manager| manager.send(Everyone, Explode))?;
    ///
    /// let recorder = manager.recorder().expect("it was started");
    /// let last = recorder.events().filter_map(|event| event.send).last().expect("there were sends");
    /// let why = recorder.explain(last).expect("it was recorded");
    /// assert_eq!(why.chain().len(), 2); // Published, then sent.
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn with_cause<T>(
        &mut self,
        cause: impl Into<Option<TraceId>>,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        /// Puts the cause back, also after a panic.
        struct Caused<'m> {
            manager: &'m mut MessageManager,
            before: Option<TraceId>,
        }

        impl Drop for Caused<'_> {
            fn drop(&mut self) {
                self.manager.world.trace.replace_cause(self.before);
            }
        }

        let before = self.world.trace.replace_cause(cause.into());
        let caused = Caused {
            manager: self,
            before,
        };
        run(caused.manager)
    }

    /// Emits an event of the `tracing` crate for whatever happens to a message, from now on or not
    /// any more: target `message`, level `TRACE` for the ways of messages, `DEBUG` for what waits
    /// or is cancelled, `WARN` for what fails.
    #[cfg(feature = "tracing")]
    pub fn emit_tracing_events(&mut self, emit: bool) {
        self.settle();
        self.world.change_trace(|trace| trace.set_emits(emit));
    }
}
