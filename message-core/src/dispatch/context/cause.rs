//! Naming another cause of what is sent than the delivery.

use crate::dispatch::Context;
use crate::trace::TraceId;

impl<R> Context<'_, R> {
    /// Runs a function; what it sends has that cause, and not this delivery. For what is done about
    /// something that was read and not received, as
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
