//! Pull instead of push: reading messages that were published in the last frame.
//!
//! ```
//! use message_core::prelude::*;
//! use std::time::Duration;
//!
//! #[derive(Message)]
//! struct Noise { x: i32, volume: i32 }
//!
//! struct Guard { x: i32, alert: bool }
//!
//! // A system is a plain function. No handler is called while it runs.
//! fn listen(desk: Desk<'_>) -> Result<(), SendError> {
//!     for (id, mut guard) in desk.iter_mut::<Guard>() {
//!         for noise in desk.inbox::<Noise>().reaching(id) {
//!             if (noise.x - guard.x).abs() < noise.volume {
//!                 guard.alert = true;
//!                 // The others find it in the next frame.
//!                 desk.publish(Everyone, Noise { x: guard.x, volume: 5 })?;
//!             }
//!         }
//!     }
//!     Ok(())
//! }
//!
//! let mut manager = MessageManager::new();
//! let near = manager.spawn((Guard { x: 3, alert: false },));
//! let far = manager.spawn((Guard { x: 7, alert: false },));
//! manager.publish(Everyone, Noise { x: 0, volume: 5 })?;
//!
//! let frame = Duration::from_millis(16);
//! manager.tick(frame);
//! listen(manager.desk())?;
//! assert!(manager.get::<Guard>(near)?.alert);
//! assert!(!manager.get::<Guard>(far)?.alert);
//!
//! manager.tick(frame);
//! listen(manager.desk())?; // Now the shout of the first guard can be read.
//! assert!(manager.get::<Guard>(far)?.alert);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! All mail of a frame appears at once, so the order in which systems read does not matter, and nothing
//! is re-entrant. The price is one frame of delay.
//!
//! - Select mail with `to`, `from` and `reaching`; use an iterator's `filter` for the rest.
//! - A [`Cursor`](crate::mailbox::Cursor) continues where it stopped, and counts the mail that it missed. Use it for a
//!   reader that does not read in every frame, together with
//!   [`set_mail_retention`](crate::MessageManager::set_mail_retention).
//! - What has been published in this frame so far is in [`published`](crate::MessageManager::published), and what an
//!   inbox contains as well with [`with_inbox`](crate::mailbox::Published::with_inbox). A turn-based host that wants to
//!   know at once what the handlers of a [`tick`](crate::MessageManager::tick) have published reads it with a
//!   [cursor](crate::mailbox::Published::since), which finds each message once.
//! - Handlers can read inboxes too: [`Context::inbox`](crate::Context::inbox). In a pass of `FixedUpdate`, an inbox
//!   contains what was published since the frame of the last pass, so a handler that reads in every pass finds each
//!   message once.
//! - A [`writer`](crate::MessageManager::writer) publishes in a loop. It checks the recipient once, so each message takes
//!   about half as long as with `publish`. If the messages come from an iterator, call
//!   [`publish_each`](crate::MessageManager::publish_each).
//! - [`publish_any`](crate::MessageManager::publish_any) publishes a boxed message. Its readers
//!   find it by its type, like any other.
//! - A letter stays when its sender is gone. Check [`is_alive`](crate::Structure::is_alive) before you send to
//!   the sender of a letter.
//! - Published messages are not delivered: no handler or subscriber receives them.
//!
//! Next: [families and focus](super::families).
