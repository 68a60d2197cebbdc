//! `Busy`, and how to avoid it.
//!
//! While a `&mut self` handler runs, its component is **busy**. A `send` to it is no problem: the message is
//! kept, and delivered as soon as the component is free. A `request` needs its answer now, which the
//! component cannot give. The request fails with [`SendErrorKind::Busy`](crate::SendErrorKind::Busy).
//!
//! ```
//! use message_core::prelude::*;
//! use message_core::lifecycle::HandlerFailed;
//! use std::sync::mpsc;
//!
//! #[derive(Message)]
//! struct Buy { price: u32 }
//!
//! #[derive(Message)]
//! #[message(reply = u32)]
//! struct GetGold;
//!
//! #[derive(Message)]
//! #[message(reply = bool)]
//! struct MayBuy { price: u32, gold: Option<u32> }
//!
//! struct Purse { gold: u32, shop: MessageeId, says_its_gold: bool }
//!
//! #[handlers]
//! impl Purse {
//!     #[on_receive]
//!     fn buy(&mut self, buy: &Buy, cx: &mut Context<'_>) -> Result<(), SendError> {
//!         let gold = self.says_its_gold.then_some(self.gold);
//!         // The purse is busy until this method returns.
//!         if cx.request(self.shop, MayBuy { price: buy.price, gold })? {
//!             self.gold -= buy.price;
//!         }
//!         Ok(())
//!     }
//!
//!     #[on_receive]
//!     fn gold(&self, _: &GetGold) -> u32 { self.gold }
//! }
//!
//! struct Shop;
//!
//! #[handlers]
//! impl Shop {
//!     #[on_receive]
//!     fn may_buy(&self, ask: &MayBuy, cx: &mut Context<'_>) -> Result<bool, SendError> {
//!         let Some(buyer) = cx.sender().id() else { return Ok(false) };
//!         let gold = match ask.gold {
//!             Some(gold) => gold,
//!             None => cx.request(buyer, GetGold)?, // The purse is running: `Busy`.
//!         };
//!         Ok(ask.price <= gold)
//!     }
//! }
//!
//! let mut manager = MessageManager::new();
//! let (log, lines) = mpsc::channel();
//! manager.subscribe(Filter::of::<HandlerFailed>(), move |failed, _| {
//!     let _ = log.send(failed.error.to_string());
//! });
//! let shop = manager.spawn((Shop,));
//! let silent = manager.spawn((Purse { gold: 9, shop, says_its_gold: false },));
//! let frank = manager.spawn((Purse { gold: 9, shop, says_its_gold: true },));
//!
//! manager.send(silent, Buy { price: 5 })?;
//! assert!(lines.try_iter().any(|line| line.contains("busy")));
//! assert_eq!(manager.request(silent, GetGold)?, 9);
//!
//! // The solution here: the message contains what the receiver would ask for.
//! manager.send(frank, Buy { price: 5 })?;
//! assert_eq!(manager.request(frank, GetGold)?, 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A kept message may lose its receiver, because the component leaves, is disabled or panics before it is
//! free. The message then becomes a [`DeadLetter`](crate::lifecycle::DeadLetter) that names the
//! [lost](crate::error::Undelivered::Lost) receivers.
//!
//! Ways to avoid `Busy`, simplest first:
//!
//! 1. **Put the data into the message**, as above, so that no receiver has to ask for it.
//! 2. **Use a send instead of a request.** The answer comes back as a separate message, sent with
//!    [`Context::reply`](crate::Context::reply), when the component is free.
//! 3. **Take `&self`** if the handler changes nothing: `&self` handlers of one component nest.
//! 4. **Post to a later stage.** When it is delivered, no handler of this chain is running.
//! 5. **Split the component.** Only the running component is busy, not its messagee.
//!
//! # A flag around a send
//!
//! A field that is set before a send and reset after it does not hold when the answer arrives. The component that sends
//! is busy, so an answer to it is kept, and is delivered when the handler has returned, with the field already reset:
//!
//! ```
//! use message_core::prelude::*;
//!
//! #[derive(Message)]
//! struct Practice;
//!
//! #[derive(Message)]
//! struct Strike { in_practice: bool }
//!
//! #[derive(Message)]
//! struct Struck { in_practice: bool }
//!
//! #[derive(Default)]
//! struct Fencer { partner: Option<MessageeId>, practices: bool, seen: Vec<(bool, bool)> }
//!
//! #[handlers]
//! impl Fencer {
//!     #[on_receive]
//!     fn practice(&mut self, _: &Practice, cx: &mut Context<'_>) -> Result<(), SendError> {
//!         let Some(partner) = self.partner else { return Ok(()) };
//!         self.practices = true;
//!         cx.send(partner, Strike { in_practice: true })?;
//!         self.practices = false; // Only now is this component free for the answer.
//!         Ok(())
//!     }
//!
//!     #[on_receive]
//!     fn struck(&mut self, it: &Struck) { self.seen.push((self.practices, it.in_practice)); }
//! }
//!
//! struct Partner;
//!
//! #[handlers]
//! impl Partner {
//!     #[on_receive]
//!     fn strike(&self, it: &Strike, cx: &mut Context<'_>) -> Result<(), SendError> {
//!         cx.reply(Struck { in_practice: it.in_practice })?;
//!         Ok(())
//!     }
//! }
//!
//! let mut manager = MessageManager::new();
//! let partner = Some(manager.spawn((Partner,)));
//! let fencer = manager.spawn((Fencer { partner, ..Fencer::default() },));
//! manager.send(fencer, Practice)?;
//! assert_eq!(manager.get::<Fencer>(fencer)?.seen, [(false, true)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The cure is in the example: what has to hold for the answer travels with the message, and comes back with the answer.
//! If the answer is needed before the handler goes on, ask by a `request`.
//!
//! Next: [a running component cannot veto](super::veto).
