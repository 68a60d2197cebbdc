//! A manager's place in a network of worlds.

// A node is separate from the manager and only calls its public methods: between two frames it hands in what
// has arrived (`incoming`) and takes what was sent to proxies (`outgoing`). Its state about each other node is
// a `peer`, found by its place among the `peers`: the messagees known there by a handle (`given`), and the
// `proxies` for messagees there. Nodes exchange entries in batches (`entry`), which the sessions carry. A node
// determines how to treat each message type once, when it meets the other node (`accept`). Messages that were sent
// and whose fate is not known yet are counted in a `ledger`; until it is known, the names of proxies and messagees
// that have ended are kept (`past`). If the manager is traced, each message is preceded by its cause (`causes`).

mod accept;
mod answering;
mod causes;
mod config;
#[cfg(test)]
mod corpus;
mod entries;
mod entry;
mod error;
mod exports;
#[cfg(test)]
mod forgetting;
mod given;
mod hello;
#[cfg(test)]
mod hostile;
mod incoming;
mod info;
mod ledger;
mod origin;
mod outgoing;
mod past;
mod peer;
mod peers;
mod posted;
mod proxies;
mod reach;
mod run;
mod say;
#[cfg(test)]
mod tests;

use crate::proxy;
use message_data::ask::{ASKS, Asks, FirstPanic};
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use message_core::{FrameReport, Group, MessageManager, MessageeId};

pub use accept::Accept;
pub use config::NodeConfig;
pub use error::NodeError;
pub use info::{PeerInfo, PeerState};
pub use peer::PeerCounts;

use crate::link::Link;
use crate::name::NodeName;
use crate::net::{NET, Net};
use crate::node::hello::OwnTypes;
use crate::node::incoming::Arrived;
use crate::node::peer::{Peer, State};
use crate::node::peers::{Peers, Place};
use crate::session::{SessionEvent, Sessions};

/// A manager's place in a network of worlds.
///
/// A node is attached to a manager, and called once per frame. Nothing of it runs during a send, and no other
/// thread calls into the manager.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::Data;
/// use message_net::link::{MemoryNetwork, MemorySettings};
/// use message_net::{Node, NodeConfig, NodeName};
/// use serde::{Deserialize, Serialize};
/// use std::time::Duration;
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(name = "docs.Knock", exact)]
/// struct Knock { times: u32 }
///
/// #[derive(Default)]
/// struct Gate { knocks: u32 }
///
/// #[handlers]
/// impl Gate {
///     #[on_receive]
///     fn knock(&mut self, knock: &Knock) { self.knocks += knock.times; }
/// }
///
/// let network = MemoryNetwork::new(1, MemorySettings::new());
/// let (zone, hub) = (NodeName::new("zone-3")?, NodeName::new("hub")?);
/// let (mut here, mut there) = (MessageManager::new(), MessageManager::new());
/// let mut hub = Node::attach(&mut here, network.link(hub), NodeConfig::new());
/// let config = NodeConfig::new().accept::<Knock>();
/// let mut zone = Node::attach(&mut there, network.link(zone), config);
///
/// let gate = there.spawn((Gate::default(),));
/// zone.export(&mut there, gate, "zone-3/gate")?;
/// let proxy = hub.import(&mut here, "zone-3/gate")?;
/// here.send(proxy, Knock { times: 3 })?;
/// for _ in 0..10 {
///     network.advance(1);
///     hub.tick(&mut here, Duration::from_millis(16));
///     zone.tick(&mut there, Duration::from_millis(16));
/// }
/// assert_eq!(there.get::<Gate>(gate)?.knocks, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Node {
    name: NodeName,
    config: NodeConfig,
    link: Box<dyn Link>,
    sessions: Sessions,
    /// The time that has passed since the node was attached.
    now: Duration,
    types: OwnTypes,
    /// The messagee that is bound to [`NET`].
    net: MessageeId,
    peers: Peers,
    /// The messagees, mnemonics and groups that this node exports.
    exports: exports::Exports,
    /// Received data that is not yet handed in. After a panic of a handler, the rest waits here.
    arrived: VecDeque<Arrived>,
    /// Proxies that have ended and have been replaced already. Their watchers are still to be notified.
    replaced: Vec<MessageeId>,
    /// The number of calls to [`receive`](Self::receive).
    round: u64,
    /// Whether the node is about to leave the network.
    is_leaving: bool,
    /// The first panic of a handler that was called while the node was doing work that must be completed. It
    /// propagates when the work is done.
    panicked: FirstPanic,
    /// The name by which the world knows this node, as long as it is attached.
    attached: Arc<NodeName>,
}

