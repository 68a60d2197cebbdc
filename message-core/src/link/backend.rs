//! How entries get from anywhere in the program into one list.
//!
//! By default `inventory`: constructors that run before `main` and push to a list. With the
//! feature `linkme`: a distributed slice that the linker puts together. Only this file knows.
//!
//! A linker for WebAssembly would leave out constructors that nothing refers to; `keep!` stands beside each.

use crate::link::Entry;
#[cfg(not(feature = "linkme"))]
use crate::link::extension::{address, is_accepted};

#[cfg(not(feature = "linkme"))]
inventory::collect!(Entry);

#[cfg(not(feature = "linkme"))]
pub(super) fn entries() -> impl Iterator<Item = &'static Entry> {
    let is_accepted = is_accepted();
    inventory::iter::<Entry>().filter(move |entry| is_accepted(address(*entry)))
}

#[cfg(not(feature = "linkme"))]
inventory::collect!(crate::plugin::Stated);

/// What was said of builds: where it stands, and the bytes.
#[cfg(not(feature = "linkme"))]
pub(crate) fn statement_rows() -> impl Iterator<Item = (usize, &'static [u8])> {
    let is_accepted = is_accepted();
    let rows = inventory::iter::<crate::plugin::Stated>();
    let rows = rows.map(|row| (address(row), row.bytes()));
    rows.filter(move |(address, _)| is_accepted(*address))
}

#[cfg(feature = "linkme")]
pub(crate) fn statement_rows() -> impl Iterator<Item = (usize, &'static [u8])> {
    std::iter::empty()
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

/// The rows of types that can be written and read by name.
#[cfg(feature = "data")]
mod data {
    use crate::data::{DataType, DeclaredName};
    #[cfg(not(feature = "linkme"))]
    use crate::link::extension::{address, is_accepted};

    /// A row that a derive has left.
    #[cfg(not(feature = "linkme"))]
    #[doc(hidden)]
    #[derive(Debug)]
    pub struct Row(pub &'static DataType);

    #[cfg(not(feature = "linkme"))]
    inventory::collect!(Row);

    #[cfg(not(feature = "linkme"))]
    inventory::collect!(DeclaredName);

    #[cfg(not(feature = "linkme"))]
    pub(crate) fn declared_names() -> impl Iterator<Item = &'static DeclaredName> {
        let is_accepted = is_accepted();
        inventory::iter::<DeclaredName>().filter(move |name| is_accepted(address(*name)))
    }

    #[cfg(not(feature = "linkme"))]
    pub(crate) fn data_types() -> impl Iterator<Item = &'static DataType> {
        let is_accepted = is_accepted();
        let rows = inventory::iter::<Row>().map(|row| row.0);
        rows.filter(move |row| is_accepted(address(*row)))
    }

    /// Where `__submit_data!` puts its rows under the feature `linkme`.
    #[cfg(feature = "linkme")]
    #[linkme::distributed_slice]
    pub static DATA_TYPES: [&'static DataType];

    /// Where `__submit_name!` puts its rows under the feature `linkme`.
    #[cfg(feature = "linkme")]
    #[linkme::distributed_slice]
    pub static DECLARED_NAMES: [DeclaredName];

    #[cfg(feature = "linkme")]
    pub(crate) fn declared_names() -> impl Iterator<Item = &'static DeclaredName> {
        DECLARED_NAMES.iter()
    }

    #[cfg(feature = "linkme")]
    pub(crate) fn data_types() -> impl Iterator<Item = &'static DataType> {
        DATA_TYPES.iter().copied()
    }
}

#[cfg(all(feature = "data", not(feature = "linkme")))]
pub use data::Row;
#[cfg(all(feature = "data", feature = "linkme"))]
pub use data::{DATA_TYPES, DECLARED_NAMES};
#[cfg(feature = "data")]
pub(crate) use data::{data_types, declared_names};

#[cfg(all(feature = "data", not(feature = "linkme")))]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit_data {
    ($ty:expr) => {
        $crate::__private::inventory::submit! { $crate::__private::Row($ty) }
        #[cfg(target_family = "wasm")]
        $crate::__private::keep! {}
    };
}

#[cfg(all(feature = "data", feature = "linkme"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit_data {
    ($ty:expr) => {
        const _: () = {
            #[$crate::__private::linkme::distributed_slice($crate::__private::DATA_TYPES)]
            #[linkme(crate = $crate::__private::linkme)]
            static ROW: &$crate::__private::DataType = $ty;
        };
    };
}

// Without data nobody looks for a name; and this crate, which forbids unsafe code, cannot fill a slice
// of `linkme` in its own unit tests.
#[cfg(any(not(feature = "data"), all(feature = "linkme", test)))]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit_name {
    ($type:ident $name:ident) => {};
}

#[cfg(all(feature = "data", not(feature = "linkme")))]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit_name {
    ($type:ident $name:ident) => {
        $crate::__private::inventory::submit! {
            $crate::__private::DeclaredName::$type($crate::$type::__named($name))
        }
        #[cfg(target_family = "wasm")]
        $crate::__private::keep! {}
    };
}

#[cfg(all(feature = "data", feature = "linkme", not(test)))]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit_name {
    ($type:ident $name:ident) => {
        const _: () = {
            #[$crate::__private::linkme::distributed_slice($crate::__private::DECLARED_NAMES)]
            #[linkme(crate = $crate::__private::linkme)]
            static ROW: $crate::__private::DeclaredName =
                $crate::__private::DeclaredName::$type($crate::$type::__named($name));
        };
    };
}
