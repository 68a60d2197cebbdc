//! The errors of messages that were not sent, or not received.

use std::error::Error;
use std::fmt;

use crate::address::{Recipient, Sender};
use crate::error::{
    Absence, CarryError, Chain, HeaderError, Limit, MessageeError, Receiver, SharedError,
    Undelivered,
};
use crate::receipt::Receipt;

/// The error of a send, request, post or publication: the message was not sent, or not answered.
///
/// [`kind`](Self::kind) says why. All these operations share one error, so that a handler which sends, posts and asks
/// can end each of them with `?`; [`SendErrorKind`] lists which of them return which kind. The error itself is one
/// pointer, so that a send that succeeds returns its receipt in two registers.
///
/// ```
/// use message_core::prelude::*;
///
/// mnemonic!(PLAYER);
///
/// #[derive(Message)]
/// struct Ping;
///
/// let mut manager = MessageManager::new();
/// let error = manager.send(PLAYER, Ping).expect_err("nobody is bound");
/// assert_eq!(*error.kind(), SendErrorKind::Absent(Absence::Unbound));
/// assert_eq!((error.message(), error.to()), (Some(Ping::NAME), Some(PLAYER.into())));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SendError(Box<Failed>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Failed {
    message: Option<&'static str>,
    to: Option<Recipient>,
    kind: SendErrorKind,
}

const _: () = assert!(size_of::<Result<Receipt, SendError>>() <= 16);

impl SendError {
    /// Makes the error of a message that was addressed to `to`.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Hit;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// manager.despawn(orc)?;
    /// let gone = SendError::new(Hit::NAME, orc, SendErrorKind::Absent(Absence::Gone));
    /// assert_eq!(manager.send(orc, Hit), Err(gone));
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[cold]
    pub fn new(message: &'static str, to: impl Into<Recipient>, kind: SendErrorKind) -> Self {
        Self::of(Some(message), Some(to.into()), kind)
    }

    /// Makes the error of a message whose recipient cannot be reached.
    #[cold]
    pub(crate) fn absent(message: &'static str, to: impl Into<Recipient>, why: Absence) -> Self {
        Self::new(message, to, SendErrorKind::Absent(why))
    }

    /// Makes the error of a message that has no recipient, or of no message.
    #[doc(hidden)]
    #[must_use]
    #[cold]
    pub fn of(message: Option<&'static str>, to: Option<Recipient>, kind: SendErrorKind) -> Self {
        Self(Box::new(Failed { message, to, kind }))
    }

    /// Returns the name of the message type, or `None` if the error is not about one message: the error of
    /// [`Receipt::at_least`], or [`Messagee`](SendErrorKind::Messagee).
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Hit;
    ///
    /// let mut manager = MessageManager::new();
    /// let error = manager.send(Recipient::Me, Hit).expect_err("it has no sender");
    /// assert_eq!(error.message(), Some(Hit::NAME));
    /// ```
    #[must_use]
    pub fn message(&self) -> Option<&'static str> {
        self.0.message
    }

    /// Returns the recipient of the message. If the message was for several messagees or for a mnemonic and the
    /// reason is one messagee or hook among them, returns that one. Returns `None` for
    /// [`NobodyToReplyTo`](SendErrorKind::NobodyToReplyTo), and if there is no [`message`](Self::message).
    ///
    /// ```
    /// use message_core::Recipient::Down;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Hit;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// manager.despawn(orc)?;
    /// let error = manager.send(Down(orc), Hit).expect_err("it was despawned");
    /// assert_eq!(error.to(), Some(orc.into()));
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[must_use]
    pub fn to(&self) -> Option<Recipient> {
        self.0.to
    }

    /// Returns the reason.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Hit;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// manager.despawn(orc)?;
    /// let error = manager.send(orc, Hit).expect_err("it was despawned");
    /// assert_eq!(*error.kind(), SendErrorKind::Absent(Absence::Gone));
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[must_use]
    pub fn kind(&self) -> &SendErrorKind {
        &self.0.kind
    }

    /// Converts the error into the reason.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// #[message(reply = u32)]
    /// struct GetHp;
    ///
    /// let mut manager = MessageManager::new();
    /// let rock = manager.spawn(());
    /// let unanswered = manager.request(rock, GetHp).map_err(SendError::into_kind);
    /// assert!(matches!(unanswered, Err(SendErrorKind::NoAnswer { .. })));
    /// ```
    #[must_use]
    pub fn into_kind(self) -> SendErrorKind {
        self.0.kind
    }
}

