//! A live page that shows who sends what to whom in the worlds of message-core.
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
//! The server runs on its own thread and contains the page: nothing is loaded from any other host.
//! The simulation's thread never waits for the server. Anything that the server is too slow for is dropped and
//! counted. Requests and commands from the page wait in a queue until
//! [`update`](Inspector::update) is called, which carries them out as if the program did: by ordinary sends
//! from outside, which are written to logs.
//!
//! # Cost
//!
//! While nobody looks, an update checks one flag and one queue. While somebody looks, a manager whose
//! frames have few events is traced in full. If a manager is busy, only some frames are traced, each until a
//! [budget](Builder::budget) of events is used up, and the deliveries of these frames are counted by message
//! type. After such a sample, the inspector waits until its cost is a fiftieth of the time that has
//! passed, for at most five seconds. The page shows rates estimated from the samples, and says so. The
//! [guide] has figures.
//!
//! The inputs of the last frames are [recorded](Builder::flight_recorder) whether somebody looks or not, unless the state
//! is large, so that the page can go back to them.
//!
//! # Access
//!
//! - Requests need a token. By default it is random and part of the address of the page,
//!   [`Inspector::url`]; a program can [choose](Builder::token) one, or
//!   [do without](Builder::without_token) on a loopback address. The browser keeps the token as a cookie, which
//!   it shows to every server on the same host, whatever its port.
//! - Requests must name an IP address, `localhost` or an [allowed host](Builder::host), and must come from the
//!   server's own page. Other pages in the same browser cannot reach it, even by a host name that resolves to
//!   this machine.
//! - Nothing can be changed unless the server is made [writable](Builder::writable).
//! - The values of components are shown, and a writable server changes them, if their type is [data](message_data), because such a type
//!   is meant to be written to files. [`Builder::hide`] hides a type; [`Builder::show`] shows a
//!   type without data using its `Debug`. The contents of messages are shown using their `Debug`, unless
//!   [`Builder::contents`] disables that.
//! - A log that is [opened](guide#6-go-back) runs the program's handlers, so only a writable server opens one. At most four
//!   are open, of 64 MiB each. The recording is not given away by a server that hides values.
//! - Bodies, connections, streams, queues and histories are bounded. A client that is too slow loses its
//!   connection after a [deadline](Builder::deadline), and one without the token after one answer.
//!
//! The [guide] leads from a running program to a line of source, with pictures. The module [`api`] describes
//! the interface between the server and the page.

#![forbid(unsafe_code)]

pub mod api;
mod builder;
mod error;
mod flight;
pub mod guide;
mod history;
mod inspector;
mod page;
mod server;
mod shared;
mod sources;
mod token;
mod travel;
mod world;

pub use builder::Builder;
pub use error::InspectorError;
pub use inspector::Inspector;

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
