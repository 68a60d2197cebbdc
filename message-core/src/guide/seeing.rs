//! Seeing: the messages that were sent, their outcome, and their cause, with the crate
//! `message-trace`.
//!
//! ```
//! use message_core::Recipient::EveryoneElse;
//! use message_core::prelude::*;
//! use message_trace::Recorder;
//!
//! #[derive(Message, Debug)]
//! struct Spark;
//!
//! #[derive(Message, Debug)]
//! struct Explosion;
//!
//! struct Powder;
//!
//! #[handlers]
//! impl Powder {
//!     #[on_receive]
//!     fn ignite(&mut self, _: &Spark, cx: &mut Context<'_>) -> Result<(), SendError> {
//!         cx.send(EveryoneElse, Explosion)?;
//!         Ok(())
//!     }
//! }
//!
//! struct Wall { stands: bool }
//!
//! #[handlers]
//! impl Wall {
//!     #[on_receive]
//!     fn shake(&mut self, _: &Explosion) { self.stands = false; }
//! }
//!
//! let mut manager = MessageManager::new();
//! let barrel = manager.spawn((Powder,));
//! let wall = manager.spawn((Wall { stands: true },));
//! Recorder::new(1_000).start(&mut manager); // The last 1 000 events.
//! manager.send(barrel, Spark)?;
//! assert!(!manager.get::<Wall>(wall)?.stands);
//!
//! // Why did the wall fall? Ask about the last send.
//! let last = {
//!     let recorder = Recorder::of(&manager).ok_or("recording was started")?;
//!     recorder.events().filter_map(|event| event.send).max().ok_or("something was sent")?
//! };
//! let story = Recorder::of(&manager).and_then(|it| it.explain(last)).ok_or("it is still there")?.to_string();
//! assert!(story.contains("Spark") && story.contains("Explosion"));
//!
//! // Without recording, nothing is numbered, and `trace_id()` is `None`.
//! let recorder = Recorder::stop(&mut manager).ok_or("recording was started")?;
//! assert!(recorder.len() >= 4); // Two sends and two deliveries.
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Reading a mailbox is not a delivery. [`with_cause`](crate::MessageManager::with_cause) names a letter as
//! the cause of a reaction, so that the reaction is explained too:
//!
//! ```
//! use message_core::prelude::*;
//! use message_trace::Recorder;
//! use std::time::Duration;
//!
//! #[derive(Message, Debug)]
//! struct Step { x: i32 }
//!
//! #[derive(Message, Debug)]
//! struct Explode;
//!
//! struct Mine { x: i32 }
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let mut manager = MessageManager::new();
//!     let mine = manager.spawn((Mine { x: 3 },));
//!     Recorder::new(10_000).start(&mut manager);
//!
//!     // Other threads post through an inlet; each frame begins with their messages.
//!     let inlet = manager.inlet();
//!     let everyone = Header::to(Everyone).build()?;
//!     std::thread::spawn(move || inlet.try_post(&everyone, Explode).is_ok());
//!
//!     manager.publish(Everyone, Step { x: 3 })?;
//!     manager.tick(Duration::from_millis(16));
//!
//!     let x = manager.get::<Mine>(mine)?.x;
//!     let step = manager.inbox::<Step>().iter().find(|step| step.x == x);
//!     let cause = step.and_then(|step| step.trace_id());
//!     assert!(cause.is_some());
//!     manager.with_cause(cause, |manager| manager.send(mine, Explode))?;
//!
//!     // Who sent what to whom, where in the source, when, and with what outcome.
//!     let last = Recorder::of(&manager).and_then(|it| it.events().last()?.send).ok_or("nothing was sent")?;
//!     println!("{}", Recorder::of(&manager).and_then(|it| it.explain(last)).ok_or("nothing is known")?);
//!     Ok(())
//! }
//! ```
//!
//! - Give messagees [names](crate::MessageManager::set_name): explanations, recorded events and the
//!   tracks of a Chrome trace then say `messagee 7v2 "Red Baron"`. The name is the one at the time of
//!   printing, so print and write a recording before the manager is dropped.
//! - In a handler, [`Context::trace_id`](crate::Context::trace_id) is the number of the running
//!   delivery: write it into your log, and ask `explain` later.
//! - The crate `message-trace` writes a recording as Chrome trace JSON, for
//!   <https://ui.perfetto.dev>, or as JSON lines.
//! - With the feature `tracing` of `message-trace`, each event is emitted through the `tracing` crate.
//!
//! Next: [coming from Bevy](super::from_bevy), [from actors](super::from_actors),
//! [from signals and slots](super::from_signals), or [what it does not do](super::limits).
