//! What a program that sends messages uses, for `use message_core::prelude::*;`.

pub use crate::Recipient::{Down, Everyone, EveryoneElse, Me, Up};
pub use crate::{
    Bundle, Children, Component, Context, HandlerError, HookId, ManagerConfig, Message, MessageId,
    MessageManager, MessageeError, MessageeId, Mnemonic, Receipt, Receives, Recipient, Registry,
    RegistryError, Request, SendError, Sender, mnemonic,
};
#[cfg(feature = "derive")]
pub use crate::{handlers, on_receive};
