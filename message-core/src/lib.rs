//! PLACEHOLDER
#![forbid(unsafe_code)]

mod address;
mod component;
mod config;
mod dispatch;
mod error;
mod hash;
mod key;
pub mod lifecycle;
mod link;
mod manager;
mod message;
mod mnemonic;
pub mod prelude;
mod receipt;
mod registry;
mod storage;
mod world;

pub use address::{HookId, MessageeId, Recipient, Sender};
pub use component::{Bundle, Component};
pub use config::ManagerConfig;
pub use dispatch::{
    Access, Context, Exclusive, HandlerError, HandlerReturn, HandlerSpec, Outcome, Receives, Shared,
};
pub use error::{Chain, ChainLink, MessageeError, SendError};
pub use link::{RegistryBuilder, registry, try_registry};
pub use manager::{AsMessagee, MessageManager};
pub use message::{AnyMessage, Message, MessageId, MessageIndex, NoReply, Request};
#[cfg(feature = "derive")]
pub use message_derive::{Message, handlers, on_receive};
pub use mnemonic::Mnemonic;
pub use receipt::Receipt;
pub use registry::{
    ComponentInfo, Declared, HandlerInfo, MessageInfo, Place, Registry, RegistryError,
};
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
    pub use core::marker::Send;
    pub use core::option::Option;
    pub use core::primitive::str;
    pub use core::{concat, file, line, module_path, stringify};
    #[cfg(not(feature = "linkme"))]
    pub use inventory;
    #[cfg(feature = "linkme")]
    pub use linkme;
}
