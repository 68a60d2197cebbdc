//! The node of a message's sender, as handlers see it.

use message_core::Context;

use crate::name::NodeName;
use crate::proxy::Outboxes;

/// Tells handlers and subscribers which node a message has come from. Implemented for every [`Context`].
///
/// A handler that takes a limited number of messages from each node:
///
/// ```
/// use message_core::prelude::*;
/// use message_data::Data;
/// use message_net::link::{MemoryNetwork, MemorySettings};
/// use message_net::{Node, NodeConfig, NodeName, SenderNode};
/// use serde::{Deserialize, Serialize};
/// use std::collections::BTreeMap;
/// use std::time::Duration;
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(name = "docs.SenderNode.Shout", exact)]
/// struct Shout;
///
/// #[derive(Default)]
/// struct Crier { shouts: BTreeMap<String, u32> }
///
/// #[handlers]
/// impl Crier {
///     #[on_receive]
///     fn shout(&mut self, _: &Shout, cx: &mut Context<'_>) -> bool {
///         let Some(node) = cx.sender_node() else { return true };
///         let shouts = self.shouts.entry(node.to_string()).or_default();
///         *shouts += 1;
///         *shouts <= 100
///     }
/// }
///
/// let network = MemoryNetwork::new(1, MemorySettings::new());
/// let names = [NodeName::new("hub")?, NodeName::new("zone")?];
/// let (mut here, mut there) = (MessageManager::new(), MessageManager::new());
/// let config = NodeConfig::new().accept::<Shout>();
/// let mut hub = Node::attach(&mut here, network.link(names[0].clone()), config);
/// let mut zone = Node::attach(&mut there, network.link(names[1].clone()), NodeConfig::new());
///
/// let crier = here.spawn((Crier::default(),));
/// hub.export(&mut here, crier, "crier")?;
/// let proxy = zone.import(&mut there, "hub/crier")?;
/// there.send(proxy, Shout)?;
/// here.send(crier, Shout)?;
/// for _ in 0..10 {
///     network.advance(1);
///     hub.tick(&mut here, Duration::from_millis(16));
///     zone.tick(&mut there, Duration::from_millis(16));
/// }
/// assert_eq!(here.get::<Crier>(crier)?.shouts, [("zone".to_owned(), 1)].into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait SenderNode {
    /// Returns the node that the sender of the message is on. Returns `None` if the sender is of this manager, or if it
    /// was a messagee of a node that has been forgotten since it posted the message.
    ///
    /// The node is part of saves and logs, so the result is the same in a replay.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_net::SenderNode;
    ///
    /// #[derive(Message)]
    /// struct Knock;
    ///
    /// #[derive(Default)]
    /// struct Door { knocks: u32 }
    ///
    /// #[handlers]
    /// impl Door {
    ///     #[on_receive]
    ///     fn knock(&mut self, _: &Knock, cx: &mut Context<'_>) {
    ///         // `None`: somebody of this manager knocks, or the program itself.
    ///         self.knocks += u32::from(cx.sender_node().is_none());
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let door = manager.spawn((Door::default(),));
    /// manager.send(door, Knock)?;
    /// assert_eq!(manager.get::<Door>(door)?.knocks, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn sender_node(&self) -> Option<&NodeName>;
}

impl<R> SenderNode for Context<'_, R> {
    fn sender_node(&self) -> Option<&NodeName> {
        let outbox = self.proxy_destination(self.sender().id()?)?;
        self.carrier::<Outboxes>()?.node(outbox)
    }
}
