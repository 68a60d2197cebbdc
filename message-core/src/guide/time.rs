//! Time: delays, stages, repetition, cancelling and pause.
//!
//! `send` delivers now. [`post`](crate::MessageManager::post) takes a [`Header`](crate::Header) that
//! says when. The manager has no clock of its own: the program passes the elapsed time to
//! [`tick`](crate::MessageManager::tick).
//!
//! ```
//! use message_core::prelude::*;
//! use std::time::Duration;
//!
//! #[derive(Message)]
//! struct Beep;
//!
//! #[derive(Default)]
//! struct Alarm { beeps: u32 }
//!
//! #[handlers]
//! impl Alarm {
//!     #[on_receive]
//!     fn beep(&mut self, _: &Beep) { self.beeps += 1; }
//! }
//!
//! let ms = Duration::from_millis;
//! let mut manager = MessageManager::new();
//! let alarm = manager.spawn((Alarm::default(),));
//!
//! // Once, after 200 ms. A header is checked when it is built, and can be used again.
//! let later = Header::to(alarm).after(ms(200)).build()?;
//! manager.post(&later, Beep)?;
//! manager.tick(ms(199));
//! assert_eq!(manager.get::<Alarm>(alarm)?.beeps, 0); // Nothing is early.
//! manager.tick(ms(1));
//! assert_eq!(manager.get::<Alarm>(alarm)?.beeps, 1);
//!
//! // A ticket cancels its message. A cancelled message is never delivered.
//! let ticket = manager.post(&later, Beep)?;
//! assert_eq!(manager.cancel(ticket), 1);
//!
//! // Every 100 ms, three times. A long frame delivers everything that fell due in it.
//! let thrice = Header::to(alarm).every(ms(100)).times(3).build()?;
//! manager.post(&thrice, Beep)?;
//! manager.tick(ms(250));
//! assert_eq!(manager.get::<Alarm>(alarm)?.beeps, 3);
//! manager.tick(ms(250));
//! assert_eq!(manager.get::<Alarm>(alarm)?.beeps, 4);
//!
//! // In a stage of this frame: `FixedUpdate`, `Update`, `LateUpdate`, then `EndOfFrame`.
//! let last = Header::to(alarm).stage(Stage::EndOfFrame).build()?;
//! manager.post(&last, Beep)?;
//! assert_eq!(manager.get::<Alarm>(alarm)?.beeps, 4);
//! manager.tick(ms(16));
//! assert_eq!(manager.get::<Alarm>(alarm)?.beeps, 5);
//!
//! // While the clock is paused, delays wait.
//! manager.post(&later, Beep)?;
//! manager.set_paused(true);
//! manager.tick(ms(500));
//! assert_eq!(manager.get::<Alarm>(alarm)?.beeps, 5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A shout over the radio takes 200 ms, must be received by somebody, and can be cancelled:
//!
//! ```
//! use message_core::prelude::*;
//! use std::time::Duration;
//!
//! tag!(RADIO);
//!
//! #[derive(Message, Debug)]
//! #[message(tags(RADIO))]
//! struct UnderAttack;
//!
//! #[derive(Default)]
//! struct Wingman { warned: bool }
//!
//! #[handlers]
//! impl Wingman {
//!     #[on_receive]
//!     fn turn(&mut self, _: &UnderAttack) { self.warned = true; }
//! }
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let mut manager = MessageManager::new();
//!     let wingman = manager.spawn((Wingman::default(),));
//!
//!     // A filter: everything tagged RADIO, to any recipient. The log does not count as a receiver.
//!     manager.subscribe(Filter::all().tagged(RADIO).hidden(), |message, cx| {
//!         println!("{} to {}: {message:?}", cx.sender(), cx.recipient());
//!     });
//!
//!     // A header: made and checked once, used for any number of messages.
//!     let shout = Header::to(wingman)
//!         .stage(Stage::Update)
//!         .after(Duration::from_millis(200))
//!         .require(1)
//!         .build()?;
//!     manager.post(&shout, UnderAttack)?;
//!     let second = manager.post(&shout, UnderAttack)?;
//!     manager.cancel(second); // A cancelled message is never delivered.
//!
//!     for _ in 0..13 { manager.tick(Duration::from_millis(16)); }
//!     assert!(manager.get::<Wingman>(wingman)?.warned);
//!     Ok(())
//! }
//! ```
//!
//! A key names a pending message. Posting under it again replaces that message, which restarts the delay:
//!
//! ```
//! use message_core::PostKey;
//! use message_core::Recipient::Me;
//! use message_core::prelude::*;
//! use std::time::Duration;
//!
//! #[derive(Message)]
//! struct Push;
//!
//! #[derive(Message)]
//! struct Close;
//!
//! struct Door { is_open: bool }
//!
//! #[handlers]
//! impl Door {
//!     #[on_receive]
//!     fn push(&mut self, _: &Push, cx: &mut Context<'_>) -> Result<(), SendError> {
//!         self.is_open = true;
//!         // A header that is used once need not be built first. `Me` is this door.
//!         cx.post(Header::to(Me).after(Duration::from_secs(3)).key("close"), Close)?;
//!         Ok(())
//!     }
//!
//!     #[on_receive]
//!     fn close(&mut self, _: &Close) { self.is_open = false; }
//! }
//!
//! let mut manager = MessageManager::new();
//! let door = manager.spawn((Door { is_open: false },));
//! manager.send(door, Push)?;
//! manager.tick(Duration::from_secs(2));
//! manager.send(door, Push)?; // Three seconds from now, instead of one.
//! manager.tick(Duration::from_secs(2));
//! assert!(manager.get::<Door>(door)?.is_open);
//!
//! // In a handler of the door, `cx.cancel("close")` is enough: a key is the sender's own.
//! assert_eq!(manager.cancel(PostKey::from("close").of(door)), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A message posted to a messagee that is gone when the message is due becomes a dead letter. If nothing is
//! lost then, such as for the end of a shot that has hit, use
//! [`if_alive`](crate::post::HeaderBuilder::if_alive). If the message should end with its sender, use
//! [`bound`](crate::post::HeaderBuilder::tied_to_sender).
//!
//! A header that contradicts itself, such as one with a delay in time and one in frames, is an error when it
//! is built. A posted message that cannot be delivered when it is due becomes a dead letter: see
//! [errors](super::errors).
//!
//! Next: [listening](super::listening).
