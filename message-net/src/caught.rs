//! Panics of handlers of the program that are called while something else has to be done whole.

use std::any::Any;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The first panic of several calls that are all made.
#[derive(Default)]
pub(crate) struct FirstPanic(Option<Box<dyn Any + Send>>);

impl FirstPanic {
    /// Makes a call. Its panic is kept if it is the first, and dropped otherwise; the hook of the program has
    /// told of each.
    ///
    /// What a panic leaves half done is the handler's own: the manager puts its own right.
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
            // What it said may panic when it is dropped.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(panic)));
        }
    }

    /// Lets the first panic go on, if there was one.
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
