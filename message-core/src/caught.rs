//! Panics that are caught: those that end with a component, under
//! [`PanicPolicy::Unhook`](crate::PanicPolicy::Unhook), and those of several values that are dropped
//! together, of which only the first goes on.

use std::any::Any;
use std::mem::needs_drop;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

type Payload = Box<dyn Any + Send>;

/// Returns the result of a function, or the text of its panic.
///
/// A panic can leave two things half done: the component, which is not called again, and the message,
/// which later receivers may see half written. The manager's own state is restored by guards.
pub fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch(run).map_err(Panic::text)
}

/// Like [`caught`], but returns the panic itself, so the code for its text is not compiled here.
#[inline(always)]
#[allow(clippy::inline_always, reason = "part of a caught call: W1-unhook")]
pub(crate) fn catch<T>(run: impl FnOnce() -> T) -> Result<T, Panic> {
    catch_unwind(AssertUnwindSafe(run)).map_err(Panic)
}

/// A panic that was caught.
pub(crate) struct Panic(Payload);

impl Panic {
    /// Returns the text of the panic.
    #[cold]
    #[inline(never)]
    pub(crate) fn text(self) -> String {
        let text = self.0.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| self.0.downcast_ref::<String>().cloned());
        discard(self.0);
        text.unwrap_or_else(|| "non-string panic payload".to_owned())
    }
}

/// The result of a call that may still panic. If it does, the result is dropped before the panic goes on, and a panic of the
/// result's own `Drop` is caught.
#[derive(Default)]
pub(crate) struct Unclaimed<T: Default>(pub(crate) T);

impl<T: Default> Drop for Unclaimed<T> {
    fn drop(&mut self) {
        if needs_drop::<T>() && std::thread::panicking() {
            let value = std::mem::take(&mut self.0);
            if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(value))) {
                discard(second);
            }
        }
    }
}

/// The first panic of several calls that are all made.
#[derive(Default, Debug)]
pub struct FirstPanic(Option<Payload>);

impl FirstPanic {
    /// Makes a call. Its panic is kept if it is the first, and dropped otherwise. Returns `None` after a panic.
    pub fn catch<T>(&mut self, run: impl FnOnce() -> T) -> Option<T> {
        let panic = match catch_unwind(AssertUnwindSafe(run)) {
            Ok(done) => return Some(done),
            Err(panic) => panic,
        };
        self.then(Self(Some(panic)));
        None
    }

    /// Takes in the panics of calls that came later.
    pub fn then(&mut self, later: Self) {
        match self.0 {
            Some(_) => later.0.into_iter().for_each(discard),
            None => self.0 = later.0,
        }
    }

    /// Returns `true` if no call has panicked.
    #[cfg(feature = "rayon")]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// Drops values one by one: two panics at once would end the process.
    pub fn drop_each<T>(&mut self, values: impl IntoIterator<Item = T>) {
        let mut values = values.into_iter();
        let mut any_left = true;
        while any_left {
            // Left early only by a panic.
            self.catch(|| {
                while values.next().is_some() {}
                any_left = false;
            });
        }
    }

    /// Drops values one by one. The first panic goes on when all are dropped.
    pub(crate) fn dropping<T>(values: impl IntoIterator<Item = T>) {
        let mut panics = Self::default();
        panics.drop_each(values);
        panics.resume();
    }

    /// Lets the first panic go on at the end of a `Drop`, unless the thread is unwinding already: a
    /// second panic would end the process.
    pub fn resume_from_drop(self) {
        if std::thread::panicking() {
            self.0.into_iter().for_each(discard);
        } else {
            self.resume();
        }
    }

    /// Returns the text of the first panic, if there was one.
    pub fn text(self) -> Option<String> {
        Some(Panic(self.0?).text())
    }

    /// Lets the first panic go on, if there was one.
    pub fn resume(self) {
        if let Some(payload) = self.0 {
            resume_unwind(payload);
        }
    }
}

/// The number of payloads that are dropped in a row, each from a panic in the `Drop` of the one before.
const MOST_PAYLOADS: usize = 16;

/// Drops the payload of a panic. The drop may itself panic; such panics are ignored.
fn discard(mut payload: Payload) {
    for _ in 0..MOST_PAYLOADS {
        match catch_unwind(AssertUnwindSafe(|| drop(payload))) {
            Ok(()) => return,
            Err(again) => payload = again,
        }
    }
    // A payload whose `Drop` panics with another of its kind would go on for ever.
    std::mem::forget(payload);
}
