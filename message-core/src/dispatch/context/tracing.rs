//! Causes and explanations, from a handler or a subscriber.

use crate::dispatch::Context;
use crate::trace::{Explanation, TraceId};

impl<R> Context<'_, R> {
    /// Why there was this delivery or send, as
    /// [`MessageManager::explain`](crate::MessageManager::explain) tells.
    #[must_use]
    pub fn explain(&self, id: TraceId) -> Option<Explanation> {
        self.world().trace.recorder()?.explain(id)
    }

    /// Runs a function; what it sends has that cause, and not this delivery. For what is done about
    /// something that was read and not received, as
    /// [`MessageManager::with_cause`](crate::MessageManager::with_cause) does.
    pub fn with_cause<T>(
        &mut self,
        cause: impl Into<Option<TraceId>>,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let _caused = self.world().trace.because_of(cause.into());
        run(self)
    }
}
