//! Typed messages between components: for games, simulations, user interfaces and servers of
//! small worlds, whose entities are bundles of components that must talk without knowing each
//! other.
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
//! #[derive(Message)]
//! struct Died { who: MessageeId }
//!
//! mnemonic!(WORLD);
//!
//! struct Health { hp: u32 }
//!
//! #[handlers]
//! impl Health {
//!     #[on_receive]
//!     fn take_damage(&mut self, damage: &Damage, cx: &mut Context<'_>) -> Result<(), SendError> {
//!         self.hp = self.hp.saturating_sub(damage.amount);
//!         if self.hp == 0 {
//!             cx.send(WORLD, Died { who: cx.me() })?;
//!         }
//!         Ok(())
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
//! Nothing is registered by hand: linking the crate is enough. There is no list of messages,
//! mnemonics, groups or tags to edit anywhere.
//!
//! # Goals, the first ones first
//!
//! 1. **A contract that can be relied on**: who receives, in what order, what happens when a
//!    handler sends to somebody who is running, what survives a panic. It is written down in
//!    [`contract`], and each of its sentences has a test.
//! 2. **Macros that stay out of the way**: handlers are ordinary methods, mistakes are reported at
//!    the guilty token with what was expected.
//! 3. **Speed**: a broadcast is a walk over a slice, a send to a messagee two calls.
//! 4. **No `unsafe`**: `#![forbid(unsafe_code)]`, here and in the macros.
//!
//! # What it does not do
//!
//! It is no entity-component system: there are no queries over several component types and no
//! scheduler. It is not asynchronous: a send returns when its receivers have run. One manager
//! works on one thread at a time; it can be moved to another, and other threads post to it through
//! its [`Inlet`].
//!
//! # Handlers
//!
//! A handler is a method of a [`#[handlers]`](macro@handlers) block that is marked
//! [`#[on_receive]`](macro@on_receive). It takes `&self` or `&mut self`, a message as `&M` or
//! `&mut M`, and if it wants a [`&mut Context<'_>`](Context); what it may return is listed at
//! [`HandlerReturn`]. `#[on_receive(priority = N)]` orders the components of one messagee, higher
//! first. Each handler becomes an implementation of [`Receives<M>`](Receives), so a second one for
//! the same message is a compile error, and generic code can ask for `C: Receives<Damage>`.
//!
//! A generic component lists its instantiations: `#[handlers(types(Cooldown<Fire>,
//! Cooldown<Ice>))]`; so does a generic [`Message`]. What cannot be listed is told to
//! [`Registry::builder`].
//!
//! The manager's own messages, such as `Hooked` and `HandlerFailed`, are in [`lifecycle`].
//!
//! # When something fails
//!
//! A handler that returns an error is counted in the [`Receipt`], and
//! [`HandlerFailed`](lifecycle::HandlerFailed) tells of it. What nobody receives is printed to stderr,
//! or reported as [`ManagerConfig::report_to`] says; see [`Report`].
//! [`unused_messages`](MessageManager::unused_messages) are the message types that nobody uses.
//!
//! # Later, in a stage of the frame
//!
//! [`post`](MessageManager::post) takes a [`Header`], which says where a message goes, in which
//! [`Stage`], after what delay, how often, and on what conditions; [`tick`](MessageManager::tick)
//! runs a frame and delivers what is due. What is pending can be cancelled, listed and replaced:
//! see [`Posts`] and [`PostKey`].
//!
//! # Listening
//!
//! [`subscribe`](MessageManager::subscribe) takes a [`Filter`] and a closure, which receives every
//! message that passes, whoever it was sent to: of one type or of all, by sender, recipient and
//! [tags](tag!). What was posted and not received is a
//! [`DeadLetter`](lifecycle::DeadLetter).
//!
//! # Looking instead of being called
//!
//! [`publish`](MessageManager::publish) puts a message into a mailbox; in the next frame it is found
//! there by [`inbox`](MessageManager::inbox), which chooses by recipient, sender and predicate. All of a
//! frame appears at once, so the order in which readers look does not matter. A [`Cursor`] is for
//! who looks only now and then, and a [`Desk`] for who writes and changes components while reading:
//! see [`Inbox`] for a program that works so.
//!
//! # Other threads
//!
//! An [`Inlet`] can be cloned and sent anywhere; what is posted through it is delivered when the
//! manager's next frame begins.
//!
//! # Seeing what happens
//!
//! [`start_recording`](MessageManager::start_recording) takes a [`Recorder`](trace::Recorder), and
//! from then on [`explain`](MessageManager::explain) tells why there was a delivery: the chain of
//! sends and deliveries that led to it. See [`trace`].
//!
//! # How linking registers, and where it does not reach
//!
//! Each derive and each `#[handlers]` block leaves an entry in the program, and the registry
//! collects all of them on first use. Not collected are
//!
//! - a crate that is listed in `Cargo.toml` and named nowhere: the compiler does not link it at
//!   all. Write `use that_crate as _;` in the program;
//! - a `staticlib` that a C linker links without whole-archive, since it drops what nobody
//!   refers to;
//! - a `cdylib` that is opened at run time after the registry was published.
//!
//! Two backends gather the entries:
//!
//! | | `inventory`, the default | feature `linkme` |
//! |---|---|---|
//! | how | a constructor for each entry, run before `main` | one slice, put together by the linker |
//! | cost | a constructor and a list node for each entry, and their run at start-up | a pointer for each entry, nothing at start-up |
//! | WebAssembly, Miri | yes | no |
//! | in a shared Rust library (`dylib`) | yes | silently empty |
//! | platforms without start-up constructors | no | yes |
//!
//! Stay with the default unless start-up time or binary size is counted, or the platform has no
//! constructors. The whole test suite passes with both.
//!
//! # Features
//!
//! - `derive` (on by default): the macros.
//! - `trace` (on by default): recorder, causes, `explain`. While nothing is traced it costs nothing that
//!   can be measured; without the feature its code is not there.
//! - `json`: what was recorded, as Chrome trace JSON and as JSON lines, by `serde_json`.
//! - `tracing`: what happens, as events of the `tracing` crate.
//! - `linkme`: the other backend, as above.

