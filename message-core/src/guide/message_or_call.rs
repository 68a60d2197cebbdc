//! Message or call? When to send a message, and when to call a function.
//!
//! A call is the simplest tool: the compiler checks it, the answer is there at once, and nothing is faster. A message
//! earns its cost if at least one of these holds:
//!
//! 1. **The receiver is unknown, or there are many.** The sender knows what has happened, but not who cares.
//! 2. **The sender must not know what follows.** Others may change the message, stop it, or react to it, without a
//!    change in the sender.
//! 3. **It crosses time or place.** It happens later, is logged and replayed, or comes from another thread, manager or
//!    process. A call exists only while it runs; a message is a value that can be kept and carried.
//! 4. **Others extend the interface.** Components of other crates handle the message, and components that have no use
//!    for it do not mention it. A trait would have to list each method, and each type to implement it.
//!
//! ```
//! use message_core::prelude::*;
//!
//! group!(IN_THE_ROOM);
//!
//! #[derive(Message)]
//! struct Explosion { heat: u32 }
//!
//! struct Health { hp: u32 }
//!
//! #[handlers]
//! impl Health {
//!     #[on_receive]
//!     fn hurt(&mut self, explosion: &Explosion) { self.hp -= explosion.heat; }
//! }
//!
//! // Rule 4: written later, by somebody else.
//! struct Umbrella;
//!
//! #[handlers]
//! impl Umbrella {
//!     // Rule 2: the bomb does not know that somebody is protected.
//!     #[on_receive(priority = 10)]
//!     fn cool(&self, explosion: &mut Explosion) { explosion.heat /= 2; }
//! }
//!
//! let mut manager = MessageManager::new();
//! let orc = manager.spawn((Health { hp: 10 },));
//! let lady = manager.spawn((Health { hp: 10 }, Umbrella));
//! manager.join(IN_THE_ROOM, orc)?;
//! manager.send(lady, Explosion { heat: 4 })?;
//! // Rule 1: whoever is in the room. Rule 3: in one frame.
//! manager.post(Header::to(IN_THE_ROOM).after_frames(1), Explosion { heat: 4 })?;
//! manager.tick(std::time::Duration::from_millis(16));
//!
//! assert_eq!(manager.get::<Health>(lady)?.hp, 8);
//! assert_eq!(manager.get::<Health>(orc)?.hp, 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Call a function if **all** of these hold: there is one receiver and you know it; it belongs to you, or the two always
//! change together; you need the answer now; and it happens often. Then a message hides what the compiler could check.
//! The parts of one component are fields and methods, not messagees:
//!
//! ```
//! use message_core::prelude::*;
//!
//! #[derive(Default)]
//! struct Inventory { coins: u32 }
//!
//! impl Inventory {
//!     // One caller, which owns it: a method.
//!     fn pay(&mut self, price: u32) -> bool {
//!         let rest = self.coins.checked_sub(price);
//!         self.coins = rest.unwrap_or(self.coins);
//!         rest.is_some()
//!     }
//! }
//!
//! struct Trader { inventory: Inventory, has_map: bool }
//!
//! // It comes from somebody whom the trader does not know: a message.
//! #[derive(Message)]
//! #[message(reply = bool)]
//! struct OfferMap { price: u32 }
//!
//! #[handlers]
//! impl Trader {
//!     #[on_receive]
//!     fn consider(&mut self, offer: &OfferMap) -> bool {
//!         self.has_map = self.has_map || self.inventory.pay(offer.price);
//!         self.has_map
//!     }
//! }
//!
//! let mut manager = MessageManager::new();
//! let trader = manager.spawn((Trader { inventory: Inventory { coins: 5 }, has_map: false },));
//! assert!(!manager.request(trader, OfferMap { price: 7 })?);
//! assert!(manager.request(trader, OfferMap { price: 3 })?);
//!
//! // A test or a tool that knows the component looks at it directly.
//! assert_eq!(manager.get::<Trader>(trader)?.inventory.coins, 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The components of one type are visited with [`iter`](crate::Structure::iter), and messagees that have components of several
//! types with [`iter_all`](crate::MessageManager::iter_all), or from outside with
//! [`iter_all_mut`](crate::MessageManager::iter_all_mut).
//!
//! # Costs
//!
//! From `benches/RESULTS.md`, where the rows are described. *Plain Rust* is the best code for the row that knows all types in
//! advance.
//!
//! <!-- begin: calls -->
//!
//! | what | plain Rust | message-core | row |
//! | --- | ---: | ---: | --- |
//! | a send to one of 10 000 objects | 9.15 ns | 16.81 ns | W1 |
//! | a request and its reply, from outside | 2.23 ns | 9.15 ns | W3-out |
//! | a request and its reply, in a handler | 6.78 ns | 28.47 ns | W3-in |
//! | a send to everyone, for each of 100 000 receivers | 0.74 ns | 0.76 ns | W2-100k |
//! | a message to 1 000 subscribers, for each | 1.37 ns | 2.15 ns | W7 |
//! | a hop in a cascade of 8 nested sends | 1.46 ns | 13.07 ns | W8 |
//! | a message published, and read by its recipient | 8.83 ns | 24.24 ns | W6 |
//! | a message posted for later, and delivered | 5.48 ns | 80.06 ns | W5 |
//!
//! <!-- end: calls -->
//!
//! One send therefore costs a few nanoseconds more than a call, and a send to many costs nothing more. That matters in
//! the innermost loop and hardly anywhere else: a thousand sends take less than a hundredth of a frame of 16 ms. For such a
//! loop, send one message, and call functions in its handler.
//!
//! Next: [other threads](super::threads).
