//! What ids mean in values for another manager: places in a list that goes along.
//!
//! This is entered and left for each message that goes to another manager or comes from one, and most
//! messages have no ids. So what stands for it is one small value of the thread; the list is looked at when
//! an id is met.

use std::cell::{Cell, RefCell};

use crate::address::MessageeId;
use crate::data::scope::Scope;

/// If a value is written for another manager or read from one. The number is `true` if the list has ids.
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

/// Gives back what was around it, also after a panic.
struct Around {
    before: Abroad,
    /// The list that was around it, or is in use.
    ids: Option<Vec<MessageeId>>,
}

impl Around {
    #[inline]
    fn begin(now: Abroad, ids: impl FnOnce() -> Vec<MessageeId>) -> Self {
        let before = NOW.replace(now);
        let needs = before.has_ids() || now.has_ids();
        let ids = needs.then(|| IDS.replace(ids()));
        Self { before, ids }
    }
}

impl Drop for Around {
    #[inline]
    fn drop(&mut self) {
        let now = NOW.replace(self.before);
        if self.ids.is_some() || now.has_ids() {
            IDS.set(self.ids.take().unwrap_or_default());
        }
    }
}

/// Writes for another manager: the ids that are met are added to the list.
#[inline]
pub(crate) fn listing<T>(ids: &mut Vec<MessageeId>, write: impl FnOnce() -> T) -> T {
    let some = !ids.is_empty();
    let _around = Around::begin(Abroad::Listing { some }, || std::mem::take(ids));
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
    let _around = Around::begin(Abroad::Listed { some }, || ids.to_vec());
    read()
}

/// Neither, whatever is around it.
pub(super) fn nowhere<T>(act: impl FnOnce() -> T) -> T {
    let _around = Around::begin(Abroad::Nowhere, Vec::new);
    act()
}

/// Which of both it is.
pub(super) fn now() -> Option<&'static Scope> {
    match NOW.get() {
        Abroad::Nowhere => None,
        Abroad::Listing { .. } => Some(&Scope::Listing),
        Abroad::Listed { .. } => Some(&Scope::Listed),
    }
}

/// The place of an id in the list that goes along with what is written for another manager. `None`
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

/// The id at a place of the list that has come along with what is read, and how many there are. `None`
/// elsewhere.
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
