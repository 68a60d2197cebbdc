//! The error of a message that could not be sent to an entity.

use std::fmt;

use bevy_ecs::entity::Entity;
use message_core::{MessageeError, SendError};

/// The error of a send by entity or by id. It names the entity and its `Name`, the message type and what was
/// expected.
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::name::Name;
/// use bevy_time::TimePlugin;
/// use message_bevy::Message;
/// use message_bevy::prelude::*;
///
/// #[derive(Message)]
/// #[message(name = "demo.Hello")]
/// struct Hello;
///
/// let mut app = App::new();
/// app.add_plugins((TimePlugin, MessagePlugin::default()));
/// let rock = app.world_mut().spawn(Name::new("rock")).id();
/// let error = app.world_mut().send(rock, Hello).expect_err("it is not a messagee");
/// assert_eq!(
///     error.to_string(),
///     format!(
///         "`demo.Hello` was sent to the entity {rock} (`rock`), which is not a messagee: expected one \
///          with the component `Messagee`"
///     )
/// );
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MessagingError {
    /// The entity is alive but has no messagee.
    #[error(
        "{} the entity {}, which is not a messagee: expected one with the component `Messagee`",
        to(*.message),
        titled(*.entity, .name.as_deref())
    )]
    NoMessagee {
        /// The entity.
        entity: Entity,
        /// Its `Name`, if it has one.
        name: Option<String>,
        /// The name of the message type; `None` if only the messagee was requested.
        message: Option<&'static str>,
    },
    /// The entity has been despawned.
    #[error(
        "{} the entity {}, which is despawned: expected one that is alive",
        to(*.message),
        titled(*.entity, .name.as_deref())
    )]
    Despawned {
        /// The entity.
        entity: Entity,
        /// The `Name` that it had, if it was a messagee until this frame or the one before.
        name: Option<String>,
        /// The name of the message type; `None` if only the messagee was requested.
        message: Option<&'static str>,
    },
    /// The send to the entity's messagee failed.
    #[error("{} the entity {}: {source}", to(Some(.message)), titled(*.entity, .name.as_deref()))]
    Entity {
        /// The entity.
        entity: Entity,
        /// Its `Name`, if it has one.
        name: Option<String>,
        /// The name of the message type.
        message: &'static str,
        /// The cause of the failure.
        source: SendError,
    },
    /// A send that did not name an entity failed.
    #[error(transparent)]
    Send(#[from] SendError),
    /// A change to a messagee failed.
    #[error(transparent)]
    Messagee(#[from] MessageeError),
}

fn to(message: Option<&'static str>) -> String {
    message.map_or_else(
        || "the messagee was asked for of".to_owned(),
        |message| format!("`{message}` was sent to"),
    )
}

/// Formats an entity with its name.
pub(crate) fn titled(entity: Entity, name: Option<&str>) -> impl fmt::Display {
    let name = name.map_or_else(String::new, |name| format!(" (`{name}`)"));
    format!("{entity}{name}")
}

#[cfg(test)]
mod tests {
    use super::MessagingError;

    /// C-GOOD-ERR: it can be boxed, sent to other threads, and wrapped by error types that require both.
    #[test]
    fn the_error_can_be_sent_to_other_threads_and_wrapped() {
        fn is_good_error<E: std::error::Error + Send + Sync + 'static>() {}
        is_good_error::<MessagingError>();
    }
}
