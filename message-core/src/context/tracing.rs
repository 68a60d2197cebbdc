//! The trace of a delivery: its number, its cause, and explanations.

use crate::context::Context;
use crate::trace::TraceId;

impl<R> Context<'_, R> {
    /// Returns the number of this delivery, or `None` while the manager is not traced.
    /// [`explain`](crate::MessageManager::explain) tells why there was the delivery of that number.
    ///
    /// ```
    /// use message_core::TraceId;
    /// use message_core::prelude::*;
    /// use message_core::trace::Recorder;
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
    /// manager.start_recording(Recorder::new(100));
    /// manager.send(gun, Fire)?;
    /// let shot = manager.get::<Gun>(gun)?.fired_for.expect("it is traced");
    /// assert!(manager.explain(shot).is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn trace_id(&self) -> Option<TraceId> {
        self.world().trace.running()
    }

    /// Explains a delivery or a send, as
    /// [`MessageManager::explain`](crate::MessageManager::explain) does. Returns `None` if nothing is
    /// recorded of it.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_core::trace::Recorder;
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
    ///         let why = cx.trace_id().and_then(|id| cx.explain(id));
    ///         self.reason = why.map_or_else(String::new, |why| why.to_string());
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let gun = manager.spawn((Gun::default(),));
    /// manager.start_recording(Recorder::new(100));
    /// manager.send(gun, Fire)?;
    /// assert!(manager.get::<Gun>(gun)?.reason.contains("Fire` sent by outside to messagee 0v0 at "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "trace")]
    #[must_use]
    pub fn explain(&self, id: TraceId) -> Option<crate::trace::Explanation> {
        self.world().trace.recorder()?.explain(id)
    }
}
