//! The rows of libraries that were refused. They are never read again.

use std::sync::{PoisonError, RwLock};

use crate::hash::HashedSet;

/// The addresses of entries and rows of libraries that were refused.
static REFUSED: RwLock<Option<HashedSet<usize>>> = RwLock::new(None);

/// Returns a function that says whether the part of a library at an address was accepted.
#[cfg_attr(
    feature = "linkme",
    allow(dead_code, reason = "nothing is loaded with slices that cannot grow")
)]
pub(crate) fn is_accepted() -> impl Fn(usize) -> bool {
    let refused = REFUSED.read().unwrap_or_else(PoisonError::into_inner);
    let refused = refused.clone();
    move |address| !refused.as_ref().is_some_and(|it| it.contains(&address))
}

pub(crate) fn refuse(addresses: impl IntoIterator<Item = usize>) {
    let mut refused = REFUSED.write().unwrap_or_else(PoisonError::into_inner);
    refused.get_or_insert_default().extend(addresses);
}

/// Returns the address of a library's item, which distinguishes it from all others.
pub(crate) fn address<T>(row: &'static T) -> usize {
    std::ptr::from_ref(row).addr()
}
