//! Addresses: where a message can go.
//!
//! | recipient | who receives |
//! |---|---|
//! | an id | the components of one messagee |
//! | `Me` | the components of the sender's own messagee |
//! | `Everyone`, `EveryoneElse` | all components; all but those of the sender's messagee |
//! | a mnemonic | the one messagee that is bound to it |
//! | a group | its members, in the order in which they joined |
//! | `Up(id)` | the messagee, then its parent, and so on |
//! | `Down(id)` | the messagee, then its descendants |
//!
//! ```
//! use message_core::prelude::*;
//!
//! // Declared where they are used. There is no central list.
//! mnemonic!(PLAYER);
//! group!(ENEMIES);
//!
//! #[derive(Message)]
//! struct Ping;
//!
//! #[derive(Default)]
//! struct Radar { pings: u32 }
//!
//! #[handlers]
//! impl Radar {
//!     #[on_receive]
//!     fn ping(&mut self, _: &Ping) { self.pings += 1; }
//! }
//!
//! let mut manager = MessageManager::new();
//! let [hero, orc, troll] = [(); 3].map(|()| manager.spawn((Radar::default(),)));
//! manager.bind(PLAYER, hero)?;
//! manager.join(ENEMIES, orc)?;
//! manager.join(ENEMIES, troll)?;
//! manager.set_parent(troll, Some(orc))?;
//!
//! assert_eq!(manager.send(hero, Ping)?.received, 1);
//! assert_eq!(manager.send(PLAYER, Ping)?.received, 1);
//! assert_eq!(manager.send(ENEMIES, Ping)?.received, 2);
//! assert_eq!(manager.send(Everyone, Ping)?.received, 3);
//! assert_eq!(manager.send(Up(troll), Ping)?.received, 2);
//! assert_eq!(manager.send(Down(orc), Ping)?.received, 2);
//!
//! // `Me` and `EveryoneElse` need a sender. Here it is the hero.
//! assert_eq!(manager.as_messagee(hero)?.send(EveryoneElse, Ping)?.received, 2);
//!
//! // Moving a mnemonic takes effect at once, in handlers too.
//! manager.unbind(PLAYER, hero)?;
//! assert!(matches!(manager.send(PLAYER, Ping), Err(SendError::Unbound { .. })));
//! manager.bind(PLAYER, orc)?;
//! assert_eq!(manager.bound(PLAYER), Some(orc));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Use a mnemonic for one well-known messagee, and a group for many. An empty group is no error; an
//! unbound mnemonic is. A handler learns the sender from
//! [`Context::sender`](crate::Context::sender), which the manager stamps, and answers it with
//! [`Context::reply`](crate::Context::reply).
//!
//! Next: [replies](super::replies).
