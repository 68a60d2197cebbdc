//! The collection of entries from the whole program into one list.
//!
//! The crate `inventory` does this with constructors that run before `main` and push to a list. Only this file
//! knows.
//!
//! A linker for WebAssembly would leave out constructors that nothing refers to; `keep!` accompanies each.

use crate::link::Entry;
use crate::link::refused::accepted;

inventory::collect!(Entry);

/// Returns the entries of the program, without those of libraries that were refused.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    accepted(inventory::iter::<Entry>())
}

#[doc(hidden)]
#[macro_export]
macro_rules! __submit {
    ($entry:expr) => {
        $crate::__private::inventory::submit! { $entry }
        #[cfg(target_family = "wasm")]
        $crate::__private::keep! {}
    };
}
