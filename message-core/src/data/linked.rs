//! The rows of derives, gathered from the whole program like the entries of [`link`](crate::link).

use crate::data::DataType;
#[cfg(not(feature = "linkme"))]
use crate::registry::refused::accepted;

/// A row that a derive has left.
#[cfg(not(feature = "linkme"))]
#[doc(hidden)]
#[derive(Debug)]
pub struct Row(pub &'static DataType);

#[cfg(not(feature = "linkme"))]
inventory::collect!(Row);

#[cfg(not(feature = "linkme"))]
pub(crate) fn data_types() -> impl Iterator<Item = &'static DataType> {
    accepted(inventory::iter::<Row>().map(|row| row.0))
}

/// Where `__submit_data!` puts its rows under the feature `linkme`.
#[cfg(feature = "linkme")]
#[linkme::distributed_slice]
pub static DATA_TYPES: [&'static DataType];

#[cfg(feature = "linkme")]
pub(crate) fn data_types() -> impl Iterator<Item = &'static DataType> {
    DATA_TYPES.iter().copied()
}

#[cfg(not(feature = "linkme"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __submit_data {
    ($ty:expr) => {
        $crate::__private::inventory::submit! { $crate::__private::Row($ty) }
        #[cfg(target_family = "wasm")]
        $crate::__private::keep! {}
    };
}

#[cfg(feature = "linkme")]
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
