//! The messages that notify the world about other nodes.

use message_core::{Message, MessageeId};
use message_data::Data;
use serde::{Deserialize, Serialize};

/// A node has become reachable. Sent to everyone.
///
/// ```
/// use message_net::NodeUp;
/// # use message_data::Data;
/// # use message_core::prelude::*;
/// # use message_net::link::{MemoryNetwork, MemorySettings};
/// # use message_net::{Node, NodeConfig, NodeName};
/// # use serde::{Deserialize, Serialize};
/// # use std::time::Duration;
/// # #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// # #[data(name = "docs.NodeUp.Note", exact)]
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
/// let (log, told) = std::sync::mpsc::channel();
/// here.subscribe(Filter::of::<NodeUp>(), move |up, _| drop(log.send(up.clone())));
/// run!(10);
/// let up = told.recv()?;
/// assert_eq!((&*up.node, up.restarted), ("zone", false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[message(name = "message_net.NodeUp")]
#[data(name = "message_net.NodeUp", exact)]
#[non_exhaustive]
pub struct NodeUp {
    /// Its name.
    pub node: String,
    /// Whether it is another run of that node, and the previous run was not forgotten. If so, all messagees of the
    /// previous run have ended.
    pub restarted: bool,
}

/// A node has gone. Sent to everyone.
///
/// ```
/// use message_net::{DownReason, NodeDown};
/// # use message_data::Data;
/// # use message_core::prelude::*;
/// # use message_net::link::{MemoryNetwork, MemorySettings};
/// # use message_net::{Node, NodeConfig, NodeName};
/// # use serde::{Deserialize, Serialize};
/// # use std::time::Duration;
/// # #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// # #[data(name = "docs.NodeDown.Note", exact)]
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
/// let (log, told) = std::sync::mpsc::channel();
/// here.subscribe(Filter::of::<NodeDown>(), move |down, _| drop(log.send(down.clone())));
/// run!(10);
/// zone.detach(&mut there);
/// network.advance(1);
/// hub.tick(&mut here, Duration::from_millis(50));
/// let down = told.recv()?;
/// assert_eq!((&*down.node, down.why), ("zone", DownReason::Left));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[message(name = "message_net.NodeDown")]
#[data(name = "message_net.NodeDown", exact)]
#[non_exhaustive]
pub struct NodeDown {
    /// Its name.
    pub node: String,
    /// The reason.
    pub why: DownReason,
}

/// Why a node has gone.
///
/// ```
/// use message_net::DownReason;
///
/// assert_eq!(DownReason::Silent.to_string(), "nothing was heard from it for too long");
/// ```
#[derive(Serialize, Deserialize, Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DownReason {
    /// It said goodbye. Its messagees have ended.
    #[error("it has said goodbye")]
    Left,
    /// Nothing arrived from it until it was unreachable, nor in the resend window after that. Its messagees may
    /// still exist.
    #[error("nothing was heard from it for too long")]
    Silent,
    /// It was restarted. Its messagees have ended.
    #[error("it was restarted")]
    Restarted,
    /// The two nodes are not compatible.
    #[error("{0}")]
    Refused(String),
}

/// Messages to a node are lost, or may be. Sent to everyone, as soon as the number is known.
///
/// If the other node is there, the number is exact. If it was restarted, has left or was forgotten, messages count as
/// lost unless it has said that it has received them. A message that was refused counts, too, if the reason did not
/// arrive; otherwise it is a dead letter.
///
/// ```
/// use message_net::MessagesLost;
/// # use message_data::Data;
/// # use message_core::prelude::*;
/// # use message_net::link::{MemoryNetwork, MemorySettings};
/// # use message_net::{Node, NodeConfig, NodeName};
/// # use serde::{Deserialize, Serialize};
/// # use std::time::Duration;
/// # #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// # #[data(name = "docs.MessagesLost.Note", exact)]
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
/// let (log, told) = std::sync::mpsc::channel();
/// here.subscribe(Filter::of::<MessagesLost>(), move |lost, _| drop(log.send(lost.clone())));
/// let gate = hub.import(&mut here, "zone/gate")?;
/// run!(10);
/// network.cut(&names[..1], &names[1..]);
/// here.send(gate, Note(1))?;
/// // Longer than the resend window.
/// run!(250);
/// network.heal();
/// run!(50);
/// let lost = told.recv()?;
/// assert_eq!((&*lost.node, lost.messages), ("zone", 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[message(name = "message_net.MessagesLost")]
#[data(name = "message_net.MessagesLost", exact)]
#[non_exhaustive]
pub struct MessagesLost {
    /// The name of the node to which they were sent.
    pub node: String,
    /// The number of messages that were handed over to the network and did not arrive, without questions.
    pub messages: u64,
    /// The number of questions among what did not arrive. Each asker receives an [`Answered`](message_data::ask::Answered) as
    /// well, at the latest when the time limit has passed.
    pub questions: u64,
}

