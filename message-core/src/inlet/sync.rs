//! The locks and channels of the inlet: those of the standard library, or those of `shuttle`, which tries the orders in
//! which threads can run (`.ci/job interleavings`).

#[cfg(all(test, shuttle))]
pub(super) use shuttle::sync::{Arc, Condvar, Mutex, MutexGuard, mpsc};
#[cfg(not(all(test, shuttle)))]
pub(super) use std::sync::{Arc, Condvar, Mutex, MutexGuard, mpsc};
