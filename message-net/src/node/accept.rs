//! What a node accepts, and from whom.

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt;

use message_core::data::{DataError, DataType, to_bytes_with_ids};
use message_core::{MessageeId, Request};
use serde::Serialize;

use crate::name::NodeName;

/// From whom a node accepts messages of a type, and for whom.
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
    /// All of them, if empty.
    from: BTreeSet<NodeName>,
    /// Only for messagees, mnemonics and groups that are exported.
    only_exported: bool,
}

impl Accept {
    /// Accepts from every node, for everybody whom that node can know: what is exported, and the messagees
    /// that have sent it something.
    ///
    /// ```
    /// use message_core::data::Data;
    /// use message_core::prelude::*;
    /// use message_net::{Accept, NodeConfig, NodeName};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[data(name = "docs.Accept.Ping", exact)]
    /// struct Ping;
    ///
    /// // As `accept::<Ping>()` does.
    /// let config = NodeConfig::new(NodeName::new("hub")?).accept_from::<Ping>(Accept::anyone());
    /// # let _ = config;
    /// # Ok::<(), message_net::NameError>(())
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

    /// Accepts only for what is exported.
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

    /// What is accepted of one node.
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

/// If messages of a type are accepted from one node, and for whom. Found out once, when the two meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Admission {
    NotAtAll,
    NotFromIt,
    ToExported,
    ToAnyone,
}

impl Admission {
    /// Why a message is not accepted.
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

/// A message type of another node that can be read here, and what is accepted of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Readable {
    pub(crate) of: &'static DataType,
    /// As a message.
    pub(crate) plain: Admission,
    /// As a question.
    pub(crate) asked: Admission,
    /// How the reply to a question is written, if it is answered.
    pub(crate) write: Option<WriteReply>,
    /// A list of its fields would mean something else: the shapes differ.
    pub(crate) needs_names: bool,
}

impl Readable {
    /// What is accepted of a type from one node.
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

/// Writes a reply, with the ids in it.
pub(crate) type WriteReply = fn(Box<dyn Any>, &mut Vec<MessageeId>) -> Result<Vec<u8>, DataError>;

/// A type that a node accepts.
#[derive(Clone)]
pub(crate) struct Accepted {
    pub(crate) of: &'static DataType,
    pub(crate) accept: Option<Accept>,
    /// From whom it is accepted as a question, and how the reply is written.
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

pub(crate) fn write_reply<M: Request>(
    reply: Box<dyn Any>,
    ids: &mut Vec<MessageeId>,
) -> Result<Vec<u8>, DataError>
where
    M::Reply: Serialize,
{
    let reply: Box<M::Reply> = reply
        .downcast()
        .expect("the answer to a request is of the request's reply type");
    to_bytes_with_ids(&*reply, ids)
}