/// Notifies those who [watch](crate::Watch) a messagee of another node.
///
/// ```
/// use message_net::{NET, Reach, ReachChanged, Watch};
/// # use message_data::Data;
/// # use message_core::prelude::*;
/// # use message_net::link::{MemoryNetwork, MemorySettings};
/// # use message_net::{Node, NodeConfig, NodeName};
/// # use serde::{Deserialize, Serialize};
/// # use std::time::Duration;
/// # #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// # #[data(name = "docs.ReachChanged.Note", exact)]
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
/// #[derive(Default)]
/// struct Guard(Vec<Reach>);
///
/// #[handlers]
/// impl Guard {
///     #[on_receive]
///     fn changed(&mut self, changed: &ReachChanged) { self.0.push(changed.reach); }
/// }
///
/// let ear = there.spawn((Ear::default(),));
/// zone.export(&mut there, ear, "gate")?;
/// let gate = hub.import(&mut here, "zone/gate")?;
/// let guard = here.spawn((Guard::default(),));
/// here.speak_for(guard)?.send(NET, Watch { proxy: gate })?;
/// run!(10);
/// there.despawn(ear)?;
/// run!(10);
/// assert_eq!(here.get::<Guard>(guard)?.0, [Reach::Ended]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[message(name = "message_net.ReachChanged")]
#[data(name = "message_net.ReachChanged", exact)]
#[non_exhaustive]
pub struct ReachChanged {
    /// The proxy of the messagee. It is gone after [`Reach::Ended`].
    pub proxy: MessageeId,
    /// The new reachability.
    pub reach: Reach,
}

/// The reachability of a messagee of another node.
///
/// ```
/// use message_net::{NET, Reach, ReachChanged, Watch};
/// # use message_data::Data;
/// # use message_core::prelude::*;
/// # use message_net::link::{MemoryNetwork, MemorySettings};
/// # use message_net::{Node, NodeConfig, NodeName};
/// # use serde::{Deserialize, Serialize};
/// # use std::time::Duration;
/// # #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// # #[data(name = "docs.Reach.Note", exact)]
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
/// #[derive(Default)]
/// struct Guard(Vec<Reach>);
///
/// #[handlers]
/// impl Guard {
///     #[on_receive]
///     fn changed(&mut self, changed: &ReachChanged) { self.0.push(changed.reach); }
/// }
///
/// let ear = there.spawn((Ear::default(),));
/// zone.export(&mut there, ear, "gate")?;
/// let gate = hub.import(&mut here, "zone/gate")?;
/// let guard = here.spawn((Guard::default(),));
/// here.speak_for(guard)?.send(NET, Watch { proxy: gate })?;
/// run!(10);
/// there.despawn(ear)?;
/// run!(10);
/// assert_eq!(here.get::<Guard>(guard)?.0, [Reach::Ended]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Deserialize, Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reach {
    /// Its node cannot be reached. Messages to it wait.
    Unreachable,
    /// It can be reached again.
    Back,
    /// It has ended, and its proxy with it.
    Ended,
}

/// A node has refused something that came over the network, or the network has trouble; the world goes on. Sent
/// to everyone, at most once a second for each kind.
///
/// ```
/// use message_net::NetTrouble;
/// # use message_data::Data;
/// # use message_core::prelude::*;
/// # use message_net::link::{MemoryNetwork, MemorySettings};
/// # use message_net::{Node, NodeConfig, NodeName};
/// # use serde::{Deserialize, Serialize};
/// # use std::time::Duration;
/// # #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// # #[data(name = "docs.NetTrouble.Note", exact)]
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
/// let (log, told) = std::sync::mpsc::channel();
/// here.subscribe(Filter::of::<NetTrouble>(), move |trouble, _| drop(log.send(trouble.clone())));
/// run!(10);
/// // A second link of the name `hub`.
/// let twin = network.link(names[0].clone());
/// run!(10);
/// assert!(told.recv()?.what.contains("two nodes are called `hub`"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug, PartialEq, Eq)]
#[message(name = "message_net.NetTrouble")]
#[data(name = "message_net.NetTrouble", exact)]
#[non_exhaustive]
pub struct NetTrouble {
    /// The node that the problem came from, as far as that is known.
    pub node: Option<String>,
    /// A description of the problem, and of what was expected.
    pub what: String,
    /// The number of occurrences since the last report.
    pub count: u64,
}
