//! Components from dynamic libraries: checks and loads plugins while the program runs.
//!
//! ```no_run
//! use message_core::prelude::*;
//!
//! let checked = message_plugin::check("plugins/libfrost.so")?; // Nothing of it has run.
//! println!("{}", checked.statement());
//! // SAFETY: the plugin is built with the program, and comes with it.
//! let frost = unsafe { checked.load()? };
//! println!("{} is loaded", frost.name());
//! # Ok::<(), message_plugin::PluginError>(())
//! ```
//!
//! From then on, the plugin's messages, components and handlers are available as if they had been linked in:
//! world files and the console hook components by name, messages are sent by name, and broadcasts reach them
//! in the same order. Managers that were created earlier adopt them.
//!
//! # One copy of message-core
//!
//! A program and its plugins must share one message-core and the types that pass between them. Therefore
//! these are shared libraries:
//!
//! ```text
//!    game (program)        frost (plugin, cdylib)
//!         |     \            /    |
//!         |      contract (dylib) |      messages and components that both name
//!         |          |            |
//!   message-plugin   `- message-dylib (dylib): message-core in one library
//! ```
//!
//! The program and the plugins depend on `contract`, and on `message-dylib` under the name
//! `message-core`. Neither of the two is a member of the workspace: for members, Cargo omits
//! `-C prefer-dynamic`, and each would have its own standard library.
//!
//! ```toml
//! # game, frost and contract
//! [dependencies]
//! message-core = { package = "message-dylib", version = "0.1" }
//! ```
//!
//! `contract` invokes [`message_core::shared!`] and has `crate-type = ["dylib"]`; a plugin invokes
//! [`message_core::plugin!`] and has `crate-type = ["cdylib"]`. The repository's folder `hosts/plugin` is such
//! a workspace, with a program, a plugin and a world file that run with one command.
//!
//! # What is checked
//!
//! Rust has no stable binary interface, so a plugin must come from the same build as the program: the same
//! compiler, flags, and sources and features of shared crates. The macro [`message_core::plugin!`] stores a
//! [statement](Statement) of these in the file. [`check`] copies the file, reads the
//! statement from the bytes of the copy before any code of the library runs, and compares it with the program's
//! own. It refuses the following, and reports what was found and what was expected:
//!
//! - a file that is not a library, is only part of one, or is built for another machine;
//! - a library without a statement;
//! - a plugin with a message-core of its own;
//! - another compiler, target, panic strategy, optimisation level, other flags, or another build of
//!   message-core: version, sources or features;
//! - another build of a shared crate, or a crate of which both have a copy;
//! - a name that is already loaded.
//!
//! The [build](message_core::shared!) of a shared crate covers its sources, including those that its build script
//! generates, its features, and the other settings for conditional compilation. It also contains Cargo's hash of
//! the package's settings and of those of its dependencies. The error names the hash only if nothing else differs:
//! then a dependency has other features, or the profile or the workspace is another one, and
//! `cargo tree -e features` shows which.
//!
//! A plugin can be built alone (`cargo build -p frost`), with another target folder, too. It is refused if Cargo
//! then gives a shared crate other features than in the build of the whole workspace. Even if these do not change
//! the fields of any type, the compiler gives the types other ids and the functions other names.
//!
//! When the plugin is loaded, its types must fit the registry: ids and names that are already taken cause
//! [`PluginError::DoesNotFit`]. A plugin that is refused at this point stays in memory, but nothing of it is
//! registered: no messages, components, names or handlers.
//!
//! A statement is not a signature. It finds mistakes, not malice: see [`Checked::load`] for what the caller
//! must guarantee.
//!
//! # Limitations
//!
//! A plugin is never unloaded, and no other build of it can replace it while the program runs. The page
//! [`hot_reload`] explains what that would require.
//!
//! The crate is tested on Linux.
//!
//! # Determinism
//!
//! The indices of messages and components depend on the order in which plugins are loaded; ids do not. Which
//! messages are delivered, and in which order, depends neither on the indices nor on the load order.
//!
//! Neither a log nor a save records that a plugin was loaded. Load the same plugins before a replay or a
//! restore; missing types are reported like any type that the program does not know. A world file written from
//! a manager does not name plugins: add them at its top by hand.

#![deny(unsafe_code)]

mod build;
mod checked;
mod compare;
mod copy;
mod error;
pub mod hot_reload;
mod library;
mod statement;

pub use checked::{Checked, Loaded, check};
pub use error::{Difference, PluginError};
pub use statement::{Kind, Statement, statements};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
