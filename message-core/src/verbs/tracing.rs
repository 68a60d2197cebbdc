//! The cause of what is sent, and explanations.

use crate::send::Speaker;
#[cfg(feature = "trace")]
use crate::trace::Explanation;
use crate::trace::{TraceId, because_of};

verbs! {
    /// Runs a function. What it sends has that cause in the trace, instead of the delivery that is running. Use it
    /// for reactions to something that was read instead of received: a [`Mail`](crate::mailbox::Mail), or a number
    /// that came from elsewhere. With `None`, the cause stays what it is.
    ///
    /// ```
    /// # #[cfg(feature = "trace")] {
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
    /// # }
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

#[cfg(feature = "trace")]
verbs_without_sender! {
    /// Explains a delivery or a send: returns the chain from the outermost cause to it, and what
    /// became of it, or `None` if nothing is recorded of it. See [`Explanation`].
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_core::trace::{Recorder, TraceId};
    ///
    /// #[derive(Message)]
    /// struct Fire;
    ///
    /// #[derive(Default)]
    /// struct Gun { fired_for: Option<TraceId>, reason: String }
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn fire(&mut self, _: &Fire, cx: &mut Context<'_>) {
    ///         self.fired_for = cx.trace_id();
    ///         let why = self.fired_for.and_then(|id| cx.explain(id));
    ///         self.reason = why.map_or_else(String::new, |why| why.to_string());
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let gun = manager.spawn((Gun::default(),));
    /// Recorder::new(100).start(&mut manager);
    /// manager.send(gun, Fire)?;
    /// let gun = manager.get::<Gun>(gun)?;
    /// assert!(gun.reason.contains("Fire` sent by outside to messagee 0v0 at "));
    /// let why = manager.explain(gun.fired_for.expect("it was traced")).expect("it was recorded");
    /// assert_eq!(why.chain[0].message, Fire::NAME);
    /// # drop(gun);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn explain(&self, id: TraceId) -> Option<Explanation> {
        self.world().trace.recorder()?.explain(id)
    }
}
