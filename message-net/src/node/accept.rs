//! The message types that a node accepts, and from whom.

use std::collections::BTreeSet;
use std::fmt;

use message_data::DataType;
use message_data::ask::WriteReply;

use crate::name::NodeName;

/// The nodes from which messages of a type are accepted, and the receivers for which they are accepted.
///
/// ```
/// use message_net::{Accept, NodeName};
///
/// let hub = NodeName::new("hub")?;
/// let from_the_hub = Accept::anyone().from([hub]).to_exported();
/// # let _ = from_the_hub;
/// # Ok::<(), message_net::NameError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Accept {
    /// The accepted nodes. If empty, all nodes are accepted.
    from: BTreeSet<NodeName>,
    /// Whether only exported messagees, mnemonics and groups can receive.
    only_exported: bool,
}

impl Accept {
    /// Accepts from every node, for every receiver that the node can know: exported ones, and messagees that
    /// have sent something to the node.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Data;
    /// use message_net::{Accept, NodeConfig};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[data(name = "docs.Accept.Ping", exact)]
    /// struct Ping;
    ///
    /// // As `accept::<Ping>()` does.
    /// let config = NodeConfig::new().accept_from::<Ping>(Accept::anyone());
    /// # let _ = config;
    /// ```
    #[must_use]
    pub fn anyone() -> Self {
        Self::default()
    }

    /// Accepts only from these nodes.
    ///
    /// ```
    /// use message_net::{Accept, NodeName};
    ///
    /// let from_two = Accept::anyone().from([NodeName::new("hub")?, NodeName::new("zone-1")?]);
    /// # let _ = from_two;
    /// # Ok::<(), message_net::NameError>(())
    /// ```
    #[must_use]
    pub fn from(mut self, nodes: impl IntoIterator<Item = NodeName>) -> Self {
        self.from.extend(nodes);
        self
    }

    /// Accepts only for exported receivers.
    ///
    /// ```
    /// use message_net::Accept;
    ///
    /// let to_gates_alone = Accept::anyone().to_exported();
    /// # let _ = to_gates_alone;
    /// ```
    #[must_use]
    pub fn to_exported(mut self) -> Self {
        self.only_exported = true;
        self
    }

    /// Returns the admission of messages from one node.
    fn of(&self, node: &NodeName) -> Admission {
        if !self.from.is_empty() && !self.from.contains(node) {
            Admission::NotFromIt
        } else if self.only_exported {
            Admission::ToExported
        } else {
            Admission::ToAnyone
        }
    }
}

/// Whether messages of a type are accepted from one node, and for which receivers. Determined once, when the
/// two nodes meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    NotAtAll,
    NotFromIt,
    ToExported,
    ToAnyone,
}

impl Admission {
    /// Returns the reason if a message is not accepted.
    #[inline]
    pub(crate) fn refuses(self, is_exported: impl FnOnce() -> bool) -> Option<&'static str> {
        match self {
            Self::ToAnyone => None,
            Self::ToExported if is_exported() => None,
            Self::ToExported => Some("it is accepted only for what is exported"),
            Self::NotAtAll | Self::NotFromIt => Some("it is not accepted from this node"),
        }
    }
}

/// A message type of another node that can be read here, and how its messages are admitted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Readable {
    pub(crate) of: &'static DataType,
    /// The admission of messages.
    pub(crate) plain: Admission,
    /// The admission of questions.
    pub(crate) asked: Admission,
    /// The function that writes the reply to a question, if questions are answered.
    pub(crate) write: Option<WriteReply>,
    /// Whether a list of its fields would mean something else, because the shapes differ.
    pub(crate) needs_names: bool,
}

impl Readable {
    /// Determines how messages of a type are admitted from one node.
    pub(crate) fn new(
        of: &'static DataType,
        accepted: Option<&Accepted>,
        node: &NodeName,
        is_same: bool,
    ) -> Self {
        let accept = accepted.and_then(|it| it.accept.as_ref());
        let answer = accepted.and_then(|it| it.answer.as_ref());
        let admission =
            |accept: Option<&Accept>| accept.map_or(Admission::NotAtAll, |accept| accept.of(node));
        Self {
            of,
            plain: admission(accept),
            asked: admission(answer.map(|(accept, _)| accept)),
            write: answer.map(|(_, write)| *write),
            needs_names: !is_same && !of.fields().is_empty(),
        }
    }
}

/// A type that a node accepts.
#[derive(Clone)]
pub(crate) struct Accepted {
    pub(crate) of: &'static DataType,
    pub(crate) accept: Option<Accept>,
    /// The admission of questions, and the function that writes the reply.
    pub(crate) answer: Option<(Accept, WriteReply)>,
}

impl fmt::Debug for Accepted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accepted")
            .field("of", &self.of.name())
            .field("accept", &self.accept)
            .field("answer", &self.answer.as_ref().map(|(accept, _)| accept))
            .finish()
    }
}
