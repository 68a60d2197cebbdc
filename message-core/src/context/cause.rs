//! Naming another cause of what is sent than the delivery.

use crate::context::Context;
use crate::trace::{TraceId, because_of};

impl<R> Context<'_, R> {
    /// Runs a function. What it sends has that cause instead of this delivery. Use it for reactions to
    /// something that was read instead of received, as
    /// [`MessageManager::with_cause`](crate::MessageManager::with_cause) does. With `None` the cause
    /// stays what it is.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_core::trace::{Recorder, TraceFilter};
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Step;
    ///
    /// #[derive(Message)]
    /// struct Look;
    ///
    /// #[derive(Message)]
    /// struct Explode;
    ///
    /// struct Mine;
    ///
    /// #[handlers]
    /// impl Mine {
    ///     #[on_receive]
    ///     fn look(&mut self, _: &Look, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         for step in cx.inbox::<Step>() {
    ///             cx.with_cause(step.trace_id(), |cx| cx.send(Everyone, Explode))?;
    ///         }
    ///         Ok(())
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let mine = manager.spawn((Mine,));
    /// manager.start_recording(Recorder::new(1_000));
    /// manager.publish(Everyone, Step)?;
    /// manager.tick(Duration::from_millis(16));
    /// manager.send(mine, Look)?;
    ///
    /// let recorder = manager.stop_recording().expect("it was started");
    /// let explosions = TraceFilter::of::<Explode>();
    /// let explosion = recorder.select(&explosions).find_map(|event| event.send);
    /// let why = explosion.and_then(|id| recorder.explain(id)).expect("it was recorded");
    /// assert_eq!(why.chain()[0].message, Step::NAME); // Not `Look`.
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn with_cause<T>(
        &mut self,
        cause: impl Into<Option<TraceId>>,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let cause = cause.into().or(self.world().trace.cause());
        because_of(self, |cx| &cx.world().trace, cause, run)
    }
}
