//! The collection of entries from the whole program into one list.
//!
//! By default `inventory`: constructors that run before `main` and push to a list. With the
//! feature `linkme`: a distributed slice that the linker puts together. Only this file knows.
//!
//! A linker for WebAssembly would leave out constructors that nothing refers to; `keep!` accompanies each.

use crate::link::Entry;
use crate::link::refused::accepted;

#[cfg(not(feature = "linkme"))]
inventory::collect!(Entry);

/// The slice that `__submit!` puts its entries into under the feature `linkme`.
#[cfg(feature = "linkme")]
#[linkme::distributed_slice]
pub static ENTRIES: [Entry];

/// Returns the entries of the program, without those of libraries that were refused.
pub fn entries() -> impl Iterator<Item = &'static Entry> {
    #[cfg(not(feature = "linkme"))]
    let linked = inventory::iter::<Entry>();
    #[cfg(feature = "linkme")]
    let linked = ENTRIES.iter();
    accepted(linked)
}

#[cfg(not(feature = "linkme"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit {
    ($entry:expr) => {
        $crate::__private::inventory::submit! { $entry }
        #[cfg(target_family = "wasm")]
        $crate::__private::keep! {}
    };
}

#[cfg(feature = "linkme")]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit {
    ($entry:expr) => {
        const _: () = {
            #[$crate::__private::linkme::distributed_slice($crate::__private::ENTRIES)]
            #[linkme(crate = $crate::__private::linkme)]
            static ENTRY: $crate::__private::Entry = $entry;
        };
    };
}
