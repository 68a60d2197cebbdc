//! First message: a message type, a component with a handler, and a send.
//!
//! ```
//! use message_core::prelude::*;
//!
//! // A message is any `Send + 'static` type with the derive.
//! #[derive(Message)]
//! struct Damage { amount: u32 }
//!
//! // A component is any `Send + 'static` type. It needs no derive.
//! struct Health { hp: u32 }
//!
//! // Its handlers are ordinary methods. Nothing is registered by hand.
//! #[handlers]
//! impl Health {
//!     #[on_receive]
//!     fn take_damage(&mut self, damage: &Damage) {
//!         self.hp = self.hp.saturating_sub(damage.amount);
//!     }
//! }
//!
//! let mut manager = MessageManager::new();
//! // A messagee is one id with any number of components.
//! let orc = manager.spawn((Health { hp: 10 },));
//! let receipt = manager.send(orc, Damage { amount: 3 })?;
//!
//! // `send` returns after every receiver has run.
//! assert_eq!(receipt.received, 1);
//! assert_eq!(manager.get::<Health>(orc)?.hp, 7);
//!
//! // A message that no component handles is not an error; the receipt counts zero receivers.
//! #[derive(Message)]
//! struct Blessing;
//! assert_eq!(manager.send(orc, Blessing)?.received, 0);
//!
//! // A send to a messagee that was despawned is an error.
//! manager.despawn(orc)?;
//! let error = manager.send(orc, Damage { amount: 3 }).unwrap_err();
//! assert!(matches!(error.kind(), SendErrorKind::Absent(Absence::Gone)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! If a handler does not run, let the manager say why. With
//! `MessageManager::with_config(ManagerConfig::new().report_unhandled(true))`, the first such send of each kind is printed
//! to stderr: with its line, the components of the messagee, and those that would handle the message.
//!
//! To do more, a handler takes a [`Context`](crate::Context) as its third parameter. Through it, the
//! handler sends, posts, spawns and reads other components:
//!
//! ```
//! use message_core::Recipient::EveryoneElse;
//! use message_core::prelude::*;
//!
//! #[derive(Message)]
//! struct Damage { amount: u32 }
//!
//! #[derive(Message)]
//! struct Died;
//!
//! struct Health { hp: u32 }
//!
//! #[handlers]
//! impl Health {
//!     #[on_receive]
//!     fn take_damage(&mut self, damage: &Damage, cx: &mut Context<'_>) -> Result<(), HandlerError> {
//!         self.hp = self.hp.saturating_sub(damage.amount);
//!         if self.hp == 0 {
//!             cx.send(EveryoneElse, Died)?;
//!             cx.despawn(cx.me())?;
//!         }
//!         Ok(())
//!     }
//! }
//!
//! #[derive(Default)]
//! struct Mourner { tears: u32 }
//!
//! #[handlers]
//! impl Mourner {
//!     #[on_receive]
//!     fn mourn(&mut self, _: &Died) { self.tears += 1; }
//! }
//!
//! let mut manager = MessageManager::new();
//! let orc = manager.spawn((Health { hp: 3 },));
//! let friend = manager.spawn((Mourner::default(),));
//! manager.send(orc, Damage { amount: 3 })?;
//! assert_eq!(manager.get::<Mourner>(friend)?.tears, 1);
//! assert!(!manager.is_alive(orc));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Next: [addresses](super::addresses).
