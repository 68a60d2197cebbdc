//! The behavior of an in-memory network.

/// The treatment of frames from one node to another.
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
    /// The minimum number of steps a frame takes. With 0 it can be polled in the step in which it was sent.
    pub min_delay: u32,
    /// The maximum number of steps a frame takes, unless it is reordered. If it is less than `min_delay`, every
    /// frame takes `min_delay`.
    pub max_delay: u32,
    /// The probability that a frame is lost, from 0 to 1.
    pub loss: f64,
    /// The probability that a frame arrives twice, from 0 to 1.
    pub duplication: f64,
    /// The probability that later frames can overtake a frame, from 0 to 1. Such a frame takes up to eight
    /// additional steps.
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

/// The settings of an in-memory network, with defaults for its paths.
///
/// ```
/// use message_net::link::{MemoryPath, MemorySettings};
///
/// let settings = MemorySettings { path: MemoryPath::new().delayed(0, 0), ..MemorySettings::new() };
/// assert_eq!(settings.lease, 20);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemorySettings {
    /// The treatment of frames on a path that has no settings of its own.
    pub path: MemoryPath,
    /// The maximum number of frames in flight from one node to another, including unread ones. Further frames
    /// are refused with [`LinkError::Full`](super::LinkError::Full).
    pub queue: usize,
    /// The number of steps after which a node is notified that another one was cut off or crashed.
    pub lease: u32,
    /// The longest frame, in bytes.
    pub max_frame: usize,
}

impl MemorySettings {
    /// Creates settings without faults: a delay of one step, 4096 frames in flight, a lease of 20 steps, frames
    /// of up to 64 KiB.
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

/// Counts of the frames that an in-memory network has handled so far.
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
    /// Frames that were accepted. If two nodes have the same name, a frame to it counts once for each.
    pub sent: u64,
    /// The total length of these frames, in bytes.
    pub bytes: u64,
    /// Frames that were delivered to a reader, including duplicates.
    pub delivered: u64,
    /// Frames that were lost by chance.
    pub lost: u64,
    /// Frames that arrive twice.
    pub doubled: u64,
    /// Frames that later ones can overtake.
    pub reordered: u64,
    /// Frames that were lost because their path was cut, including duplicates.
    pub cut: u64,
    /// Frames that were lost because no node of that name was there any more, including duplicates.
    pub unread: u64,
    /// Frames that were refused because too many were in flight.
    pub refused: u64,
}
