//! The exports of a node, and its imports from other nodes.

use crate::proxy;
use std::collections::{BTreeMap, HashMap};

use message_core::{Group, MessageManager, MessageeId, Mnemonic};

use crate::hash::OwnKeys;
use crate::name::NodeName;
use crate::node::entry::{Entry, LONGEST_NAME, Target};
use crate::node::peer::State;
use crate::node::peers::Place;
use crate::node::{Node, NodeError};

/// The messagees, mnemonics and groups that this node exports, by name.
#[derive(Debug, Default)]
pub(crate) struct Exports {
    by_name: BTreeMap<String, MessageeId>,
    names: HashMap<MessageeId, Vec<String>, OwnKeys>,
    mnemonics: BTreeMap<String, Mnemonic>,
    groups: BTreeMap<String, Group>,
}

impl Exports {
    pub(crate) fn find(&self, name: &str) -> Option<MessageeId> {
        self.by_name.get(name).copied()
    }

    pub(crate) fn is_exported(&self, id: MessageeId) -> bool {
        self.names.contains_key(&id)
    }

    pub(crate) fn mnemonic(&self, name: &str) -> Option<Mnemonic> {
        self.mnemonics.get(name).copied()
    }

    pub(crate) fn group(&self, name: &str) -> Option<Group> {
        self.groups.get(name).copied()
    }

    pub(crate) fn groups(&self) -> impl Iterator<Item = Group> {
        self.groups.values().copied()
    }

    /// Forgets a messagee. Returns the names that it had.
    pub(crate) fn forget(&mut self, id: MessageeId) -> Vec<String> {
        let names = self.names.remove(&id).unwrap_or_default();
        for name in &names {
            self.by_name.remove(name);
        }
        names
    }

    /// Lists up to eight exports of this node, for an error.
    pub(crate) fn listed(&self) -> String {
        let mut names: Vec<&str> = self.by_name.keys().map(String::as_str).take(8).collect();
        if self.by_name.len() > names.len() {
            names.push("…");
        }
        match names.len() {
            0 => "it exports nothing".to_owned(),
            _ => format!("it exports {}", names.join(", ")),
        }
    }
}

/// Splits `node/name`.
pub(crate) fn split(name: &str) -> Result<(NodeName, &str), NodeError> {
    let Some((node, own)) = name.split_once('/') else {
        return Err(NodeError::BadName {
            name: name.to_owned(),
            why: "it does not say which node".to_owned(),
        });
    };
    if own.is_empty() {
        return Err(NodeError::BadName {
            name: name.to_owned(),
            why: "it ends after the node".to_owned(),
        });
    }
    let node = NodeName::new(node).map_err(|error| NodeError::bad_node(name, &error))?;
    Ok((node, own))
}

fn too_long(name: &str) -> NodeError {
    let (len, end) = (name.len(), name.char_indices().nth(40));
    let end = end.map_or(len, |(end, _)| end);
    NodeError::BadName {
        name: format!("{}…", &name[..end]),
        why: format!("it has {len} bytes: expected at most {LONGEST_NAME}"),
    }
}

