//! The events that sessions report to their node.

use crate::content::Content;
use crate::name::NodeName;

/// An event of a node's sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SessionEvent {
    /// A session with a peer has begun.
    Up {
        peer: NodeName,
        /// The hello that the peer passed to [`Sessions::new`](super::Sessions::new).
        hello: Vec<u8>,
        /// Whether this is a different run of the peer's program than at the last `Up`.
        restarted: bool,
    },
    /// The next batch of a peer. Each batch arrives once, in the order in which the peer queued them.
    Batch { peer: NodeName, bytes: Content },
    /// A peer is silent. Its session continues, and nothing is lost so far.
    Unreachable { peer: NodeName },
    /// A peer that was unreachable is back, and nothing was lost.
    Back { peer: NodeName },
    /// The session with a peer has ended.
    Down { peer: NodeName, why: DownReason },
    /// Messages that were queued for a peer, in sessions that have ended, did not arrive.
    Lost {
        peer: NodeName,
        messages: u64,
        /// `true` if the peer has reported which ones it accepted. `false` if it cannot be asked any more: some
        /// of them may have arrived.
        exact: bool,
    },
    /// A peer that has no session was forgotten, to make room or after a long silence. It is a new peer if it comes
    /// again.
    Forgotten { peer: NodeName },
    /// Something was refused. Refusals of one kind and peer are reported at intervals, with a count.
    Refused {
        /// The node that the link names as the origin, if the refusal is about a node.
        peer: Option<NodeName>,
        kind: Refusal,
        /// A description of the last one, and of what was expected.
        what: String,
        /// The number of refusals since the last report.
        count: u64,
    },
}

impl SessionEvent {
    /// Returns the peer that the event is about.
    pub(crate) fn peer(&self) -> Option<&NodeName> {
        match self {
            Self::Up { peer, .. }
            | Self::Batch { peer, .. }
            | Self::Unreachable { peer }
            | Self::Back { peer }
            | Self::Down { peer, .. }
            | Self::Lost { peer, .. }
            | Self::Forgotten { peer } => Some(peer),
            Self::Refused { peer, .. } => peer.as_ref(),
        }
    }
}

/// The kinds of refusals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Refusal {
    /// A frame that cannot be read.
    Malformed,
    /// A frame of another version of the protocol.
    Version,
    /// A frame that names a different sender than the link.
    Pretender,
    /// More frames or bytes than are accepted in a second.
    Flood,
    /// Two nodes with the same name.
    TwoOfOneName,
    /// More peers than are accepted.
    TooManyPeers,
    /// More memory for incomplete batches than there is for all peers.
    Memory,
    /// A peer that does not accept this node.
    ByPeer,
    /// The link has trouble or has ended.
    Link,
    /// A batch that cannot be read.
    Batch,
    /// More names than are kept for one node.
    Names,
    /// An answer to a question that was not asked.
    NotAsked,
    /// A refusal of a message that was not sent.
    NotSent,
    /// Responses that the peer does not read.
    Unread,
}

/// The reason why a session has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DownReason {
    /// The peer said goodbye.
    Goodbye,
    /// The peer was silent until it was unreachable, and for the resend window after that.
    Silent,
    /// The peer ended the session, because this node was silent for too long.
    GivenUp,
    /// The peer is a different run of its program now.
    Restarted,
    /// The peer sent something that is not valid in any session.
    Broken(String),
    /// One of the two nodes does not accept the hello of the other one.
    Refused(String),
    /// This node has stopped.
    Stopped,
}

/// The reason why a batch was not queued.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Backlog {
    /// There is no session.
    #[error("no session with node `{0}`")]
    NotUp(NodeName),
    /// Too much is waiting for an acknowledgement.
    #[error(
        "the window to node `{peer}` is full: {batches} batches with {bytes} bytes wait to be acknowledged"
    )]
    Full {
        peer: NodeName,
        batches: usize,
        bytes: usize,
    },
    /// The batch is longer than the peer accepts.
    #[error("a batch of {len} bytes is too long for node `{peer}`: it accepts at most {most}")]
    TooLong {
        peer: NodeName,
        len: usize,
        most: usize,
    },
}
