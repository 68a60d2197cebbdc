//! Information about the other nodes, and about the traffic with them.

use std::time::Duration;

use message_core::MessageeId;

use crate::name::NodeName;
use crate::node::Node;
use crate::node::peer::{PeerCounts, State};
use crate::session::SessionCounters;

/// The state of the connection with another node.
///
/// ```
/// use message_net::PeerState;
/// # use message_data::Data;
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
/// # let config = || NodeConfig::new().accept::<Note>();
/// # let [mut hub, mut zone] = [(0, &mut here), (1, &mut there)].map(|(at, manager)| {
/// #     Node::attach(manager, network.link(names[at].clone()), config())
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
    /// The node has not been met yet, or has gone.
    Away,
    /// The node can be reached.
    Up,
    /// Nothing arrives from the node at the moment. Messages to it wait.
    Unreachable,
}

/// The state of a node's connection with another one.
///
/// ```
/// # use message_data::Data;
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
/// # let config = || NodeConfig::new().accept::<Note>();
/// # let [mut hub, mut zone] = [(0, &mut here), (1, &mut there)].map(|(at, manager)| {
/// #     Node::attach(manager, network.link(names[at].clone()), config())
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
    /// Since when the node is known: a time since this node was attached. A node that was forgotten and met again is
    /// known since then.
    pub known_since: Duration,
    /// The number of messagees, groups and mnemonics of the other node for which there are proxies.
    pub proxies: usize,
    /// The number of messagees of this node that the other node knows by a handle: those that it has learned of
    /// and has not released.
    pub known_there: usize,
    /// Counts of the messages between the two nodes.
    pub counts: PeerCounts,
    /// The message types of either node that the other one cannot read, each with the reason.
    pub refused_types: Vec<String>,
}

impl Node {
    /// Returns counts of the traffic on the link since the node was attached, for consoles and tests.
    ///
    /// ```
    /// # use message_data::Data;
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
    /// # let config = || NodeConfig::new().accept::<Note>();
    /// # let [mut hub, mut zone] = [(0, &mut here), (1, &mut there)].map(|(at, manager)| {
    /// #     Node::attach(manager, network.link(names[at].clone()), config())
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

    /// Returns information about the other nodes, in the order of their names.
    ///
    /// ```
    /// # use message_data::Data;
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
    /// # let config = || NodeConfig::new().accept::<Note>();
    /// # let [mut hub, mut zone] = [(0, &mut here), (1, &mut there)].map(|(at, manager)| {
    /// #     Node::attach(manager, network.link(names[at].clone()), config())
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
            known_since: peer.known_since,
            proxies: peer.proxies.len(),
            known_there: peer.given_count(),
            counts: peer.counts,
            refused_types: {
                let theirs = peer.types.theirs.iter();
                let theirs = theirs.filter_map(|known| known.as_ref().err());
                let all = theirs.chain(peer.types.unreadable.values());
                all.map(|why| self.differs(why, &peer.name)).collect()
            },
        })
    }

    /// Returns the node of the messagee that a proxy represents, or `None` if it is not a proxy of this node.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    /// use message_net::{Node, NodeConfig, NodeName};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (mut manager, hub) = (MessageManager::new(), NodeName::new("hub")?);
    /// let mut node = Node::attach(&mut manager, network.link(hub), NodeConfig::new());
    /// let gate = node.import(&mut manager, "zone-3/gate")?;
    /// assert_eq!(node.node_of(gate).map(NodeName::as_str), Some("zone-3"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn node_of(&self, proxy: MessageeId) -> Option<&NodeName> {
        self.peers.of_proxy(proxy).map(|peer| &peer.name)
    }
}
