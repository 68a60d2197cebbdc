//! Replies: asking one receiver, asking all of them, and filling in a message.
//!
//! ```
//! use message_core::prelude::*;
//!
//! #[derive(Message)]
//! #[message(reply = u32)]
//! struct GetHp;
//!
//! // An in-out message: each receiver may change it.
//! #[derive(Message)]
//! struct Damage { amount: u32 }
//!
//! struct Health { hp: u32 }
//!
//! #[handlers]
//! impl Health {
//!     #[on_receive]
//!     fn hp(&self, _: &GetHp) -> u32 { self.hp }
//!
//!     #[on_receive]
//!     fn hurt(&mut self, damage: &Damage) { self.hp -= damage.amount; }
//! }
//!
//! struct Shield;
//!
//! #[handlers]
//! impl Shield {
//!     // A higher priority comes first.
//!     #[on_receive(priority = 10)]
//!     fn soften(&mut self, damage: &mut Damage) { damage.amount /= 2; }
//! }
//!
//! let mut manager = MessageManager::new();
//! let orc = manager.spawn((Health { hp: 10 }, Shield));
//! let elf = manager.spawn((Health { hp: 20 },));
//! let rock = manager.spawn(());
//!
//! // `request` stops at the first answer.
//! assert_eq!(manager.request(orc, GetHp)?, 10);
//! // `request_all` collects every answer, with the messagee that gave it.
//! assert_eq!(manager.request_all(Everyone, GetHp)?, [(orc, 10), (elf, 20)]);
//! // A request that nobody answers is an error.
//! assert!(matches!(manager.request(rock, GetHp).unwrap_err().kind(), SendErrorKind::NoAnswer { .. }));
//!
//! // `send_mut` keeps the message here, so the changes can be read.
//! let mut damage = Damage { amount: 6 };
//! manager.send_mut(orc, &mut damage)?;
//! assert_eq!(damage.amount, 3);
//! assert_eq!(manager.request(orc, GetHp)?, 7);
//! # Ok::<(), SendError>(())
//! ```
//!
//! A handler of a request returns the reply `T`, or `Option<T>` if it may decline.
//! [`HandlerReturn`](crate::handler::HandlerReturn) lists all return types that a handler may have. An answer
//! that comes later is an ordinary message: [`Context::reply`](crate::Context::reply) sends it to the sender.
//!
//! Next: [time](super::time).
