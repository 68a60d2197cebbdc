//! The names that most programs need, for `use message_core::prelude::*;`.

pub use crate::Recipient::{Down, Everyone, EveryoneElse, Me, Up};
pub use crate::{
    AnyCursor, AnyMail, Bundle, Children, Component, Context, Cursor, Desk, Filter, Group,
    HandlerError, Header, HeaderError, HookId, Inlet, InletError, Mail, ManagerConfig, Message,
    MessageId, MessageManager, MessageeError, MessageeId, Mnemonic, PanicPolicy, PostKey, Posts,
    Receipt, Receives, Recipient, Registry, RegistryError, Request, SendError, Sender, Stage,
    SubscriberContext, SubscriptionId, Tag, TagSet, Ticket, TraceId, group, mnemonic, tag,
};
#[cfg_attr(not(feature = "derive"), doc(hidden))]
pub use crate::{handlers, on_receive};
