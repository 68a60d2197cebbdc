//! Coming from actors: what corresponds to actors, mailboxes and requests.
//!
//! | actors | here |
//! |---|---|
//! | actor | messagee; it may have several components |
//! | `impl Handler<M> for A` | a method with `#[on_receive]` |
//! | `addr.do_send(m)` | `post` to a stage, or `send` |
//! | `addr.send(m).await` | `request`, which returns the answer |
//! | the sender's address in the message | [`Context::sender`](crate::Context::sender), stamped by the manager |
//! | a registry of named actors | a mnemonic |
//! | `ctx.notify_later`, `ctx.run_interval` | a [`Header`](crate::Header) with `after` or `every` |
//! | supervision | [`PanicPolicy::Unhook`](crate::PanicPolicy::Unhook) and [`HandlerPanicked`](crate::lifecycle::HandlerPanicked) |
//! | several arbiters | several managers, joined by [inlets](crate::Inlet) |
//!
//! An example with this crate: an orc is hurt and dies, and a score counts it.
//!
//! ```
//! use message_core::prelude::*;
//!
//! mnemonic!(SCORE);
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
//!             cx.send(SCORE, Died)?;
//!             cx.despawn(cx.me())?;
//!         }
//!         Ok(())
//!     }
//! }
//!
//! #[derive(Default)]
//! struct Score { deaths: u32 }
//!
//! #[handlers]
//! impl Score {
//!     #[on_receive]
//!     fn count(&mut self, _: &Died) { self.deaths += 1; }
//! }
//!
//! let mut manager = MessageManager::new();
//! let score = manager.spawn((Score::default(),));
//! manager.bind(SCORE, score)?;
//! let orc = manager.spawn((Health { hp: 10 },));
//!
//! manager.send(orc, Damage { amount: 10 })?;
//! assert_eq!(manager.get::<Score>(score)?.deaths, 1);
//! assert!(!manager.is_alive(orc));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same with `actix` (not compiled here):
//!
//! ```ignore
//! use actix::prelude::*;
//!
//! #[derive(Message)]
//! #[rtype(result = "()")]
//! struct Damage { amount: u32 }
//!
//! #[derive(Message)]
//! #[rtype(result = "()")]
//! struct Died;
//!
//! #[derive(Message)]
//! #[rtype(result = "u32")]
//! struct GetDeaths;
//!
//! struct Orc { hp: u32, score: Addr<Score> }
//!
//! impl Actor for Orc { type Context = Context<Self>; }
//!
//! impl Handler<Damage> for Orc {
//!     type Result = ();
//!     fn handle(&mut self, damage: Damage, ctx: &mut Context<Self>) {
//!         self.hp = self.hp.saturating_sub(damage.amount);
//!         if self.hp == 0 {
//!             self.score.do_send(Died);
//!             ctx.stop();
//!         }
//!     }
//! }
//!
//! #[derive(Default)]
//! struct Score { deaths: u32 }
//!
//! impl Actor for Score { type Context = Context<Self>; }
//!
//! impl Handler<Died> for Score {
//!     type Result = ();
//!     fn handle(&mut self, _: Died, _: &mut Context<Self>) { self.deaths += 1; }
//! }
//!
//! impl Handler<GetDeaths> for Score {
//!     type Result = u32;
//!     fn handle(&mut self, _: GetDeaths, _: &mut Context<Self>) -> u32 { self.deaths }
//! }
//!
//! #[actix::main]
//! async fn main() -> Result<(), MailboxError> {
//!     let score = Score::default().start();
//!     let orc = Orc { hp: 10, score: score.clone() }.start();
//!     orc.send(Damage { amount: 10 }).await?;
//!     assert_eq!(score.send(GetDeaths).await?, 1);
//!     Ok(())
//! }
//! ```
//!
//! # What is better there
//!
//! - Actors wait without blocking: a handler can `await` a socket or a file. Here a handler runs to
//!   completion.
//! - Actors run on several threads. Here, a manager runs on one thread at a time; the crate `message-net`
//!   connects managers of several processes.
//! - An actor is never in the middle of another call, so there is no `Busy`.
//!
//! # What is better here
//!
//! - A send is complete when it returns: no runtime, no `await`, and the same order in every run.
//! - Messages go to everyone, to groups and along families, and others can listen. Actors need not keep lists
//!   of addresses.
//! - One address has several components, which can be added and removed at run time.
//! - A message need not be moved through a queue: a send costs a few calls.
