//! The world's own state about the network: who watches which proxies.
//!
//! It is a component of a messagee that is bound to [`NET`] and also has the pending questions, the `Asks` of
//! `message-data`. The node's findings reach both as messages from outside, and handlers act on them. So the state is
//! saved with the world, and a replayed log reproduces it without a node.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError, Weak};

use message_core::{Context, Message, MessageeId, Sender, handlers, mnemonic};
use message_data::Data;
use message_data::ask::{AskedEnded, FirstPanic};
use serde::{Deserialize, Serialize};

use crate::name::NodeName;
use crate::told::{Reach, ReachChanged};

mnemonic! {
    /// The messagee of the network in this manager: a node binds it when it is attached.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    /// use message_net::{NET, Node, NodeConfig, NodeName};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (mut manager, hub) = (MessageManager::new(), NodeName::new("hub")?);
    /// let node = Node::attach(&mut manager, network.link(hub), NodeConfig::new());
    /// assert!(manager.bound(NET).is_some());
    /// node.detach(&mut manager);
    /// assert_eq!(manager.bound(NET), None);
    /// # Ok::<(), message_net::NameError>(())
    /// ```
    pub NET
}

/// Watches a messagee of another node: send it to [`NET`]. The sender receives a [`ReachChanged`] when the
/// messagee becomes unreachable, is back, or has ended.
///
/// ```
/// use message_net::{NET, Watch};
/// # use message_data::Data;
/// # use message_core::prelude::*;
/// # use message_net::link::{MemoryNetwork, MemorySettings};
/// # use message_net::{Node, NodeConfig, NodeName};
/// # use serde::{Deserialize, Serialize};
/// # use std::time::Duration;
/// # #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// # #[data(name = "docs.Watch.Note", exact)]
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
/// let guard = here.spawn(());
/// let mut guard = here.speak_for(guard)?;
/// assert_eq!(guard.send(NET, Watch { proxy: gate })?.received, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "message_net.Watch")]
#[data(name = "message_net.Watch", exact)]
pub struct Watch {
    /// The proxy to watch.
    pub proxy: MessageeId,
}

/// Ends a [`Watch`]: send it to [`NET`].
///
/// ```
/// use message_net::{NET, Unwatch, Watch};
/// # use message_data::Data;
/// # use message_core::prelude::*;
/// # use message_net::link::{MemoryNetwork, MemorySettings};
/// # use message_net::{Node, NodeConfig, NodeName};
/// # use serde::{Deserialize, Serialize};
/// # use std::time::Duration;
/// # #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// # #[data(name = "docs.Unwatch.Note", exact)]
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
/// let guard = here.spawn(());
/// let mut guard = here.speak_for(guard)?;
/// guard.send(NET, Watch { proxy: gate })?;
/// assert_eq!(guard.send(NET, Unwatch { proxy: gate })?.received, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "message_net.Unwatch")]
#[data(name = "message_net.Unwatch", exact)]
pub struct Unwatch {
    /// The proxy that is watched.
    pub proxy: MessageeId,
}

/// A node's finding that these proxies can or cannot be reached, or have ended.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
#[message(name = "message_net.ReachFound")]
#[data(name = "message_net.ReachFound", exact)]
pub(crate) struct ReachFound {
    pub(crate) proxies: Vec<MessageeId>,
    pub(crate) reach: Reach,
}

/// The watchers of proxies.
#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[serde(default)]
#[data(name = "message_net.Net")]
pub(crate) struct Net {
    /// The watchers of each proxy.
    watches: BTreeMap<MessageeId, Vec<MessageeId>>,
    /// The node that is attached to this manager, if it still exists. It is not saved, because a node belongs
    /// to one run. It is behind a lock, because attaching a node does not change the world.
    #[serde(skip)]
    node: Mutex<Weak<NodeName>>,
}

impl Net {
    /// Returns the node that is attached to this manager.
    pub(crate) fn attached(&self) -> Option<Arc<NodeName>> {
        let node = self.node.lock().unwrap_or_else(PoisonError::into_inner);
        node.upgrade()
    }

    /// Takes note that a node is attached.
    pub(crate) fn attach(&self, name: &Arc<NodeName>) {
        let mut node = self.node.lock().unwrap_or_else(PoisonError::into_inner);
        *node = Arc::downgrade(name);
    }

    /// Returns the proxies that are being watched.
    pub(crate) fn watched(&self) -> impl Iterator<Item = MessageeId> {
        self.watches.keys().copied()
    }

    /// Returns `true` if the proxy is being watched.
    pub(crate) fn watches(&self, proxy: MessageeId) -> bool {
        self.watches.contains_key(&proxy)
    }
}

#[handlers]
impl Net {
    #[on_receive]
    fn watch(&mut self, watch: &Watch, cx: &mut Context<'_>) -> bool {
        let Some(watcher) = cx.sender().id() else {
            return false;
        };
        if !cx.is_proxy(watch.proxy) {
            return false;
        }
        let watchers = self.watches.entry(watch.proxy).or_default();
        if !watchers.contains(&watcher) {
            watchers.push(watcher);
        }
        true
    }

    #[on_receive]
    fn unwatch(&mut self, watch: &Unwatch, cx: &mut Context<'_>) {
        if let (Some(watcher), Some(watchers)) =
            (cx.sender().id(), self.watches.get_mut(&watch.proxy))
        {
            watchers.retain(|&other| other != watcher);
            if watchers.is_empty() {
                self.watches.remove(&watch.proxy);
            }
        }
    }

    #[on_receive]
    fn reach_found(&mut self, found: &ReachFound, cx: &mut Context<'_>) {
        if cx.sender() != Sender::Outside {
            return;
        }
        // A watcher may panic: the others are notified nevertheless.
        let mut panicked = FirstPanic::default();
        for &proxy in &found.proxies {
            let has_ended = found.reach == Reach::Ended;
            let watchers = if has_ended {
                self.watches.remove(&proxy)
            } else {
                self.watches.get(&proxy).cloned()
            };
            let reach = found.reach;
            for watcher in watchers.into_iter().flatten() {
                // The watcher may be gone.
                panicked.catch(|| drop(cx.send(watcher, ReachChanged { proxy, reach })));
            }
            if has_ended {
                // The questions are those of another component of the same messagee.
                panicked.catch(|| drop(cx.send(cx.me(), AskedEnded { proxy })));
            }
        }
        panicked.resume();
    }
}
