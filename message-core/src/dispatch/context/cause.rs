//! Naming another cause of what is sent than the delivery.

use crate::dispatch::Context;
use crate::trace::TraceId;

impl<R> Context<'_, R> {
    /// Runs a function. What it sends has that cause instead of this delivery. Use it for reactions to
    /// something that was read instead of received, as
    /// [`MessageManager::with_cause`](crate::MessageManager::with_cause) does. With `None` the cause
    /// stays what it is.
    pub fn with_cause<T>(
        &mut self,
        cause: impl Into<Option<TraceId>>,
        run: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let trace = &self.world().trace;
        let _caused = trace.because_of(cause.into().or(trace.cause()));
        run(self)
    }
}
