//! The names that most programs need, for `use message_core::prelude::*;`. The others are in the
//! [crate root](crate) and in its modules. `Me` and `EveryoneElse` are names that games use themselves: import them from
//! [`Recipient`].

pub use crate::Recipient::Everyone;
pub use crate::handler::StopAt;
pub use crate::{
    Absence, Context, Desk, Down, Filter, HandlerError, Header, HookId, ManagerConfig, Message,
    MessageManager, MessageeError, MessageeId, Posts, Receipt, Recipient, SendError, SendErrorKind,
    Sender, Stage, SubscriberContext, Ticket, Up, group, mnemonic, tag,
};
#[cfg_attr(not(feature = "derive"), doc(hidden))]
pub use crate::{handlers, on_receive};
