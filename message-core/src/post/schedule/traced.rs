//! The numbers under which pending messages were traced when they were posted.

use std::num::NonZeroU64;

use crate::post::schedule::Schedule;
use crate::trace::TraceId;

impl Schedule {
    /// A message that was posted has that number in the trace.
    pub(crate) fn enter_number(&mut self, posting: NonZeroU64, number: TraceId) {
        self.traced.insert(posting, number);
    }

    /// Returns the number in the trace of a posting.
    #[inline]
    pub(super) fn number(&self, posting: NonZeroU64) -> Option<TraceId> {
        if self.traced.is_empty() {
            return None;
        }
        self.traced.get(&posting).copied()
    }
}