impl From<MessageeError> for SendError {
    fn from(error: MessageeError) -> Self {
        Self::of(None, None, SendErrorKind::Messagee(error))
    }
}

impl fmt::Display for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use SendErrorKind as Kind;
        let Failed { message, to, kind } = &*self.0;
        let Some(message) = message else {
            return write!(f, "{kind}");
        };
        let who = to.map(|to| to.to_string()).unwrap_or_default();
        let refused = match (kind, to) {
            (Kind::NotReceived { wanted, got, why }, _) => {
                let expected = format!("received by {got}, expected at least {wanted}");
                return write!(f, "`{message}` to {who} was {expected}: {why}");
            }
            (Kind::NoAnswer { error }, _) => {
                write!(f, "nobody at {who} answered `{message}`")?;
                return match error {
                    Some(_) => f.write_str(": a handler that was asked failed"),
                    None => Ok(()),
                };
            }
            (Kind::NotCarried { why }, _) => format!("delivered: {who} in another manager {why}"),
            (Kind::NoSender, Some(Recipient::Me | Recipient::EveryoneElse)) => {
                format!("delivered to {who}, which {kind}")
            }
            (Kind::NoSender, _) => {
                format!("posted to {who}: its header has `tied_to_sender`, which {kind}")
            }
            (Kind::NobodyToReplyTo { .. }, _) => format!("sent as a reply: {kind}"),
            (Kind::Header(_), _) => format!("posted: {kind}"),
            (Kind::Unregistered, _) => format!("delivered: {kind}"),
            (Kind::AtLimit { limit, .. }, _) => {
                let verb = match limit {
                    Limit::Depth(_) => "delivered to",
                    Limit::Kept(_) => "kept for",
                    Limit::Pending { .. } => "posted to",
                    Limit::Published(_) => "published to",
                };
                format!("{verb} {who}: {kind}")
            }
            _ => format!("delivered to {who}: {kind}"),
        };
        write!(f, "`{message}` was not {refused}")
    }
}

impl Error for SendError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.kind.source()
    }
}

