//! The fate of posted messages, by kind of message. The counts are global to the process: handlers and
//! tokens have no other place for them.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

pub(crate) const LETTER: usize = 0;
pub(crate) const PULSE: usize = 1;
pub(crate) const SHOUT: usize = 2;
pub(crate) const CALL: usize = 3;
pub(crate) const POKE: usize = 4;
pub(crate) const RADIO: usize = 5;
pub(crate) const KINDS: usize = 6;

/// The names of the kinds, as they are in the registry.
pub(crate) const NAMES: [&str; KINDS] = [
    "soak.Letter",
    "soak.Pulse",
    "soak.Shout",
    "soak.Call",
    "soak.Poke",
    "soak.Radio",
];

/// The counts of one kind. A message that repeats counts as many times as it was to be delivered.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) posted: AtomicI64,
    pub(crate) delivered: AtomicI64,
    pub(crate) cancelled: AtomicI64,
    pub(crate) dead: AtomicI64,
    /// Values that exist.
    pub(crate) alive: AtomicI64,
    /// Values that were dropped, neither delivered nor a dead letter.
    pub(crate) dropped: AtomicI64,
    /// The dropped values that a post has refused or returned to its caller.
    pub(crate) refused: AtomicI64,
}

static COUNTS: [Counts; KINDS] = [const {
    Counts {
        posted: AtomicI64::new(0),
        delivered: AtomicI64::new(0),
        cancelled: AtomicI64::new(0),
        dead: AtomicI64::new(0),
        alive: AtomicI64::new(0),
        dropped: AtomicI64::new(0),
        refused: AtomicI64::new(0),
    }
}; KINDS];

static TOUCHED: AtomicU64 = AtomicU64::new(0);
static PUBLISHED: AtomicU64 = AtomicU64::new(0);

/// Adds to a count of a kind.
pub(crate) fn count(kind: usize, which: fn(&Counts) -> &AtomicI64, change: i64) {
    which(&COUNTS[kind]).fetch_add(change, Relaxed);
}

/// Returns a count of a kind.
pub(crate) fn get(kind: usize, which: fn(&Counts) -> &AtomicI64) -> i64 {
    which(&COUNTS[kind]).load(Relaxed)
}

pub(crate) fn refused(kind: usize, is_refused: bool) {
    count(kind, |it| &it.refused, i64::from(is_refused));
}

pub(crate) fn touched() {
    TOUCHED.fetch_add(1, Relaxed);
}

pub(crate) fn touches() -> u64 {
    TOUCHED.load(Relaxed)
}

pub(crate) fn published() {
    PUBLISHED.fetch_add(1, Relaxed);
}

/// Returns how many were published since the last call.
pub(crate) fn take_published() -> u64 {
    PUBLISHED.swap(0, Relaxed)
}

/// Returns how many values of each kind were dropped, neither delivered nor a dead letter.
pub(crate) fn dropped() -> [i64; KINDS] {
    std::array::from_fn(|kind| get(kind, |it| &it.dropped))
}

/// Resets the dropped counts of all kinds, after values were dropped on purpose.
pub(crate) fn set_dropped(all: [i64; KINDS]) {
    for (counts, dropped) in COUNTS.iter().zip(all) {
        counts.dropped.store(dropped, Relaxed);
    }
}

/// Panics if the posted messages do not add up to their fates, `pending` included.
pub(crate) fn check(pending: [i64; KINDS], frame: u64) {
    for (kind, pending) in pending.into_iter().enumerate() {
        let [posted, delivered, cancelled, dead] = row(kind);
        let gone = passed_over(kind);
        assert_eq!(
            posted,
            delivered + cancelled + dead + gone + pending,
            "{} in frame {frame}: posted {posted}, delivered {delivered}, cancelled {cancelled}, dead {dead}, \
             passed over {gone}, pending {pending}",
            NAMES[kind],
        );
        assert!(
            kind == POKE || gone == 0,
            "{} in frame {frame}: {gone} were dropped by nobody",
            NAMES[kind],
        );
    }
}

/// Returns the counts of a kind: posted, delivered, cancelled, dead.
pub(crate) fn row(kind: usize) -> [i64; 4] {
    [
        get(kind, |it| &it.posted),
        get(kind, |it| &it.delivered),
        get(kind, |it| &it.cancelled),
        get(kind, |it| &it.dead),
    ]
}

/// Returns how many were dropped but neither cancelled nor refused: messages `if_alive` to messagees that are
/// gone. Always 0 for a repeating kind, where one value has many deliveries.
pub(crate) fn passed_over(kind: usize) -> i64 {
    if kind == PULSE {
        return 0;
    }
    let [_, _, cancelled, _] = row(kind);
    get(kind, |it| &it.dropped) - cancelled - get(kind, |it| &it.refused)
}
