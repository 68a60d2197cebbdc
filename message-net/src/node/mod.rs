//! A manager's place in a network of worlds.

// A node is apart from the manager and only calls its public methods: between two frames it hands in what
// has come (`incoming`) and takes out what was sent to proxies (`outgoing`). What it knows of each other
// node is a `peer`, found by its place among the `peers`: whom it knows by a handle (`given`), and whom it has
// `proxies` for. What they tell each other are entries of batches (`entry`), which the sessions carry. What
// there is to ask of a message type, a node asks once, when it meets the other one (`accept`).

mod accept;
mod config;
#[cfg(test)]
mod corpus;
mod entries;
mod entry;
mod error;
mod exports;
mod given;
mod hello;
#[cfg(test)]
mod hostile;
mod incoming;
mod outgoing;
mod peer;
mod peers;
mod posted;
mod proxies;
mod reach;
mod run;
mod say;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use message_core::{FrameReport, Group, MessageManager, MessageeId};

pub use accept::Accept;
pub use config::NodeConfig;
pub use error::NodeError;
pub use peer::PeerCounts;

use crate::caught::FirstPanic;
use crate::link::Link;
use crate::name::NodeName;
use crate::net::{NET, Net};
use crate::node::hello::OwnTypes;
use crate::node::incoming::Arrived;
use crate::node::peer::{Peer, State};
use crate::node::peers::{Peers, Place};
use crate::session::{SessionCounters, SessionEvent, Sessions};

/// A manager's place in a network of worlds.
///
/// A node is attached to a manager, and told when a frame has passed. Nothing of it runs inside of a send,
/// and no other thread calls into the manager.
///
/// ```
/// use message_core::data::Data;
/// use message_core::prelude::*;
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
/// let mut hub = Node::attach(&mut here, network.link(hub.clone()), NodeConfig::new(hub));
/// let config = NodeConfig::new(zone.clone()).accept::<Knock>();
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
    /// How much time has passed since it was attached.
    now: Duration,
    types: OwnTypes,
    /// The messagee that is bound to [`NET`].
    net: MessageeId,
    peers: Peers,
    /// Where each proxy is.
    exports: exports::Exports,
    /// What has come and is not yet handed in; after a panic of a handler the rest waits here.
    arrived: VecDeque<Arrived>,
    /// Proxies that have ended and in whose place there is another one already: who watches them is to be
    /// told.
    replaced: Vec<MessageeId>,
    /// How often it was received.
    round: u64,
    /// The first panic of a handler that was called while the node was at something that has to be done
    /// whole. It goes on when that is done.
    panicked: FirstPanic,
    /// What the world knows this node by, as long as it is attached.
    attached: Arc<NodeName>,
}

/// The state of the connection with another node.
///
/// ```
/// use message_net::PeerState;
/// # use message_core::data::Data;
/// # use message_core::prelude::*;
/// # use message_net::link::{MemoryNetwork, MemorySettings};
/// # use message_net::{Node, NodeConfig, NodeName};
/// # use serde::{Deserialize, Serialize};
/// # use std::time::Duration;
/// # #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// # #[data(name = "docs.PeerState.Note", exact)]
/// # struct Note(u32);
/// # #[derive(Default)]
/// # struct Ear(Vec<u32>);
/// # #[handlers]
/// # impl Ear {
/// #     #[on_receive]
/// #     fn note(&mut self, note: &Note) { self.0.push(note.0); }
/// # }
/// # let network = MemoryNetwork::new(1, MemorySettings::new());
/// # let names = [NodeName::new("hub")?, NodeName::new("zone")?];
/// # let (mut here, mut there) = (MessageManager::new(), MessageManager::new());
/// # let config = |name: &NodeName| NodeConfig::new(name.clone()).accept::<Note>();
/// # let [mut hub, mut zone] = [(0, &mut here), (1, &mut there)].map(|(at, manager)| {
/// #     Node::attach(manager, network.link(names[at].clone()), config(&names[at]))
/// # });
/// # macro_rules! run {
/// #     ($frames:expr) => {
/// #         for _ in 0..$frames {
/// #             network.advance(1);
/// #             hub.tick(&mut here, Duration::from_millis(50));
/// #             zone.tick(&mut there, Duration::from_millis(50));
/// #         }
/// #     };
/// # }
/// hub.import(&mut here, "zone/gate")?;
/// assert_eq!(hub.peers().next().expect("the zone").state, PeerState::Away);
/// run!(10);
/// assert_eq!(hub.peers().next().expect("the zone").state, PeerState::Up);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PeerState {
    /// It was not met yet, or has gone.
    Away,
    /// It can be reached.
    Up,
    /// Nothing comes from it at the moment. What is sent to it waits.
    Unreachable,
}

