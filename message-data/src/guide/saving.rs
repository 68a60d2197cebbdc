//! Saving and restoring a manager.
//!
//! - [`save`](crate::save) writes the whole state of a manager, including pending messages;
//!   [`restore`](crate::restore) makes a manager that continues from there.
//! - Every type in the manager needs [`Data`](crate::Data). To leave out what does not belong in a save,
//!   use `#[serde(skip)]` for a field, and [`SaveOptions`](crate::SaveOptions) for a component or a
//!   message.
//! - When a component receives [`Restored`](message_core::lifecycle::Restored), it reopens what it has skipped. The handler
//!   must not change saved state: a replay begins with a save, so its state would differ from that of the recorded
//!   run.
//! - Hash maps and hash sets are written sorted, so equal managers have equal saves. See
//!   [`data`](crate#maps-and-sets) for sets of other crates.
//! - Subscriptions with closures are not saved: the program makes them again. Wires and overhearing are
//!   restored.
//! - Ids inside components and messages become those of the new manager. Outside of it, find messagees by
//!   name or mnemonic.
//!
//! ```
//! use message_core::lifecycle::Restored;
//! use message_core::prelude::*;
//! use message_data::{self as data, Data, DataError, SaveOptions, Upgrade};
//! use serde::{Deserialize, Serialize};
//! use std::time::Duration;
//!
//! /// Its first version had `life` instead of `hp`.
//! #[derive(Data, Serialize, Deserialize, Default)]
//! #[data(name = "guide.saving.Goblin", version = 2, upgrade = rename)]
//! #[serde(default)]
//! struct Goblin {
//!     hp: u32,
//!     target: Option<MessageeId>,
//!     #[serde(skip)]
//!     sound: Option<&'static str>,
//! }
//!
//! fn rename(fields: &mut Upgrade) -> Result<(), DataError> {
//!     fields.rename("life", "hp");
//!     Ok(())
//! }
//!
//! #[derive(Message, Data, Serialize, Deserialize, Clone)]
//! #[data(name = "guide.saving.Poison")]
//! struct Poison(u32);
//!
//! #[handlers]
//! impl Goblin {
//!     #[on_receive]
//!     fn suffer(&mut self, poison: &Poison) { self.hp = self.hp.saturating_sub(poison.0); }
//!
//!     #[on_receive]
//!     fn wake(&mut self, _: &Restored) { self.sound = Some("grr.ogg"); }
//! }
//!
//! let second = Duration::from_secs(1);
//! let mut manager = MessageManager::new();
//! let snag = manager.spawn_named("Snag", (Goblin { hp: 10, ..Goblin::default() },));
//! let grib = manager.spawn_named("Grib", (Goblin { hp: 10, target: Some(snag), sound: None },));
//! manager.post(Header::to(grib).every(second).times(4), Poison(2))?;
//! manager.tick(second);
//!
//! let bytes = data::save(&mut manager, &SaveOptions::new())?;
//! let restored = data::restore(&bytes, ManagerConfig::new())?;
//! assert!(restored.notes.is_empty(), "nothing was skipped");
//!
//! let mut other = restored.manager;
//! other.tick(3 * second);
//! let grib = other.find("Grib").next().expect("it is there");
//! let goblin = other.get::<Goblin>(grib)?;
//! assert_eq!((goblin.hp, goblin.sound), (2, Some("grr.ogg")));
//! assert_eq!(goblin.target, other.find("Snag").next());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! With the same configuration, the restored manager does what the saved one would have done, bit for bit. The
//! components must not depend on a clock, a thread or a random source.
//! [`save_format`](crate::save_format) describes the bytes. A test with `assert_compatible` checks that saves of earlier
//! versions of a program can still be read: see *Over releases*.
//!
//! With the feature `files`, `save_to` writes a file that is complete or, after a failure, the one from before, and
//! `restore_from` reads it. A `Journal` saves by itself, and loses nothing in between: see *A world that survives*.
//!
//! Next: [Testing](message_core::guide::testing).
