//! Catches panics of the program's handlers while a crate has work that must be completed.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// The first panic of several calls, all of which are made.
#[derive(Debug, Default)]
pub struct FirstPanic(Option<Box<dyn Any + Send>>);

impl FirstPanic {
    /// Makes a call and catches its panic. The first panic is kept and later ones are dropped; the program's
    /// panic hook has already reported each of them.
    ///
    /// A handler is responsible for any state of its own that a panic leaves inconsistent; the manager restores
    /// its own state.
    pub fn catch<R>(&mut self, call: impl FnOnce() -> R) -> Option<R> {
        match catch_unwind(AssertUnwindSafe(call)) {
            Ok(done) => return Some(done),
            Err(panic) if self.0.is_none() => self.0 = Some(panic),
            // The panic's payload may itself panic when it is dropped.
            Err(panic) => drop(catch_unwind(AssertUnwindSafe(|| drop(panic)))),
        }
        None
    }

    /// Resumes the first panic, if there was one.
    pub fn go_on(&mut self) {
        if let Some(panic) = self.0.take() {
            resume_unwind(panic);
        }
    }

    /// Returns the text of the panic, if there was one.
    pub fn text(self) -> Option<String> {
        let panic = self.0?;
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        drop(catch_unwind(AssertUnwindSafe(|| drop(panic))));
        Some(text.unwrap_or_else(|| "non-string panic payload".to_owned()))
    }
}
