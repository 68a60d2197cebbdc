//! Messagees of other managers: proxies that represent them, and outboxes for the messages sent to them.
//!
//! A proxy is a messagee without components. What a send, or a post, brings to it is written to its
//! outbox, as bytes; the program takes it from there, carries it to where the other manager is, and posts
//! it there. So a network, a pipe or a second manager in the same process look alike, and nothing of it
//! runs inside of a send. The crate `message-net` builds on this.
//!
//! ```
//! use message_core::prelude::*;
//! use message_data::Data;
//! use message_net::proxy;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Message, Data, Serialize, Deserialize)]
//! #[data(name = "docs.Greet", exact)]
//! struct Greet { from: MessageeId }
//!
//! #[derive(Default)]
//! struct Host { guests: Vec<MessageeId> }
//!
//! #[handlers]
//! impl Host {
//!     #[on_receive]
//!     fn greet(&mut self, greet: &Greet) { self.guests.push(greet.from); }
//! }
//!
//! let [mut here, mut there] = [MessageManager::new(), MessageManager::new()];
//! let (guest, host) = (here.spawn(()), there.spawn((Host::default(),)));
//! let out = proxy::open_outbox(&mut here, 1 << 20);
//! let host_from_here = proxy::spawn_proxy(&mut here, out)?;
//!
//! here.send(host_from_here, Greet { from: guest })?;
//!
//! // Whoever carries the letters knows which messagee each id means on the other side.
//! let guest_from_there = there.spawn(());
//! for letter in proxy::take_outbox(&mut here, out).letters() {
//!     let message = letter.message_type().read_message(letter.bytes(), &[guest_from_there])?;
//!     there.speak_for(guest_from_there)?.send_any(host, message)?;
//! }
//! assert_eq!(there.get::<Host>(host)?.guests, [guest_from_there]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// A message is written right behind the one before; one that cannot be written has no row, and the next one
// is written over it.

mod functions;
mod input;
mod outbox;
mod outboxes;
mod saved;

pub(crate) use functions::open_outbox_to;
pub use functions::{
    close_outbox, open_outbox, open_outbox_by_position, outboxes, proxies, set_outbox_blocked,
    spawn_proxy, take_ended, take_outbox, take_outbox_into, watch_end,
};
use outbox::Outbox;
pub use outbox::OutboxId;
pub(crate) use outbox::Traced;
pub use outbox::{Letter, Letters};
pub(crate) use outboxes::Outboxes;
