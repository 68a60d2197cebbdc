//! Explanations, from a handler or a subscriber.

use crate::context::Context;
use crate::trace::{Explanation, TraceId};

impl<R> Context<'_, R> {
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
    #[must_use]
    pub fn explain(&self, id: TraceId) -> Option<Explanation> {
        self.world().trace.recorder()?.explain(id)
    }
}
