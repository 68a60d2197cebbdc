//! The meaning of ids in values for another manager: indices into a list that travels with the value.
//!
//! A scope is entered and left for each message that goes to another manager or comes from one, and most messages
//! have no ids. The state is therefore one small thread-local value. The list is accessed only for an id.

use std::cell::{Cell, RefCell};

use message_core::MessageeId;

use crate::scope::Scope;

/// Whether a value is written for another manager or read from one. `some` is `true` if the list has ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Abroad {
    Nowhere,
    Listing { some: bool },
    Listed { some: bool },
}

thread_local! {
    static NOW: Cell<Abroad> = const { Cell::new(Abroad::Nowhere) };
    /// The list, if it has ids.
    static IDS: RefCell<Vec<MessageeId>> = const { RefCell::new(Vec::new()) };
}

impl Abroad {
    fn has_ids(self) -> bool {
        matches!(
            self,
            Self::Listing { some: true } | Self::Listed { some: true }
        )
    }
}

/// Restores the previous state, also after a panic.
struct Around(Abroad);

impl Around {
    #[inline]
    fn begin(now: Abroad, ids: impl FnOnce() -> Vec<MessageeId>) -> (Option<IdsAround>, Self) {
        let before = NOW.replace(now);
        let needs = before.has_ids() || now.has_ids();
        (needs.then(|| IdsAround(IDS.replace(ids()))), Self(before))
    }
}

impl Drop for Around {
    #[inline]
    fn drop(&mut self) {
        if NOW.replace(self.0).has_ids() {
            IDS.take();
        }
    }
}

/// Restores the list that was around it.
struct IdsAround(Vec<MessageeId>);

impl Drop for IdsAround {
    fn drop(&mut self) {
        IDS.set(std::mem::take(&mut self.0));
    }
}

/// Writes for another manager. New ids are appended to the list.
#[inline]
pub(crate) fn listing<T>(ids: &mut Vec<MessageeId>, write: impl FnOnce() -> T) -> T {
    let some = !ids.is_empty();
    let (_ids, _around) = Around::begin(Abroad::Listing { some }, || std::mem::take(ids));
    let written = write();
    if NOW.get().has_ids() {
        *ids = IDS.take();
    }
    written
}

/// Reads from another manager, with these ids.
#[inline]
pub(crate) fn reading<T>(ids: &[MessageeId], read: impl FnOnce() -> T) -> T {
    let some = !ids.is_empty();
    let (_ids, _around) = Around::begin(Abroad::Listed { some }, || ids.to_vec());
    read()
}

/// Runs a function in neither state, whatever is around it.
pub(super) fn nowhere<T>(act: impl FnOnce() -> T) -> T {
    let (_ids, _around) = Around::begin(Abroad::Nowhere, Vec::new);
    act()
}

/// Returns the scope, if one of the two is in effect.
pub(super) fn now() -> Option<&'static Scope> {
    match NOW.get() {
        Abroad::Nowhere => None,
        Abroad::Listing { .. } => Some(&Scope::Listing),
        Abroad::Listed { .. } => Some(&Scope::Listed),
    }
}

/// Returns the index of an id in the list that goes along with what is written for another manager. Returns `None`
/// elsewhere.
pub(super) fn list(id: MessageeId) -> Option<usize> {
    let Abroad::Listing { .. } = NOW.get() else {
        return None;
    };
    NOW.set(Abroad::Listing { some: true });
    IDS.with_borrow_mut(|ids| {
        let known = ids.iter().position(|&other| other == id);
        Some(known.unwrap_or_else(|| {
            ids.push(id);
            ids.len() - 1
        }))
    })
}

/// Returns the id at an index of the list that came along with what is read, and the length of the list. Returns
/// `None` elsewhere.
pub(super) fn listed(number: u64) -> Option<(Option<MessageeId>, usize)> {
    match NOW.get() {
        Abroad::Listed { some: false } => Some((None, 0)),
        Abroad::Listed { some: true } => IDS.with_borrow(|ids| {
            let at = usize::try_from(number).unwrap_or(usize::MAX);
            Some((ids.get(at).copied(), ids.len()))
        }),
        _ => None,
    }
}
