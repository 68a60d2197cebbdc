//! What hot reload would need. There is no code here, and no plan.
//!
//! Hot reload puts another build of a plugin in the place of the one that is loaded, while the program
//! runs. This crate does not do it: a plugin is loaded once and stays. For a program that is being
//! written, the way is to save the manager, start the program anew and restore it; a save is lenient, and
//! upgrades what has changed (feature `data` of message-core).
//!
//! In place it would need all of this:
//!
//! - **Nothing of the old build in use.** Its components would have to be unhooked, its closures
//!   unsubscribed, and its messages taken out of the queues, mailboxes, retained messages, logs and traces.
//!   A `&'static str` or a function of it anywhere, in a panic payload, a thread or a `static` of another
//!   crate, would dangle if it were unloaded. So the old build would stay in memory, and each reload would
//!   add to it.
//! - **Other types.** The compiler gives the types of another build other `TypeId`s, as soon as the crate
//!   has another version or other flags, and may give the *same* ones to types whose fields have changed.
//!   So values would have to pass through data: written by name by the old build, read by the new one.
//! - **A registry that replaces.** [`extend_registry`](message_core::extend_registry()) appends; it would
//!   have to retire routes, indices and names, in all managers, at a moment when nothing is under way. The
//!   cells of messages remember their routes without a lock, and would have to be told.
//! - **The same entries once.** Mnemonics, groups and tags of both builds are equal by name, which would
//!   do; message ids would be equal, too, and are refused today.
//! - **Determinism.** A log would have to say when the builds changed, and a replay would need both.
