//! Worlds across machines: reach messagees of other processes with the same `send`.
//!
//! A [`Node`] connects a manager of `message-core` with others. It exports messagees under names, and imports
//! those of other nodes as proxies. Sending and posting to a proxy works as for any messagee.
//!
//! ```
//! use message_core::prelude::*;
//! use message_data::Data;
//! use message_net::link::{MemoryNetwork, MemorySettings};
//! use message_net::{Node, NodeConfig, NodeName};
//! use serde::{Deserialize, Serialize};
//! use std::time::Duration;
//!
//! #[derive(Message, Data, Serialize, Deserialize)]
//! #[data(name = "docs.Ring", exact)]
//! struct Ring { times: u32 }
//!
//! #[derive(Default)]
//! struct Bell { rung: u32 }
//!
//! #[handlers]
//! impl Bell {
//!     #[on_receive]
//!     fn ring(&mut self, ring: &Ring) { self.rung += ring.times; }
//! }
//!
//! let network = MemoryNetwork::new(1, MemorySettings::new());
//! let (tower, town) = (NodeName::new("tower")?, NodeName::new("town")?);
//! let (mut up, mut down) = (MessageManager::new(), MessageManager::new());
//! let accepts = NodeConfig::new().accept::<Ring>();
//! let mut at_tower = Node::attach(&mut up, network.link(tower), accepts);
//! let mut at_town = Node::attach(&mut down, network.link(town), NodeConfig::new());
//!
//! let bell = up.spawn((Bell::default(),));
//! at_tower.export(&mut up, bell, "tower/bell")?;
//! let proxy = at_town.import(&mut down, "tower/bell")?;
//! down.send(proxy, Ring { times: 2 })?;
//! for _ in 0..10 {
//!     network.advance(1);
//!     at_tower.tick(&mut up, Duration::from_millis(16));
//!     at_town.tick(&mut down, Duration::from_millis(16));
//! }
//! assert_eq!(up.get::<Bell>(bell)?.rung, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - Messages from one messagee to another are received in the order sent, and none twice.
//! - Nothing is lost while the connection lives, or over a cut shorter than the resend window; messages lost
//!   over a longer cut are counted and reported.
//! - Nothing is accepted unless the configuration names it, and no input makes a node panic.
//! - Everything that a node does to its world is an input in the world's log: a replay needs no network.
//!
//! See [From one world to many](guide) for a full introduction, including the failure modes; [the
//! contract](message_core::contract#worlds-across-machines) has the exact rules. [`frame_format`] and
//! [`batch_format`] specify the wire format, [`deployment`] the limits for many nodes, [`internet`] those that bound
//! strangers.
//!
//! This crate does not forward messages from one node to a third one, has no directory of all nodes, and does
//! not encrypt by itself.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `zenoh` | no | `link::zenoh`: a link over zenoh. It takes minutes to build |
//! | `tls` | no | certificates on both sides for that link; enables `zenoh` |

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

pub mod batch_format;
mod content;
pub mod deployment;
pub mod frame_format;
pub mod guide;
mod hash;
pub mod internet;
pub mod link;
mod name;
mod net;
mod node;
mod pack;
pub mod proxy;
mod random;
mod sender;
mod session;
mod spare;
mod told;

pub use name::{NameError, NodeName};
pub use net::{NET, Unwatch, Watch};
#[doc(hidden)]
pub use node::fuzz_batch;
pub use node::{Accept, Node, NodeConfig, NodeError, PeerCounts, PeerInfo, PeerState};
pub use sender::SenderNode;
pub use session::SessionCounters;
#[doc(hidden)]
pub use session::frame::rewrite_frame;
pub use told::{DownReason, MessagesLost, NetTrouble, NodeDown, NodeUp, Reach, ReachChanged};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
