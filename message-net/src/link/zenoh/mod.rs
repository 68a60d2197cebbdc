//! A link over [zenoh](https://zenoh.io), a distributed publish/subscribe engine.
//!
//! One process of a world, the hub, embeds zenoh's router; the others are its clients. A stand-alone router
//! works as well.
//!
//! ```no_run
//! # #[cfg(feature = "tls")]
//! # fn open() -> Result<(), Box<dyn std::error::Error>> {
//! use message_net::NodeName;
//! use message_net::link::zenoh::{Tls, ZenohConfig, ZenohLink};
//!
//! // In the process of the hub …
//! let hub = ZenohConfig::hub("tls/0.0.0.0:7447")
//!     .tls(Tls::new("authority.pem", "hub.pem", "hub.key"))
//!     .only([NodeName::new("zone-1")?, NodeName::new("zone-2")?])
//!     .world("arena");
//! let hub = ZenohLink::open(NodeName::new("hub")?, hub)?;
//! // … and in that of a zone.
//! let zone = ZenohConfig::client("tls/hub.example:7447")
//!     .tls(Tls::new("authority.pem", "zone-1.pem", "zone-1.key"))
//!     .world("arena");
//! let zone = ZenohLink::open(NodeName::new("zone-1")?, zone)?;
//! # Ok(())
//! # }
//! ```
//!
//! On one machine, `ZenohConfig::hub("tcp/127.0.0.1:7447")` needs neither certificates nor names.
//!
//! # What is promised
//!
//! - [`send`](Link::send) and [`poll`](Link::poll) never block: each holds a lock for the duration of a push or
//!   a pop. They never call into zenoh, and no zenoh thread calls the caller's code.
//! - [`ZenohLink::open`] checks the configuration and returns. The session is opened in the background, with
//!   retries until it succeeds. Each reason for a failure is reported once, by [`LinkEvent::Trouble`].
//! - [`LinkEvent::Came`] and [`LinkEvent::Went`] of a node alternate, beginning with `Came`. When a process is
//!   killed, its system closes the connection, and the node has gone at once. A node that becomes unreachable
//!   has gone after the lease, 2 s by default. A process that is cut off also receives `Went` for the nodes
//!   that it loses.
//! - After a cut or a restart of the router, zenoh tries to reconnect every 200 to 500 ms. If that fails for
//!   ten seconds, the link opens a new session and reports the reason.
//! - Two nodes of the same name learn of each other by [`LinkEvent::NameTaken`] once both have been present for
//!   one and a half leases. The token of a process that died can linger for one lease, so a restart is not a
//!   conflict. Until one of the two ends, both receive the frames sent to the name.
//! - Dropping the link passes waiting frames to zenoh and closes the session. The drop takes at most two
//!   seconds; anything left is finished in the background.
//!
//! # What is not promised
//!
//! - A frame can be lost: when a queue is full at this node, at the router or at the receiver, or when a
//!   connection breaks. The loss is not reported to the sender. The session layer above numbers frames,
//!   acknowledges them and resends them. On one unbroken connection zenoh preserves the order.
//! - A frame to a node that is not present is refused: [`LinkError::Unknown`]. A frame to a node that is
//!   present can still be lost, because the node may leave in the meantime.
//! - A stalled receiver loses frames, but does not slow down others: see the queues below.
//! - A frame that is dropped after the last `send`, while the link closes, is not reported.
//!
//! # Whom to believe
//!
//! The sender of a frame is read from the key under which it was published, and zenoh by itself does not verify
//! it: it does not pass on the certificate of a frame's sender. Anyone who can connect to the router can publish
//! under any key, hold any token, and subscribe to the frames of others. So a world whose router can be reached by
//! strangers needs both of the following. Without them, a hub or a peer is refused unless it listens on a loopback
//! address without certificates, or [says](ZenohConfig::open_to_anyone) that this is intended:
//!
//! - **TLS with certificates on both sides** (feature `tls`, `ZenohConfig::tls`): only processes with a
//!   certificate of the authority can connect. This alone does not tell the nodes apart.
//! - **Access control at the router**: `ZenohConfig::only` lets a node publish, subscribe and hold tokens only
//!   under the common name of its certificate. Only then is the sender of a frame authentic. The rules are
//!   written into zenoh's `access_control` for each node: `put` under `<world>/to/*/<node>`,
//!   `declare_subscriber` under `<world>/to/<node>/*`, and `liveliness_token` under `<world>/alive/<node>/*`; a
//!   stand-alone router needs the same rules in its own configuration.
//!
//! The router itself is trusted: it can read and change everything.
//!
//! # Threads and queues
//!
//! A link starts one thread, and zenoh starts up to five runtimes with at least six threads for the process,
//! regardless of the number of links. The thread takes frames out of a bounded queue and passes them to zenoh
//! with congestion control `Drop`: when the connection cannot keep up, zenoh waits for 20 ms (100 ms for a
//! frame of several batches of 64 KiB), drops the frame, and drops all others until the connection accepts data
//! again. So a connection that transfers less than 64 KiB in 20 ms loses frames in a burst, and a frame much
//! longer than a megabyte needs a fast connection. Zenoh's callback puts incoming frames into another bounded
//! queue. If that is full, they are dropped and counted: see [`ZenohCounts`].

