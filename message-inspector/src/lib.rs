//! A live page on who sends what to whom in the worlds of message-core.
//!
//! ```
//! use message_core::prelude::*;
//! use message_inspector::Inspector;
//! use std::time::Duration;
//!
//! let mut manager = MessageManager::new();
//! let mut inspector = Inspector::serve("127.0.0.1:0")?;
//! inspector.attach(&mut manager, "world");
//! println!("look at {}", inspector.url());
//! for _ in 0..3 {
//!     manager.tick(Duration::from_millis(16));
//!     inspector.update(&mut manager);
//! }
//! # Ok::<(), message_inspector::InspectorError>(())
//! ```
//!
//! The server runs on a thread of its own and has the page in it: no other host is asked for anything.
//! The thread of the simulation never waits for it. What the server is too slow for is dropped and
//! counted; what the page asks of a world, and what it does to it, waits in a queue until
//! [`update`](Inspector::update) is called, where it is done as if the program did it: by ordinary sends
//! from outside, which logs have.
//!
//! # What it costs
//!
//! While nobody looks, an update asks one flag and one queue. While somebody looks, a manager whose
//! frames have few events is traced in full. In a busy one only some frames are traced, each until a
//! [budget](Builder::budget) of events is used up, and the deliveries of these frames are counted by message
//! type. After such a sample the inspector waits until what it has cost is a fiftieth of the time that has
//! passed, for five seconds at most. The rates that the page shows are estimated from the samples, and the page says so. The
//! [guide] has figures.
//!
//! # Who may see what
//!
//! - By default the server listens on loopback addresses only; another address needs a
//!   [token](Builder::token).
//! - Requests have to name an IP address, `localhost` or an [allowed host](Builder::host), and to come from the
//!   server's own page: other pages in the same browser cannot reach it, even by a host name that leads to this
//!   machine.
//! - Nothing can be changed unless the server is made [writable](Builder::writable).
//! - The values of components are shown if their type is [data](message_core::data), since such a type
//!   is meant to be written to files. [`Builder::hide`] keeps one to itself; [`Builder::show`] shows a
//!   type without data by its `Debug`. The contents of messages are shown by their `Debug`, unless
//!   [`Builder::contents`] says no.
//! - Bodies, connections, streams, queues and histories have limits.
//!
//! The [guide] goes from a running program to a line of source, with pictures. The module [`api`] describes
//! what stands between the server and the page.

#![forbid(unsafe_code)]

pub mod api;
mod builder;
mod error;
pub mod guide;
mod history;
mod inspector;
mod page;
mod server;
mod shared;
mod world;

pub use builder::Builder;
pub use error::InspectorError;
pub use inspector::Inspector;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
