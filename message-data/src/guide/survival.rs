//! A world that survives: a journal, from which a killed process goes on exactly where it was.
//!
//! A server crashes, a player pulls the plug, an operating system kills a process that has used too much memory. With the
//! feature `files`, a [`Journal`](crate::journal::Journal) brings the world back:
//!
//! ```
//! use message_core::prelude::*;
//! use message_data::Data;
//! use message_data::journal::{Journal, JournalConfig, Opened};
//! use serde::{Deserialize, Serialize};
//! use std::time::Duration;
//!
//! #[derive(Data, Serialize, Deserialize, Default)]
//! #[data(name = "guide.survival.Chest")]
//! #[serde(default)]
//! struct Chest { gold: u32 }
//!
//! #[derive(Message, Data, Serialize, Deserialize)]
//! #[data(name = "guide.survival.Put", exact)]
//! struct Put { gold: u32 }
//!
//! #[handlers]
//! impl Chest {
//!     #[on_receive]
//!     fn put(&mut self, put: &Put) { self.gold += put.gold; }
//! }
//!
//! fn one_life(folder: &std::path::Path) -> Result<u32, Box<dyn std::error::Error>> {
//!     let Opened { mut manager, recovery, .. } = Journal::open(folder, &JournalConfig::new())?;
//!     if recovery.is_new {
//!         manager.spawn_named("chest", (Chest::default(),));
//!     }
//!     let chest = manager.find("chest").next().expect("it was spawned in the first life");
//!     manager.send(chest, Put { gold: 5 })?;
//!     manager.tick(Duration::from_millis(16));
//!     Ok(manager.get::<Chest>(chest)?.gold)
//! }
//!
//! # let folder = std::env::temp_dir().join(format!("guide-survival-{}", std::process::id()));
//! assert_eq!(one_life(&folder)?, 5);
//! assert_eq!(one_life(&folder)?, 10);
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What is lost
//!
//! By default the inputs of a frame are handed over to the operating system when the next frame begins, and synced to the
//! disk once a second by another thread. So a killed process loses at most one frame, and a power failure one second.
//! [`Flush::EachInput`](crate::journal::Flush::EachInput) loses nothing to a kill; with
//! [`sync_in_frame`](crate::journal::JournalConfig::sync_in_frame), a power failure loses one frame, and each frame waits for
//! the disk. After a step that must not be lost, call [`flush`](crate::journal::Journal::flush).
//!
//! # What the program keeps to
//!
//! - Everything that has to survive is in components and messages with [`Data`](crate::Data).
//! - Nothing but inputs changes the world, as [for a replay](super::replay#what-makes-runs-differ).
//! - Subscribers are closures: make them in [`prepare`](crate::journal::JournalConfig::prepare). One that is made later
//!   cannot be logged. That is reported, and the journal begins a segment with the state at the next frame. A segment has no
//!   subscriptions: one of `prepare` that has ended or was paused is there again after it, and what waited in a stage for a
//!   closure is gone.
//! - What a handler does to the outside world happens again when inputs are repeated, unless it asks
//!   [`is_replaying`](message_core::MessageManager::is_replaying) first. Subscribers that do nothing else are left out by
//!   [`not_in_replay`](message_core::Filter::not_in_replay).
//! - One manager at a time has a journal open. A second process gets an error that names the first.
//! - Ids are those of the process. Outside of the world, find messagees by name or mnemonic.
//! - A journal is read by the program that has written it. Before a release that changes what handlers do, open it with the
//!   old program, and [save](crate::save_to) the manager for the new one.
//!
//! # When something is wrong
//!
//! A full disk or a message without data is reported by [`ManagerConfig::report_to`](message_core::ManagerConfig::report_to)
//! at once, and is in [`status`](crate::journal::Journal::status). The world goes on, and the journal is complete again with
//! its next segment. A program that must not go on unlogged uses
//! [`stop_on_failure`](crate::journal::JournalConfig::stop_on_failure): an input that cannot be logged panics instead of
//! running, until the journal can be written again.
//!
//! [`Recovery`](crate::journal::Recovery) says what was found: how many frames and inputs, and how many bytes of an input that
//! was being written. Damage in the middle of a file is an error that says how far the journal can be recovered, and has
//! the manager as far as that; [`accept_loss`](crate::journal::JournalConfig::accept_loss) goes on from there. If an input kills the process again and again,
//! [`skip_after`](crate::journal::JournalConfig::skip_after) leaves it out.
//!
//! Next: [Why did this run differ?](super::replay)
