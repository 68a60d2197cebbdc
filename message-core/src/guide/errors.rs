//! Errors: what can go wrong, and how it is reported.
//!
//! | what happened | how it is reported |
//! |---|---|
//! | the recipient is gone, unbound, or of another manager | the send returns [`SendError`](crate::SendError); its [`kind`](crate::SendError::kind) says which |
//! | nobody handles the message | no error: [`Receipt::received`](crate::Receipt::received) is 0; [`report_unhandled`](crate::ManagerConfig::report_unhandled) prints why |
//! | nobody answers a request | [`NoAnswer`](crate::SendErrorKind::NoAnswer) |
//! | a header required receivers, and fewer received | [`NotReceived`](crate::SendErrorKind::NotReceived), or a dead letter if the message was delivered later |
//! | a handler returned an error | [`Receipt::failed`](crate::Receipt::failed), and the message [`HandlerFailed`](crate::lifecycle::HandlerFailed) to everyone |
//! | the recipient was despawned or unhooked in this dispatch | [`Leaving`](crate::Absence::Leaving) |
//! | a message waited for a busy receiver, which left, was disabled or panicked | the message [`DeadLetter`](crate::lifecycle::DeadLetter) to everyone, with [`Undelivered::Lost`](crate::error::Undelivered::Lost) |
//! | a member of a group is in another manager and cannot be reached | [`Receipt::unreached`](crate::Receipt::unreached), and a [`DeadLetter`](crate::lifecycle::DeadLetter) for it |
//! | a posted message could not be delivered | the message [`DeadLetter`](crate::lifecycle::DeadLetter) to everyone |
//! | a handler panicked | the panic propagates to the caller, or [`HandlerPanicked`](crate::lifecycle::HandlerPanicked): see [`PanicPolicy`](crate::PanicPolicy) |
//! | handlers send without end | an error at a limit of [`ManagerConfig`](crate::ManagerConfig), which names the cycle |
//! | a failure that no component and no subscriber is notified of | printed to stderr, or passed to a function or a closure: [`ManagerConfig::report_to`](crate::ManagerConfig::report_to) |
//!
//! The manager stays usable after an error. Most errors are found before any receiver runs. After
//! `NoAnswer`, `NotReceived` and `Limit::Kept`, some receivers have received the message; the docs of each
//! variant say so.
//! The manager also stays usable after a panic. The message whose delivery the panic ended reaches nobody else. The
//! next call first delivers the messages that were kept and carries out the changes that were requested.
//! [`settle`](crate::MessageManager::settle) does only that.
//! In a handler, `?` passes errors on; any error converts into [`HandlerError`](crate::HandlerError).
//!
//! ```
//! use message_core::lifecycle::{DeadLetter, HandlerFailed};
//! use message_core::prelude::*;
//! use std::sync::mpsc;
//! use std::time::Duration;
//!
//! #[derive(Message)]
//! struct Open;
//!
//! struct Door;
//!
//! #[handlers]
//! impl Door {
//!     #[on_receive]
//!     fn open(&mut self, _: &Open) -> Result<(), HandlerError> {
//!         Err("the door is locked".into())
//!     }
//! }
//!
//! let mut manager = MessageManager::new();
//! // One place for all failures. A real program writes them to its log.
//! let (log, lines) = mpsc::channel();
//! let letters = log.clone();
//! manager.subscribe(Filter::of::<HandlerFailed>().hidden(), move |failed, _| {
//!     let _ = log.send(format!("{} failed: {}", failed.handler, failed.error));
//! });
//! manager.subscribe(Filter::of::<DeadLetter>().hidden(), move |letter, _| {
//!     let _ = letters.send(letter.why.to_string());
//! });
//!
//! let door = manager.spawn((Door,));
//! let receipt = manager.send(door, Open)?;
//! assert_eq!((receipt.received, receipt.failed), (1, 1));
//! assert_eq!(lines.recv()?, "open failed: the door is locked");
//!
//! // This message requires a receiver. There is none when it is due.
//! let later = Header::to(door).after(Duration::from_secs(1)).require(1).build()?;
//! manager.post(&later, Open)?;
//! manager.despawn(door)?;
//! manager.tick(Duration::from_secs(1));
//! assert_eq!(lines.recv()?, format!("messagee {door} is gone"));
//!
//! // For an immediate message, the call returns the error.
//! let now = Header::to(Everyone).require(1).build()?;
//! assert!(matches!(manager.post(&now, Open).unwrap_err().kind(), SendErrorKind::NotReceived { .. }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What the compiler says
//!
//! | error | what to write |
//! |---|---|
//! | E0499, E0502: `*cx` is borrowed at a `send` | copy what you need out of the value that `get` returned, or send first: a borrow of a component cannot be held across a send |
//! | E0499: the manager is borrowed by `iter_mut` | collect the ids, then send; or use handlers |
//! | E0277: `Recipient: From<Sender>` | [`cx.reply(…)`](crate::Context::reply), or the id in [`cx.sender().id()`](crate::Sender::id) |
//! | E0277: `Recipient: From<&str>` | a name is not an address: send to what [`find`](crate::Structure::find) returns, or declare a mnemonic |
//! | E0277: `Recipient: From<Vec<MessageeId>>` | a group, or one send for each |
//! | E0308: expected `SendError`, found `SendErrorKind`, in a pattern | match [`error.kind()`](crate::SendError::kind); [`message`](crate::SendError::message) and [`to`](crate::SendError::to) say which message to whom |
//! | E0277: `?` couldn't convert the error to `SendError` or `MessageeError` | let the handler return `Result<(), HandlerError>`, which accepts every error |
//!
//! For the errors of a subscriber, see [its page](super::subscriber_state#what-the-compiler-says).
//!
//! Next: [testing](super::testing).
