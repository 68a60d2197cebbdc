//! The rows of libraries that were refused. They are never read again.

use std::collections::BTreeSet;
use std::sync::{PoisonError, RwLock};

/// The addresses of entries and rows of libraries that were refused.
static REFUSED: RwLock<BTreeSet<usize>> = RwLock::new(BTreeSet::new());

/// Returns the rows that do not come from a library that was refused.
#[cfg(not(feature = "linkme"))]
pub(crate) fn accepted<T: 'static>(
    rows: impl Iterator<Item = &'static T>,
) -> impl Iterator<Item = &'static T> {
    let refused = REFUSED.read().unwrap_or_else(PoisonError::into_inner);
    let refused = refused.clone();
    rows.filter(move |row| !refused.contains(&address(*row)))
}

pub(crate) fn refuse(addresses: impl IntoIterator<Item = usize>) {
    let mut refused = REFUSED.write().unwrap_or_else(PoisonError::into_inner);
    refused.extend(addresses);
}

/// Returns the address of a library's item, which distinguishes it from all others.
pub(crate) fn address<T>(row: &'static T) -> usize {
    std::ptr::from_ref(row).addr()
}