/// What a node knows of another one.
///
/// ```
/// # use message_core::data::Data;
/// # use message_core::prelude::*;
/// # use message_net::link::{MemoryNetwork, MemorySettings};
/// # use message_net::{Node, NodeConfig, NodeName};
/// # use serde::{Deserialize, Serialize};
/// # use std::time::Duration;
/// # #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// # #[data(name = "docs.PeerInfo.Note", exact)]
/// # struct Note(u32);
/// # #[derive(Default)]
/// # struct Ear(Vec<u32>);
/// # #[handlers]
/// # impl Ear {
/// #     #[on_receive]
/// #     fn note(&mut self, note: &Note) { self.0.push(note.0); }
/// # }
/// # let network = MemoryNetwork::new(1, MemorySettings::new());
/// # let names = [NodeName::new("hub")?, NodeName::new("zone")?];
/// # let (mut here, mut there) = (MessageManager::new(), MessageManager::new());
/// # let config = |name: &NodeName| NodeConfig::new(name.clone()).accept::<Note>();
/// # let [mut hub, mut zone] = [(0, &mut here), (1, &mut there)].map(|(at, manager)| {
/// #     Node::attach(manager, network.link(names[at].clone()), config(&names[at]))
/// # });
/// # macro_rules! run {
/// #     ($frames:expr) => {
/// #         for _ in 0..$frames {
/// #             network.advance(1);
/// #             hub.tick(&mut here, Duration::from_millis(50));
/// #             zone.tick(&mut there, Duration::from_millis(50));
/// #         }
/// #     };
/// # }
/// hub.import(&mut here, "zone/gate")?;
/// let zone = hub.peers().next().expect("it is imported from");
/// assert_eq!((zone.name.as_str(), zone.proxies, zone.known_there), ("zone", 1, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PeerInfo {
    /// Its name.
    pub name: NodeName,
    /// The state of the connection.
    pub state: PeerState,
    /// How many of its messagees, groups and mnemonics there are proxies for.
    pub proxies: usize,
    /// How many messagees of this node it knows by a handle: those that it was told of and has not let go.
    pub known_there: usize,
    /// What has passed between the two.
    pub counts: PeerCounts,
    /// The message types of this node that the other one cannot read, or the other way round: why.
    pub refused_types: Vec<String>,
}

impl Node {
    /// Attaches a node to a manager: binds [`NET`] to a new messagee, and begins to listen.
    ///
    /// Proxies that the manager has already, from a save or a node that was dropped, end: what they stood for
    /// was in another run. What waits for them becomes dead letters, and their outboxes are closed. If `NET`
    /// is bound already, that messagee stays it.
    ///
    /// # Panics
    ///
    /// If another node is attached to the manager: that is a mistake in the program.
    /// [`try_attach`](Self::try_attach) returns an error.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    /// use message_net::{Node, NodeConfig, NodeName};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (mut manager, hub) = (MessageManager::new(), NodeName::new("hub")?);
    /// let node = Node::attach(&mut manager, network.link(hub.clone()), NodeConfig::new(hub));
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