impl Node {
    /// Makes a messagee known to other nodes under a name: `zone-3/gate`, prefixed with the name of this node,
    /// or just `gate`. A messagee can have several names. The export ends with the messagee.
    ///
    /// # Errors
    ///
    /// Returns an error if the messagee is not alive or is a proxy, if another messagee has the name, or if the
    /// name begins with the name of another node.
    ///
    /// ```
    /// # use message_data::Data;
    /// # use message_core::prelude::*;
    /// # use message_net::link::{MemoryNetwork, MemorySettings};
    /// # use message_net::{Node, NodeConfig, NodeName};
    /// # use serde::{Deserialize, Serialize};
    /// # use std::time::Duration;
    /// # #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// # #[data(name = "docs.Nodeexport.Note", exact)]
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
    /// let ear = there.spawn((Ear::default(),));
    /// zone.export(&mut there, ear, "gate")?;
    /// // A messagee can have several names; a name has one messagee.
    /// zone.export(&mut there, ear, "zone/door")?;
    /// let other = there.spawn(());
    /// assert!(zone.export(&mut there, other, "gate").is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn export(
        &mut self,
        manager: &mut MessageManager,
        id: MessageeId,
        name: &str,
    ) -> Result<(), NodeError> {
        let own = match split(name) {
            Ok((node, own)) if node == self.name => own,
            Ok(_) => {
                return Err(NodeError::OtherNode {
                    name: name.to_owned(),
                    own: self.name.to_string(),
                });
            }
            Err(_) if !name.is_empty() && !name.contains('/') => name,
            Err(error) => return Err(error),
        };
        if own.len() > LONGEST_NAME {
            return Err(too_long(own));
        }
        let name = own.to_owned();
        if manager.is_proxy(id) {
            return Err(NodeError::NotOwn { id, name });
        }
        if proxy::watch_end(manager, id).is_err() {
            return Err(NodeError::NotAlive { id, name });
        }
        match self.exports.find(&name) {
            Some(known) if known == id => return Ok(()),
            Some(taken_by) if manager.is_alive(taken_by) => {
                return Err(NodeError::NameTaken { name, id, taken_by });
            }
            Some(gone) => drop(self.exports.forget(gone)),
            None => {}
        }
        self.exports.by_name.insert(name.clone(), id);
        self.exports.names.entry(id).or_default().push(name.clone());
        for peer in self.peers.values_mut() {
            if peer.wanted.contains(&name) {
                let handle = Some(peer.give(id, manager));
                peer.tell_first(&Entry::Exported {
                    name: &name,
                    handle,
                });
            }
        }
        Ok(())
    }

    /// Ends an export. Nodes that already know the messagee can still reach it.
    ///
    /// Returns `true` if the export existed.
    ///
    /// ```
    /// # use message_data::Data;
    /// # use message_core::prelude::*;
    /// # use message_net::link::{MemoryNetwork, MemorySettings};
    /// # use message_net::{Node, NodeConfig, NodeName};
    /// # use serde::{Deserialize, Serialize};
    /// # use std::time::Duration;
    /// # #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// # #[data(name = "docs.Nodeendexport.Note", exact)]
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
    /// let ear = there.spawn((Ear::default(),));
    /// zone.export(&mut there, ear, "gate")?;
    /// assert!(zone.end_export("gate"));
    /// assert!(!zone.end_export("gate"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn end_export(&mut self, name: &str) -> bool {
        let own = name
            .strip_prefix(self.name.as_str())
            .and_then(|rest| rest.strip_prefix('/'));
        let own = own.unwrap_or(name);
        let Some(id) = self.exports.by_name.remove(own) else {
            return false;
        };
        if let Some(names) = self.exports.names.get_mut(&id) {
            names.retain(|other| other != own);
            if names.is_empty() {
                self.exports.names.remove(&id);
            }
        }
        for peer in self.peers.values_mut() {
            if peer.wanted.contains(own) {
                peer.tell_first(&Entry::Exported {
                    name: own,
                    handle: None,
                });
            }
        }
        true
    }

    /// Makes a mnemonic of this manager known to other nodes, which [import](Self::import_mnemonic) it. The
    /// messagee bound to it is looked up here, whenever a message arrives.
    ///
    /// ```
    /// # use message_data::Data;
    /// # use message_core::prelude::*;
    /// # use message_net::link::{MemoryNetwork, MemorySettings};
    /// # use message_net::{Node, NodeConfig, NodeName};
    /// # use serde::{Deserialize, Serialize};
    /// # use std::time::Duration;
    /// # #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// # #[data(name = "docs.Nodeexportmnemonic.Note", exact)]
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
    /// mnemonic!(KEEPER = "docs.export_mnemonic.keeper");
    ///
    /// let ear = there.spawn((Ear::default(),));
    /// there.bind(KEEPER, ear)?;
    /// zone.export_mnemonic(KEEPER);
    /// let keeper = hub.import_mnemonic(&mut here, &names[1], KEEPER)?;
    /// here.send(keeper, Note(4))?;
    /// run!(10);
    /// assert_eq!(there.get::<Ear>(ear)?.0, [4]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn export_mnemonic(&mut self, mnemonic: Mnemonic) {
        let name = mnemonic.name().to_owned();
        self.exports.mnemonics.insert(name, mnemonic);
    }

    /// Makes a group span all nodes that export it: a message to the group here reaches its members here,
    /// followed by its members on the other nodes. The members on each node receive it in the order in which
    /// they joined there.
    ///
    /// In this manager, each other node is one member, which joins when it is first met.
    ///
    /// ```
    /// # use message_data::Data;
    /// # use message_core::prelude::*;
    /// # use message_net::link::{MemoryNetwork, MemorySettings};
    /// # use message_net::{Node, NodeConfig, NodeName};
    /// # use serde::{Deserialize, Serialize};
    /// # use std::time::Duration;
    /// # #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// # #[data(name = "docs.Nodeexportgroup.Note", exact)]
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
    /// group!(CROWD = "docs.export_group.crowd");
    ///
    /// let ear = there.spawn((Ear::default(),));
    /// there.join(CROWD, ear)?;
    /// zone.export_group(&mut there, CROWD);
    /// hub.export_group(&mut here, CROWD);
    /// run!(10);
    /// here.send(CROWD, Note(5))?;
    /// run!(10);
    /// assert_eq!(there.get::<Ear>(ear)?.0, [5]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn export_group(&mut self, manager: &mut MessageManager, group: Group) {
        let name = group.name();
        if self.exports.groups.insert(name.to_owned(), group).is_some() {
            return;
        }
        let places: Vec<Place> = self.peers.places().collect();
        for place in places {
            let peer = self.peers.at_mut(place);
            if peer.state != State::Away {
                peer.tell_first(&Entry::Group { name, open: true });
            }
            if peer.groups.contains(name) {
                self.join_group(manager, place, group);
            }
        }
    }

    /// Adds the proxy for the members of a group at another node to that group.
    pub(crate) fn join_group(&mut self, manager: &mut MessageManager, node: Place, group: Group) {
        let target = Target::Group(group.name());
        if let Ok(proxy) = self.proxy_at(manager, node, target) {
            let _ = manager.join(group, proxy);
        }
    }

    /// Returns a proxy for the messagee that another node exports as `node/name`.
    ///
    /// The other node need not be there yet, and need not export the name yet. Until then, messages wait for
    /// the node as far as there is room. They become dead letters if the node does not export the name once it
    /// is there. The proxy ends when its messagee does, and also when its node is restarted. The same name
    /// returns the same proxy as long as that is alive.
    ///
    /// # Errors
    ///
    /// Returns an error if the name is not of the form `node/name`, if it belongs to this node, if there are
    /// too many proxies, or if [`sessions_with`](crate::NodeConfig::sessions_with) excludes a session with that
    /// node.
    ///
    /// ```
    /// # use message_data::Data;
    /// # use message_core::prelude::*;
    /// # use message_net::link::{MemoryNetwork, MemorySettings};
    /// # use message_net::{Node, NodeConfig, NodeName};
    /// # use serde::{Deserialize, Serialize};
    /// # use std::time::Duration;
    /// # #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// # #[data(name = "docs.Nodeimport.Note", exact)]
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
    /// let gate = hub.import(&mut here, "zone/gate")?;
    /// assert!(here.is_proxy(gate));
    /// assert_eq!(hub.import(&mut here, "zone/gate")?, gate);
    /// assert!(hub.import(&mut here, "hub/gate").is_err(), "it is of this node");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn import(
        &mut self,
        manager: &mut MessageManager,
        name: &str,
    ) -> Result<MessageeId, NodeError> {
        let (node, own) = split(name)?;
        if own.len() > LONGEST_NAME {
            return Err(too_long(own));
        }
        if node == self.name {
            return Err(NodeError::OwnExport {
                name: name.to_owned(),
            });
        }
        self.check_session(&node)?;
        let target = Target::Export(own);
        let known = self.peers.get(&node);
        let known = known.and_then(|peer| peer.proxies.find(target));
        let known = known.filter(|&known| manager.is_alive(known));
        let proxy = if let Some(known) = known {
            known
        } else {
            let place = self.place(&node, manager);
            let proxy = self.proxy_at(manager, place, target)?;
            let peer = self.peers.at_mut(place);
            peer.tell_first(&Entry::Wants { name: own });
            proxy
        };
        if let Some(stand) = self.peers.stand_mut(proxy) {
            stand.is_imported = true;
        }
        Ok(proxy)
    }

    /// Returns the proxy for an export of a third node that another node has named in a message.
    pub(crate) fn import_for(
        &mut self,
        manager: &mut MessageManager,
        peer: Place,
        name: &str,
    ) -> Result<MessageeId, String> {
        let (node, own) = split(name).map_err(|error| error.to_string())?;
        let known = self.peers.get(&node);
        let known = known.and_then(|peer| peer.proxies.find(Target::Export(own)));
        let known = known.filter(|&known| manager.is_alive(known));
        let stand = known.and_then(|known| self.peers.stand_of(known));
        let is_named = |known| self.peers.at(peer).named.contains(known);
        if let (Some(known), Some(stand)) = (known, stand)
            && (stand.is_imported || is_named(&known))
        {
            return Ok(known);
        }
        let (most, nodes) = (self.config.max_names, self.config.session.max_peers);
        self.make_room_for(manager, &node);
        if !self.peers.contains_key(&node) && self.peers.len() >= nodes {
            return Err(format!(
                "`{name}` belongs to a node that is not known here, and {nodes} nodes are known, which is the limit"
            ));
        }
        let naming = self.peers.at(peer);
        if naming.named.len() >= most {
            return Err(format!(
                "node `{}` has already named {most} messagees of third nodes",
                naming.name
            ));
        }
        let proxy = if let Some(known) = known {
            known
        } else {
            let imported = self.import(manager, name);
            imported.map_err(|error| error.to_string())?
        };
        if let Some(stand) = self.peers.stand_mut(proxy) {
            // The proxy ends with the nodes that have named it, unless the program imports it.
            stand.is_imported &= known.is_some();
            stand.named_by += 1;
        }
        self.peers.at_mut(peer).named.insert(proxy);
        Ok(proxy)
    }

    /// Returns a proxy for the messagee bound to a mnemonic that another node exports.
    ///
    /// # Errors
    ///
    /// Returns an error if the node is this one, if there are too many proxies, or if
    /// [`sessions_with`](crate::NodeConfig::sessions_with) excludes a session with that node.
    ///
    /// ```
    /// # use message_data::Data;
    /// # use message_core::prelude::*;
    /// # use message_net::link::{MemoryNetwork, MemorySettings};
    /// # use message_net::{Node, NodeConfig, NodeName};
    /// # use serde::{Deserialize, Serialize};
    /// # use std::time::Duration;
    /// # #[derive(Message, Data, Serialize, Deserialize, Clone)]
    /// # #[data(name = "docs.Nodeimportmnemonic.Note", exact)]
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
    /// mnemonic!(SMITH = "docs.import_mnemonic.smith");
    ///
    /// let smith = hub.import_mnemonic(&mut here, &names[1], SMITH)?;
    /// assert!(here.is_proxy(smith));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn import_mnemonic(
        &mut self,
        manager: &mut MessageManager,
        node: &NodeName,
        mnemonic: Mnemonic,
    ) -> Result<MessageeId, NodeError> {
        let name = mnemonic.name();
        if *node == self.name {
            let name = name.to_owned();
            return Err(NodeError::OwnExport { name });
        }
        self.check_session(node)?;
        let place = self.place(node, manager);
        let proxy = self.proxy_at(manager, place, Target::Mnemonic(name))?;
        if let Some(stand) = self.peers.stand_mut(proxy) {
            stand.is_imported = true;
        }
        Ok(proxy)
    }

    /// Checks that the configuration allows a session with a node.
    fn check_session(&self, node: &NodeName) -> Result<(), NodeError> {
        let config = &self.config.session;
        if config.has_session_with(node) {
            return Ok(());
        }
        Err(NodeError::NoSession {
            node: node.to_string(),
            with: config.listed(),
        })
    }

    /// Returns the proxy for a target at another node, and creates it if necessary.
    pub(crate) fn proxy_at(
        &mut self,
        manager: &mut MessageManager,
        node: Place,
        target: Target<&str>,
    ) -> Result<MessageeId, NodeError> {
        match self.peers.at(node).proxies.find(target) {
            Some(known) if manager.is_alive(known) => Ok(known),
            gone => self.new_proxy_at(manager, node, target, gone),
        }
    }

    fn new_proxy_at(
        &mut self,
        manager: &mut MessageManager,
        node: Place,
        target: Target<&str>,
        gone: Option<MessageeId>,
    ) -> Result<MessageeId, NodeError> {
        let most = self.config.max_proxies;
        if let Some(gone) = gone {
            // It was despawned a moment ago: a new one takes its place.
            self.replaced.push(gone);
            self.peers.ended(gone);
        }
        let peer = self.peers.at_mut(node);
        let handles = gone.and_then(|gone| peer.forget_proxy(gone, most));
        for handle in handles.into_iter().flatten() {
            if target != Target::Handle(handle) {
                // The handle is released before the name is requested: its messagee gets a new handle.
                peer.tell_first(&Entry::Released { handle });
            }
        }
        if peer.proxies.len() >= most {
            return Err(NodeError::TooManyProxies {
                node: peer.name.to_string(),
                most,
            });
        }
        let proxy = proxy::spawn_proxy(manager, peer.outbox);
        let proxy = proxy.map_err(|_| NodeError::OtherManager)?;
        let watched = proxy::watch_end(manager, proxy);
        watched.expect("it was spawned a moment ago");
        peer.add_proxy(target, proxy);
        self.peers.add_proxy(proxy, node);
        Ok(proxy)
    }
}
