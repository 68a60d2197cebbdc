//! The cause of what is sent, and the sinks of the trace.

use std::cell::Ref;

use crate::send::Speaker;
use crate::trace::TraceSink;
use crate::trace::{TraceId, because_of};

verbs! {
    /// Runs a function. What it sends has that cause in the trace, instead of the delivery that is running. Use it
    /// for reactions to something that was read instead of received: a [`Mail`](crate::mailbox::Mail), or a number
    /// that came from elsewhere. With `None`, the cause stays what it is.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::{Recorder, TraceFilter};
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
    /// Recorder::new(1_000).start(&mut manager);
    /// manager.publish(Everyone, Step)?;
    /// manager.tick(Duration::from_millis(16));
    /// manager.send(mine, Look)?;
    /// let step = manager.inbox::<Step>().first().and_then(|step| step.trace_id());
    /// manager.with_cause(step, |manager| manager.send(Everyone, Explode))?;
    ///
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// let explosions = TraceFilter::of::<Explode>();
    /// for explosion in recorder.select(&explosions).filter_map(|event| event.send) {
    ///     let why = recorder.explain(explosion).expect("it was recorded");
    ///     assert_eq!(why.chain[0].message, Step::NAME); // Not `Look`.
    /// }
    /// # Ok::<(), message_core::SendError>(())
    /// ```
    pub fn with_cause<T>(
        &mut self,
        cause: impl Into<Option<TraceId>>,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let cause = cause.into().or(self.world().trace.cause());
        because_of(self, |speaker| &speaker.world().trace, cause, run)
    }
}

verbs_without_sender! {
    /// Returns the [sink](TraceSink) of a type, or `None` if there is none. While it is borrowed, it gets no events.
    ///
    /// ```
    /// use message_core::TraceId;
    /// use message_core::prelude::*;
    /// use message_trace::Recorder;
    ///
    /// #[derive(Message)]
    /// struct Fire;
    ///
    /// #[derive(Default)]
    /// struct Gun { reason: String }
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn fire(&mut self, _: &Fire, cx: &mut Context<'_>) {
    ///         let recorder = cx.trace_sink::<Recorder>();
    ///         let why = cx.trace_id().and_then(|id| recorder?.explain(id));
    ///         self.reason = why.map_or_else(String::new, |why| why.to_string());
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let gun = manager.spawn((Gun::default(),));
    /// Recorder::new(100).start(&mut manager);
    /// manager.send(gun, Fire)?;
    /// assert!(manager.get::<Gun>(gun)?.reason.contains("Fire` sent by outside to messagee 0v0 at "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn trace_sink<S: TraceSink>(&self) -> Option<Ref<'_, S>> {
        self.world().trace.sink()
    }
}
