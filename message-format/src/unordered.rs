//! Maps and sets without order: their entries are written sorted.
//!
//! The iteration order of a `HashMap` depends on its hasher's seed and on its history. If entries were written
//! in that order, equal values would have different bytes.

use std::cmp::Ordering;
use std::ops::Range;

use serde::ser::{Serialize, Serializer};

/// The modules whose maps and sets have no order, including their iterators.
const WITHOUT_ORDER: [&str; 2] = ["std::collections::hash::", "hashbrown::"];

/// The modules whose maps have an order that they keep.
const WITH_ORDER: [&str; 2] = ["alloc::collections::btree::", "indexmap::"];

/// Returns `true` if a collection or an iterator with this type name comes out of a hash table.
///
/// Serde does not distinguish a set from a list, so only the name of the type tells them apart. The elements of an
/// unknown type are not sorted.
pub(crate) fn lacks_order(type_name: &str) -> bool {
    begins_with_one_of(type_name, &WITHOUT_ORDER)
}

/// Returns `true` if a map with this type name has an order to keep.
pub(crate) fn keeps_order(type_name: &str) -> bool {
    begins_with_one_of(type_name, &WITH_ORDER)
}

fn begins_with_one_of(type_name: &str, modules: &[&str]) -> bool {
    let name = type_name.trim_start_matches('&');
    modules.iter().any(|module| name.starts_with(module))
}

/// The beginnings of the keys, values and elements of all unordered maps and sets that have not ended.
#[derive(Debug, Default)]
pub(crate) struct Marks(Vec<usize>);

/// The entries of a group in their new order.
#[derive(Debug)]
pub(crate) struct Sorted {
    /// Where the first of them began.
    pub(crate) begin: usize,
    /// The previous place of each, from its key to the end of its value.
    pub(crate) entries: Vec<Range<usize>>,
}

impl Marks {
    pub(crate) fn add(&mut self, at: usize) {
        self.0.push(at);
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Takes the marks of a group that ends at `end`: all from `first` on. Returns `None` if its entries are
    /// already sorted. `compare` gets the places of two keys or of two elements. Entries with the same key keep
    /// their order.
    pub(crate) fn sort(
        &mut self,
        first: usize,
        end: usize,
        is_map: bool,
        mut compare: impl FnMut(Range<usize>, Range<usize>) -> Ordering,
    ) -> Option<Sorted> {
        let parts = if is_map { 2 } else { 1 };
        let marks = &self.0[first..];
        let begin = *marks.first()?;
        let mut ends: Vec<usize> = marks.iter().skip(parts).step_by(parts).copied().collect();
        ends.push(end);
        // The place of each entry, with the end of its key.
        let places = marks.chunks(parts).zip(ends);
        let mut places: Vec<(Range<usize>, usize)> = places
            .map(|(entry, end)| (entry[0]..end, entry.get(1).copied().unwrap_or(end)))
            .collect();
        self.0.truncate(first);
        let mut compare = |one: &(Range<usize>, usize), other: &(Range<usize>, usize)| {
            compare(one.0.start..one.1, other.0.start..other.1)
        };
        if places.is_sorted_by(|one, other| compare(one, other).is_le()) {
            return None;
        }
        places.sort_by(compare);
        let entries = places.into_iter().map(|(place, _)| place).collect();
        Some(Sorted { begin, entries })
    }
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
