//! A network in the memory of one process, with the faults of a real one.
//!
//! The network is a single state behind a lock: [`MemoryNetwork`] changes settings and advances the time,
//! [`MemoryLink`] is the place of one node. Time passes in steps, and only by [`MemoryNetwork::advance`]. One
//! sequence of random numbers decides what happens to a frame at the moment it is sent, so the same seed and
//! the same calls in the same order produce the same frames at the same polls.

mod settings;
mod state;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::link::{Frame, Link, LinkError, LinkEvent};
use crate::name::NodeName;

pub use settings::{MemoryCounters, MemoryPath, MemorySettings};
use state::State;

/// An in-memory network, for tests and for worlds that share a process.
///
/// A clone refers to the same network. Nodes learn of each other in the next step.
///
/// ```
/// use message_net::NodeName;
/// use message_net::link::{Link, LinkEvent, MemoryNetwork, MemorySettings};
///
/// let network = MemoryNetwork::new(7, MemorySettings::new());
/// let (a, b) = (NodeName::new("a")?, NodeName::new("b")?);
/// let mut at_a = network.link(a.clone());
/// let mut at_b = network.link(b.clone());
/// network.advance(1);
/// assert_eq!(at_a.poll(), Some(LinkEvent::Came(b.clone())));
/// assert_eq!(at_b.poll(), Some(LinkEvent::Came(a.clone())));
///
/// at_a.send(&b, b"hello".to_vec().into())?;
/// assert_eq!(at_b.poll(), None);
/// network.advance(1);
/// let frame = b"hello".to_vec();
/// assert_eq!(at_b.poll(), Some(LinkEvent::Frame { from: a, frame }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct MemoryNetwork {
    state: Arc<Mutex<State>>,
}

impl MemoryNetwork {
    /// Creates a network whose faults are determined by the seed.
    ///
    /// ```
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    ///
    /// let network = MemoryNetwork::new(7, MemorySettings::new());
    /// assert_eq!(network.now(), 0);
    /// ```
    #[must_use]
    pub fn new(seed: u64, settings: MemorySettings) -> Self {
        let state = State::new(seed, settings);
        Self {
            state: Arc::new(Mutex::new(state)),
        }
    }

