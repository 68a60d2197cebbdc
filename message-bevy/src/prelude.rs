//! The names that most programs need, for `use message_bevy::prelude::*;`, together with `bevy::prelude::*`.
//!
//! It includes the names of message-core, except for types whose names Bevy's prelude uses too: `Component`,
//! `Bundle` and `Children` are in `message_bevy::message_core`. Of `Message`, only message-core's derive macro
//! and trait are here, and they take precedence over Bevy's wherever a program names them:
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
