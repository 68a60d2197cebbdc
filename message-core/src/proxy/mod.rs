//! Messagees of other managers: proxies that stand for them, and outboxes for what is sent to them. Needs
//! the feature `data`.
//!
//! A proxy is a messagee without components. What a send, or a post, brings to it is written to its
//! outbox, as bytes; the program takes it from there, carries it to where the other manager is, and posts
//! it there. So a network, a pipe or a second manager in the same process look alike, and nothing of it
//! runs inside of a send. The crate `message-net` builds on this.
//!
//! ```
//! use message_core::data::Data;
//! use message_core::prelude::*;
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
//! let out = here.open_outbox(1 << 20);
//! let host_from_here = here.spawn_proxy(out)?;
//!
//! here.send(host_from_here, Greet { from: guest })?;
//!
//! // The carrier knows which messagee each id stands for on the other side.
//! let guest_from_there = there.spawn(());
//! for letter in here.take_outbox(out).letters() {
//!     let message = letter.message_type().read_message(letter.bytes(), &[guest_from_there])?;
//!     there.as_messagee(guest_from_there)?.send_any(host, message)?;
//! }
//! assert_eq!(there.get::<Host>(host)?.guests, [guest_from_there]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// The record of a proxy has the number of its outbox; the outboxes stand in the world, in cells, as what is
// written to them is written during a send. A message is written right behind the one before; one that
// cannot be written has no row, and the next one is written over it.

mod carry;
mod outbox;
mod saved;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

pub use outbox::{Letter, Letters, OutboxId};
pub(crate) use outbox::{Outbox, Row};

use crate::address::MessageeId;
use crate::message::MessageIndex;

/// The outboxes of a manager.
#[derive(Debug, Default)]
pub(crate) struct Proxies {
    pub(crate) outboxes: RefCell<BTreeMap<u32, Outbox>>,
    pub(crate) made: Cell<u32>,
    /// By type, if it was sent to proxies.
    carried: RefCell<Vec<bool>>,
    /// Whose end is to be known.
    watched: BTreeSet<MessageeId>,
    /// Who of these has ended, in order.
    ended: Vec<MessageeId>,
}

impl Proxies {
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn watch_end(&mut self, id: MessageeId) {
        self.watched.insert(id);
    }

    pub(crate) fn take_ended(&mut self) -> Vec<MessageeId> {
        std::mem::take(&mut self.ended)
    }

    /// A messagee has ended.
    #[inline]
    pub(crate) fn note_end(&mut self, id: MessageeId) {
        if !self.watched.is_empty() && self.watched.remove(&id) {
            self.ended.push(id);
        }
    }

    /// Returns `true` if there can be proxies.
    #[inline]
    pub(crate) fn any(&self) -> bool {
        self.made.get() > 0
    }

    /// Returns `true` if a message of that type was sent to a proxy.
    pub(crate) fn have_carried(&self, of: MessageIndex) -> bool {
        let carried = self.carried.borrow();
        carried.get(of.0 as usize).copied().unwrap_or_default()
    }

    /// A message of that type is sent to a proxy.
    fn note_carried(&self, of: MessageIndex) {
        let mut carried = self.carried.borrow_mut();
        let at = of.0 as usize;
        if carried.len() <= at {
            carried.resize(at + 1, false);
        }
        carried[at] = true;
    }
}