    /// Adds a node and returns its link. When the link is dropped, the node leaves, and the others are notified
    /// in the next step.
    ///
    /// If a node of that name is already there, both are notified that the name is taken, and both receive
    /// every frame sent to that name.
    ///
    /// ```
    /// use message_net::NodeName;
    /// use message_net::link::{Link, LinkEvent, MemoryNetwork, MemorySettings};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (a, b) = (NodeName::new("a")?, NodeName::new("b")?);
    /// let (mut at_a, mut at_b) = (network.link(a.clone()), network.link(b.clone()));
    /// network.advance(1);
    /// assert_eq!(at_a.poll(), Some(LinkEvent::Came(b)));
    /// assert_eq!(at_b.poll(), Some(LinkEvent::Came(a)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn link(&self, name: NodeName) -> MemoryLink {
        let place = self.lock().join(name.clone());
        MemoryLink {
            network: self.clone(),
            name,
            place,
        }
    }

    /// Advances the time by the given number of steps.
    ///
    /// ```
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    ///
    /// let network = MemoryNetwork::new(7, MemorySettings::new());
    /// network.advance(3);
    /// assert_eq!(network.now(), 3);
    /// ```
    pub fn advance(&self, steps: u32) {
        let mut state = self.lock();
        for _ in 0..steps {
            state.step();
        }
    }

    /// Returns the number of steps that have passed.
    ///
    /// ```
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    ///
    /// let network = MemoryNetwork::new(7, MemorySettings::new());
    /// network.advance(1);
    /// network.advance(1);
    /// assert_eq!(network.now(), 2);
    /// ```
    #[must_use]
    pub fn now(&self) -> u64 {
        self.lock().now()
    }

    /// Changes the settings. Paths with settings of their own keep them, and frames in flight are not affected.
    ///
    /// ```
    /// use message_net::NodeName;
    /// use message_net::link::{Link, LinkError, MemoryNetwork, MemorySettings};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (a, b) = (NodeName::new("a")?, NodeName::new("b")?);
    /// let (mut at_a, mut at_b) = (network.link(a.clone()), network.link(b.clone()));
    /// network.advance(1);
    /// network.set(MemorySettings { queue: 1, ..MemorySettings::new() });
    /// at_a.send(&b, vec![1].into())?;
    /// assert_eq!(at_a.send(&b, vec![2].into()), Err(LinkError::Full));
    /// # let _ = at_b;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set(&self, settings: MemorySettings) {
        self.lock().settings = settings;
    }

    /// Sets the settings of the path from one node to another; `None` restores the default.
    ///
    /// ```
    /// use message_net::NodeName;
    /// use message_net::link::{Link, MemoryNetwork, MemoryPath, MemorySettings};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (a, b) = (NodeName::new("a")?, NodeName::new("b")?);
    /// let (mut at_a, mut at_b) = (network.link(a.clone()), network.link(b.clone()));
    /// network.advance(1);
    /// // All is lost from `a` to `b`, and nothing from `b` to `a`.
    /// let path = MemoryPath { loss: 1.0, ..MemoryPath::new() };
    /// network.set_path(&a, &b, Some(path));
    /// at_a.send(&b, vec![1].into())?;
    /// at_b.send(&a, vec![2].into())?;
    /// network.advance(1);
    /// assert_eq!(network.counters().lost, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_path(&self, from: &NodeName, to: &NodeName, path: Option<MemoryPath>) {
        self.lock().set_path(from, to, path);
    }

    /// Cuts every path between a node of `some` and a node of `others`, in both directions. Frames in flight on
    /// these paths are lost.
    ///
    /// ```
    /// use message_net::NodeName;
    /// use message_net::link::{Link, LinkEvent, MemoryNetwork, MemorySettings};
    ///
    /// let settings = MemorySettings { lease: 3, ..MemorySettings::new() };
    /// let network = MemoryNetwork::new(7, settings);
    /// let (a, b) = (NodeName::new("a")?, NodeName::new("b")?);
    /// let (mut at_a, _at_b) = (network.link(a.clone()), network.link(b.clone()));
    /// network.advance(1);
    /// assert_eq!(at_a.poll(), Some(LinkEvent::Came(b.clone())));
    /// network.cut(&[a.clone()], &[b.clone()]);
    /// network.advance(4);
    /// assert_eq!(at_a.poll(), Some(LinkEvent::Went(b.clone())));
    /// network.heal();
    /// network.advance(1);
    /// assert_eq!(at_a.poll(), Some(LinkEvent::Came(b)));
    /// # Ok::<(), message_net::NameError>(())
    /// ```
    pub fn cut(&self, some: &[NodeName], others: &[NodeName]) {
        let mut state = self.lock();
        for (a, b) in some.iter().flat_map(|a| others.iter().map(move |b| (a, b))) {
            state.cut(a, b, true);
            state.cut(b, a, true);
        }
    }

    /// Cuts the path from one node to another, in this direction only.
    ///
    /// ```
    /// use message_net::NodeName;
    /// use message_net::link::{Link, LinkEvent, MemoryNetwork, MemorySettings};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (a, b) = (NodeName::new("a")?, NodeName::new("b")?);
    /// let (mut at_a, mut at_b) = (network.link(a.clone()), network.link(b.clone()));
    /// network.advance(1);
    /// network.cut_one_way(&a, &b);
    /// at_b.send(&a, vec![2].into())?;
    /// network.advance(1);
    /// assert_eq!(at_a.poll(), Some(LinkEvent::Came(b.clone())));
    /// assert_eq!(at_a.poll(), Some(LinkEvent::Frame { from: b, frame: vec![2] }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cut_one_way(&self, from: &NodeName, to: &NodeName) {
        self.lock().cut(from, to, true);
    }

    /// Reverts [`cut`](Self::cut) between these nodes.
    ///
    /// ```
    /// use message_net::NodeName;
    /// use message_net::link::{Link, LinkEvent, MemoryNetwork, MemorySettings};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (a, b) = (NodeName::new("a")?, NodeName::new("b")?);
    /// let (mut at_a, mut at_b) = (network.link(a.clone()), network.link(b.clone()));
    /// network.advance(1);
    /// network.cut(&[a.clone()], &[b.clone()]);
    /// network.heal_between(&[a], &[b.clone()]);
    /// at_a.send(&b, vec![1].into())?;
    /// network.advance(1);
    /// assert!(matches!(at_b.poll(), Some(LinkEvent::Came(_))));
    /// assert!(matches!(at_b.poll(), Some(LinkEvent::Frame { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn heal_between(&self, some: &[NodeName], others: &[NodeName]) {
        let mut state = self.lock();
        for (a, b) in some.iter().flat_map(|a| others.iter().map(move |b| (a, b))) {
            state.cut(a, b, false);
            state.cut(b, a, false);
        }
    }

    /// Ends all cuts.
    ///
    /// ```
    /// use message_net::NodeName;
    /// use message_net::link::{Link, LinkEvent, MemoryNetwork, MemorySettings};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (a, b) = (NodeName::new("a")?, NodeName::new("b")?);
    /// let (mut at_a, mut at_b) = (network.link(a.clone()), network.link(b.clone()));
    /// network.advance(1);
    /// network.cut(&[a.clone()], &[b.clone()]);
    /// network.heal();
    /// at_a.send(&b, vec![1].into())?;
    /// network.advance(1);
    /// assert!(matches!(at_b.poll(), Some(LinkEvent::Came(_))));
    /// assert!(matches!(at_b.poll(), Some(LinkEvent::Frame { .. })));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn heal(&self) {
        self.lock().heal();
    }

    /// Makes a node a slow reader: it receives at most the given number of frames in a step, and the others
    /// wait. `None` makes it fast again. The setting belongs to the name, so it persists when the node crashes
    /// and comes back.
    ///
    /// ```
    /// use message_net::NodeName;
    /// use message_net::link::{Link, LinkEvent, MemoryNetwork, MemorySettings};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (a, b) = (NodeName::new("a")?, NodeName::new("b")?);
    /// let (mut at_a, mut at_b) = (network.link(a.clone()), network.link(b.clone()));
    /// network.advance(1);
    /// network.slow(&b, Some(1));
    /// for n in 0..3 {
    ///     at_a.send(&b, vec![n].into())?;
    /// }
    /// network.advance(1);
    /// let is_frame = |event: &LinkEvent| matches!(event, LinkEvent::Frame { .. });
    /// let frames = std::iter::from_fn(|| at_b.poll()).filter(is_frame).count();
    /// assert_eq!(frames, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slow(&self, node: &NodeName, frames_a_step: Option<usize>) {
        self.lock().slow(node, frames_a_step);
    }

    /// Removes all nodes of that name, as if their processes were killed: frames that they have not read are
    /// discarded, their links end, and the other nodes are notified after the lease. A new [`link`](Self::link)
    /// of that name represents the node coming back.
    ///
    /// ```
    /// use message_net::NodeName;
    /// use message_net::link::{Link, LinkEvent, MemoryNetwork, MemorySettings};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (a, b) = (NodeName::new("a")?, NodeName::new("b")?);
    /// let (mut at_a, mut at_b) = (network.link(a.clone()), network.link(b.clone()));
    /// network.advance(1);
    /// network.crash(&b);
    /// network.advance(30);
    /// assert_eq!(at_a.poll(), Some(LinkEvent::Came(b.clone())));
    /// assert_eq!(at_a.poll(), Some(LinkEvent::Went(b)));
    /// # let _ = at_b;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn crash(&self, node: &NodeName) {
        self.lock().crash(node);
    }

    /// Returns counts of the frames that the network has handled so far.
    ///
    /// ```
    /// use message_net::NodeName;
    /// use message_net::link::{Link, MemoryNetwork, MemorySettings};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (a, b) = (NodeName::new("a")?, NodeName::new("b")?);
    /// let (mut at_a, mut at_b) = (network.link(a.clone()), network.link(b.clone()));
    /// network.advance(1);
    /// at_a.send(&b, vec![1, 2, 3].into())?;
    /// let counters = network.counters();
    /// assert_eq!((counters.sent, counters.bytes), (1, 3));
    /// # let _ = at_b;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn counters(&self) -> MemoryCounters {
        self.lock().counters
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for MemoryNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("MemoryNetwork");
        f.field("now", &self.now()).finish_non_exhaustive()
    }
}