    /// Attaches a node to a manager, as [`attach`](Self::attach) does.
    ///
    /// # Errors
    ///
    /// [`NodeError::ManagerTaken`] if another node is attached to the manager, which is neither detached nor
    /// dropped. Nothing has changed then.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    /// use message_net::{Node, NodeConfig, NodeName};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (mut manager, one, two) = (MessageManager::new(), NodeName::new("one")?, NodeName::new("two")?);
    /// let first = Node::attach(&mut manager, network.link(one.clone()), NodeConfig::new(one));
    /// let config = NodeConfig::new(two.clone());
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
        let name = config.name.clone();
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
            // That of a node before, which has left: the numbers of its questions are used once.
            let before = manager.iter::<Net>().map(|(id, _)| id).next();
            let id = before.unwrap_or_else(|| manager.spawn((Net::default(),)));
            if let Some(before) = bound {
                let _ = manager.unbind(NET, before);
            }
            let _ = manager.bind(NET, id);
            id
        });
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
    /// let node = Node::attach(&mut manager, network.link(hub.clone()), NodeConfig::new(hub.clone()));
    /// assert_eq!(*node.name(), hub);
    /// # Ok::<(), message_net::NameError>(())
    /// ```
    #[must_use]
    pub fn name(&self) -> &NodeName {
        &self.name
    }

    /// Lets a frame pass: hands in what has come, [ticks](MessageManager::tick) the manager, and hands what
    /// was sent to other nodes over to the link.
    ///
    /// A program with its own loop calls [`receive`](Self::receive) and [`flush`](Self::flush) instead,
    /// before and behind its frame. A paused game calls them, too: a node of which nothing is heard counts
    /// as unreachable.
    ///
    /// # Panics
    ///
    /// When a handler panics, as for [`tick`](MessageManager::tick). What has come and was not handed in
    /// waits for the next call.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    /// use message_net::{Node, NodeConfig, NodeName};
    /// use std::time::Duration;
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (mut manager, hub) = (MessageManager::new(), NodeName::new("hub")?);
    /// let mut node = Node::attach(&mut manager, network.link(hub.clone()), NodeConfig::new(hub));
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

    /// Hands in what has come since the last call: messages are sent and posted in the names of the proxies
    /// that stand for their senders, and the world is told of nodes that came and went. `dt` is the time
    /// since the last call, of a clock that is never paused.
    ///
    /// # Panics
    ///
    /// When a handler panics. What was not handed in waits for the next call. A panic of a handler that was
    /// told of a node that came or went, of a dead letter, or of an end, goes on when all others were told.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    /// use message_net::{Node, NodeConfig, NodeName};
    /// use std::time::Duration;
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (mut manager, hub) = (MessageManager::new(), NodeName::new("hub")?);
    /// let mut node = Node::attach(&mut manager, network.link(hub.clone()), NodeConfig::new(hub));
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

    /// Hands over to the link what was sent to proxies since the last call.
    ///
    /// # Panics
    ///
    /// When a handler panics that is told of a dead letter or of an end. All of it is handed over before.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    /// use message_net::{Node, NodeConfig, NodeName};
    /// use std::time::Duration;
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (mut manager, hub) = (MessageManager::new(), NodeName::new("hub")?);
    /// let mut node = Node::attach(&mut manager, network.link(hub.clone()), NodeConfig::new(hub));
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
        let places: Vec<Place> = self.peers.places().collect();
        for place in places {
            self.flush_to(place, manager);
        }
        self.sessions.poll(&mut *self.link, self.now);
        // What the poll has found out waits for the next `receive`.
        while let Some(event) = self.sessions.next_event() {
            self.arrived.push_back(Arrived::of(event));
        }
        self.let_panic();
    }

    /// Leaves the network: hands over what waits, says goodbye to the other nodes, and ends all proxies.
    ///
    /// What is not acknowledged by then is told as lost, though it may arrive; what was not handed over
    /// becomes dead letters. Questions without an answer are answered by [`Gone`](crate::Unanswered::Gone).
    ///
    /// # Panics
    ///
    /// When a handler panics: the first panic goes on when the node has left.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    /// use message_net::{Node, NodeConfig, NodeName};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (mut manager, hub) = (MessageManager::new(), NodeName::new("hub")?);
    /// let mut node = Node::attach(&mut manager, network.link(hub.clone()), NodeConfig::new(hub));
    /// let gate = node.import(&mut manager, "zone/gate")?;
    /// node.detach(&mut manager);
    /// assert!(!manager.is_alive(gate));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn detach(mut self, manager: &mut MessageManager) {
        // The others are told that it was received.
        while !self.arrived.is_empty() {
            // A panic leaves what is behind it.
            self.guarded(|node| node.hand_in(manager));
        }
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
            // Who is told can send no more.
            manager.set_outbox_blocked(self.peers.at(place).outbox, true);
            self.give_up_outbox(manager, place, "this node has left the network");
        }
        let peers = std::mem::take(&mut self.peers);
        for mut peer in peers.into_values() {
            let proxies = peer.forget_run();
            self.end_proxies(manager, proxies);
            manager.close_outbox(peer.outbox);
        }
        if manager.bound(NET) == Some(self.net) {
            // It stays for a node that is attached later.
            let _ = manager.unbind(NET, self.net);
        }
        self.let_panic();
    }

    /// Calls the manager where that calls handlers of the program. If one of them panics, the node does the
    /// rest of its work; then the first panic goes on.
    pub(crate) fn guarded<R>(&mut self, call: impl FnOnce(&mut Self) -> R) -> Option<R> {
        // What was met before is kept meanwhile.
        let mut panicked = std::mem::take(&mut self.panicked);
        let done = panicked.catch(|| call(self));
        panicked.catch(|| self.panicked.go_on());
        self.panicked = panicked;
        done
    }

    /// Lets the first panic go on that was met.
    pub(crate) fn let_panic(&mut self) {
        self.panicked.go_on();
    }

    /// Returns counts of what was sent and received on the link since the node was attached: for a console,
    /// and for tests.
    ///
    /// ```
    /// # use message_core::data::Data;
    /// # use message_core::prelude::*;
    /// # use message_net::link::{MemoryNetwork, MemorySettings};
    /// # use message_net::{Node, NodeConfig, NodeName};
    /// # use serde::{Deserialize, Serialize};
    /// # use std::time::Duration;
    /// # #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// # #[data(name = "docs.Nodesessioncounters.Note", exact)]
    /// # struct Note(u32);
    /// # #[derive(Default)]
    /// # struct Ear(Vec<u32>);
    /// # #[handlers]
    /// # impl Ear {
    /// #     #[on_receive]
    /// #     fn note(&mut self, note: &Note) { self.0.push(note.0); }
    /// # }
    /// # let network = MemoryNetwork::new(1, MemorySettings::new());
    /// # let names = [NodeName::new("hub")?, NodeName::new("zone")?];
    /// # let (mut here, mut there) = (MessageManager::new(), MessageManager::new());
    /// # let config = |name: &NodeName| NodeConfig::new(name.clone()).accept::<Note>();
    /// # let [mut hub, mut zone] = [(0, &mut here), (1, &mut there)].map(|(at, manager)| {
    /// #     Node::attach(manager, network.link(names[at].clone()), config(&names[at]))
    /// # });
    /// # macro_rules! run {
    /// #     ($frames:expr) => {
    /// #         for _ in 0..$frames {
    /// #             network.advance(1);
    /// #             hub.tick(&mut here, Duration::from_millis(50));
    /// #             zone.tick(&mut there, Duration::from_millis(50));
    /// #         }
    /// #     };
    /// # }
    /// run!(10);
    /// let counters = hub.session_counters();
    /// assert!(counters.frames_sent > 0 && counters.frames_received > 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn session_counters(&self) -> SessionCounters {
        self.sessions.counters()
    }

    /// Returns what is known of the other nodes, in the order of their names.
    ///
    /// ```
    /// # use message_core::data::Data;
    /// # use message_core::prelude::*;
    /// # use message_net::link::{MemoryNetwork, MemorySettings};
    /// # use message_net::{Node, NodeConfig, NodeName};
    /// # use serde::{Deserialize, Serialize};
    /// # use std::time::Duration;
    /// # #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// # #[data(name = "docs.Nodepeers.Note", exact)]
    /// # struct Note(u32);
    /// # #[derive(Default)]
    /// # struct Ear(Vec<u32>);
    /// # #[handlers]
    /// # impl Ear {
    /// #     #[on_receive]
    /// #     fn note(&mut self, note: &Note) { self.0.push(note.0); }
    /// # }
    /// # let network = MemoryNetwork::new(1, MemorySettings::new());
    /// # let names = [NodeName::new("hub")?, NodeName::new("zone")?];
    /// # let (mut here, mut there) = (MessageManager::new(), MessageManager::new());
    /// # let config = |name: &NodeName| NodeConfig::new(name.clone()).accept::<Note>();
    /// # let [mut hub, mut zone] = [(0, &mut here), (1, &mut there)].map(|(at, manager)| {
    /// #     Node::attach(manager, network.link(names[at].clone()), config(&names[at]))
    /// # });
    /// # macro_rules! run {
    /// #     ($frames:expr) => {
    /// #         for _ in 0..$frames {
    /// #             network.advance(1);
    /// #             hub.tick(&mut here, Duration::from_millis(50));
    /// #             zone.tick(&mut there, Duration::from_millis(50));
    /// #         }
    /// #     };
    /// # }
    /// run!(10);
    /// let known: Vec<String> = hub.peers().map(|peer| peer.name.to_string()).collect();
    /// assert_eq!(known, ["zone"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn peers(&self) -> impl Iterator<Item = PeerInfo> {
        self.peers.values().map(|peer| PeerInfo {
            name: peer.name.clone(),
            state: match peer.state {
                State::Away => PeerState::Away,
                State::Up => PeerState::Up,
                State::Unreachable => PeerState::Unreachable,
            },
            proxies: peer.proxies.len(),
            known_there: peer.given_count(),
            counts: peer.counts,
            refused_types: {
                let theirs = peer.types.iter().filter_map(|known| known.as_ref().err());
                theirs.chain(peer.unreadable.values()).cloned().collect()
            },
        })
    }

    /// Returns the node of what a proxy stands for; `None` if it is no proxy of this node.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    /// use message_net::{Node, NodeConfig, NodeName};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (mut manager, hub) = (MessageManager::new(), NodeName::new("hub")?);
    /// let mut node = Node::attach(&mut manager, network.link(hub.clone()), NodeConfig::new(hub));
    /// let gate = node.import(&mut manager, "zone-3/gate")?;
    /// assert_eq!(node.node_of(gate).map(NodeName::as_str), Some("zone-3"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn node_of(&self, proxy: MessageeId) -> Option<&NodeName> {
        let mut peers = self.peers.values();
        let peer = peers.find(|peer| peer.proxies.target_of(proxy).is_some());
        peer.map(|peer| &peer.name)
    }

    /// The peer of that name; a new one if it was not known.
    fn peer(&mut self, name: &NodeName, manager: &mut MessageManager) -> &mut Peer {
        let place = self.place(name, manager);
        self.peers.at_mut(place)
    }

    /// The place of the peer of that name; of a new one if it was not known.
    fn place(&mut self, name: &NodeName, manager: &mut MessageManager) -> Place {
        if let Some(place) = self.peers.place(name) {
            return place;
        }
        let peer = Peer::new(name.clone(), manager, self.config.backlog);
        self.peers.add(peer)
    }

    /// The groups that span nodes.
    fn spanning(&self) -> impl Iterator<Item = Group> {
        self.exports.groups()
    }
}

/// Hands batches to a node that is up, for the fuzz target: nothing that comes makes it panic.
#[doc(hidden)]
pub fn fuzz_batch(node: &mut Node, manager: &mut MessageManager, from: &NodeName, bytes: &[u8]) {
    let hello = node.types.hello();
    if !node.peers.contains_key(from) {
        let event = crate::session::SessionEvent::Up {
            peer: from.clone(),
            epoch: 1,
            hello,
            restarted: false,
        };
        node.arrived.push_back(Arrived::of(event));
    }
    let (peer, bytes) = (from.clone(), bytes.to_vec().into());
    let event = crate::session::SessionEvent::Batch { peer, bytes };
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

/// A number that no other run of the program has had.
fn own_incarnation() -> u64 {
    let clock = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let nanoseconds = clock.unwrap_or_default().as_nanos();
    // The lower bits: they begin anew after centuries.
    let time = u64::try_from(nanoseconds & u128::from(u64::MAX)).unwrap_or_default();
    time ^ u64::from(std::process::id()).rotate_left(40)
}
