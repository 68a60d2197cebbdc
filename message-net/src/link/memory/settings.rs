//! How a network in memory behaves.

/// What happens to frames from one node to another.
///
/// ```
/// use message_net::link::MemoryPath;
///
/// let bad = MemoryPath { loss: 0.2, ..MemoryPath::new().delayed(1, 5) };
/// assert_eq!((bad.min_delay, bad.max_delay), (1, 5));
/// assert_eq!(bad.duplication, 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryPath {
    /// How many steps a frame takes at least. With 0 it can be polled in the step in which it was sent.
    pub min_delay: u32,
    /// How many steps a frame takes at most, unless it is reordered. If it is less than `min_delay`,
    /// every frame takes `min_delay`.
    pub max_delay: u32,
    /// The probability that a frame is lost, from 0 to 1.
    pub loss: f64,
    /// The probability that a frame arrives twice, from 0 to 1.
    pub duplication: f64,
    /// The probability that later frames can overtake a frame, from 0 to 1. Such a frame takes up to
    /// eight steps longer.
    pub reordering: f64,
}

impl MemoryPath {
    /// Creates a path without faults: a frame arrives in the next step.
    ///
    /// ```
    /// use message_net::link::MemoryPath;
    ///
    /// assert_eq!(MemoryPath::new().loss, 0.0);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self {
            min_delay: 1,
            max_delay: 1,
            loss: 0.0,
            duplication: 0.0,
            reordering: 0.0,
        }
    }

    /// Returns the same path with a delay from `min` to `max` steps.
    ///
    /// ```
    /// use message_net::link::MemoryPath;
    ///
    /// let path = MemoryPath::new().delayed(2, 9);
    /// assert_eq!((path.min_delay, path.max_delay), (2, 9));
    /// ```
    #[must_use]
    pub const fn delayed(mut self, min: u32, max: u32) -> Self {
        self.min_delay = min;
        self.max_delay = max;
        self
    }
}

impl Default for MemoryPath {
    fn default() -> Self {
        Self::new()
    }
}

/// How a network in memory behaves where nothing else is said.
///
/// ```
/// use message_net::link::{MemoryPath, MemorySettings};
///
/// let settings = MemorySettings { path: MemoryPath::new().delayed(0, 0), ..MemorySettings::new() };
/// assert_eq!(settings.lease, 20);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemorySettings {
    /// What happens to frames on a path that has no settings of its own.
    pub path: MemoryPath,
    /// How many frames can be under way from one node to another, unread ones included. Another one is
    /// refused with [`LinkError::Full`](super::LinkError::Full).
    pub queue: usize,
    /// After how many steps a node is told that another one went, if that one was cut off or crashed.
    pub lease: u32,
    /// The longest frame, in bytes.
    pub max_frame: usize,
}

impl MemorySettings {
    /// Creates settings without faults: a delay of one step, 4096 frames under way, a lease of 20 steps,
    /// frames of up to 64 KiB.
    ///
    /// ```
    /// use message_net::link::MemorySettings;
    ///
    /// assert_eq!(MemorySettings::new().lease, 20);
    /// ```
    #[must_use]
    pub const fn new() -> Self {
        Self {
            path: MemoryPath::new(),
            queue: 4096,
            lease: 20,
            max_frame: 64 * 1024,
        }
    }
}

impl Default for MemorySettings {
    fn default() -> Self {
        Self::new()
    }
}

/// What a network in memory has done with frames so far.
///
/// ```
/// use message_net::NodeName;
/// use message_net::link::{Link, MemoryNetwork, MemorySettings};
///
/// let network = MemoryNetwork::new(1, MemorySettings::new());
/// let (a, b) = (NodeName::new("a")?, NodeName::new("b")?);
/// let (mut from, _to) = (network.link(a), network.link(b.clone()));
/// network.advance(1);
/// from.send(&b, vec![1].into())?;
/// assert_eq!(network.counters().sent, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MemoryCounters {
    /// Frames that were taken. If two nodes have one name, a frame to it counts for each.
    pub sent: u64,
    /// Bytes in them.
    pub bytes: u64,
    /// Frames that were given to a reader, doubled ones included.
    pub delivered: u64,
    /// Frames that were lost by chance.
    pub lost: u64,
    /// Frames that arrive twice.
    pub doubled: u64,
    /// Frames that later ones can overtake.
    pub reordered: u64,
    /// Frames that were lost because their path was cut, doubled ones included.
    pub cut: u64,
    /// Frames that were lost because nobody of that name was there any more, doubled ones included.
    pub unread: u64,
    /// Frames that were refused because too many were under way.
    pub refused: u64,
}
