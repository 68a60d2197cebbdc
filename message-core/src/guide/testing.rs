//! Testing your own components.
//!
//! - A handler is a method. If it takes no context, call it.
//! - If it takes a context, put the component into a separate manager. Managers are cheap, and share
//!   nothing.
//! - A subscriber records what the component sends.
//! - [`tick`](crate::MessageManager::tick) is the only source of time, so a test never sleeps.
//! - [`speak_for`](crate::MessageManager::speak_for) sends on behalf of a messagee.
//!
//! ```
//! use message_core::Recipient::EveryoneElse;
//! use message_core::prelude::*;
//! use std::sync::mpsc;
//! use std::time::Duration;
//!
//! #[derive(Message)]
//! struct Arm;
//!
//! #[derive(Message, Debug, Clone, PartialEq)]
//! struct Explosion { power: u32 }
//!
//! struct Bomb { power: u32 }
//!
//! #[handlers]
//! impl Bomb {
//!     #[on_receive]
//!     fn arm(&mut self, _: &Arm, cx: &mut Context<'_>) -> Result<(), HandlerError> {
//!         let fuse = Header::to(EveryoneElse).after(Duration::from_secs(3)).build()?;
//!         cx.post(&fuse, Explosion { power: self.power })?;
//!         Ok(())
//!     }
//! }
//!
//! /// A manager, and everything of type `M` that is sent in it, with the sender.
//! fn recorded<M: Message + Clone>() -> (MessageManager, mpsc::Receiver<(Sender, M)>) {
//!     let mut manager = MessageManager::new();
//!     let (sent, seen) = mpsc::channel();
//!     manager.subscribe(Filter::of::<M>().hidden(), move |message: &M, cx| {
//!         let _ = sent.send((cx.sender(), message.clone()));
//!     });
//!     (manager, seen)
//! }
//!
//! // #[test]
//! fn a_bomb_explodes_three_seconds_after_it_was_armed() -> Result<(), Box<dyn std::error::Error>> {
//!     let (mut manager, explosions) = recorded::<Explosion>();
//!     let bomb = manager.spawn((Bomb { power: 7 },));
//!     assert_eq!(manager.send(bomb, Arm)?.received, 1);
//!
//!     manager.tick(Duration::from_millis(2_999));
//!     assert!(explosions.try_recv().is_err(), "it is early");
//!     manager.tick(Duration::from_millis(1));
//!     assert_eq!(explosions.try_recv()?, (Sender::Messagee(bomb), Explosion { power: 7 }));
//!     assert!(!manager.has_pending(Posts::all().from(bomb)), "it explodes once");
//!     Ok(())
//! }
//! # a_bomb_explodes_three_seconds_after_it_was_armed()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Given the same inputs, a manager does the same in the same order. A test that passes once therefore always
//! passes, as long as the components do not depend on a clock, a thread or a random source.
//!
//! To compare two runs, compare the printed ids (`"0v0"`) or names: the ids of two living managers are never
//! equal.
//!
//! Next: [`Busy`, and how to avoid it](super::busy).
