//! Typed messages between components, for games, simulations, user interfaces and servers of small
//! worlds.
//!
//! A messagee is an address with any number of components. Components send messages to addresses,
//! and do not know each other.
//!
//! ```
//! use message_core::prelude::*;
//!
//! #[derive(Message)]
//! struct Damage { amount: u32 }
//!
//! #[derive(Message)]
//! #[message(reply = u32)]
//! struct GetHp;
//!
//! struct Health { hp: u32 }
//!
//! #[handlers]
//! impl Health {
//!     #[on_receive]
//!     fn take_damage(&mut self, damage: &Damage) {
//!         self.hp = self.hp.saturating_sub(damage.amount);
//!     }
//!
//!     #[on_receive]
//!     fn hp(&self, _: &GetHp) -> u32 { self.hp }
//! }
//!
//! let mut manager = MessageManager::new();
//! let orc = manager.spawn((Health { hp: 10 },));
//! manager.send(orc, Damage { amount: 3 })?;
//! assert_eq!(manager.request(orc, GetHp)?, 7);
//! # Ok::<(), SendError>(())
//! ```
//!
//! There is nothing to register by hand: linking the crate is enough. There is no list of messages, mnemonics,
//! groups or tags to edit.
//!
//! # Where to go on
//!
//! - The [guide] is a tour in small programs: [first message](guide::first_message),
//!   [addresses](guide::addresses), [replies](guide::replies), [time](guide::time),
//!   [listening](guide::listening), [pull](guide::pull), [families and focus](guide::families),
//!   [errors](guide::errors), [testing](guide::testing), [`Busy`](guide::busy), [veto](guide::veto),
//!   [a subscriber's state](guide::subscriber_state), [threads](guide::threads), [seeing](guide::seeing),
//!   [hosts](guide::hosts), [rollback](guide::rollback). The crate `message-data` has pages on world files,
//!   saving and replay.
//! - If you know something similar: [coming from Bevy](guide::from_bevy),
//!   [from actors](guide::from_actors), [from signals and slots](guide::from_signals).
//! - The [contract] has every rule, sentence by sentence.
//! - [`MessageManager`] has the methods, and [`prelude`] the names that most programs need.
//!
//! Items that are rarely named are in modules: [`error`], [`handler`], [`lifecycle`], [`mailbox`],
//! [`plugin`](mod@plugin), [`post`], [`registry`](mod@registry), [`report`], [`subscription`], [`time`] and `trace`.
//!
//! # Goals, in order of rank
//!
//! 1. **A contract that can be relied on**: who receives, in what order, what happens when a
//!    handler sends to a component that is running, what survives a panic. It is written down in
//!    [`contract`], and each of its sentences has a test.
//! 2. **Macros that stay out of the way**: handlers are ordinary methods, and a mistake is reported
//!    at the wrong token with what was expected.
//! 3. **Speed**: a broadcast is a walk over a slice, and a send to a messagee two calls.
//! 4. **No `unsafe`**: `#![forbid(unsafe_code)]`, here and in the macros.
//!
//! # What it does not do
//!
//! It is not an entity-component system: there are no queries over several component types, and there
//! is no scheduler. It is not asynchronous: a send returns when its receivers have run. One manager
//! works on one thread at a time; it can be moved to another thread, and other threads post to it
//! through its [`Inlet`]. The crate `message-net` connects managers of several processes, and
//! `message-plugin` loads components from libraries. The guide has [the full list](guide::limits).
//!
//! # Handlers
//!
//! A handler is a method of a [`#[handlers]`](macro@handlers) block that is marked
//! [`#[on_receive]`](macro@on_receive). It takes `&self` or `&mut self`, a message as `&M` or
//! `&mut M`, and optionally a [`&mut Context<'_>`](Context).
//! [`HandlerReturn`](handler::HandlerReturn) lists what it may return. `#[on_receive(priority = N)]`
//! orders the components of one messagee, higher first, and `#[on_receive(before(A), after(B))]`
//! puts a handler before or after those of other types. Each handler becomes an implementation of
//! [`Receives<M>`](Receives), so a second handler of a component for the same message is a compile
//! error, and generic code can ask for `C: Receives<Damage>`. With the feature `rayon`, a send to
//! everyone runs a handler marked `#[on_receive(parallel)]` on all cores.
//!
//! A generic component lists its instantiations: `#[handlers(types(Cooldown<Fire>,
//! Cooldown<Ice>))]`. A generic [`Message`] does the same. Types that cannot be listed are registered
//! by [`Registry::builder`].
//!
//! The manager's own messages, such as `Hooked` and `HandlerFailed`, are in [`lifecycle`].
//!
//! # When something fails
//!
//! A handler that returns an error is counted in the [`Receipt`], and
//! [`HandlerFailed`](lifecycle::HandlerFailed) reports the error. If nobody receives that message, the
//! error is printed to stderr, or reported as [`ManagerConfig::report_to`] says; see
//! [`Report`](report::Report). [`unused_messages`](crate::Inspect::unused_messages) returns the message
//! types that nobody uses.
//!
//! # How linking registers, and its limits
//!
//! Each derive and each `#[handlers]` block leaves an entry in the program, and the registry
//! collects all entries on first use. It does not find
//!
//! - a crate that is listed in `Cargo.toml` and never named: the compiler does not link it at
//!   all. Write `use that_crate as _;` in the program. All of its entries are found then, even if the
//!   program uses no code of it;
//! - a `staticlib` that a C linker links without whole-archive: the linker drops what nothing
//!   refers to;
//! - a library that is opened at run time after the registry was published, until
//!   [`extend_registry`] is called. The crate `message-plugin` checks and loads such libraries: see
//!   [`plugin`](mod@plugin).
//!
//! The crate `inventory` gathers the entries: each has a constructor, which runs before `main` and adds the entry
//! to a list. Platforms without such constructors are not supported.
//!
//! A linker for WebAssembly takes only those object files out of a library that something refers to, and
//! nothing refers to an entry. On WebAssembly, each entry therefore exports an empty function, whose
//! name begins with `message_core_`: it is in the same object file, and the linker keeps exported
//! functions. These functions do nothing, and a page can ignore them; a tool that removes them from the
//! finished program removes no entry. On wasm32-unknown-unknown the entries are collected when the page
//! calls the first exported function.
//!
//! # Platforms
//!
//! The crate requires Rust 1.88 or newer, and the standard library. It starts no thread (with the
//! feature `rayon`, rayon does), and reads the clock only while it is traced, or while another thread
//! waits for room in a full [`Inlet`]. It therefore works on `wasm32-unknown-unknown`, where there is
//! no clock: [`ManagerConfig::wall_clock`] provides one for traces, and [`Inlet::post`] does not wait
//! there.
//!
//! # Features
//!
//! | feature | default | what it adds |
//! |---|---|---|
//! | `derive` | yes | the macros `#[derive(Message)]`, `#[handlers]`, `#[on_receive]`; without it, messages and handlers are implemented by hand |
//! | `serde` | no | ids, recipients, headers and the like implement serde's traits. The crate `message-data` reads and writes them, in world files, saves and logs |
//! | `rayon` | no | [`#[on_receive(parallel)]`](macro@on_receive): a send to everyone runs the handler on all cores |

