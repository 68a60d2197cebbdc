//! # Many cores
//!
//! One manager works on one core at a time. [Parallel handlers](message_core::handlers) spread one broadcast over several
//! cores, but they get no context. If the program consists of parts that talk to each other less than within
//! themselves, such as zones, matches or floors, give each its own manager: a *room*.
//!
//! ```
//! use message_core::prelude::*;
//! use message_rooms::Rooms;
//! use std::time::Duration;
//!
//! let mut rooms = Rooms::with_threads(4);
//! for zone in ["north", "east", "south", "west"] {
//!     rooms.add(zone, MessageManager::new())?;
//! }
//! rooms.frame(Duration::from_millis(16))?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`frame`](Rooms::frame) calls `tick` in each room. Use [`frame_with`](Rooms::frame_with) to run code of the program in
//! each room, at the same time. Between two frames, the program uses [`manager_mut`](Rooms::manager_mut) as usual.
//!
//! # Messages between rooms
//!
//! A room knows a messagee of another room by a proxy, which is an ordinary id. [`proxy`](Rooms::proxy) returns it. The
//! sender of a message from another room, and each id in such a message, is a proxy as well. So programs seldom call
//! `proxy`: they introduce messagees to each other in messages.
//!
//! Messages to a proxy wait until the next frame begins. They are then delivered before the room steps, ordered
//! by the room they come from and, within a room, by when they were sent. A reply takes one more frame. A request to
//! a proxy is refused, because its answer could not arrive before the request returns. Use
//! [`ask`](message_data::ask::Ask::ask) instead, as for messagees of other nodes:
//!
//! ```
//! use message_core::prelude::*;
//! use message_data::Data;
//! use message_data::ask::{Answered, Ask, AskError};
//! use message_rooms::Rooms;
//! use serde::{Deserialize, Serialize};
//! use std::time::Duration;
//!
//! #[derive(Message, Data, Serialize, Deserialize)]
//! #[message(reply = u32)]
//! #[data(name = "guide.GetPrice", exact)]
//! struct GetPrice;
//!
//! #[derive(Message)]
//! struct Visit { shop: MessageeId }
//!
//! struct Shop { price: u32 }
//!
//! #[handlers]
//! impl Shop {
//!     #[on_receive]
//!     fn price(&mut self, _: &GetPrice) -> u32 { self.price }
//! }
//!
//! #[derive(Default)]
//! struct Guest { price: Option<u32> }
//!
//! #[handlers]
//! impl Guest {
//!     #[on_receive]
//!     fn visit(&mut self, visit: &Visit, cx: &mut Context<'_>) -> Result<(), AskError> {
//!         cx.ask(visit.shop, GetPrice).within(Duration::from_secs(1)).map(drop)
//!     }
//!
//!     #[on_receive]
//!     fn answered(&mut self, answered: &Answered<GetPrice>) {
//!         self.price = answered.answer.as_ref().ok().copied();
//!     }
//! }
//!
//! let mut rooms = Rooms::new();
//! let [hall, attic] = [rooms.add("hall", MessageManager::new())?, rooms.add("attic", MessageManager::new())?];
//! let shop = rooms.manager_mut(attic).spawn((Shop { price: 7 },));
//! let guest = rooms.manager_mut(hall).spawn((Guest::default(),));
//! let shop = rooms.proxy(hall, attic, shop)?;
//! rooms.manager_mut(hall).send(guest, Visit { shop })?;
//! for _ in 0..2 {
//!     rooms.frame(Duration::from_millis(16))?;
//! }
//! assert_eq!(rooms.manager(hall).get::<Guest>(guest)?.price, Some(7));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The guest receives an `Answered` in any case: with the price, or with the reason why there is none.
//!
//! Use [`carried!`] for types that are sent often and have no ids: their messages are cloned. All other messages are
//! written as bytes, with their ids translated, and need [`Data`](message_data::Data).
//!
//! [`span`](Rooms::span) makes a group reach the members in all rooms.
//!
//! # Moving to another room
//!
//! A walker that crosses a border is moved by [`move_to`](Rooms::move_to), or by its own handler with [`MoveTo`]. It gets
//! a new id. Existing proxies in other rooms still reach it. In the room that it has left, its old id is gone, and
//! [`Moved`] names the proxy that replaces it.
//!
//! # The same result
//!
//! Each room is deterministic, and nothing passes between rooms during a frame. So the [digest](Rooms::digest) after a
//! frame is the same on one thread and on eight. Do not break this: a closure passed to `frame_with`, and handlers, must
//! not share state with other rooms, such as a static counter, a channel, or an [inlet](message_core::Inlet) of another
//! room.
//!
//! The [log](message_data::Log) of a room contains what arrives from other rooms, so it can be replayed without them.
//!
//! # After a crash
//!
//! With the feature `journal`, `Rooms::open_journal` opens one journal of all rooms. If the process is killed, the next one
//! finds all rooms, and the messages between them, as they were after the last complete frame. The digest is the same as if
//! nothing had happened. For what a journal needs, see
//! [`guide::after_a_crash`](message_data::guide::after_a_crash); messages between rooms need data as well.
//!
//! # When not to use rooms
//!
//! - **One manager is fast enough.** It needs no proxies, messages arrive at once, and requests have answers.
//! - **Frames are short.** Starting the rooms of a frame and waiting for the last one takes several microseconds. Below
//!   about 0.3 ms of work in a frame, there is little to gain.
//! - **Everything talks to everything.** A message between rooms costs about four times as much as one within a room, and
//!   arrives a frame later. If most messages cross, divide the program differently.
//! - **One room does most of the work.** A frame takes as long as its longest room. Use more rooms than threads, of
//!   similar size.
//! - **Only one broadcast is expensive.** Mark its handler `parallel` instead.
//! - **The parts live in other processes.** See `message-net`.

#[cfg(doc)]
use crate::{MoveTo, Moved, Rooms, carried};
