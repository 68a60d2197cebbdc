//! What happens around each call in a row that departs from a plain one.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::work::Total;

/// How a message is handed over.
pub(super) trait Way: Default + 'static {
    /// Calls, and does what the row asks for besides. Returns `None` if the call has panicked.
    fn call<R>(&mut self, call: impl FnOnce(&mut Self) -> R) -> Option<R>;

    /// The checksum of what was heard, once everything is done.
    fn checksum(&mut self) -> u64 {
        0
    }
}

/// Calls, and nothing else: nobody listens, or who listens is known to ask for something else.
#[derive(Default)]
pub(super) struct Direct;

impl Way for Direct {
    #[inline]
    fn call<R>(&mut self, call: impl FnOnce(&mut Self) -> R) -> Option<R> {
        Some(call(self))
    }
}

/// Calls, and then a boxed closure, which counts.
pub(super) struct Watched {
    listener: Option<Box<dyn FnMut()>>,
    total: Total,
}

impl Default for Watched {
    fn default() -> Self {
        let total = Total::default();
        let mut tally = total.tally(0);
        Self {
            listener: Some(Box::new(move || tally.count())),
            total,
        }
    }
}

impl Way for Watched {
    #[inline]
    fn call<R>(&mut self, call: impl FnOnce(&mut Self) -> R) -> Option<R> {
        let result = call(self);
        if let Some(listener) = &mut self.listener {
            listener();
        }
        Some(result)
    }

    fn checksum(&mut self) -> u64 {
        self.listener = None;
        self.total.checksum()
    }
}

/// Calls, and then writes the number of the call into a ring.
pub(super) struct Recorded {
    ring: Box<[u32; EVENTS]>,
    calls: u32,
}

/// The numbers that the ring holds.
const EVENTS: usize = 4_096;

impl Default for Recorded {
    fn default() -> Self {
        Self {
            ring: Box::new([0; EVENTS]),
            calls: 0,
        }
    }
}

impl Way for Recorded {
    #[inline]
    fn call<R>(&mut self, call: impl FnOnce(&mut Self) -> R) -> Option<R> {
        let result = call(self);
        self.calls += 1;
        self.ring[self.calls as usize % EVENTS] = self.calls;
        Some(result)
    }
}

/// Calls, and goes on if the call panics.
#[derive(Default)]
pub(super) struct Caught;

impl Way for Caught {
    #[inline]
    fn call<R>(&mut self, call: impl FnOnce(&mut Self) -> R) -> Option<R> {
        catch_unwind(AssertUnwindSafe(|| call(self))).ok()
    }
}