impl Node {
    /// Attaches a node to a manager: binds [`NET`] to a new messagee, and begins to listen. The node has the
    /// [name](Link::name) of its link.
    ///
    /// Existing proxies of the manager, from a save or from a node that was dropped, end, because they belong
    /// to another run. Messages that wait for them become dead letters, and their outboxes are closed. If `NET`
    /// is already bound, it stays bound to that messagee.
    ///
    /// # Panics
    ///
    /// Panics if another node is attached to the manager, which is a mistake in the program.
    /// [`try_attach`](Self::try_attach) returns an error instead.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    /// use message_net::{Node, NodeConfig, NodeName};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (mut manager, hub) = (MessageManager::new(), NodeName::new("hub")?);
    /// let node = Node::attach(&mut manager, network.link(hub), NodeConfig::new());
    /// assert!(manager.bound(message_net::NET).is_some());
    /// # drop(node);
    /// # Ok::<(), message_net::NameError>(())
    /// ```
    #[must_use]
    pub fn attach(
        manager: &mut MessageManager,
        link: impl Link + 'static,
        config: NodeConfig,
    ) -> Self {
        Self::try_attach(manager, link, config).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Like [`attach`](Self::attach), but returns an error instead of panicking.
    ///
    /// # Errors
    ///
    /// Returns [`NodeError::ManagerTaken`] if another node is attached to the manager, and was neither detached
    /// nor dropped. In this case nothing changes.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    /// use message_net::{Node, NodeConfig, NodeName};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (mut manager, one, two) = (MessageManager::new(), NodeName::new("one")?, NodeName::new("two")?);
    /// let first = Node::attach(&mut manager, network.link(one), NodeConfig::new());
    /// let config = NodeConfig::new();
    /// let error = Node::try_attach(&mut manager, network.link(two), config).unwrap_err();
    /// assert!(error.to_string().starts_with("node `two` cannot be attached: node `one` is"));
    /// # drop(first);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn try_attach(
        manager: &mut MessageManager,
        link: impl Link + 'static,
        config: NodeConfig,
    ) -> Result<Self, NodeError> {
        let name = link.name().clone();
        if let Some(by) = manager.iter::<Net>().find_map(|(_, net)| net.attached()) {
            return Err(NodeError::ManagerTaken {
                name: name.to_string(),
                by: by.to_string(),
            });
        }
        let config = config.checked();
        let types = OwnTypes::collect();
        let run = config.incarnation.unwrap_or_else(own_incarnation);
        let sessions = Sessions::new(name.clone(), run, types.hello(), config.session.clone());
        let bound = manager.bound(NET);
        let net = bound.filter(|&id| manager.get::<Net>(id).is_ok());
        let net = net.unwrap_or_else(|| {
            // This is the messagee of an earlier node, which has left. It is reused because the numbers of its
            // questions must be unique.
            let before = manager.iter::<Net>().map(|(id, _)| id).next();
            let id = before.unwrap_or_else(|| manager.spawn((Net::default(), Asks::default())));
            if let Some(before) = bound {
                let _ = manager.unbind(NET, before);
            }
            let _ = manager.bind(NET, id);
            id
        });
        let _ = manager.bind(ASKS, net);
        let attached = Arc::new(name.clone());
        if let Ok(net) = manager.get::<Net>(net) {
            net.attach(&attached);
        }
        let mut node = Self {
            name,
            config,
            link: Box::new(link),
            sessions,
            now: Duration::ZERO,
            types,
            net,
            peers: Peers::default(),
            exports: exports::Exports::default(),
            arrived: VecDeque::new(),
            replaced: Vec::new(),
            round: 0,
            is_leaving: false,
            panicked: FirstPanic::default(),
            attached,
        };
        node.end_run_before(manager);
        Ok(node)
    }

