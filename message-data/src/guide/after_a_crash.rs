//! After a crash: what happened, and which line of source began it.
//!
//! A player reports that the game is gone. Nobody was recording, since a recording of everything is slow and large. A log
//! of the inputs is neither, and everything else follows from it: replayed with a recorder, it has each delivery with its
//! causes.
//!
//! A [`FlightRecorder`](crate::FlightRecorder) keeps the last frames of inputs in memory, and writes them to a file when a
//! panic drops the manager, or on request:
//!
//! ```
//! use message_core::prelude::*;
//! use message_data::{Data, FlightRecorder, Replay};
//! use message_trace::Recorder;
//! use serde::{Deserialize, Serialize};
//! use std::panic::{AssertUnwindSafe, catch_unwind};
//! use std::time::Duration;
//!
//! #[derive(Message, Data, Serialize, Deserialize)]
//! #[data(name = "guide.crash.Share", exact)]
//! struct Share { among: u32 }
//!
//! #[derive(Data, Serialize, Deserialize, Default)]
//! #[data(name = "guide.crash.Loot")]
//! #[serde(default)]
//! struct Loot { gold: u32 }
//!
//! #[handlers]
//! impl Loot {
//!     #[on_receive]
//!     fn share(&mut self, share: &Share) { self.gold /= share.among; }
//! }
//!
//! fn game(crash_log: &std::path::Path) {
//!     let mut manager = MessageManager::new();
//!     FlightRecorder::start(&mut manager, 3_600).expect("all types have data").write_on_panic(crash_log);
//!     let loot = manager.spawn_named("loot", (Loot { gold: 100 },));
//!     for frame in 0..100 {
//!         if frame == 70 {
//!             manager.post(Header::to(loot).after_frames(20), Share { among: 0 }).expect("there is room");
//!         }
//!         manager.tick(Duration::from_millis(16));
//!     }
//! }
//!
//! # let path = std::env::temp_dir().join(format!("guide-crash-{}.log", std::process::id()));
//! # let crash_log = path.as_path();
//! catch_unwind(AssertUnwindSafe(|| game(crash_log))).expect_err("it divides by zero");
//!
//! // At home, with the same program:
//! let mut replay = Replay::open(crash_log)?.prepare(|manager| drop(Recorder::new(10_000).start(manager)));
//! let replayed = replay.run()?;
//! assert_eq!(replayed.panicked.as_deref(), Some("attempt to divide by zero"));
//!
//! let recorder = Recorder::of(&replayed.manager).expect("it was started");
//! let last = recorder.events().rev().find_map(|event| event.begun()).expect("there was one");
//! let why = recorder.explain(last).expect("it was recorded").to_string();
//! assert!(why.contains("posted by outside") && why.contains(file!()));
//! assert!(why.contains("in `share`") && why.contains("panicked"));
//! # std::fs::remove_file(crash_log)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [log](crate::Log) and a [segment of a journal](crate#features) are replayed in the same way. A log has the file and
//! the line of each call that leads to messages, so the explanation names the line of the program and not one of the
//! replay. A place is written once; after that it takes one or two bytes of an input.
//!
//! # One frame
//!
//! [`Replay::until`](crate::Replay::until) goes to a frame, and `describe_frame` of the recorder prints what was delivered
//! in it, each message below its causes. The examples have it as a command:
//!
//! ```sh
//! cargo run --release --example skirmish -- --record battle.log
//! cargo run --release --example skirmish -- --replay battle.log --frame 3
//! cargo run --release -p message-console --example console   # then: replay battle.log
//! ```
//!
//! # When the log does not go to its end
//!
//! - The last input is the one that crashed the program. If it panics again, that is in
//!   [`panicked`](crate::Replayed::panicked), and the manager is as the panic has left it. If it kills the process, go to the
//!   frame before.
//! - After an error, [`run_on`](crate::Replay::run_on) returns the manager as far as it came, to be looked at or saved.
//! - The places of wires that were made in the log are not known, nor are those of messages that were already pending when
//!   the log began.
//! - A flight recorder takes the place of a log: a manager has one of them, or a journal.
//! - A program that is compiled with `panic = "abort"` writes the file in a panic hook: see
//!   [`FlightRecorder`](crate::FlightRecorder).
//!
//! Next: [Going back](super::going_back)
