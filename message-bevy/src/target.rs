//! The targets of a message: an entity, or a recipient of the manager.

use bevy_ecs::entity::Entity;
use message_core::{Group, HookId, MessageeId, Mnemonic, Recipient};

use crate::messenger::Messenger;

mod sealed {
    pub trait Sealed {}
}

/// A target that [`Messaging`](crate::Messaging) can send to: an [`Entity`], a [`MessageeId`], a [`HookId`],
/// a [`Mnemonic`], a [`Group`], or any [`Recipient`] such as `Everyone` and `Up(id)`.
///
/// ```
/// use bevy_app::App;
/// use bevy_time::TimePlugin;
/// use message_bevy::Message;
/// use message_bevy::prelude::*;
///
/// #[derive(Message)]
/// struct Hello;
///
/// let mut app = App::new();
/// app.add_plugins((TimePlugin, MessagePlugin::default()));
/// let orc = app.world_mut().spawn(Messagee::new(())).id();
/// let id = app.world().resource::<Messenger>().id_of(orc).expect("it has a messagee");
/// app.world_mut().send(orc, Hello)?;
/// app.world_mut().send(id, Hello)?;
/// app.world_mut().send(Up(id), Hello)?;
/// app.world_mut().send(Everyone, Hello)?;
/// # Ok::<(), MessagingError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "nothing can be sent to `{Self}`",
    label = "not an entity and not a recipient",
    note = "expected an `Entity`, a `MessageeId`, a `HookId`, a mnemonic, a group or a `Recipient`"
)]
pub trait Target: sealed::Sealed + Copy + Send + Sync + 'static {
    /// The recipient that the manager sends to.
    #[doc(hidden)]
    type Recipient: Into<Recipient>;

    /// Returns the recipient, or `None` for an entity without a messagee.
    #[doc(hidden)]
    fn recipient(self, messenger: &Messenger) -> Option<Self::Recipient>;

    /// Returns the entity, if the target is one.
    #[doc(hidden)]
    fn entity(self) -> Option<Entity> {
        None
    }
}

impl sealed::Sealed for Entity {}

impl Target for Entity {
    type Recipient = MessageeId;

    #[inline]
    fn recipient(self, messenger: &Messenger) -> Option<MessageeId> {
        messenger.id_of(self)
    }

    fn entity(self) -> Option<Entity> {
        Some(self)
    }
}

macro_rules! targets {
    ($($target:ident)*) => {
        $(
            impl sealed::Sealed for $target {}

            impl Target for $target {
                type Recipient = Self;

                #[inline]
                fn recipient(self, _: &Messenger) -> Option<Self> {
                    Some(self)
                }
            }
        )*
    };
}

targets!(MessageeId HookId Mnemonic Group Recipient);