mod access;
mod config;
mod counts;
mod endpoint;
mod engine;
mod error;
mod keys;
mod memory;
mod presence;
mod queue;
mod reason;
#[cfg(feature = "tls")]
mod tls;

use std::fmt;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;
use std::time::Duration;

pub use config::ZenohConfig;
pub use counts::{ZenohCounts, ZenohMeter};
pub use error::ZenohError;
#[cfg(feature = "tls")]
pub use tls::Tls;

use super::{Frame, Link, LinkError, LinkEvent};
use crate::name::NodeName;
use engine::{Alarm, Engine, Shared};
use keys::Keys;
use presence::Presence;
use queue::{Inbox, Outbox};

/// How long dropping a link waits for the zenoh session to close.
const CLOSING: Duration = Duration::from_secs(2);

/// Carries frames over zenoh: see the [module](self).
///
/// It implements [`Link`]. It is opened with a name and a [`ZenohConfig`].
pub struct ZenohLink {
    node: NodeName,
    shared: Arc<Shared>,
    /// Disconnected when the thread has ended.
    ended: Receiver<()>,
}

impl ZenohLink {
    /// Opens the link of a node. Returns at once: the router need not be running yet.
    ///
    /// ```no_run
    /// use message_net::NodeName;
    /// use message_net::link::{Link as _, LinkEvent};
    /// use message_net::link::zenoh::{ZenohConfig, ZenohLink};
    ///
    /// let config = ZenohConfig::client("tcp/127.0.0.1:7447");
    /// let mut link = ZenohLink::open(NodeName::new("zone-1")?, config)?;
    /// while let Some(event) = link.poll() {
    ///     match event {
    ///         LinkEvent::Came(node) => link.send(&node, b"hello".to_vec().into())?,
    ///         LinkEvent::Trouble(what) => eprintln!("{what}"),
    ///         _ => {}
    ///     }
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if the configuration is not valid, or if the system cannot start a thread.
    pub fn open(node: NodeName, config: ZenohConfig) -> Result<Self, ZenohError> {
        let zenoh = config.to_zenoh()?;
        let (outgoing, incoming) = config.bounds();
        let shared = Arc::new(Shared {
            keys: Keys::new(config.world_name()),
            max_frame: config.most(),
            outbox: Outbox::new(outgoing),
            inbox: Inbox::new(incoming, Presence::new(node.clone(), config.grace())),
            counters: Arc::default(),
            memory: Arc::default(),
        });
        let (running, ended) = mpsc::channel();
        let engine = Engine {
            node: node.clone(),
            config,
            zenoh,
            shared: Arc::clone(&shared),
        };
        thread::Builder::new()
            .name("zenoh link".to_owned())
            .spawn(move || {
                let _running: mpsc::Sender<()> = running;
                let _alarm = Alarm(Arc::clone(&engine.shared));
                engine.run();
            })
            .map_err(ZenohError::Thread)?;
        Ok(Self {
            node,
            shared,
            ended,
        })
    }

    /// Returns a handle that reads the counts of the link, even after the link was moved into a node.
    #[must_use]
    pub fn meter(&self) -> ZenohMeter {
        ZenohMeter::new(Arc::clone(&self.shared.counters))
    }
}

impl Link for ZenohLink {
    fn name(&self) -> &NodeName {
        &self.node
    }

    fn send(&mut self, to: &NodeName, frame: Frame) -> Result<(), LinkError> {
        let most = self.shared.max_frame;
        if frame.len() > most {
            let len = frame.len();
            return Err(LinkError::TooLong { len, most });
        }
        if let Err(TryRecvError::Disconnected) = self.ended.try_recv() {
            return Err(LinkError::Ended("its thread panicked".to_owned()));
        }
        if !self.shared.inbox.has(to) {
            return Err(LinkError::Unknown(to.clone()));
        }
        if self.shared.outbox.push(to, frame) {
            Ok(())
        } else {
            Err(LinkError::Full)
        }
    }

    fn poll(&mut self) -> Option<LinkEvent> {
        self.shared.inbox.poll()
    }

    fn max_frame(&self) -> usize {
        self.shared.max_frame
    }

    fn give_memory(&mut self, memory: Vec<u8>) {
        self.shared.memory.give(memory);
    }
}

impl Drop for ZenohLink {
    fn drop(&mut self) {
        self.shared.outbox.close();
        // Nothing more can be done in either case: the thread has ended, or ends later.
        let _ = self.ended.recv_timeout(CLOSING);
    }
}

impl fmt::Debug for ZenohLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ZenohLink")
            .field("node", &self.node)
            .field("counts", &self.shared.counters.read())
            .finish_non_exhaustive()
    }
}
