//! Explanations, from a handler or a subscriber.

use crate::dispatch::Context;
use crate::trace::{Explanation, TraceId};

impl<R> Context<'_, R> {
    /// Why there was this delivery or send, as
    /// [`MessageManager::explain`](crate::MessageManager::explain) tells.
    #[must_use]
    pub fn explain(&self, id: TraceId) -> Option<Explanation> {
        self.world().trace.recorder()?.explain(id)
    }
}
