//! Going back: any frame of a log, another future, and who has changed what.
//!
//! A replay goes forward and back. On the way it keeps saves, the key frames, so that going back takes no longer than a few
//! hundred frames:
//!
//! ```
//! use message_core::prelude::*;
//! use message_data::{Data, Log, LogOptions, Replay};
//! use serde::{Deserialize, Serialize};
//! use std::time::Duration;
//!
//! #[derive(Message, Data, Serialize, Deserialize)]
//! #[data(name = "guide.back.Rain", exact)]
//! struct Rain { litres: u32 }
//!
//! #[derive(Data, Serialize, Deserialize, Default)]
//! #[data(name = "guide.back.Barrel")]
//! #[serde(default)]
//! struct Barrel { litres: u32 }
//!
//! #[handlers]
//! impl Barrel {
//!     #[on_receive]
//!     fn rain(&mut self, rain: &Rain) { self.litres += rain.litres; }
//! }
//!
//! # let folder = std::env::temp_dir();
//! # let path = folder.join(format!("guide-back-{}.log", std::process::id()));
//! let mut manager = MessageManager::new();
//! Log::start(&mut manager, std::fs::File::create(&path)?, LogOptions::new())?;
//! let barrel = manager.spawn_named("barrel", (Barrel::default(),));
//! for frame in 1..=1_000 {
//!     if frame % 100 == 50 {
//!         manager.send(barrel, Rain { litres: 10 })?;
//!     }
//!     manager.tick(Duration::from_millis(16));
//! }
//! Log::stop(&mut manager)?;
//!
//! let litres = |manager: &MessageManager| manager.iter::<Barrel>().map(|(_, it)| it.litres).sum::<u32>();
//! let mut replay = Replay::open(&path)?;
//! assert_eq!(litres(replay.until(1_000)?), 100);
//! assert_eq!(litres(replay.until(400)?), 40);
//!
//! // Another future: the manager goes on from there, and the log stays as it is.
//! let mut dry = replay.run_on()?;
//! dry.tick(Duration::from_secs(3600));
//! assert_eq!((litres(&dry), litres(replay.until(1_000)?)), (40, 100));
//!
//! // Who has changed this?
//! let change = replay.who_changed(barrel, "Barrel", "litres")?.expect("it has rained");
//! assert_eq!((change.frame, change.before.as_deref(), &*change.after), (949, Some("90"), "100"));
//! assert!(change.to_string().contains("in `rain`"));
//! assert!(change.sent_at.is_some_and(|place| place.file == file!()));
//! # std::fs::remove_file(&path)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What a frame is
//!
//! [`until(n)`](crate::Replay::until) stops right before the frame after `n` begins. So it includes what the program did
//! after the frame, such as sends from its main loop.
//!
//! Forward, the manager is the same one. Back, another one is restored, from the last key frame or from the beginning of
//! the log. Ids keep their place and generation, but belong to the manager: find messagees by name. Subscribers and sinks
//! are those of [`prepare`](crate::Replay::prepare). If it starts a recorder, that has the events since the key frame.
//!
//! [`key_frames`](crate::Replay::key_frames) sets how many frames there are between two saves, and how much memory all of
//! them may take. With 0, there are none: explanations then begin at the beginning of the log, and going back takes as long
//! as the way there.
//!
//! # Who has changed this?
//!
//! [`who_changed`](crate::Replay::who_changed) replays the log from the last key frame, then from the one before it, and so
//! on, and compares the field after each input. So it also finds a change back to the value before. Then it replays the
//! input that made the change, and compares the field after each delivery. It takes as long as a replay of the part of the
//! log that it looks at. It goes to the change; called after [`until`](crate::Replay::until) of the frame before, it finds
//! the change before that frame.
//!
//! The examples have all of it as commands: `frame`, `back`, `on` and `who` of `console`, and
//! `skirmish -- --replay battle.log --who ogre`.
//!
//! Next: [what it does not do](message_core::guide::limits).