#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    feature = "internals",
    allow(
        missing_docs,
        missing_debug_implementations,
        private_bounds,
        private_interfaces,
        clippy::len_without_is_empty,
        clippy::pedantic,
        reason = "`internals` shows items that are not part of the public interface"
    )
)]
#![cfg_attr(
    not(feature = "internals"),
    allow(dead_code, unreachable_pub, reason = "for `internals` alone")
)]

// The macros, in unit tests that use them.
#[cfg(all(test, shuttle))]
extern crate self as message_core;

mod address;
mod by_field;
pub mod carrier;
mod caught;
mod component;
mod config;
mod context;
pub mod contract;
mod envelope;
pub mod error;
#[cfg(feature = "serde")]
mod forms;
mod group;
pub mod guide;
pub mod handler;
mod hash;
mod header;
mod identity;
mod inlet;
pub mod input;
#[cfg(feature = "internals")]
#[doc(hidden)]
pub mod internals;
mod key;
pub mod lifecycle;
mod link;
pub mod mailbox;
mod manager;
mod message;
mod mnemonic;
mod name;
mod names;
pub mod plugin;
pub mod post;
pub mod prelude;
mod receipt;
pub mod registry;
pub mod report;
mod send;
mod snapshot;
mod sort;
mod storage;
mod structure;
pub mod subscription;
mod tag;
pub mod time;
pub mod trace;
mod verbs;
mod world;

