//! Other threads: posting and asking through an inlet.
//!
//! A manager runs on one thread at a time. It is `Send`, so it can be built on one thread and run on
//! another. An [`Inlet`](crate::Inlet) can be cloned and sent to any thread. Messages posted through it
//! are delivered when the manager's next frame begins, in the order in which each thread posted them.
//!
//! ```
//! use message_core::prelude::*;
//! use std::thread;
//! use std::time::Duration;
//!
//! mnemonic!(LOADER);
//!
//! #[derive(Message)]
//! struct Loaded { file: u32 }
//!
//! #[derive(Default)]
//! struct Progress { files: Vec<u32> }
//!
//! #[handlers]
//! impl Progress {
//!     #[on_receive]
//!     fn loaded(&mut self, loaded: &Loaded) { self.files.push(loaded.file); }
//! }
//!
//! let mut manager = MessageManager::new();
//! let bar = manager.spawn((Progress::default(),));
//! manager.bind(LOADER, bar)?;
//!
//! let inlet = manager.inlet();
//! let worker = thread::spawn(move || {
//!     let header = Header::to(LOADER).build().expect("the header names a recipient");
//!     for file in 1..=3 {
//!         // An error returns the message: the inlet is full, or the manager is gone.
//!         if inlet.try_post(&header, Loaded { file }).is_err() {
//!             return;
//!         }
//!     }
//! });
//! worker.join().expect("the worker does not panic");
//!
//! assert!(manager.get::<Progress>(bar)?.files.is_empty()); // Not before the frame begins.
//! let report = manager.tick(Duration::from_millis(16));
//! assert_eq!(report.drained, 3);
//! assert_eq!(manager.get::<Progress>(bar)?.files, [1, 2, 3]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An inlet holds [`inlet_capacity`](crate::ManagerConfig::inlet_capacity) messages. `try_post` fails
//! when it is full; [`post`](crate::Inlet::post) waits for room. A handler that starts a thread gives
//! it [`Context::inlet`](crate::Context::inlet). Two managers on two threads communicate through their
//! inlets. The example `threads` shows all of this.
//!
//! # Asking
//!
//! [`Inlet::ask`](crate::Inlet::ask) sends a request. The [`Answer`](crate::Answer) is a standard future: await it
//! in a task of any runtime, or let a thread [`wait`](crate::Answer::wait) for it. It comes when the manager begins a
//! frame. An [`AskError`](crate::AskError) says why there is no answer.
//!
//! ```
//! use message_core::AskError;
//! use message_core::prelude::*;
//! use std::thread;
//! use std::time::Duration;
//!
//! #[derive(Message)]
//! #[message(reply = u32)]
//! struct GetScore;
//!
//! struct Score(u32);
//!
//! #[handlers]
//! impl Score {
//!     #[on_receive]
//!     fn get(&self, _: &GetScore) -> u32 { self.0 }
//! }
//!
//! let mut manager = MessageManager::new();
//! let score = manager.spawn((Score(7),));
//! let inlet = manager.inlet();
//! let page = thread::spawn(move || {
//!     match inlet.ask(score, GetScore).wait(Duration::from_secs(60)) {
//!         Ok(points) => format!("{points} points"),
//!         Err(AskError::Gone(_)) => "the game is over".to_owned(),
//!         Err(error) => error.to_string(),
//!     }
//! });
//! while !page.is_finished() {
//!     manager.tick(Duration::from_millis(16));
//! }
//! assert_eq!(page.join().expect("the page does not panic"), "7 points");
//! ```
//!
//! The example `web` answers the requests of a web page in this way, with axum and tokio.
//!
//! Next: [seeing](super::seeing).
