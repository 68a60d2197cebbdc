//! Panics that end here, under [`PanicPolicy::Unhook`](crate::PanicPolicy::Unhook).

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What a function returns, or what its panic said.
///
/// What a panic leaves half done is the component's own, which is not called again, and the
/// message, which those behind it may see half written. What is ours is put right by guards.
pub(crate) fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| text_of(&*panic))
}

fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "a panic that is no text".to_owned())
}
