//! The error of a snapshot.

use crate::address::{MessageeId, Recipient};

/// The reason why a [snapshot](crate::Snapshot) cannot be taken, or why a manager cannot go back to it. Nothing was
/// changed.
///
/// ```
/// use message_core::error::SnapshotError;
/// use message_core::prelude::*;
///
/// struct Socket;
///
/// let mut manager = MessageManager::new();
/// let player = manager.spawn((Socket,));
/// let error = manager.snapshot().expect_err("a `Socket` is not `Clone`");
/// assert!(matches!(error, SnapshotError::ComponentNotClone { owner, .. } if owner == player));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SnapshotError {
    /// A component is not known to be `Clone`.
    #[error(
        "cannot clone component `{component}` of messagee {owner}: derive `Clone` for it; if it has no \
         `#[handlers]`, also declare it with `cloned!`"
    )]
    ComponentNotClone {
        /// The type of the component.
        component: &'static str,
        /// The messagee of the first one.
        owner: MessageeId,
    },
    /// A message that is pending, published or retained is not `Clone`.
    #[error(
        "cannot clone a `{message}` to {to}, which has yet to be delivered or read: derive `Clone` for it"
    )]
    MessageNotClone {
        /// The name of the message type.
        message: &'static str,
        /// The recipient of the first one.
        to: Recipient,
    },
    /// The snapshot was taken of another manager.
    #[error("cannot rewind to a snapshot of another manager")]
    OtherManager,
    /// The snapshot is empty: none was taken, or a `Clone` has panicked meanwhile.
    #[error("cannot rewind to an empty snapshot: take one with `snapshot_into` first")]
    Empty,
}
