//! Limitations, and what to use instead.
//!
//! - **It is not an entity-component system.** There is no query over several component types and no
//!   scheduler. To iterate over thousands of positions and velocities in each frame, use an
//!   entity-component system, and use messages for the events between entities.
//! - **It is not asynchronous.** A send returns when its receivers have run; a handler cannot wait. For
//!   sockets and files use a thread or an async runtime, and post its results through an
//!   [inlet](super::threads). An async task can [ask](crate::Inlet::ask) a manager and await the answer.
//! - **It does not run handlers in parallel**, except those of a broadcast that are marked
//!   `#[on_receive(parallel)]`, with the feature `rayon`. A manager runs on one thread at a time.
//!   Several managers can run on several threads.
//! - **It has room for 2^32 messagees and components**, of at most 2^16 component types.
//! - **It does not send to other processes or machines by itself.** The crate `message-net` connects
//!   managers through [proxies](crate::contract#proxies).
//! - **It gives no real-time guarantees.** Nothing is delivered early, but messages can be late, and a
//!   slow handler makes the frame longer. Memory is allocated when messages are posted,
//!   kept or published.
//! - **It does not check at compile time that somebody receives.** A message that nobody handles is
//!   visible in the receipt, not rejected. Require receivers with
//!   [`require`](crate::post::HeaderBuilder::require), or list unused message types with
//!   [`unused_messages`](crate::Inspect::unused_messages). A message to a messagee that does
//!   not handle it is counted with the line that sent it: see
//!   [`unhandled`](crate::Inspect::unhandled), or report it with
//!   [`ManagerConfig::report_unhandled`](crate::ManagerConfig::report_unhandled).
//! - **It does not find receivers by itself in a library that is loaded at run time.** The
//!   crate `message-plugin` checks such a library, loads it, and [extends](crate::extend_registry()) the
//!   registry. Libraries are not unloaded or replaced.
//! - **It is not faster than a direct call.** A send costs a few times as much as a virtual call. If
//!   two objects belong together, call a method: see [Message or call?](super::message_or_call).
//!
//! ```
//! use message_core::prelude::*;
//!
//! #[derive(Message)]
//! struct Whisper;
//!
//! let mut manager = MessageManager::new();
//! // Nobody handles it. That is not an error unless you say so.
//! assert_eq!(manager.send(Everyone, Whisper)?.received, 0);
//! let somebody = Header::to(Everyone).require(1).build()?;
//! assert!(manager.post(&somebody, Whisper).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
