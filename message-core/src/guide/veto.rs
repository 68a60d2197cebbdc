//! A running component cannot veto.
//!
//! A component consumes a message by returning `ControlFlow::Break`: later receivers do not get it. This works
//! only if the component is free when the message is sent. If it is running, the message is kept for it
//! and delivered to the others now. By the time the component is called, it is too late.
//!
//! ```
//! use message_core::Recipient::Me;
//! use message_core::prelude::*;
//! use std::ops::ControlFlow;
//!
//! #[derive(Message, Clone)]
//! struct Open;
//!
//! #[derive(Message)]
//! struct Push;
//!
//! /// Should keep the door shut.
//! struct Lock { checks_first: bool }
//!
//! impl Lock {
//!     fn allows(&self) -> bool { false }
//! }
//!
//! #[handlers]
//! impl Lock {
//!     #[on_receive(priority = 10)]
//!     fn veto(&mut self, _: &Open) -> ControlFlow<()> {
//!         if self.allows() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
//!     }
//!
//!     #[on_receive]
//!     fn push(&mut self, _: &Push, cx: &mut Context<'_>) -> Result<(), SendError> {
//!         if self.checks_first && !self.allows() {
//!             return Ok(()); // The solution: decide before you send.
//!         }
//!         cx.send(Me, Open)?; // The lock is running, so it is not asked now.
//!         Ok(())
//!     }
//! }
//!
//! #[derive(Default)]
//! struct Door { open: bool }
//!
//! #[handlers]
//! impl Door {
//!     #[on_receive]
//!     fn open(&mut self, _: &Open) { self.open = true; }
//! }
//!
//! let mut manager = MessageManager::new();
//! // For a send from outside, the lock is free, and its veto holds.
//! let id = manager.spawn((Lock { checks_first: false }, Door::default()));
//! assert!(manager.send(id, Open)?.consumed);
//! assert!(!manager.get::<Door>(id)?.open);
//!
//! // While the lock itself runs, it is skipped, and the door opens.
//! manager.send(id, Push)?;
//! assert!(manager.get::<Door>(id)?.open);
//!
//! // A lock that decides before it sends keeps the door shut.
//! let id = manager.spawn((Lock { checks_first: true }, Door::default()));
//! manager.send(id, Push)?;
//! assert!(!manager.get::<Door>(id)?.open);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Other solutions:
//!
//! - **Post the message to a later stage.** When it is delivered, the component is free again, and its
//!   veto holds.
//! - **Veto in a separate component** that sends nothing and is therefore never busy.
//! - **Let the veto take `&self`**, and also the handler that sends: `&self` handlers of one component
//!   may nest.
//! - **Use an interceptor.** While a [`before()`](crate::Filter::before) subscriber is running, a
//!   message that it would receive waits, for all receivers.
//!
//! Next: [reading a subscriber's state](super::subscriber_state).
