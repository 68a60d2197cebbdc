//! Catches the panics of a room while the rooms have work that must be completed.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The first panic of several calls, all of which are made.
#[derive(Debug, Default)]
pub(crate) struct FirstPanic(pub(crate) Option<Box<dyn Any + Send>>);

impl FirstPanic {
    /// Makes a call and catches its panic. The first panic is kept. Later ones are dropped: the program's panic hook
    /// has already reported them.
    ///
    /// The manager restores its own state. A handler is responsible for any state that its panic leaves inconsistent.
    pub(crate) fn catch<R>(&mut self, call: impl FnOnce() -> R) -> Option<R> {
        let panic = match catch_unwind(AssertUnwindSafe(call)) {
            Ok(done) => return Some(done),
            Err(panic) => panic,
        };
        if self.0.is_none() {
            self.0 = Some(panic);
        } else {
            // The payload may itself panic when it is dropped.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(panic)));
        }
        None
    }

    /// Returns the text of the panic, if there was one.
    pub(crate) fn text(self) -> Option<String> {
        let panic = self.0?;
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        let _ = catch_unwind(AssertUnwindSafe(|| drop(panic)));
        Some(text.unwrap_or_else(|| "non-string panic payload".to_owned()))
    }
}
