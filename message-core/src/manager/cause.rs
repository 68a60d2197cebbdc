//! Naming the cause of what is sent from outside.

use crate::manager::MessageManager;
use crate::trace::{TraceId, because_of};

impl MessageManager {
    /// Runs a function; what it sends has that cause. For what is done about something that was read
    /// and not received: a [`Mail`](crate::mailbox::Mail), or a number that came from elsewhere. With `None`,
    /// as where nothing is traced, it is called and that is all.
    ///
    /// ```
    /// # #[cfg(feature = "trace")] {
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
    /// # }
    /// # Ok::<(), message_core::SendError>(())
    /// ```
    pub fn with_cause<T>(
        &mut self,
        cause: impl Into<Option<TraceId>>,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let cause = cause.into().or(self.world.trace.cause());
        because_of(self, |manager| &manager.world.trace, cause, run)
    }
}
