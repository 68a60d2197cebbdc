//! Counters of sessions.

/// Counters of a node's sessions.
///
/// ```
/// use message_net::SessionCounters;
/// # use message_data::Data;
/// # use message_core::prelude::*;
/// # use message_net::link::{MemoryNetwork, MemorySettings};
/// # use message_net::{Node, NodeConfig, NodeName};
/// # use serde::{Deserialize, Serialize};
/// # use std::time::Duration;
/// # #[derive(Message, Data, Serialize, Deserialize, Clone)]
/// # #[data(name = "docs.SessionCounters.Note", exact)]
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
/// run!(10);
/// let SessionCounters { resent, doubled, refused, .. } = hub.session_counters();
/// assert_eq!((resent, doubled, refused), (0, 0, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionCounters {
    /// Frames that the link accepted.
    pub frames_sent: u64,
    /// The total length of these frames, in bytes.
    pub bytes_sent: u64,
    /// Frames that the link did not accept; they are sent again.
    pub not_taken: u64,
    /// Frames that were received.
    pub frames_received: u64,
    /// The total length of these frames, in bytes.
    pub bytes_received: u64,
    /// Pieces that were sent again.
    pub resent: u64,
    /// Pieces that were accepted, not including those that were held.
    pub accepted: u64,
    /// Pieces that arrived early and were held.
    pub held: u64,
    /// Pieces that arrived again.
    pub doubled: u64,
    /// Pieces that were not accepted because too much was waiting.
    pub dropped: u64,
    /// Frames of other runs and sessions, such as those that have ended.
    pub late: u64,
    /// Frames that were refused.
    pub refused: u64,
}
