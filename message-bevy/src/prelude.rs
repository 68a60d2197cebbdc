//! The names that most programs need, for `use message_bevy::prelude::*;`, together with `bevy::prelude::*`.
//!
//! Message-core's are among them, but for the types whose names Bevy's prelude has too: `Component`,
//! `Bundle` and `Children` are at `message_bevy::message_core`. Of `Message` only the derive macro and the
//! trait of message-core are here, and they win over Bevy's where a program names them:
//!
//! ```
//! use bevy_app::prelude::*;
//! use bevy_ecs::prelude::*;
//! use message_bevy::prelude::*;
//!
//! #[derive(message_bevy::Message)]
//! struct Damage { amount: u32 }
//!
//! #[derive(Component)] // Bevy's.
//! struct Sprite;
//! ```

pub use message_core::Recipient::{Everyone, EveryoneElse, Me};
pub use message_core::{
    Context, Desk, Down, Filter, HandlerError, Header, HookId, ManagerConfig, MessageManager,
    MessageeError, MessageeId, Posts, Receipt, Recipient, SendError, SendErrorKind, Sender, Stage,
    SubscriberContext, Ticket, Up, group, handlers, mnemonic, on_receive, tag,
};

pub use crate::bridge::MessagingApp as _;
pub use crate::context::ReachWorld as _;
pub use crate::messaging::SendFromWorld as _;
pub use crate::{
    Delivery, Heard, MessageInlet, MessagePlugin, MessageSystems, Messagee, Messaging,
    MessagingError, Messenger, Received,
};