/// The reason why a message was not sent, or not answered: the [kind](SendError::kind) of a [`SendError`].
/// Nothing was delivered, unless the variant says otherwise.
///
/// | kind | returned by |
/// |---|---|
/// | [`Absent`](Self::Absent), [`NoSender`](Self::NoSender), [`Unregistered`](Self::Unregistered) | every operation |
/// | [`AtLimit`](Self::AtLimit) | every operation, each for limits of its own |
/// | [`NotReceived`](Self::NotReceived) | sends, [`Receipt::at_least`](crate::Receipt::at_least) |
/// | [`NotCarried`](Self::NotCarried) | sends, posts |
/// | [`NobodyToReplyTo`](Self::NobodyToReplyTo) | `reply` |
/// | [`Busy`](Self::Busy) | `send_mut`, requests |
/// | [`NoAnswer`](Self::NoAnswer), [`NoReplyType`](Self::NoReplyType) | requests |
/// | [`Header`](Self::Header) | posts |
/// | [`Messagee`](Self::Messagee) | `?` in a function that returns a [`SendError`] |
///
/// A post with stage `Immediate` is a send, too.
///
/// ```
/// use message_core::error::Limit;
/// use message_core::prelude::*;
///
/// fn may_succeed_later(why: &SendErrorKind) -> bool {
///     matches!(why, SendErrorKind::Absent(Absence::Unbound) | SendErrorKind::AtLimit { limit: Limit::Pending { .. }, .. })
/// }
///
/// #[derive(Message)]
/// struct Hit;
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn(());
/// manager.despawn(orc)?;
/// let gone = manager.send(orc, Hit).expect_err("it was despawned");
/// assert!(!may_succeed_later(gone.kind()));
/// # Ok::<(), MessageeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SendErrorKind {
    /// The recipient cannot be reached. A request or an in–out message does not wait until it is
    /// [there](Absence::NotYetThere).
    #[error("{0}")]
    Absent(Absence),
    /// No messagee is the sender, and the message requires one: it is for `Me` or `EveryoneElse`, or its header
    /// [ties it to its sender](crate::post::HeaderBuilder::tied_to_sender).
    #[error("requires a sender; use `manager.speak_for(id)` to act on behalf of a messagee")]
    NoSender,
    /// A [reply](crate::Context::reply) to a message that no messagee has sent.
    #[error("the message being received came from {sender}")]
    NobodyToReplyTo {
        /// The sender of the message being received: [`Sender::Outside`] or [`Sender::Manager`].
        sender: Sender,
    },
    /// The only recipient is a proxy, and the message was not carried to the messagee that it represents. A send to
    /// several receivers succeeds, and [`Receipt::unreached`](crate::Receipt::unreached) counts those that were not
    /// reached.
    #[error("the messagee in another manager {why}")]
    NotCarried {
        /// The reason.
        why: CarryError,
    },
    /// A request or an in–out message would have to call a component or a subscriber that is already running.
    #[error(
        "{receiver} would receive it and is busy; post the message to a later stage, or use `send`, which waits until \
         it is free; {chain}"
    )]
    Busy {
        /// The receiver that is running.
        receiver: Receiver,
        /// The running receivers.
        chain: Chain,
    },
    /// A limit of the manager was reached.
    #[error("{limit}; {chain}")]
    AtLimit {
        /// The limit.
        limit: Limit,
        /// The running receivers, with the [cycle](Chain::cycle) that the message would have closed.
        chain: Chain,
    },
    /// Fewer have received the message than its header [requires](crate::post::HeaderBuilder::require), or than
    /// [`Receipt::at_least`](crate::Receipt::at_least) was asked for. Those who did have received it.
    #[error("the message was received by {got}, expected at least {wanted}")]
    NotReceived {
        /// The number of receivers that are required.
        wanted: usize,
        /// The number of receivers that have received it or will, not counting the hidden ones.
        got: usize,
        /// The part that failed.
        why: Undelivered,
    },
    /// Something else than a send has failed, in a function that returns this error: `?` converts a
    /// [`MessageeError`].
    ///
    /// ```
    /// use message_core::Recipient::Me;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Knock;
    ///
    /// fn knock(manager: &mut MessageManager, guest: MessageeId) -> Result<Receipt, SendError> {
    ///     manager.speak_for(guest)?.send(Me, Knock)
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let guest = manager.spawn(());
    /// assert!(knock(&mut manager, guest).is_ok());
    /// manager.despawn(guest)?;
    /// let gone = MessageeError::Absent { id: guest, why: Absence::Gone };
    /// assert_eq!(knock(&mut manager, guest), Err(gone.into()));
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[error(transparent)]
    Messagee(MessageeError),
    /// The header that the message was posted with contradicts itself.
    #[error(transparent)]
    Header(HeaderError),
    /// A request was delivered and nobody answered.
    #[error("nobody answered")]
    NoAnswer {
        /// The error of the first handler that was asked and failed, if one did. It is the
        /// [`source`](std::error::Error::source) of the [`SendError`].
        #[source]
        error: Option<SharedError>,
    },
    /// A [`request_any`](crate::MessageManager::request_any) of a message that nobody can answer.
    #[error("its type has no reply; expected a message with `#[message(reply = …)]`")]
    NoReplyType,
    /// The message type is not in the registry. Either it is implemented by hand and was not added to
    /// [`Registry::builder`](crate::Registry::builder); or it came with a plugin that the manager has not taken up
    /// yet, which it does when its next frame begins.
    #[error(
        "its type is not in the registry; register it with `Registry::builder()` before the first manager is made; a \
         type of a plugin is known from the manager's next frame on"
    )]
    Unregistered,
}
