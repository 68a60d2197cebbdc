//! The entries of libraries that were refused. They are never read again.

use std::collections::BTreeSet;
use std::sync::{PoisonError, RwLock};

use crate::link::Entry;

/// The addresses of entries of libraries that were refused.
static REFUSED: RwLock<BTreeSet<usize>> = RwLock::new(BTreeSet::new());

/// Returns the entries that do not come from a library that was refused.
pub(super) fn accepted(
    entries: impl Iterator<Item = &'static Entry>,
) -> impl Iterator<Item = &'static Entry> {
    let refused = REFUSED.read().unwrap_or_else(PoisonError::into_inner);
    let refused = refused.clone();
    entries.filter(move |entry| !refused.contains(&address(entry)))
}

pub(super) fn refuse(addresses: impl IntoIterator<Item = usize>) {
    let mut refused = REFUSED.write().unwrap_or_else(PoisonError::into_inner);
    refused.extend(addresses);
}

/// Returns the address of an entry, which distinguishes it from all others.
pub(super) fn address(entry: &'static Entry) -> usize {
    std::ptr::from_ref(entry).addr()
}
