//! Limits and intervals of sessions.

use std::time::Duration;

use crate::name::NodeName;

/// How sessions behave. Every field has a default.
#[derive(Clone, Debug)]
pub(crate) struct SessionConfig {
    /// How long a peer can be silent before its session ends. A shorter cut loses nothing.
    pub(crate) resend_window: Duration,
    /// How many bytes of batches can wait for their acknowledgement, for each peer.
    pub(crate) window_bytes: usize,
    /// How many batches can wait for their acknowledgement, for each peer.
    pub(crate) window_batches: usize,
    /// The longest batch that is accepted; peers are notified of it.
    pub(crate) max_batch: usize,
    /// The longest hello that is accepted. A node with a longer hello gets no session with this node.
    pub(crate) max_hello: usize,
    /// How many bytes of received batches can wait for [`next_event`](super::Sessions::next_event), for each
    /// peer. Data beyond that is not accepted, so the peer sends it again.
    pub(crate) inbox_bytes: usize,
    /// How many bytes that arrived early are kept, for each peer.
    pub(crate) held_bytes: usize,
    /// The silence after which a peer is unreachable. More than twice `heartbeat`.
    pub(crate) unreachable_after: Duration,
    /// The time after which a peer to which nothing was sent gets a frame without content.
    pub(crate) heartbeat: Duration,
    /// How long an acknowledgement can wait for a frame to carry it.
    pub(crate) ack_delay: Duration,
    /// The minimum time before something is sent again.
    pub(crate) min_resend: Duration,
    /// The maximum time before something is sent again.
    pub(crate) max_resend: Duration,
    /// The initial time between two hellos; it doubles each time.
    pub(crate) min_hello: Duration,
    /// The maximum time between two hellos.
    pub(crate) max_hello_wait: Duration,
    /// The silence after which a peer that is down is forgotten.
    pub(crate) forget_after: Duration,
    /// How many frames are accepted in a second from one peer, and from all together that have no session.
    pub(crate) frames_per_second: u64,
    /// How many bytes are accepted in a second from one peer, and from all together that have no session.
    pub(crate) bytes_per_second: u64,
    /// How many bytes are kept for all peers together, of batches that are not complete or not acknowledged.
    pub(crate) memory: usize,
    /// The maximum number of peers.
    pub(crate) max_peers: usize,
    /// Patterns for the names of peers with which there are sessions. If empty, there are sessions with all
    /// peers.
    pub(crate) sessions_with: Vec<String>,
    /// The minimum time between two reports of refusals of one kind.
    pub(crate) report_interval: Duration,
    /// How many events of the link one poll reads. The others wait there.
    pub(crate) events_per_poll: usize,
    /// How many bytes of frames one poll reads; the last frame can be longer.
    pub(crate) bytes_per_poll: usize,
}

impl SessionConfig {
    /// Returns `true` if the configuration allows a session with a node of that name.
    pub(crate) fn has_session_with(&self, node: &NodeName) -> bool {
        let mut patterns = self.sessions_with.iter();
        self.sessions_with.is_empty() || patterns.any(|it| node.fits(it))
    }

    /// Returns how many bytes of incomplete batches are kept of all peers with a session.
    pub(super) fn incoming_bytes(&self) -> usize {
        (self.memory / 4).saturating_sub(self.strangers_bytes())
    }

    /// Returns how many bytes of incomplete hellos are kept of all peers without a session.
    pub(super) fn strangers_bytes(&self) -> usize {
        // The memory of a hello doubles as it grows.
        (self.memory / 32).max(self.max_hello * 2)
    }

    /// Returns how many bytes for all peers can wait for acknowledgements before each peer is limited to its
    /// [reserved bytes](Self::reserved_bytes).
    pub(super) fn outgoing_bytes(&self) -> usize {
        self.memory / 2
    }

    /// Returns how many bytes for one peer can wait for acknowledgements, whatever waits for the others.
    pub(super) fn reserved_bytes(&self) -> usize {
        self.memory / 4 / self.max_peers.max(1)
    }

    /// Lists the patterns, for error messages.
    pub(crate) fn listed(&self) -> String {
        let quoted: Vec<String> = self
            .sessions_with
            .iter()
            .map(|it| format!("`{it}`"))
            .collect();
        quoted.join(", ")
    }
}

impl Default for SessionConfig {
    fn default() -> Self {
        Self {
            resend_window: Duration::from_secs(10),
            window_bytes: 16 << 20,
            window_batches: 4096,
            max_batch: 4 << 20,
            max_hello: 1 << 20,
            inbox_bytes: 32 << 20,
            held_bytes: 8 << 20,
            unreachable_after: Duration::from_secs(1),
            heartbeat: Duration::from_millis(250),
            ack_delay: Duration::from_millis(50),
            min_resend: Duration::from_millis(200),
            max_resend: Duration::from_secs(2),
            min_hello: Duration::from_millis(100),
            max_hello_wait: Duration::from_secs(1),
            forget_after: Duration::from_secs(300),
            frames_per_second: 10_000,
            bytes_per_second: 512 << 20,
            memory: 512 << 20,
            max_peers: 1024,
            sessions_with: Vec::new(),
            report_interval: Duration::from_secs(1),
            events_per_poll: 4096,
            bytes_per_poll: 4 << 20,
        }
    }
}
