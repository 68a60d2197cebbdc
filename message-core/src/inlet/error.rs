//! The errors of posting through an inlet.

use std::fmt;
use std::time::Duration;

use crate::error::SendError;
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
        "`{}` was not posted: {capacity} messages wait in the inlet, which is \
         `ManagerConfig::inlet_capacity`, until the manager's next frame; post again later, wait with \
         `post`, or raise the limit",
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
        "`{}` was not posted: the inlet was full for {timeout:?}, and no frame of its manager has \
         made room",
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

/// Prints the name of the message, which need not be `Debug`.
impl<M: Message> fmt::Debug for InletError<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (variant, field): (_, Option<(_, &dyn fmt::Debug)>) = match self {
            Self::Full { capacity, .. } => ("Full", Some(("capacity", capacity))),
            Self::TimedOut { timeout, .. } => ("TimedOut", Some(("timeout", timeout))),
            Self::Closed { .. } => ("Closed", None),
            Self::Refused { error, .. } => ("Refused", Some(("error", error))),
        };
        let mut variant = f.debug_struct(variant);
        variant.field("message", &format_args!("{}", M::NAME));
        if let Some((name, value)) = field {
            variant.field(name, value);
        }
        variant.finish()
    }
}