/// The place of one node in a [`MemoryNetwork`].
///
/// ```
/// use message_net::NodeName;
/// use message_net::link::{Link, LinkError, MemoryNetwork, MemorySettings};
///
/// let network = MemoryNetwork::new(7, MemorySettings::new());
/// let mut link = network.link(NodeName::new("a")?);
/// let nobody = NodeName::new("b")?;
/// assert_eq!(link.send(&nobody, Vec::new().into()), Err(LinkError::Unknown(nobody)));
/// # Ok::<(), message_net::NameError>(())
/// ```
pub struct MemoryLink {
    network: MemoryNetwork,
    name: NodeName,
    /// The number of the place in the network, which counts all links ever created.
    place: u64,
}

impl Link for MemoryLink {
    fn name(&self) -> &NodeName {
        &self.name
    }

    fn send(&mut self, to: &NodeName, frame: Frame) -> Result<(), LinkError> {
        self.network.lock().send(self.place, to, frame)
    }

    fn poll(&mut self) -> Option<LinkEvent> {
        self.network.lock().poll(self.place)
    }

    fn max_frame(&self) -> usize {
        self.network.lock().settings.max_frame
    }

    fn give_memory(&mut self, memory: Vec<u8>) {
        self.network.lock().spare.give(memory);
    }
}

impl Drop for MemoryLink {
    fn drop(&mut self) {
        self.network.lock().leave(self.place);
    }
}

impl fmt::Debug for MemoryLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut f = f.debug_struct("MemoryLink");
        f.field("place", &self.place).finish_non_exhaustive()
    }
}
