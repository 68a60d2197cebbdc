//! Reasons why a message was not delivered.

use std::fmt;

use crate::address::{MessageeId, Recipient};
use crate::error::{Receiver, SendError};

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
    /// A wire could not post it: nobody is at the wire's target, or what it passes on does not fit. The envelope's
    /// recipient is the messagee whose wire it is.
    #[error("its wire could not post it: {why}")]
    Unwired {
        /// The reason.
        why: std::sync::Arc<str>,
    },
    /// Nobody at the recipient has a handler for the message, and no subscriber that is not hidden
    /// could have received it.
    #[error("nobody there has a handler for it")]
    NoHandler,
    /// There are handlers, or subscribers to the type that are not hidden, and each was left out:
    /// disabled, leaving, declined by returning `false`, passed over by its filter, or cut off by
    /// an interceptor.
    #[error("every possible receiver was left out or declined it")]
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

/// A receiver that missed a message that was kept for it.
///
/// [`Undelivered::Lost`](crate::error::Undelivered::Lost) lists these receivers.
///
/// ```
/// use message_core::error::{Loss, Undelivered};
/// use message_core::lifecycle::DeadLetter;
/// use message_core::Recipient::Me;
/// use message_core::prelude::*;
/// use std::sync::mpsc;
///
/// #[derive(Message)]
/// struct Hit;
///
/// #[derive(Message)]
/// struct Loot;
///
/// struct Orc;
///
/// #[handlers]
/// impl Orc {
///     #[on_receive]
///     fn hit(&mut self, _: &Hit, cx: &mut Context<'_>) -> Result<(), HandlerError> {
///         cx.send(Me, Loot)?; // Kept: the orc is busy until this method returns.
///         cx.despawn(cx.me())?;
///         Ok(())
///     }
///
///     #[on_receive]
///     fn loot(&mut self, _: &Loot) {}
/// }
///
/// let mut manager = MessageManager::new();
/// let (log, letters) = mpsc::channel();
/// manager.subscribe(Filter::of::<DeadLetter>(), move |letter, _| {
///     let _ = log.send(letter.why.clone());
/// });
/// let orc = manager.spawn((Orc,));
/// manager.send(orc, Hit)?;
/// let Undelivered::Lost { receivers } = letters.recv()? else { unreachable!() };
/// assert_eq!(receivers[0].receiver.messagee(), Some(orc));
/// assert_eq!(receivers[0].why, Loss::Left);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct LostReceiver {
    /// The component or subscription that did not receive the message.
    pub receiver: Receiver,
    /// The reason.
    pub why: Loss,
}

/// The reason that a [`LostReceiver`] did not receive a message that was kept for it.
///
/// ```
/// use message_core::error::{Loss, Undelivered};
///
/// fn may_come_back(why: &Undelivered) -> bool {
///     let Undelivered::Lost { receivers } = why else { return false };
///     receivers.iter().any(|lost| lost.why == Loss::Disabled)
/// }
///
/// assert!(!may_come_back(&Undelivered::NoHandler));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Loss {
    /// It was unhooked, or its messagee was despawned.
    Left,
    /// It was disabled when its turn came.
    Disabled,
    /// It panicked under [`PanicPolicy::Unhook`](crate::PanicPolicy::Unhook).
    Panicked,
}

impl fmt::Display for LostReceiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.why {
            Loss::Left => "which was removed",
            Loss::Disabled => "which was disabled",
            Loss::Panicked => "which panicked",
        };
        write!(f, "{}, {why}", self.receiver)
    }
}

/// Describes the lost receivers.
fn lost(receivers: &[LostReceiver]) -> String {
    let texts: Vec<String> = receivers.iter().map(LostReceiver::to_string).collect();
    texts.join("; for ")
}
