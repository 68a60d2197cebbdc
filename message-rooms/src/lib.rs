//! Many managers of [`message_core`] on many cores, with the same result on any number of threads.
//!
//! [`Rooms`] owns several managers and steps them together. Within a frame each of them runs on one thread of a pool.
//! Messages between rooms wait until the next frame begins, and arrive in an order that does not depend on threads. See
//! the [guide].
//!
//! ```
//! use message_core::prelude::*;
//! use message_rooms::Rooms;
//! use std::time::Duration;
//!
//! #[derive(Message, Clone)]
//! struct Ball { speed: u32 }
//!
//! message_rooms::carried!(Ball);
//!
//! struct Player { caught: u32 }
//!
//! #[handlers]
//! impl Player {
//!     #[on_receive]
//!     fn catch(&mut self, ball: &Ball, cx: &mut Context<'_>) -> Result<(), SendError> {
//!         self.caught += 1;
//!         cx.reply(Ball { speed: ball.speed + 1 }).map(drop)
//!     }
//! }
//!
//! let mut rooms = Rooms::with_threads(2);
//! let [east, west] = [rooms.add("east", MessageManager::new())?, rooms.add("west", MessageManager::new())?];
//! let [ann, bob] = [east, west].map(|room| rooms.manager_mut(room).spawn((Player { caught: 0 },)));
//! let far_bob = rooms.proxy(east, west, bob)?;
//! rooms.manager_mut(east).speak_for(ann)?.send(far_bob, Ball { speed: 1 })?;
//! for _ in 0..5 {
//!     rooms.frame(Duration::from_millis(16))?;
//! }
//! assert_eq!(rooms.manager(west).get::<Player>(bob)?.caught, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![forbid(unsafe_code)]

mod column;
mod content;
mod desk;
mod digest;
mod error;
mod far;
mod gateway;
pub mod guide;
mod input;
#[cfg(feature = "journal")]
mod journal;
mod luggage;
mod moves;
mod passage;
mod room;
mod rooms;

#[doc(hidden)]
pub use column::CarriedRow;
pub use desk::ROOMS;
pub use digest::RoomsDigest;
pub use error::{FrameError, MoveError, RoomError, RoomPanic};
pub use far::RoomId;
#[cfg(feature = "journal")]
pub use journal::RoomsJournalError;
pub use moves::{MoveTo, Moved};
pub use rooms::Rooms;

/// Items that the expansion of [`carried!`] uses. Not part of the public interface.
#[doc(hidden)]
#[allow(missing_docs, reason = "not part of the public interface")]
pub mod __private {
    pub use message_core::__private::{file, line};
    pub use message_core::registry::Place;
    pub use message_core::registry_row;
}

/// The README's code, compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