    /// Returns the name of this node.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    /// use message_net::{Node, NodeConfig, NodeName};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (mut manager, hub) = (MessageManager::new(), NodeName::new("hub")?);
    /// let node = Node::attach(&mut manager, network.link(hub.clone()), NodeConfig::new());
    /// assert_eq!(*node.name(), hub);
    /// # Ok::<(), message_net::NameError>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> &NodeName {
        &self.name
    }

    /// Runs a frame: hands in everything that has arrived, [ticks](MessageManager::tick) the manager, and
    /// passes messages for other nodes to the link.
    ///
    /// A program with its own loop calls [`receive`](Self::receive) and [`flush`](Self::flush) instead, before
    /// and after its frame. A paused game must call them, too: a silent node counts as unreachable.
    ///
    /// # Panics
    ///
    /// Panics if a handler panics, as for [`tick`](MessageManager::tick). Data that was not handed in waits for
    /// the next call.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    /// use message_net::{Node, NodeConfig, NodeName};
    /// use std::time::Duration;
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (mut manager, hub) = (MessageManager::new(), NodeName::new("hub")?);
    /// let mut node = Node::attach(&mut manager, network.link(hub), NodeConfig::new());
    /// let report = node.tick(&mut manager, Duration::from_millis(16));
    /// assert_eq!(report.failures, 0);
    /// # Ok::<(), message_net::NameError>(())
    /// ```
    pub fn tick(&mut self, manager: &mut MessageManager, dt: Duration) -> FrameReport {
        self.receive(manager, dt);
        let report = manager.tick(dt);
        self.flush(manager);
        report
    }

    /// Hands in what has arrived since the last call: sends and posts messages on behalf of the
    /// proxies that represent their senders, and notifies the world of nodes that came and went. `dt` is the
    /// time since the last call, by a clock that is never paused. What exceeds
    /// [`max_per_receive`](NodeConfig::max_per_receive) waits for the next call.
    ///
    /// # Panics
    ///
    /// Panics if a handler panics. Data that was not handed in waits for the next call. If a handler panics
    /// while it is notified of a node that came or went, of a dead letter, or of an end, the panic propagates
    /// after all others have been notified.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    /// use message_net::{Node, NodeConfig, NodeName};
    /// use std::time::Duration;
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (mut manager, hub) = (MessageManager::new(), NodeName::new("hub")?);
    /// let mut node = Node::attach(&mut manager, network.link(hub), NodeConfig::new());
    /// for _ in 0..3 {
    ///     // The frame of a program that has its own loop.
    ///     node.receive(&mut manager, Duration::from_millis(16));
    ///     manager.tick(Duration::from_millis(16));
    ///     node.flush(&mut manager);
    /// }
    /// assert_eq!(manager.clock().frame(), 3);
    /// # Ok::<(), message_net::NameError>(())
    /// ```
    pub fn receive(&mut self, manager: &mut MessageManager, dt: Duration) {
        self.now = self.now.saturating_add(dt);
        self.round += 1;
        self.sessions.poll(&mut *self.link, self.now);
        while let Some(event) = self.sessions.next_event() {
            self.arrived.push_back(Arrived::of(event));
        }
        self.hand_in(manager);
    }

    /// Hands over to the link everything that was sent to proxies since the last call.
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while it is notified of a dead letter or of an end. Everything is handed over
    /// first.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    /// use message_net::{Node, NodeConfig, NodeName};
    /// use std::time::Duration;
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (mut manager, hub) = (MessageManager::new(), NodeName::new("hub")?);
    /// let mut node = Node::attach(&mut manager, network.link(hub), NodeConfig::new());
    /// for _ in 0..3 {
    ///     // The frame of a program that has its own loop.
    ///     node.receive(&mut manager, Duration::from_millis(16));
    ///     manager.tick(Duration::from_millis(16));
    ///     node.flush(&mut manager);
    /// }
    /// assert_eq!(manager.clock().frame(), 3);
    /// # Ok::<(), message_net::NameError>(())
    /// ```
    pub fn flush(&mut self, manager: &mut MessageManager) {
        self.tell_ends(manager);
        self.forget_gone(manager);
        let places: Vec<Place> = self.peers.places().collect();
        for place in places {
            self.flush_to(place, manager);
        }
        self.sessions.poll(&mut *self.link, self.now);
        // The findings of the poll wait for the next `receive`.
        while let Some(event) = self.sessions.next_event() {
            self.arrived.push_back(Arrived::of(event));
        }
        self.let_panic();
    }

    /// Leaves the network: hands over waiting messages, says goodbye to the other nodes, and ends all proxies.
    ///
    /// Messages that the other nodes have not said to have taken by then are reported as lost, though they may have
    /// arrived. Messages that were not handed over become dead letters. Open questions are answered with
    /// [`Gone`](message_data::ask::Unanswered::Gone).
    ///
    /// # Panics
    ///
    /// Panics if a handler panics: the first panic propagates after the node has left.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    /// use message_net::{Node, NodeConfig, NodeName};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (mut manager, hub) = (MessageManager::new(), NodeName::new("hub")?);
    /// let mut node = Node::attach(&mut manager, network.link(hub), NodeConfig::new());
    /// let gate = node.import(&mut manager, "zone/gate")?;
    /// node.detach(&mut manager);
    /// assert!(!manager.is_alive(gate));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn detach(mut self, manager: &mut MessageManager) {
        // The other nodes learn that these messages were received, so they are handed in.
        while !self.arrived.is_empty() {
            // A panic leaves the entries after it.
            self.guarded(|node| node.hand_in(manager));
        }
        self.is_leaving = true;
        self.tell_ends(manager);
        let places: Vec<Place> = self.peers.places().collect();
        for &place in &places {
            self.flush_to(place, manager);
        }
        self.sessions.stop(&mut *self.link);
        while let Some(event) = self.sessions.next_event() {
            if let SessionEvent::Lost { .. } = event {
                self.session_changed(manager, event);
            }
        }
        for &place in &places {
            // The handlers that are notified can no longer send to this peer.
            proxy::set_outbox_blocked(manager, self.peers.at(place).outbox, true);
            self.give_up_outbox(manager, place, "this node has left the network");
            self.end_ledger(manager, place);
        }
        let peers = std::mem::take(&mut self.peers);
        for mut peer in peers.into_values() {
            let proxies = peer.forget_run();
            self.end_proxies(manager, proxies);
            proxy::close_outbox(manager, peer.outbox);
        }
        if manager.bound(NET) == Some(self.net) {
            // The messagee is kept for a node that is attached later.
            let _ = manager.unbind(NET, self.net);
        }
        let _ = manager.unbind(ASKS, self.net);
        self.let_panic();
    }

    /// Makes a call to the manager that can run handlers of the program. If one of them panics, the node
    /// finishes its work; then the first panic propagates.
    pub(crate) fn guarded<R>(&mut self, call: impl FnOnce(&mut Self) -> R) -> Option<R> {
        // An earlier panic is kept in the meantime.
        let mut panicked = std::mem::take(&mut self.panicked);
        let done = panicked.catch(|| call(self));
        panicked.then(std::mem::take(&mut self.panicked));
        self.panicked = panicked;
        done
    }

    /// Resumes the first panic that was caught, if any.
    pub(crate) fn let_panic(&mut self) {
        std::mem::take(&mut self.panicked).resume();
    }

    /// Forgets another node that is not reachable. Its proxies end, messages that wait for it become dead letters, and
    /// those that it may not have received are reported by a [`MessagesLost`](crate::MessagesLost). If it comes
    /// again, it is met as a new node.
    ///
    /// A node that says goodbye is forgotten at once, and one that is silent after
    /// [`forget_after`](NodeConfig::forget_after).
    ///
    /// Returns `false`, and does nothing, if there is no such node or if it can be reached.
    ///
    /// # Panics
    ///
    /// Panics if a handler panics. If it panics while it is notified of an end, the node is forgotten first; if it
    /// receives a message that has arrived before, nothing is forgotten.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    /// use message_net::{Node, NodeConfig, NodeName};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (mut manager, hub) = (MessageManager::new(), NodeName::new("hub")?);
    /// let mut node = Node::attach(&mut manager, network.link(hub), NodeConfig::new());
    /// let gate = node.import(&mut manager, "zone/gate")?;
    /// assert!(node.forget(&mut manager, &NodeName::new("zone")?));
    /// assert!(!manager.is_alive(gate));
    /// assert_eq!(node.peers().count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forget(&mut self, manager: &mut MessageManager, node: &NodeName) -> bool {
        // The other node takes it as received.
        self.hand_in(manager);
        let is_gone = |&place: &Place| self.peers.at(place).state != State::Up;
        let Some(place) = self.peers.place(node).filter(is_gone) else {
            return false;
        };
        self.forget_at(manager, place, "it was forgotten");
        self.let_panic();
        true
    }

    /// Returns the peer of that name, and creates it if necessary.
    fn peer(&mut self, name: &NodeName, manager: &mut MessageManager) -> &mut Peer {
        let place = self.place(name, manager);
        self.peers.at_mut(place)
    }

    /// Returns the place of the peer of that name, and creates the peer if necessary.
    fn place(&mut self, name: &NodeName, manager: &mut MessageManager) -> Place {
        if let Some(place) = self.peers.place(name) {
            return place;
        }
        let peer = Peer::new(name.clone(), self.now, manager, self.config.backlog);
        self.peers.add(peer)
    }

    /// Returns the groups that span nodes.
    fn spanning(&self) -> impl Iterator<Item = Group> {
        self.exports.groups()
    }
}

/// Hands batches to a node that is up, for the fuzz target: no input makes it panic.
#[doc(hidden)]
pub fn fuzz_batch(node: &mut Node, manager: &mut MessageManager, from: &NodeName, bytes: &[u8]) {
    let hello = node.types.hello();
    if !node.peers.contains_key(from) {
        let event = SessionEvent::Up {
            peer: from.clone(),
            hello,
            restarted: false,
        };
        node.arrived.push_back(Arrived::of(event));
    }
    let (peer, bytes) = (from.clone(), bytes.to_vec().into());
    let event = SessionEvent::Batch { peer, bytes };
    node.arrived.push_back(Arrived::of(event));
    node.hand_in(manager);
    node.tell_ends(manager);
}

impl fmt::Debug for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Node")
            .field("name", &self.attached)
            .field("peers", &self.peers.len())
            .finish_non_exhaustive()
    }
}

/// Returns a number that no other run of the program has had.
fn own_incarnation() -> u64 {
    let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let nanoseconds = clock.unwrap_or_default().as_nanos();
    // These are the lower bits: they wrap around after centuries.
    let time = u64::try_from(nanoseconds & u128::from(u64::MAX)).unwrap_or_default();
    time ^ u64::from(std::process::id()).rotate_left(40)
}
