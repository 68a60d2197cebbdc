//! What a node learns from its sessions.

use crate::content::Content;
use crate::name::NodeName;

/// What has happened to the sessions of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SessionEvent {
    /// A session with a peer has begun.
    Up {
        peer: NodeName,
        /// Which session of these two runs it is: larger than that of each one before.
        epoch: u64,
        /// What the peer gave to [`Sessions::new`](super::Sessions::new).
        hello: Vec<u8>,
        /// Whether the peer is another run of its program than at the last `Up`.
        restarted: bool,
    },
    /// The next batch of a peer: each once, in the order in which the peer queued them.
    Batch { peer: NodeName, bytes: Content },
    /// A peer is silent. Its session goes on, and so far nothing is lost.
    Unreachable { peer: NodeName },
    /// A peer that was unreachable is there again, and nothing was lost.
    Back { peer: NodeName },
    /// The session with a peer has ended.
    Down { peer: NodeName, why: DownReason },
    /// So many messages that were queued for a peer did not arrive. They belong to sessions that ended.
    Lost {
        peer: NodeName,
        messages: u64,
        /// `true` if the peer has told which ones it accepted. `false` if it cannot be asked any more:
        /// some of them may have arrived.
        exact: bool,
    },
    /// Something was refused. Of one kind and peer it is told once in a while, with a count.
    Refused {
        /// Who the link says it is from, if it is about a node.
        peer: Option<NodeName>,
        kind: Refusal,
        /// The last one: what, and what was expected.
        what: String,
        /// How many since the last report.
        count: u64,
    },
}

/// What is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Refusal {
    /// A frame that cannot be read.
    Malformed,
    /// A frame of another version of the protocol.
    Version,
    /// A frame that says another sender than the link.
    Pretender,
    /// A frame of a session that has not begun.
    Epoch,
    /// More frames or bytes than are accepted in a second.
    Flood,
    /// Two nodes of one name.
    TwoOfOneName,
    /// More peers than are accepted.
    TooManyPeers,
    /// A peer that does not accept this node.
    ByPeer,
    /// The link has trouble or has ended.
    Link,
    /// A batch that cannot be read.
    Batch,
    /// More names than are kept of one node.
    Names,
    /// An answer to a question that was not asked.
    NotAsked,
    /// A refusal of a message that was not sent.
    NotSent,
    /// Answers that are not read.
    Unread,
}

/// Why a session has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DownReason {
    /// The peer said goodbye.
    Goodbye,
    /// The peer was silent for longer than the resend window.
    Silent,
    /// The peer ended the session, because this node was silent for too long for it.
    GivenUp,
    /// The peer is another run of its program now.
    Restarted,
    /// The peer sent what no session contains.
    Broken(String),
    /// This node has stopped.
    Stopped,
}

/// Why a batch was not queued.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Backlog {
    /// There is no session.
    #[error("no session with node `{0}`")]
    NotUp(NodeName),
    /// Too much waits for its acknowledgement.
    #[error(
        "the window to node `{peer}` is full: {batches} batches, {bytes} bytes wait for their acknowledgement"
    )]
    Full {
        peer: NodeName,
        batches: usize,
        bytes: usize,
    },
    /// The batch is longer than the peer accepts.
    #[error("a batch of {len} bytes is too long for node `{peer}`: it accepts {most}")]
    TooLong {
        peer: NodeName,
        len: usize,
        most: usize,
    },
}
