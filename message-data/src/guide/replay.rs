//! Why did this run differ?
//!
//! Given the same inputs, a manager does the same, bit for bit. The inputs are frames with their times, and
//! sends, posts and changes from outside. A run can therefore be replayed from a log of its inputs, and two
//! runs that should be equal can be compared.
//!
//! - [`Log::start`](crate::Log::start) writes every input before it runs, so the last
//!   input in the log of a crashed program is the one that crashed it.
//! - [`Replay`](crate::Replay) replays a log.
//! - [`set_input_sink`](message_core::MessageManager::set_input_sink) passes every input to a tool of your own instead.
//! - [`Digest`](crate::Digest) is a hash of the state, part by part. By default a
//!   log has one every 60 frames, and a replay compares it.
//! - [`SyncTest`](crate::SyncTest) checks in a test that a world is deterministic, and that it
//!   continues the same after it was saved and restored.
//!
//! ```
//! use message_core::prelude::*;
//! use message_data::{Data, Log, LogOptions, Replay, ReplayError};
//! use serde::{Deserialize, Serialize};
//! use std::collections::HashMap;
//! use std::time::Duration;
//!
//! #[derive(Message, Data, Serialize, Deserialize)]
//! #[data(name = "guide.Vote")]
//! struct Vote;
//!
//! #[derive(Data, Serialize, Deserialize, Default)]
//! #[data(name = "guide.Council")]
//! #[serde(default)]
//! struct Council { chosen: String }
//!
//! #[handlers]
//! impl Council {
//!     #[on_receive]
//!     fn vote(&mut self, _: &Vote) {
//!         // The order of a `HashMap` differs from map to map: this is the mistake.
//!         let votes: HashMap<String, u32> = (0..100).map(|seat| (format!("seat {seat}"), 1)).collect();
//!         self.chosen = votes.into_keys().take(5).collect();
//!     }
//! }
//!
//! # let folder = std::env::temp_dir();
//! # let path = folder.join(format!("guide-council-{}.log", std::process::id()));
//! let mut manager = MessageManager::new();
//! manager.spawn_named("the council", (Council::default(),));
//! Log::start(&mut manager, std::fs::File::create(&path)?, LogOptions::new().digest_every(1))?;
//! for _ in 0..5 {
//!     manager.send(Everyone, Vote)?;
//!     manager.tick(Duration::from_millis(16));
//! }
//! Log::stop(&mut manager)?;
//!
//! let Err(ReplayError::Differs(difference)) = Replay::open(&path)?.run() else {
//!     panic!("five votes came out the same");
//! };
//! assert_eq!(difference.part, "guide.Council");
//! assert!(difference.messagee.is_some_and(|who| who.contains("the council")));
//! assert!(difference.field.is_some_and(|(field, ..)| field == "Council.chosen"));
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What makes runs differ
//!
//! - A clock: [`tick`](message_core::MessageManager::tick) is the only source of time; read
//!   [`Context::clock`](message_core::Context::clock) instead.
//! - An unseeded random source: keep the generator's state in a component.
//! - A handler of [`Restored`](message_core::lifecycle::Restored) that changes saved state. A log begins with a save, so
//!   components receive `Restored` in a replay, but not in the recorded run. The handler should only open what
//!   is not saved, such as a file or a sound. The error names the state that was changed.
//! - Iterating over a `HashMap` with the standard hasher: use a `BTreeMap`, or an unseeded hasher. A map that
//!   is only stored makes no difference, because it is [written sorted](crate#maps-and-sets). Ids
//!   of messagees hash by place and generation alone, so they do not make maps differ.
//! - Memory addresses, and threads. A message that a thread posts through an [`Inlet`](message_core::Inlet) is an input,
//!   and is in the log.
//! - Printed source locations, such as those in the text of a dead letter: in a replay, messages from outside
//!   have the place of the replaying call, except in the trace. Do not store such a text in a component.
//! - The captures of a subscriber: they are not part of the state.
//! - A different build: a log must be replayed by the program that wrote it. If a replay differs from the log
//!   although two replays are equal, the program has changed since;
//!   [`LogOptions::keep_states`](crate::LogOptions::keep_states) then names the field.
//!
//! Floating-point numbers are compared bit by bit. The same program on the same kind of machine computes the
//! same results; functions such as `sin` may differ between platforms.
//!
//! Next: [After a crash](super::after_a_crash)
