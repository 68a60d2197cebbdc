//! Components from dynamic libraries: a program checks and loads plugins while it runs.
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
//! From then on the plugin's messages, components and handlers are there as if they had been linked in:
//! components are hooked by name from world files and the console, messages are sent by name, broadcasts
//! reach them in the same order. Managers that were made before take them up.
//!
//! # One copy of message-core
//!
//! A program and its plugins have to share one message-core, and the types that pass between them. So
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
//! The program and the plugins depend on `contract`, and on `message-dylib` under the name of
//! message-core. Both are no members of the workspace: Cargo leaves out `-C prefer-dynamic` for members,
//! and each would have a standard library of its own.
//!
//! ```toml
//! # game, frost and contract
//! [dependencies]
//! message-core = { package = "message-dylib", version = "0.1" }
//! ```
//!
//! `contract` invokes [`message_core::shared!`] and has `crate-type = ["dylib"]`; a plugin invokes
//! [`message_core::plugin!`] and has `crate-type = ["cdylib"]`. The folder `hosts/plugin` of the repository
//! is such a workspace: a program, a plugin and a world file, in one command.
//!
//! # What is checked
//!
//! Rust has no stable binary interface, so a plugin has to be of the same build as the program: the same
//! compiler, flags and sources of what they share. The macro [`message_core::plugin!`] leaves a
//! [statement](message_core::plugin::Statement) of it in the file. [`check`] copies the file and reads
//! the statement from the bytes of the copy, before anything of the library runs, and compares it with what
//! the program says of itself. Refused, with what was found and what was expected, is
//!
//! - a file that is no library, or a part of one, or for another machine;
//! - a library without a statement;
//! - a plugin with a message-core of its own;
//! - another compiler, target, panic strategy, optimisation, other flags, or another build of message-core:
//!   version, sources, features;
//! - another build of a shared crate, or a crate that both have a copy of;
//! - a name that is loaded already.
//!
//! When it is loaded, its types have to fit the registry: ids and names that are taken are
//! [`PluginError::DoesNotFit`]. A plugin that is refused then stays in memory, but nothing of it is known:
//! not its messages, components, names or handlers.
//!
//! A statement is no signature. It finds mistakes, not malice: see [`Checked::load`] for what the caller
//! vouches for.
//!
//! # What it does not do
//!
//! A plugin is never unloaded, and no other build of it takes its place while the program runs. The page
//! [`hot_reload`] says what that would need.
//!
//! It needs the default linking backend of message-core: with the feature `linkme` it does not compile. It
//! is tested on Linux.
//!
//! # Determinism
//!
//! Indices of messages and components depend on the order in which plugins are loaded; ids do not. What is
//! delivered, and in which order, does not depend on either.
//!
//! A log does not say that a plugin was loaded, nor does a save. Load the same plugins before a replay or
//! a restore; what is missing is told, as for any type that the program does not know. A world file that is
//! written from a manager does not name plugins: write them at its top by hand.

#![deny(unsafe_code)]

mod checked;
mod compare;
mod copy;
mod error;
pub mod hot_reload;
mod library;

pub use checked::{Checked, Loaded, check};
pub use error::{Difference, PluginError};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
