//! Listening: subscribers, interceptors, and the order of an event log.
//!
//! A subscriber is a closure that receives every message that passes its filter, whatever the
//! recipient is. It runs after the addressed components. An interceptor (`before()`) runs before them,
//! may change the message, and may stop it.
//!
//! ```
//! use message_core::prelude::*;
//! use std::ops::ControlFlow;
//! use std::sync::mpsc;
//!
//! #[derive(Message, Debug)]
//! struct Order;
//!
//! #[derive(Message, Debug)]
//! struct Fire;
//!
//! struct Captain;
//!
//! #[handlers]
//! impl Captain {
//!     #[on_receive]
//!     fn obey(&mut self, _: &Order, cx: &mut Context<'_>) -> Result<(), SendError> {
//!         cx.send(Everyone, Fire)?; // The order causes the fire.
//!         Ok(())
//!     }
//! }
//!
//! let mut manager = MessageManager::new();
//! manager.spawn((Captain,));
//! let (log, completed) = mpsc::channel();
//! manager.subscribe(Filter::all().hidden(), move |message, _| {
//!     let _ = log.send(message.name().rsplit("::").next().unwrap_or("").to_owned());
//! });
//! let (log, caused) = mpsc::channel();
//! manager.subscribe(Filter::all().before().hidden(), move |message, _| {
//!     let _ = log.send(message.name().rsplit("::").next().unwrap_or("").to_owned());
//!     ControlFlow::Continue(())
//! });
//! manager.send(Everyone, Order)?;
//!
//! // A send is depth first. `Fire` is complete before `Order` is.
//! assert_eq!(completed.try_iter().collect::<Vec<_>>(), ["Fire", "Order"]);
//! // The interceptor sees each message before the receivers do: causes come first.
//! assert_eq!(caused.try_iter().collect::<Vec<_>>(), ["Order", "Fire"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! **For an event log in causal order, use `before()`.** The log of an ordinary subscriber is in order of
//! completion. A `hidden` subscription does not count as a receiver, which suits a log.
//!
//! A filter can combine message type, sender, recipient and tags. A type that is known only at run time is given by its id:
//! [`Filter::of_id`](crate::subscription::Filter::of_id).
//!
//! ```
//! use message_core::prelude::*;
//! use std::ops::ControlFlow;
//!
//! #[derive(Message)]
//! struct Damage { amount: u32 }
//!
//! struct Health { hp: u32 }
//!
//! #[handlers]
//! impl Health {
//!     #[on_receive]
//!     fn hurt(&mut self, damage: &Damage) { self.hp -= damage.amount; }
//! }
//!
//! let mut manager = MessageManager::new();
//! let [hero, orc] = [(); 2].map(|()| manager.spawn((Health { hp: 10 },)));
//! // God mode: no damage reaches the hero.
//! let god_mode = manager.subscribe(
//!     Filter::of::<Damage>().to(hero).before(),
//!     |_: &mut Damage, _| ControlFlow::Break(()),
//! );
//! assert!(manager.send(hero, Damage { amount: 3 })?.consumed);
//! manager.send(orc, Damage { amount: 3 })?;
//! assert_eq!(manager.get::<Health>(hero)?.hp, 10);
//! assert_eq!(manager.get::<Health>(orc)?.hp, 7);
//!
//! manager.unsubscribe(god_mode);
//! manager.send(hero, Damage { amount: 3 })?;
//! assert_eq!(manager.get::<Health>(hero)?.hp, 7);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Tags have **levels**: a dot in the name of a tag leads to the next one.
//! [`and_below`](crate::Tag::and_below) is the set of a tag and of all tags below it.
//!
//! ```
//! use message_core::prelude::*;
//!
//! tag!(DAMAGE = "damage", FIRE = "damage.fire", HEALING = "healing");
//!
//! #[derive(Message)]
//! #[message(tags(FIRE))]
//! struct Burn;
//!
//! #[derive(Message)]
//! #[message(tags(HEALING))]
//! struct Heal;
//!
//! let mut manager = MessageManager::new();
//! manager.subscribe(Filter::all().tagged(DAMAGE.and_below()), |_, _| {});
//! assert_eq!(manager.send(Everyone, Burn)?.received, 1);
//! assert_eq!(manager.send(Everyone, Heal)?.received, 0);
//! # Ok::<(), SendError>(())
//! ```
//!
//! A messagee can **overhear**: its own handlers receive messages that were sent to others. The sender
//! and the recipient stay those of the message.
//!
//! ```
//! use message_core::prelude::*;
//!
//! #[derive(Message)]
//! struct UnderAttack;
//!
//! #[derive(Default)]
//! struct Wingman { helps: Option<MessageeId> }
//!
//! #[handlers]
//! impl Wingman {
//!     #[on_receive]
//!     fn help(&mut self, _: &UnderAttack, cx: &mut Context<'_>) { self.helps = cx.sender().id(); }
//! }
//!
//! let mut manager = MessageManager::new();
//! let (baron, base) = (manager.spawn(()), manager.spawn(()));
//! let wingman = manager.spawn((Wingman::default(),));
//! manager.overhear(wingman, Filter::of::<UnderAttack>().from(baron))?;
//! manager.speak_for(baron)?.send(base, UnderAttack)?;
//! assert_eq!(manager.get::<Wingman>(wingman)?.helps, Some(baron));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Filters and overhearing judge a message as it was sent: `to(PLAYER)` matches messages to the messagee that
//! `PLAYER` was bound to at the time of the send, whatever the receivers do with the mnemonic.
//!
//! A subscription **with retained** messages is up to date at once. When it is made, and when it is resumed after
//! a pause, it receives the last message of each type and recipient that was posted with
//! [`retain`](crate::post::HeaderBuilder::retain). For these messages, a mnemonic means the messagee that it is
//! bound to at that moment.
//!
//! ```
//! use message_core::prelude::*;
//! use std::sync::mpsc;
//!
//! #[derive(Message)]
//! struct Score(u32);
//!
//! let mut manager = MessageManager::new();
//! manager.post(Header::to(Everyone).retain(), Score(1))?;
//! let (log, shown) = mpsc::channel();
//! let board = manager.subscribe(Filter::of::<Score>().with_retained(), move |score, _| {
//!     let _ = log.send(score.0);
//! });
//! assert_eq!(shown.try_recv(), Ok(1));
//!
//! manager.set_listening(board, false);
//! manager.post(Header::to(Everyone).retain(), Score(2))?;
//! manager.post(Header::to(Everyone).retain(), Score(3))?;
//! assert!(shown.try_recv().is_err());
//! manager.set_listening(board, true);
//! assert!(shown.try_iter().eq([3])); // The last one.
//! # Ok::<(), SendError>(())
//! ```
//!
//! Next: [pull](super::pull).
