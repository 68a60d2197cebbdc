//! The trace of a delivery: its number, its cause, and explanations.

use crate::context::Context;
use crate::trace::TraceId;

impl<R> Context<'_, R> {
    /// Returns the number of this delivery, or `None` while the manager is not traced.
    /// `explain` of the recorder in the crate `message-trace` tells why there was the delivery of that number.
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
    /// struct Gun { fired_for: Option<TraceId> }
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn fire(&mut self, _: &Fire, cx: &mut Context<'_>) { self.fired_for = cx.trace_id(); }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let gun = manager.spawn((Gun::default(),));
    /// manager.send(gun, Fire)?;
    /// assert_eq!(manager.get::<Gun>(gun)?.fired_for, None);
    ///
    /// Recorder::new(100).start(&mut manager);
    /// manager.send(gun, Fire)?;
    /// let shot = manager.get::<Gun>(gun)?.fired_for.expect("it is traced");
    /// assert!(Recorder::of(&manager).and_then(|it| it.explain(shot)).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn trace_id(&self) -> Option<TraceId> {
        self.world().trace.running()
    }
}
