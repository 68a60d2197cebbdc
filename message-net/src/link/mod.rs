//! Transports that carry frames between nodes.

mod frame;
mod memory;
#[cfg(feature = "zenoh")]
pub mod zenoh;

use std::fmt;

use crate::name::NodeName;

pub use frame::Frame;
pub use memory::{MemoryCounters, MemoryLink, MemoryNetwork, MemoryPath, MemorySettings};

/// Carries frames between nodes: in memory, or over a network.
///
/// A link may lose, duplicate, delay and reorder frames: the node numbers them, acknowledges them and resends
/// them. No call blocks.
///
/// ```
/// use message_net::NodeName;
/// use message_net::link::{Link, LinkEvent, MemoryNetwork, MemorySettings};
///
/// let network = MemoryNetwork::new(1, MemorySettings::new());
/// let (a, b) = (NodeName::new("a")?, NodeName::new("b")?);
/// let (mut at_a, mut at_b) = (network.link(a.clone()), network.link(b.clone()));
/// network.advance(1);
/// assert_eq!(at_a.poll(), Some(LinkEvent::Came(b.clone())));
/// at_a.send(&b, vec![1, 2].into())?;
/// network.advance(1);
/// assert_eq!(at_b.poll(), Some(LinkEvent::Came(a.clone())));
/// assert_eq!(at_b.poll(), Some(LinkEvent::Frame { from: a, frame: vec![1, 2] }));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Link: Send {
    /// Returns the name of the node at this end. No other node of the network has it.
    ///
    /// ```
    /// use message_net::NodeName;
    /// use message_net::link::{Link, MemoryNetwork, MemorySettings};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let link = network.link(NodeName::new("hub")?);
    /// assert_eq!(link.name().as_str(), "hub");
    /// # Ok::<(), message_net::NameError>(())
    /// ```
    fn name(&self) -> &NodeName;

    /// Passes a frame to the link, to be carried to a node.
    ///
    /// # Errors
    ///
    /// Returns an error if the frame was not accepted: the queue of the link is full, the node is not known,
    /// the frame is too long, or the link has ended. The node tries again later.
    ///
    /// ```
    /// use message_net::NodeName;
    /// use message_net::link::{Link, LinkError, MemoryNetwork, MemorySettings};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (a, b) = (NodeName::new("a")?, NodeName::new("b")?);
    /// let (mut at_a, mut at_b) = (network.link(a.clone()), network.link(b.clone()));
    /// network.advance(1);
    /// at_a.send(&b, vec![7].into())?;
    /// let error = at_b.send(&NodeName::new("nobody")?, vec![7].into());
    /// assert!(matches!(error, Err(LinkError::Unknown(_))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn send(&mut self, to: &NodeName, frame: Frame) -> Result<(), LinkError>;

    /// Returns the next event since the last call, or `None` if there is none.
    ///
    /// ```
    /// use message_net::NodeName;
    /// use message_net::link::{Link, LinkEvent, MemoryNetwork, MemorySettings};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (a, b) = (NodeName::new("a")?, NodeName::new("b")?);
    /// let (mut at_a, mut at_b) = (network.link(a.clone()), network.link(b.clone()));
    /// network.advance(1);
    /// assert_eq!(at_a.poll(), Some(LinkEvent::Came(b)));
    /// assert_eq!(at_a.poll(), None);
    /// # let _ = at_b;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn poll(&mut self) -> Option<LinkEvent>;

    /// Returns the maximum length of a frame that the link carries, in bytes.
    ///
    /// ```
    /// use message_net::NodeName;
    /// use message_net::link::{Link, MemoryNetwork, MemorySettings};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (a, b) = (NodeName::new("a")?, NodeName::new("b")?);
    /// let (mut at_a, mut at_b) = (network.link(a.clone()), network.link(b.clone()));
    /// network.advance(1);
    /// assert_eq!(at_a.max_frame(), 64 * 1024);
    /// # let _ = at_b;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn max_frame(&self) -> usize;

    /// Gives back the memory of a frame that was polled and read, so that the link can reuse it. A link may
    /// drop it instead.
    ///
    /// ```
    /// use message_net::NodeName;
    /// use message_net::link::{Link, LinkEvent, MemoryNetwork, MemorySettings};
    ///
    /// let network = MemoryNetwork::new(1, MemorySettings::new());
    /// let (a, b) = (NodeName::new("a")?, NodeName::new("b")?);
    /// let (mut at_a, mut at_b) = (network.link(a.clone()), network.link(b.clone()));
    /// network.advance(1);
    /// at_a.send(&b, vec![1].into())?;
    /// network.advance(1);
    /// while let Some(event) = at_b.poll() {
    ///     if let LinkEvent::Frame { frame, .. } = event {
    ///         at_b.give_memory(frame);
    ///     }
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn give_memory(&mut self, memory: Vec<u8>) {
        drop(memory);
    }
}

/// An event on a link.
///
/// ```
/// use message_net::NodeName;
/// use message_net::link::{Link, LinkEvent, MemoryNetwork, MemorySettings};
///
/// let network = MemoryNetwork::new(1, MemorySettings::new());
/// let (a, b) = (NodeName::new("a")?, NodeName::new("b")?);
/// let (mut at_a, mut at_b) = (network.link(a.clone()), network.link(b.clone()));
/// network.advance(1);
/// drop(at_b);
/// assert_eq!(at_a.poll(), Some(LinkEvent::Came(b.clone())));
/// network.advance(1);
/// assert_eq!(at_a.poll(), Some(LinkEvent::Went(b)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinkEvent {
    /// A frame has arrived from the node that the link names. Its content has not been checked.
    Frame {
        /// The sender, as far as the link knows.
        from: NodeName,
        /// The content of the frame.
        frame: Vec<u8>,
    },
    /// A node has become reachable.
    Came(NodeName),
    /// The link has found that a node can no longer be reached.
    Went(NodeName),
    /// There is another node with this one's name.
    NameTaken {
        /// The location of the other node, as reported by the link.
        by: String,
    },
    /// The link has trouble, and continues. Reported once until it changes.
    Trouble(String),
}

/// The reason why a link did not accept a frame.
///
/// ```
/// use message_net::NodeName;
/// use message_net::link::{Link, LinkError, MemoryNetwork, MemorySettings};
///
/// let network = MemoryNetwork::new(1, MemorySettings::new());
/// let (a, b) = (NodeName::new("a")?, NodeName::new("b")?);
/// let (mut at_a, mut at_b) = (network.link(a.clone()), network.link(b.clone()));
/// network.advance(1);
/// let long = vec![0; at_a.max_frame() + 1];
/// let error = at_a.send(&b, long.into()).unwrap_err();
/// assert_eq!(error, LinkError::TooLong { len: 65_537, most: 65_536 });
/// # let _ = at_b;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// The queue of the link is full.
    #[error("the queue of the link is full")]
    Full,
    /// The link knows no node of that name.
    #[error("the link knows no node `{0}`")]
    Unknown(NodeName),
    /// The frame is longer than the link can carry.
    #[error("a frame of {len} bytes is too long for the link: it carries at most {most}")]
    TooLong {
        /// The length of the frame.
        len: usize,
        /// The maximum length.
        most: usize,
    },
    /// The link has ended.
    #[error("the link has ended: {0}")]
    Ended(String),
}

impl fmt::Debug for dyn Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Link")
    }
}
