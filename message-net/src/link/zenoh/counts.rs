//! Counts of the frames that a link has carried and lost.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Counts of the frames that a [`ZenohLink`](super::ZenohLink) has carried and dropped since it was opened.
///
/// ```no_run
/// use message_net::NodeName;
/// use message_net::link::zenoh::{ZenohConfig, ZenohLink};
///
/// let link = ZenohLink::open(NodeName::new("hub")?, ZenohConfig::hub("tcp/127.0.0.1:7447"))?;
/// let counts = link.meter().counts();
/// println!("{} frames sent, {} dropped", counts.sent, counts.overflowed);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct ZenohCounts {
    /// Frames that were passed to zenoh.
    pub sent: u64,
    /// Frames that zenoh did not accept because its session was closed.
    pub unsent: u64,
    /// Frames that arrived and were queued for a poll.
    pub received: u64,
    /// Frames that arrived and were dropped because the queue was full.
    pub overflowed: u64,
    /// Frames that arrived and were dropped because they exceeded the maximum length.
    pub too_long: u64,
    /// Frames that arrived under a key that belongs to no node, and were dropped.
    pub strange: u64,
}

/// Reads the counts of a link. Returned by [`ZenohLink::meter`](super::ZenohLink::meter).
///
/// ```no_run
/// use message_net::NodeName;
/// use message_net::link::zenoh::{ZenohConfig, ZenohLink};
///
/// let link = ZenohLink::open(NodeName::new("hub")?, ZenohConfig::hub("tcp/127.0.0.1:7447"))?;
/// // It can be read when the link belongs to a node already.
/// let meter = link.meter();
/// println!("{:?}", meter.counts());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ZenohMeter(Arc<Counters>);

impl ZenohMeter {
    pub(super) fn new(counters: Arc<Counters>) -> Self {
        Self(counters)
    }

    /// Returns the current counts.
    ///
    /// ```no_run
    /// use message_net::NodeName;
    /// use message_net::link::zenoh::{ZenohConfig, ZenohLink};
    ///
    /// let link = ZenohLink::open(NodeName::new("hub")?, ZenohConfig::hub("tcp/127.0.0.1:7447"))?;
    /// assert_eq!(link.meter().counts().sent, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn counts(&self) -> ZenohCounts {
        self.0.read()
    }
}

#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) sent: Counter,
    pub(super) unsent: Counter,
    pub(super) received: Counter,
    pub(super) overflowed: Counter,
    pub(super) too_long: Counter,
    pub(super) strange: Counter,
}

#[derive(Debug, Default)]
pub(super) struct Counter(AtomicU64);

impl Counter {
    pub(super) fn add(&self) {
        self.0.fetch_add(1, Relaxed);
    }

    pub(super) fn get(&self) -> u64 {
        self.0.load(Relaxed)
    }
}

impl Counters {
    pub(super) fn read(&self) -> ZenohCounts {
        ZenohCounts {
            sent: self.sent.get(),
            unsent: self.unsent.get(),
            received: self.received.get(),
            overflowed: self.overflowed.get(),
            too_long: self.too_long.get(),
            strange: self.strange.get(),
        }
    }
}
