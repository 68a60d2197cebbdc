//! Catches panics of the program's handlers while the node has work that must be completed.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The first panic of several calls, all of which are made.
#[derive(Default)]
pub(crate) struct FirstPanic(Option<Box<dyn Any + Send>>);

impl FirstPanic {
    /// Makes a call and catches its panic. The first panic is kept and later ones are dropped; the program's
    /// panic hook has already reported each of them.
    ///
    /// A handler is responsible for any state of its own that a panic leaves inconsistent; the manager restores
    /// its own state.
    pub(crate) fn catch<R>(&mut self, call: impl FnOnce() -> R) -> Option<R> {
        match catch_unwind(AssertUnwindSafe(call)) {
            Ok(done) => Some(done),
            Err(panic) => {
                self.keep(panic);
                None
            }
        }
    }

    fn keep(&mut self, panic: Box<dyn Any + Send>) {
        if self.0.is_none() {
            self.0 = Some(panic);
        } else {
            // The panic's payload may itself panic when it is dropped.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(panic)));
        }
    }

    /// Resumes the first panic, if there was one.
    pub(crate) fn go_on(&mut self) {
        if let Some(panic) = self.0.take() {
            resume_unwind(panic);
        }
    }
}

impl fmt::Debug for FirstPanic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FirstPanic")
            .field(&self.0.is_some())
            .finish()
    }
}
