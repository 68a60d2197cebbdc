//! The additional work around each call in a row that departs from a plain one.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::work::Total;

/// A way of passing on a message.
pub(super) trait Way: Default + 'static {
    /// Calls, and does the row's additional work. Returns `None` if the call panics.
    fn call<R>(&mut self, call: impl FnOnce(&mut Self) -> R) -> Option<R>;

    /// Returns the checksum of what was heard, once everything is done.
    fn checksum(&mut self) -> u64 {
        0
    }
}

/// Calls and does nothing else: there are no listeners, or all of them are known to want something else.
#[derive(Default)]
pub(super) struct Direct;

impl Way for Direct {
    #[inline]
    fn call<R>(&mut self, call: impl FnOnce(&mut Self) -> R) -> Option<R> {
        Some(call(self))
    }
}

/// Calls, and then calls a boxed closure, which counts.
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

/// The capacity of the ring.
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

/// Calls, and continues if the call panics.
#[derive(Default)]
pub(super) struct Caught;

impl Way for Caught {
    #[inline]
    fn call<R>(&mut self, call: impl FnOnce(&mut Self) -> R) -> Option<R> {
        catch_unwind(AssertUnwindSafe(|| call(self))).ok()
    }
}
