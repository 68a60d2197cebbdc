//! Reasons why a message was not delivered.

use crate::address::{MessageeId, Recipient};
use crate::error::lost::lost;
use crate::error::{LostReceiver, SendError};

/// The part of a delivery that failed.
///
/// ```
/// use message_core::HeaderError;
/// use message_core::prelude::*;
/// use message_core::error::Undelivered;
///
/// #[derive(Message)]
/// struct Ping;
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn(());
/// let heard = Header::to(orc).require(1).build()?;
/// let error = manager.post(&heard, Ping).unwrap_err();
/// let SendErrorKind::NotReceived { why, .. } = error.kind() else {
///     unreachable!("the orc has no component")
/// };
/// assert_eq!(*why, Undelivered::NoHandler);
/// # Ok::<(), HeaderError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Undelivered {
    /// The messagee or the component was there when the message was sent or posted, and is gone.
    #[error("{to} is gone")]
    Gone {
        /// The recipient.
        to: Recipient,
    },
    /// No messagee is bound to the mnemonic.
    #[error("no messagee is bound to `{mnemonic}`")]
    Unbound {
        /// The name of the mnemonic.
        mnemonic: &'static str,
    },
    /// The group has no members.
    #[error("nobody is in the group `{group}`")]
    EmptyGroup {
        /// The name of the group.
        group: &'static str,
    },
    /// A wire posts to a name, and no messagee has one that matches. The envelope's recipient is the
    /// messagee whose wire it is.
    #[error("no messagee is called {name:?}")]
    Unnamed {
        /// The name, with wildcards or without.
        name: std::sync::Arc<str>,
    },
    /// Nobody at the recipient has a handler for the message, and no subscriber that is not hidden
    /// could have received it.
    #[error("nobody there has a handler for it")]
    NoHandler,
    /// There are handlers, or subscribers to the type that are not hidden, and each was left out:
    /// disabled, leaving, declined by returning `false`, passed over by its filter, or cut off by
    /// an interceptor.
    #[error("everyone there who could receive it was left out or declined")]
    Filtered,
    /// Some have received it, but not enough.
    #[error("there were not enough receivers")]
    TooFew,
    /// The message was bound to its sender, which was despawned before it was due.
    #[error("its sender, messagee {id}, was despawned")]
    SenderDespawned {
        /// The sender.
        id: MessageeId,
    },
    /// A subscriber was to receive the message in a stage of its own; the message stayed with its
    /// sender, and its type is not `Clone`. Everybody else has received it.
    #[error("it could not be kept for a subscriber's stage, because its type is not `Clone`")]
    NotCloned,
    /// It was sent to a messagee of another manager, and did not arrive.
    #[error("{why}")]
    Elsewhere {
        /// The reason, as given by the carrier.
        why: std::sync::Arc<str>,
    },
    /// It was kept for receivers that were busy or not yet alive, and these did not receive it. All other
    /// receivers did.
    #[error("it was kept for {}", lost(.receivers))]
    Lost {
        /// The receivers that did not receive it, in the order in which they were lost.
        receivers: Box<[LostReceiver]>,
    },
    /// It could not be sent when it was due. Or the recipient is a proxy that was one of several receivers, and
    /// the error says why it was not reached.
    #[error("{error}")]
    Refused {
        /// The error of the send.
        error: SendError,
    },
}
