//! The names that most programs need, for `use message_core::prelude::*;`. The others are in the
//! [crate root](crate) and in its modules.

pub use crate::Recipient::{Down, Everyone, EveryoneElse, Me, Up};
pub use crate::{
    Context, Desk, Filter, HandlerError, Header, HookId, ManagerConfig, Message, MessageManager,
    MessageeError, MessageeId, Posts, Receipt, Recipient, SendError, Sender, Stage,
    SubscriberContext, Ticket, group, mnemonic, tag,
};
#[cfg(feature = "derive")]
pub use crate::{handlers, on_receive};
