//! A link over [zenoh](https://zenoh.io), a distributed engine of publication and subscription.
//!
//! One process of a world, its hub, embeds zenoh's router; the others are its clients. A stand-alone
//! router serves as well.
//!
//! ```no_run
//! use message_net::NodeName;
//! use message_net::link::zenoh::{ZenohConfig, ZenohLink};
//!
//! // In the process of the hub …
//! let hub = ZenohConfig::hub("tcp/0.0.0.0:7447").world("arena");
//! let hub = ZenohLink::open(NodeName::new("hub")?, hub)?;
//! // … and in that of a zone.
//! let zone = ZenohConfig::client("tcp/hub.example:7447").world("arena");
//! let zone = ZenohLink::open(NodeName::new("zone-1")?, zone)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is promised
//!
//! - [`send`](Link::send) and [`poll`](Link::poll) never block: each holds a lock for the time of a push
//!   or a pop. Nothing of zenoh is called in them, and no thread of zenoh calls anything of the caller's.
//! - [`ZenohLink::open`] checks the configuration and returns. The session is opened in the background,
//!   and so often until it can be. What hinders it is told by [`LinkEvent::Trouble`], once for each
//!   reason.
//! - [`LinkEvent::Came`] and [`LinkEvent::Went`] of a node alternate, beginning with `Came`. A process that
//!   is killed has gone when its connection is closed by its system, at once; one that cannot be reached
//!   any more has gone after the lease, 2 s unless set. The nodes that it loses are told to the process
//!   that is cut off as well.
//! - After a cut or a restart of the router, zenoh tries to connect again every 200 to 500 ms. If that
//!   fails for ten seconds, the link opens a new session, and tells what hinders it.
//! - Two nodes of one name learn of each other by [`LinkEvent::NameTaken`] when both have been there for
//!   one and a half leases: the token of a process that died can linger for one, so that a restart is
//!   no conflict. Until one of them ends, both receive what is sent to the name.
//! - Dropping the link gives zenoh what waits to be sent and closes the session. It takes two seconds at
//!   most; what is not done by then is done in the background.
//!
//! # What is not promised
//!
//! - A frame can be lost: when a queue is full at this node, at the router or at the receiver, or when a
//!   connection breaks. What is lost is not reported where it was sent. The session above numbers
//!   frames, acknowledges them and sends them again. On one unbroken connection zenoh keeps the order.
//! - A frame to a node that is not there is refused: [`LinkError::Unknown`]. One to a node that is there
//!   can still be lost, because it goes meanwhile.
//! - A receiver that stands still loses frames, and does not slow down others: see the queues below.
//! - A frame that was dropped when the link closes, after its last `send`, is not told.
//!
//! # Whom to believe
//!
//! The sender of a frame is read from the key that it was published under, and zenoh by itself does not
//! verify it: who can connect to the router can publish under any key, hold any token, and subscribe to
//! what is for others. So a world whose router strangers can reach needs both:
//!
//! - **TLS with certificates of both sides** (feature `tls`, `ZenohConfig::tls`): only who has a
//!   certificate of the authority connects at all. It is not enough to tell the nodes apart.
//! - **Access control at the router**: `ZenohConfig::only` allows a node to publish, subscribe and hold
//!   tokens only under the name that its certificate has as common name. Only with it is a sender who it
//!   is said to be. It is written into zenoh's `access_control` as rules for each node: `put` under
//!   `<world>/to/*/<node>`, `declare_subscriber` under `<world>/to/<node>/*`, and `liveliness_token` under
//!   `<world>/alive/<node>/*`; a stand-alone router needs the same in its own configuration.
//!
//! The router itself is trusted: it can read and change everything.
//!
//! # Threads and queues
//!
//! A link starts one thread, and zenoh starts up to five runtimes with six threads or more for the process,
//! however many links there are. The thread takes frames out of a bounded queue and gives them to zenoh
//! with congestion control `Drop`: when the connection does not keep up, zenoh waits for 20 ms (100 ms for
//! a frame of several batches of 64 KiB), drops the frame, and drops all others until the connection takes
//! some again. So a connection that takes less than 64 KiB in 20 ms loses frames in a burst, and a frame
//! much longer than a megabyte needs a fast one. What comes is put by zenoh's callback into another bounded
//! queue, or dropped if that is full and counted: see [`ZenohCounts`].

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

/// How long dropping a link waits for the session of zenoh to be closed.
const CLOSING: Duration = Duration::from_secs(2);

/// Carries frames over zenoh: see the [module](self).
///
/// It implements [`Link`]. It is opened by a name and a [`ZenohConfig`].
pub struct ZenohLink {
    node: NodeName,
    shared: Arc<Shared>,
    /// Disconnected when the thread has ended.
    ended: Receiver<()>,
}

impl ZenohLink {
    /// Opens a link of a node. Returns at once: the router need not be there yet.
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
    /// If the configuration is not valid, or the system starts no thread.
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

    /// Returns a handle that reads what the link has carried and dropped, also after the link was given
    /// away.
    #[must_use]
    pub fn meter(&self) -> ZenohMeter {
        ZenohMeter::new(Arc::clone(&self.shared.counters))
    }

    /// Returns the name that the link was opened with.
    #[must_use]
    pub fn node(&self) -> &NodeName {
        &self.node
    }
}

impl Link for ZenohLink {
    fn send(&mut self, to: &NodeName, frame: Frame) -> Result<(), LinkError> {
        let most = self.shared.max_frame;
        if frame.len() > most {
            let len = frame.len();
            return Err(LinkError::TooLong { len, most });
        }
        if let Err(TryRecvError::Disconnected) = self.ended.try_recv() {
            return Err(LinkError::Ended("its thread has panicked".to_owned()));
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
        // Either way there is nothing more to do: it has ended, or ends later.
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
