//! How entries get from anywhere in the program into one list.
//!
//! By default `inventory`: constructors that run before `main` and push to a list. With the
//! feature `linkme`: a distributed slice that the linker puts together. Only this file knows.

use crate::link::Entry;

#[cfg(not(feature = "linkme"))]
inventory::collect!(Entry);

#[cfg(not(feature = "linkme"))]
pub(super) fn entries() -> impl Iterator<Item = &'static Entry> {
    inventory::iter::<Entry>()
}

/// Where `__submit!` puts its entries under the feature `linkme`.
#[cfg(feature = "linkme")]
#[linkme::distributed_slice]
pub static ENTRIES: [Entry];

#[cfg(feature = "linkme")]
pub(super) fn entries() -> impl Iterator<Item = &'static Entry> {
    ENTRIES.iter()
}

#[cfg(not(feature = "linkme"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit {
    ($entry:expr) => {
        $crate::__private::inventory::submit! { $entry }
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
