//! Errors of a program's calls to its node.

use message_core::MessageeId;

use crate::name::NameError;

/// The maximum length of a reason that is sent to another node, kept of it, or accepted from it, in bytes.
pub(crate) const LONGEST_WHY: usize = 1000;

/// Returns the beginning of a text, up to a number of bytes.
pub(crate) fn shortened(text: &str, most: usize) -> &str {
    let ends = (0..=most.min(text.len())).rev();
    let end = ends.into_iter().find(|&end| text.is_char_boundary(end));
    &text[..end.unwrap_or_default()]
}

/// The reason why a node did not perform a request.
///
/// ```
/// use message_core::prelude::*;
/// use message_net::link::{MemoryNetwork, MemorySettings};
/// use message_net::{Node, NodeConfig, NodeName};
///
/// let network = MemoryNetwork::new(1, MemorySettings::new());
/// let (mut manager, hub) = (MessageManager::new(), NodeName::new("hub")?);
/// let mut node = Node::attach(&mut manager, network.link(hub), NodeConfig::new());
/// let error = node.import(&mut manager, "gate").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "`gate` is not the name of an export: it does not say which node; expected `node/name`"
/// );
/// # Ok::<(), message_net::NameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NodeError {
    /// The messagee is not alive in this manager.
    #[error("messagee {id} cannot be exported as `{name}`: it is not alive in this manager")]
    NotAlive {
        /// The messagee.
        id: MessageeId,
        /// The name that it was to have.
        name: String,
    },
    /// The messagee is a proxy for one of another node.
    #[error("messagee {id} cannot be exported as `{name}`: it represents one of another node")]
    NotOwn {
        /// The proxy.
        id: MessageeId,
        /// The name that it was to have.
        name: String,
    },
    /// Another messagee is exported under that name.
    #[error("`{name}` cannot be messagee {id}: messagee {taken_by} is exported under this name")]
    NameTaken {
        /// The name.
        name: String,
        /// The messagee that was to get the name.
        id: MessageeId,
        /// The messagee that has the name.
        taken_by: MessageeId,
    },
    /// The name of an export begins with that of another node.
    #[error("node `{own}` cannot export `{name}`: expected a name of its own, as `{own}/…`")]
    OtherNode {
        /// The name.
        name: String,
        /// This node.
        own: String,
    },
    /// The text is not the name of an export.
    #[error("`{name}` is not the name of an export: {why}; expected `node/name`")]
    BadName {
        /// The name.
        name: String,
        /// The reason why it is not valid.
        why: String,
    },
    /// There are as many proxies as the configuration allows.
    #[error(
        "there are already {most} proxies for messagees of node `{node}`; \
         `NodeConfig::max_proxies` can allow more"
    )]
    TooManyProxies {
        /// The node.
        node: String,
        /// The maximum number of proxies.
        most: usize,
    },
    /// Another node is attached to the manager.
    #[error(
        "node `{name}` cannot be attached: node `{by}` is attached to this manager; expected one node for each \
         manager, so detach that one first"
    )]
    ManagerTaken {
        /// The node that could not be attached.
        name: String,
        /// The node that is already attached.
        by: String,
    },
    /// The manager is not the one that the node was attached to.
    #[error(
        "this is not the manager that the node was attached to: after loading another world, attach a \
         new node"
    )]
    OtherManager,
    /// The configuration says that there is no session with that node.
    #[error("there is no session with node `{node}`: `NodeConfig::sessions_with` has {with}")]
    NoSession {
        /// The node.
        node: String,
        /// The nodes with which there are sessions.
        with: String,
    },
    /// The export belongs to this node, so it cannot be imported.
    #[error("`{name}` belongs to this node: expected the name of an export of another node")]
    OwnExport {
        /// The name.
        name: String,
    },
}

impl NodeError {
    pub(crate) fn bad_node(name: &str, error: &NameError) -> Self {
        Self::BadName {
            name: name.to_owned(),
            why: error.to_string(),
        }
    }
}
