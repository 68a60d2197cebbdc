//! Requirements of hot reload. There is no code here, and no plan to add any.
//!
//! Hot reload replaces a loaded plugin with another build of it while the program runs. This crate does not
//! support it: a plugin is loaded once and stays loaded. During development, save the manager, restart the
//! program and restore the save instead; saves are lenient, and upgrade data whose type has changed (feature
//! `data` of message-core).
//!
//! Reloading in place would require all of the following:
//!
//! - **Nothing of the old build in use.** Its components would have to be unhooked, its closures
//!   unsubscribed, and its messages removed from the queues, mailboxes, retained messages, logs and traces.
//!   Any remaining `&'static str` or function of it, in a panic payload, a thread or a `static` of another
//!   crate, would dangle after unloading. So the old build would stay in memory, and each reload would add
//!   to it.
//! - **Different types.** The compiler assigns new `TypeId`s to the types of another build if the crate's
//!   version or flags differ, and may assign the *same* ones to types whose fields have changed. So values
//!   would have to pass through data: written by name by the old build and read by the new one.
//! - **A registry that replaces.** [`extend_registry`](message_core::extend_registry()) appends; it would
//!   have to retire routes, indices and names in all managers, at a moment when no delivery is in progress. The
//!   cells of messages cache their routes without a lock, and would have to be invalidated.
//! - **No duplicate entries.** Mnemonics, groups and tags of both builds are equal by name, which would be
//!   fine; message ids would be equal, too, and equal ids are refused today.
//! - **Determinism.** A log would have to record when the builds changed, and a replay would need both.