pub use address::{Down, Recipient, Root, Sender, Up};
pub use component::{Bundle, Component};
pub use config::{ManagerConfig, PanicPolicy};
pub use context::{Context, SubscriberContext};
pub use envelope::Envelope;
pub use error::{Absence, HandlerError, HeaderError, MessageeError, SendError, SendErrorKind};
pub use group::Group;
pub use handler::receives::Receives;
pub use header::{Header, PostKey};
pub use inlet::{Answer, AskError, Inlet, InletError};
pub use key::{HookId, MessageeId, SubscriptionId};
pub use link::{RegistryBuilder, extend_registry, registry_rows};
pub use manager::{Desk, FrameReport, Inspect, MailWriter, MessageManager, SpeakingFor};
pub use message::{AnyMessage, Message, MessageId, NoReply, Request};
/// Makes a struct or an enum a [message](trait@Message).
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message, Debug)]
/// #[message(name = "weather.rain")]
/// struct Rain { litres: u32 }
///
/// assert_eq!(Rain::NAME, "weather.rain");
/// ```
#[cfg_attr(not(feature = "derive"), doc(hidden))]
pub use message_derive::Message;
/// Makes the [`#[on_receive]`](macro@on_receive) methods of an `impl` block the handlers of its
/// component.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Heal;
///
/// struct Hero<const MAX: u32> { hp: u32 }
///
/// // Without arguments, unless the component is generic.
/// #[handlers(types(Hero<10>, Hero<20>))]
/// impl<const MAX: u32> Hero<MAX> {
///     #[on_receive]
///     fn heal(&mut self, _: &Heal) { self.hp = MAX; }
/// }
///
/// let mut manager = MessageManager::new();
/// let hero = manager.spawn((Hero::<20> { hp: 1 },));
/// manager.send(hero, Heal)?;
/// assert_eq!(manager.get::<Hero<20>>(hero)?.hp, 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg_attr(not(feature = "derive"), doc(hidden))]
pub use message_derive::handlers;
/// Marks a method of a [`#[handlers]`](macro@handlers) block as a handler.
///
/// Take the context only where the handler uses it. A handler that takes one can send while it runs, so every component
/// of its type is borrowed by itself: a broadcast to them takes about twice as long (the rows W2-1k and W2-context of
/// `benches/RESULTS.md`), and each takes a word more.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Damage { amount: u32 }
///
/// struct Health { hp: u32 }
///
/// #[handlers]
/// impl Health {
///     #[on_receive]
///     fn hurt(&mut self, damage: &Damage) { self.hp -= damage.amount; }
/// }
///
/// struct Armor;
///
/// #[handlers]
/// impl Armor {
///     #[on_receive(priority = 10)] // Before `Health`.
///     fn soften(&self, damage: &mut Damage) { damage.amount -= 1; }
/// }
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn((Health { hp: 10 }, Armor));
/// manager.send(orc, Damage { amount: 3 })?;
/// assert_eq!(manager.get::<Health>(orc)?.hp, 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[cfg_attr(not(feature = "derive"), doc(hidden))]
pub use message_derive::on_receive;
pub use mnemonic::Mnemonic;
pub use post::{Posts, Ticket};
pub use receipt::Receipt;
pub use registry::linked::{registry, try_registry};
pub use registry::{Registry, RegistryError};
pub use snapshot::Snapshot;
pub use structure::Structure;
pub use subscription::Filter;
pub use tag::{Tag, TagSet};
pub use time::Stage;
pub use trace::TraceId;
pub use world::Children;

/// Items that the macros' expansions use. Not part of the public interface.
#[doc(hidden)]
#[allow(missing_docs, reason = "not part of the public interface")]
pub mod __private {
    #[cfg(feature = "rayon")]
    pub use crate::handler::parallel::Parallel;
    pub use crate::handler::row::HandlerRow;
    pub use crate::link::{Entry, entries};
    pub use crate::message::{Offers, RouteCell};
    pub use crate::registry::info::MessageRow;
    pub use crate::storage::cloning::Cloning;

    pub mod probe {
        pub use crate::handler::probe::*;
        pub use crate::message::probe::*;
    }
    pub use crate::name::Name;
    #[cfg(target_family = "wasm")]
    pub use ::message_derive::__keep as keep;
    pub use ::message_derive::build;
    pub use core::marker::{Send, Sync};
    pub use core::option::Option;
    pub use core::primitive::{str, u8};
    pub use core::result::Result;
    pub use core::{compile_error, concat, env, file, line, module_path, stringify};
    pub use inventory;
}

/// The README's code, compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
