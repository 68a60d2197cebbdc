//! Maps and sets without order: their entries are written sorted.
//!
//! The iteration order of a `HashMap` depends on its hasher's seed and on its history. If entries were written
//! in that order, equal values would have different bytes.

use std::any::type_name;

use serde::ser::{Serialize, Serializer};

/// The modules whose maps and sets have no order, including their iterators.
pub(crate) const WITHOUT_ORDER: [&str; 2] = ["std::collections::hash::", "hashbrown::"];

/// The modules whose maps have an order that they keep.
pub(crate) const WITH_ORDER: [&str; 2] = ["alloc::collections::btree::", "indexmap::"];

/// Returns `true` if a collection or an iterator comes from one of these modules.
///
/// Serde does not distinguish a set from a list, so only the name of the type tells them apart. The elements of an
/// unknown type are not sorted.
pub(crate) fn is_of<T>(modules: &[&str]) -> bool {
    let name = type_name::<T>().trim_start_matches('&');
    modules.iter().any(|module| name.starts_with(module))
}

/// Writes a set in the order of its elements, for `#[serde(serialize_with = "message_format::sorted")]`.
///
/// The sets of the standard library and of `hashbrown` do not need it. Serde treats the set of any other crate
/// as a list, so equal sets would have different bytes, and a replay would report a difference that does not
/// matter. Reading the set does not change.
///
/// # Errors
///
/// Returns the errors of the serializer.
///
/// ```
/// use serde::Serialize;
/// # #[derive(Default, serde::Deserialize)]
/// # struct FlatSet<T>(Vec<T>);
/// # impl<'a, T> IntoIterator for &'a FlatSet<T> {
/// #     type Item = &'a T;
/// #     type IntoIter = std::slice::Iter<'a, T>;
/// #     fn into_iter(self) -> Self::IntoIter { self.0.iter() }
/// # }
///
/// #[derive(Serialize)]
/// struct Fleet {
///     #[serde(serialize_with = "message_format::sorted")]
///     ships: FlatSet<u32>,
/// }
///
/// let fleet = Fleet { ships: FlatSet(vec![3, 1, 2]) };
/// assert_eq!(message_format::to_text(&fleet)?, "(ships: [1, 2, 3])");
/// # Ok::<(), message_format::DataError>(())
/// ```
pub fn sorted<'a, C, T, S>(set: &'a C, serializer: S) -> Result<S::Ok, S::Error>
where
    &'a C: IntoIterator<Item = &'a T>,
    T: Ord + Serialize + 'a,
    S: Serializer,
{
    let mut elements: Vec<&T> = set.into_iter().collect();
    elements.sort_unstable();
    serializer.collect_seq(&elements)
}
