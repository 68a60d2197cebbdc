//! The errors of posting and asking through an inlet.

use std::fmt;
use std::time::Duration;

use crate::error::{Absence, SendError, SendErrorKind};
use crate::message::Message;

/// The reason why a message was not posted through an [`Inlet`](crate::Inlet). Each variant has the message.
///
/// ```
/// use message_core::{HeaderError, InletError};
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Quit;
///
/// let manager = MessageManager::new();
/// let (inlet, header) = (manager.inlet(), Header::to(Everyone).build()?);
/// drop(manager);
/// let error = inlet.try_post(&header, Quit).expect_err("nobody is there");
/// assert!(matches!(error, InletError::Closed { message: Quit }));
/// assert!(error.to_string().ends_with("was not posted: its manager was dropped"));
/// # Ok::<(), HeaderError>(())
/// ```
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum InletError<M: Message> {
    /// The inlet is full.
    #[error(
        "`{}` was not posted: {capacity} messages, the limit set by `ManagerConfig::inlet_capacity`, are waiting \
         in the inlet for the manager's next frame; post again later, wait with `post`, or raise the limit",
        M::NAME
    )]
    Full {
        /// The message.
        message: M,
        /// The number of messages that the inlet can hold.
        capacity: usize,
    },
    /// There was no room in the inlet before the timeout.
    #[error(
        "`{}` was not posted: the inlet was full for {timeout:?}, and no frame of its manager made room",
        M::NAME
    )]
    TimedOut {
        /// The message.
        message: M,
        /// The timeout of the call.
        timeout: Duration,
    },
    /// The manager was dropped.
    #[error("`{}` was not posted: its manager was dropped", M::NAME)]
    Closed {
        /// The message.
        message: M,
    },
    /// No manager would take it from outside.
    #[error("{error}")]
    Refused {
        /// The error in the header.
        error: SendError,
        /// The message.
        message: M,
    },
}

impl<M: Message> InletError<M> {
    /// Returns the message that was not posted, to post it again or to put it elsewhere.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Loaded { file: String }
    ///
    /// let manager = MessageManager::new();
    /// let inlet = manager.inlet();
    /// drop(manager);
    /// let loaded = Loaded { file: "map.txt".to_owned() };
    /// let error = inlet.try_post(Header::to(Everyone), loaded).expect_err("nobody is there");
    /// assert_eq!(error.into_message().file, "map.txt");
    /// ```
    pub fn into_message(self) -> M {
        match self {
            Self::Full { message, .. }
            | Self::TimedOut { message, .. }
            | Self::Closed { message }
            | Self::Refused { message, .. } => message,
        }
    }
}

/// Prints the variant and the text, since the message need not be `Debug`.
impl<M: Message> fmt::Debug for InletError<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variant = match self {
            Self::Full { .. } => "Full",
            Self::TimedOut { .. } => "TimedOut",
            Self::Closed { .. } => "Closed",
            Self::Refused { .. } => "Refused",
        };
        write!(f, "{variant}({self})")
    }
}

/// The reason why a question that was [asked](crate::Inlet::ask) through an inlet has no answer.
///
/// ```
/// use message_core::AskError;
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// fn status(error: &AskError) -> u16 {
///     match error {
///         AskError::Gone(_) => 404,
///         AskError::NoAnswer(_) => 501,
///         AskError::Full { .. } | AskError::Closed { .. } => 503,
///         AskError::TimedOut { .. } => 504,
///         _ => 500,
///     }
/// }
///
/// #[derive(Message)]
/// #[message(reply = u32)]
/// struct GetHp;
///
/// let mut manager = MessageManager::new();
/// let (inlet, orc) = (manager.inlet(), manager.spawn(()));
/// let status_of = |mut answer: message_core::Answer<u32>| answer.wait(Duration::ZERO).map_err(|error| status(&error));
///
/// let unhandled = inlet.ask(orc, GetHp);
/// manager.tick(Duration::ZERO);
/// assert_eq!(status_of(unhandled), Err(501));
///
/// manager.despawn(orc)?;
/// let gone = inlet.ask(orc, GetHp);
/// manager.tick(Duration::ZERO);
/// assert_eq!(status_of(gone), Err(404));
///
/// assert_eq!(status_of(inlet.ask(orc, GetHp)), Err(504));
/// drop(manager);
/// assert_eq!(status_of(inlet.ask(orc, GetHp)), Err(503));
/// # Ok::<(), MessageeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The recipient is not there: it was despawned or unhooked, or no messagee is bound to the mnemonic.
    #[error(transparent)]
    Gone(SendError),
    /// Nobody at the recipient has answered: nobody handles the message, all have declined, or a handler has failed.
    /// A handler's error is in the [kind](SendErrorKind::NoAnswer).
    #[error(transparent)]
    NoAnswer(SendError),
    /// The manager has refused the question for another reason, such as a recipient that requires a sender, or that is in
    /// another manager.
    #[error(transparent)]
    Refused(SendError),
    /// The inlet is full.
    #[error(
        "`{message}` was not asked: {capacity} messages, the limit set by `ManagerConfig::inlet_capacity`, are \
         waiting in the inlet for the manager's next frame; ask again later, or raise the limit"
    )]
    Full {
        /// The message type.
        message: &'static str,
        /// The number of messages that the inlet can hold.
        capacity: usize,
    },
    /// The answer did not come before the timeout. It can still come.
    #[error("`{message}` was not answered within {timeout:?}: no frame of its manager began")]
    TimedOut {
        /// The message type.
        message: &'static str,
        /// The timeout of the call.
        timeout: Duration,
    },
    /// The manager was dropped, before or after the question reached it.
    #[error("`{message}` was not answered: its manager was dropped")]
    Closed {
        /// The message type.
        message: &'static str,
    },
    /// The manager has dropped the question: a handler panicked, or the manager was replaying a log.
    #[error("`{message}` was not answered: a handler panicked, or the manager was replaying a log")]
    Dropped {
        /// The message type.
        message: &'static str,
    },
}

impl From<SendError> for AskError {
    fn from(error: SendError) -> Self {
        match error.kind() {
            SendErrorKind::NoAnswer { .. } => Self::NoAnswer(error),
            SendErrorKind::Absent(Absence::Gone | Absence::Leaving | Absence::Unbound) => {
                Self::Gone(error)
            }
            _ => Self::Refused(error),
        }
    }
}
