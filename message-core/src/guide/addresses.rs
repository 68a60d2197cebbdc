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
//! use message_core::Recipient::{EveryoneElse, Me};
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
//! assert_eq!(manager.speak_for(hero)?.send(EveryoneElse, Ping)?.received, 2);
//!
//! // Moving a mnemonic takes effect at once, in handlers too.
//! manager.unbind(PLAYER, hero)?;
//! assert!(matches!(manager.send(PLAYER, Ping).unwrap_err().kind(), SendErrorKind::Absent(Absence::Unbound)));
//! manager.bind(PLAYER, orc)?;
//! assert_eq!(manager.bound(PLAYER), Some(orc));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Use a mnemonic for one well-known messagee, and a group for many. A group is declared in the source. For
//! per-object sets, such as the passengers of one lift, use a family and `Down`. Sending to an empty group is
//! not an error; sending to an unbound mnemonic is. A handler learns the sender from
//! [`Context::sender`](crate::Context::sender), which the manager stamps, and answers it with
//! [`Context::reply`](crate::Context::reply).
//!
//! # Names
//!
//! A name is a label for people and files. It is not an address: several messagees can have the same name,
//! and messages are not sent to names. Find messagees by their names, with wildcards, and send to their ids. A
//! search without wildcards is a single lookup, however many messagees there are.
//!
//! ```
//! use message_core::prelude::*;
//!
//! let mut manager = MessageManager::new();
//! let baron = manager.spawn(());
//! manager.set_name(baron, "Red Baron")?;
//! let goblins = [1, 2].map(|number| manager.spawn_named(format!("goblin {number}"), ()));
//!
//! assert_eq!(manager.name(baron).as_deref(), Some("Red Baron"));
//! assert!(manager.find("goblin*").eq(goblins));
//! assert!(manager.find("* 2").eq([goblins[1]]));
//!
//! // An id prints its name, and so does every error that contains the id.
//! assert_eq!(baron.to_string(), "0v0 \"Red Baron\"");
//! manager.despawn(baron)?;
//! let error = manager.despawn(baron).unwrap_err();
//! assert_eq!(error.to_string(), "messagee 0v0 \"Red Baron\" cannot be reached: it is gone");
//!
//! // In columns, and without the name.
//! assert_eq!(format!("{:>14}|{:#}", goblins[0], goblins[0]), "1v0 \"goblin 1\"|1v0");
//! # Ok::<(), MessageeError>(())
//! ```
//!
//! Next: [replies](super::replies).
