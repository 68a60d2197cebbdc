//! What a program that sends messages uses, for `use message_core::prelude::*;`.

pub use crate::Recipient::{Down, Everyone, EveryoneElse, Me, Up};
pub use crate::{
    Bundle, Children, Component, Context, Cursor, Filter, Group, HandlerError, Header, HeaderError,
    HookId, ManagerConfig, Message, MessageId, MessageManager, MessageeError, MessageeId, Mnemonic,
    PostKey, Posts, Receipt, Receives, Recipient, Registry, RegistryError, Request, SendError,
    Sender, Stage, SubscriberContext, SubscriptionId, Tag, TagSet, Ticket, group, mnemonic, tag,
};
#[cfg(feature = "derive")]
pub use crate::{handlers, on_receive};