#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "trace"),
    allow(
        clippy::zero_sized_map_values,
        rustdoc::broken_intra_doc_links,
        reason = "without tracing there are no numbers to keep, and what is told of them links to \
                  methods that are not there"
    )
)]

mod address;
mod caught;
mod component;
mod config;
pub mod contract;
mod dispatch;
mod error;
mod group;
mod hash;
#[cfg_attr(
    not(feature = "trace"),
    allow(
        clippy::zero_sized_map_values,
        reason = "without the feature there are no numbers to keep"
    )
)]
mod heap;
mod identity;
mod inlet;
mod key;
pub mod lifecycle;
mod link;
mod mailbox;
mod manager;
mod message;
mod mnemonic;
mod name;
mod post;
pub mod prelude;
mod receipt;
mod registry;
mod report;
mod storage;
mod subscription;
mod tag;
mod time;
#[cfg(feature = "trace")]
pub mod trace;
#[cfg(not(feature = "trace"))]
#[allow(
    dead_code,
    unused_imports,
    unreachable_pub,
    reason = "nothing of it is called without the feature"
)]
mod trace;
mod world;

pub use address::{HookId, MessageeId, Recipient, Sender, SubscriptionId};
pub use component::{Bundle, Component};
pub use config::{ManagerConfig, PanicPolicy};
pub use dispatch::{
    Access, Context, Envelope, Exclusive, ForHandler, ForSubscriber, HandlerError, HandlerReturn,
    HandlerSpec, Outcome, Receives, Shared, SubscriberContext,
};
pub use error::{
    Bulk, Chain, ChainLink, Cycle, MessageeError, Receiver, SendError, SharedError, Undelivered,
};
pub use group::Group;
pub use inlet::{Inlet, InletError};
pub use link::{RegistryBuilder, registry, try_registry};
pub use mailbox::{
    Also, AnyCursor, AnyInbox, AnyMail, AnyMails, Anything, Cursor, Inbox, Mail, Mails, Matches,
    Pending,
};
pub use manager::{AsMessagee, Desk, FrameReport, MessageManager};
pub use message::{AnyMessage, Message, MessageId, MessageIndex, NoReply, Request};
#[cfg(feature = "derive")]
pub use message_derive::{Message, handlers, on_receive};
pub use mnemonic::Mnemonic;
pub use post::{Due, Header, HeaderBuilder, HeaderError, PendingPost, PostKey, Posts, Ticket};
pub use receipt::Receipt;
pub use registry::{
    ComponentInfo, Declared, HandlerInfo, MessageInfo, Place, Registry, RegistryError,
};
pub use report::{Report, ReportTo, UnusedMessages};
pub use subscription::{Filter, Interceptor, Listen};
pub use tag::{Tag, TagSet};
pub use time::{Clock, ClockError, Moment, Stage};
pub use trace::TraceId;
pub use world::Children;

/// What the macros' expansions use. Not part of the public interface.
#[doc(hidden)]
#[allow(missing_docs, reason = "not part of the public interface")]
pub mod __private {
    pub use crate::dispatch::{Offers, RouteCell};
    #[cfg(feature = "linkme")]
    pub use crate::link::ENTRIES;
    pub use crate::link::{Collector, Entry};
    pub use crate::message::probe;
    pub use crate::name::Name;
    pub use crate::tag::tags;
    pub use core::marker::Send;
    pub use core::option::Option;
    pub use core::primitive::str;
    pub use core::{concat, file, line, module_path, stringify};
    #[cfg(not(feature = "linkme"))]
    pub use inventory;
    #[cfg(feature = "linkme")]
    pub use linkme;
}

/// The README's code, compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
