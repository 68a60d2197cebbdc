//! The errors of messages that were not sent, or not received.

use std::fmt;

use crate::address::{MessageeId, Recipient, Sender};
use crate::error::{
    Bulk, CarryError, Chain, HeaderError, MessageeError, Receiver, SharedError, TooFewReceivers,
    Undelivered,
};
use crate::receipt::Receipt;

/// The error of a send, request, post or publication: the message was not sent, or not answered.
///
/// [`kind`](Self::kind) says why. The error itself is one pointer, so that a send that succeeds returns its
/// receipt in two registers.
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
/// assert!(matches!(error.kind(), SendErrorKind::Unbound { .. }));
/// assert!(error.to_string().contains("PLAYER"));
/// ```
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error(transparent)]
pub struct SendError(Box<SendErrorKind>);

const _: () = assert!(size_of::<Result<Receipt, SendError>>() <= 16);

impl SendError {
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
    /// match error.kind() {
    ///     SendErrorKind::Gone { to, .. } => assert_eq!(*to, orc.into()),
    ///     other => unreachable!("{other}"),
    /// }
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[must_use]
    pub fn kind(&self) -> &SendErrorKind {
        &self.0
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
        *self.0
    }
}

/// Prints its kind.
impl fmt::Debug for SendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl<K: Into<SendErrorKind>> From<K> for SendError {
    #[cold]
    fn from(kind: K) -> Self {
        Self(Box::new(kind.into()))
    }
}

/// The reason why a message was not sent, or not answered: the [kind](SendError::kind) of a [`SendError`].
/// Nothing was delivered, unless the variant says otherwise.
///
/// ```
/// use message_core::prelude::*;
///
/// fn may_succeed_later(why: &SendErrorKind) -> bool {
///     matches!(why, SendErrorKind::Unbound { .. } | SendErrorKind::QueueFull { .. })
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
    /// The messagee was despawned, the component unhooked, or the id never stood for one.
    #[error("`{message}` was not sent to {to}: it is gone")]
    Gone {
        /// The messagee or the hook that it was sent to.
        to: Recipient,
        /// The message type.
        message: &'static str,
    },
    /// The id was given out by another manager.
    #[error("`{message}` was not sent to {to}: the id belongs to another manager")]
    OtherManager {
        /// The messagee or the hook that it was sent to.
        to: Recipient,
        /// The message type.
        message: &'static str,
    },
    /// The messagee was despawned in this dispatch and receives nothing more, although it is still alive until
    /// the outermost send returns. Or it is a component that was unhooked, that panicked, or whose messagee was
    /// despawned.
    #[error("`{message}` was not sent to {to}: it was despawned or unhooked during this dispatch")]
    Leaving {
        /// The messagee or the hook that it was sent to.
        to: Recipient,
        /// The message type.
        message: &'static str,
    },
    /// A request or an in–out message went to a messagee that was spawned in the same dispatch, or to a component
    /// that was hooked in it. A [`send`](crate::Context::send) would be kept until it is there.
    #[error(
        "`{message}` was not sent to {to}: it was spawned or hooked during this dispatch; use `send`, which waits \
         until it is there"
    )]
    NotYetThere {
        /// The messagee or the hook that it was sent to.
        to: Recipient,
        /// The message type.
        message: &'static str,
    },
    /// No messagee is bound to the mnemonic.
    #[error("`{message}` was not sent to `{mnemonic}`: no messagee is bound to it")]
    Unbound {
        /// The name of the mnemonic.
        mnemonic: &'static str,
        /// The message type.
        message: &'static str,
    },
    /// `Me` or `EveryoneElse` was used where no messagee is the sender.
    #[error(
        "`{message}` was not sent to {to}, which requires a sender; use `manager.speak_for(id)` to send \
         on behalf of a messagee"
    )]
    NoSender {
        /// The recipient.
        to: Recipient,
        /// The message type.
        message: &'static str,
    },
    /// A [reply](crate::Context::reply) to a message that no messagee has sent.
    #[error("`{message}` was not sent as a reply: the message being received came from {sender}")]
    NobodyToReplyTo {
        /// The sender of the message being received: [`Sender::Outside`] or [`Sender::Manager`].
        sender: Sender,
        /// The message type of the reply.
        message: &'static str,
    },
    /// The header ties the message to its sender, by [`bound`](crate::post::HeaderBuilder::tied_to_sender), and no
    /// messagee is the sender.
    #[error(
        "`{message}` was not posted to {to}: its header is `bound`, which requires a sender; use \
         `manager.speak_for(id)` to post on behalf of a messagee"
    )]
    NobodyToBind {
        /// The recipient.
        to: Recipient,
        /// The message type.
        message: &'static str,
    },
    /// A request, an in–out message or a publication was sent to a proxy. The messagee that the proxy
    /// represents is in another manager and cannot answer at once.
    #[error(
        "`{message}` was not sent to messagee {id}: it is in another manager, where only sends and posts \
         reach it; use `ask` of message-net, which waits for an answer"
    )]
    Elsewhere {
        /// The proxy.
        id: MessageeId,
        /// The message type.
        message: &'static str,
    },
    /// The only recipient is a proxy, and the message was not carried to the messagee that it represents. A send to
    /// several receivers succeeds, and [`Receipt::unreached`](crate::Receipt::unreached) counts those that were not
    /// reached.
    #[error("`{message}` was not sent: messagee {id} in another manager {why}")]
    NotCarried {
        /// The proxy.
        id: MessageeId,
        /// The message type.
        message: &'static str,
        /// The reason.
        why: CarryError,
    },
    /// A request or an in–out message would have to call a component or a subscriber that is already running.
    #[error(
        "`{message}` was not sent to {to}: {receiver} would receive it and is busy; post the message to a later \
         stage, or use `send`, which waits until it is free; {chain}"
    )]
    Busy {
        /// The recipient.
        to: Recipient,
        /// The message type.
        message: &'static str,
        /// The receiver that is running.
        receiver: Receiver,
        /// The running receivers.
        chain: Chain,
    },
    /// Sends are nested deeper than [`ManagerConfig::max_depth`](crate::ManagerConfig::max_depth).
    #[error(
        "`{message}` was not sent to {to}: sends are nested more than {limit} deep, which is \
         `ManagerConfig::max_depth`; post it to a later stage, or raise the limit; {chain}"
    )]
    TooDeep {
        /// The recipient.
        to: Recipient,
        /// The message type.
        message: &'static str,
        /// The limit.
        limit: usize,
        /// The running receivers, with the [cycle](Chain::cycle) that the send would have closed.
        chain: Chain,
    },
    /// The message would have to be kept for a busy component or a messagee that is not yet
    /// alive, and [`ManagerConfig::max_kept`](crate::ManagerConfig::max_kept) deliveries have
    /// been kept in this dispatch. Receivers that were free have received it; what was kept
    /// before is still delivered.
    #[error(
        "`{message}` was not kept for {to}: {limit} deliveries have been kept in this dispatch, \
         which is `ManagerConfig::max_kept`; post it to a later stage, or raise the limit; {chain}"
    )]
    TooManyKept {
        /// The recipient.
        to: Recipient,
        /// The message type.
        message: &'static str,
        /// The limit.
        limit: usize,
        /// The running receivers, with the [cycle](Chain::cycle) that the send would have closed.
        chain: Chain,
    },
    /// Fewer have received the message than its header
    /// [requires](crate::post::HeaderBuilder::require). Those who did have received it.
    #[error("`{message}` to {to} was received by {got}, expected at least {wanted}: {why}")]
    NotReceived {
        /// The recipient.
        to: Recipient,
        /// The message type.
        message: &'static str,
        /// The number of receivers that the header requires.
        wanted: usize,
        /// The number of receivers that have received it or will, not counting the hidden ones.
        got: usize,
        /// The part that failed.
        why: Undelivered,
    },
    /// Fewer have received the message than [`Receipt::at_least`](crate::Receipt::at_least) was asked
    /// for. Those who did have received it.
    #[error(transparent)]
    TooFew(#[from] TooFewReceivers),
    /// Something else than a send has failed, in a function that returns this error: `?` converts a
    /// [`MessageeError`].
    ///
    /// ```
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
    /// let gone = MessageeError::Gone { id: guest };
    /// assert_eq!(knock(&mut manager, guest), Err(SendErrorKind::Messagee(gone).into()));
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[error(transparent)]
    Messagee(#[from] MessageeError),
    /// The header that the message was posted with contradicts itself.
    #[error("`{message}` was not posted: {error}")]
    Header {
        /// The error in the header.
        error: HeaderError,
        /// The message type.
        message: &'static str,
    },
    /// The number of pending messages has reached
    /// [`ManagerConfig::max_pending`](crate::ManagerConfig::max_pending).
    #[error(
        "`{message}` was not posted to {to}: {limit} messages are pending, which is \
         `ManagerConfig::max_pending`{}; cancel some, post fewer, or raise the limit; {chain}",
        made_of(.bulk.as_ref())
    )]
    QueueFull {
        /// The recipient.
        to: Recipient,
        /// The message type.
        message: &'static str,
        /// The limit.
        limit: usize,
        /// The most frequent type among them. `None` when these are the messages that wait for
        /// subscribers in a stage of their own.
        bulk: Option<Bulk>,
        /// The running receivers, with the [cycle](Chain::cycle) when a handler posts the message that it
        /// handles.
        chain: Chain,
    },
    /// The number of messages published in this frame has reached
    /// [`ManagerConfig::max_published`](crate::ManagerConfig::max_published).
    #[error(
        "`{message}` was not published to {to}: {limit} messages have been published in this \
         frame, which is `ManagerConfig::max_published`; publish fewer, or raise the limit"
    )]
    MailboxFull {
        /// The recipient.
        to: Recipient,
        /// The message type.
        message: &'static str,
        /// The limit.
        limit: u32,
    },
    /// A request was delivered and nobody answered.
    #[error("nobody at {to} answered `{message}`{}", failed(.error.as_ref()))]
    NoAnswer {
        /// The recipient of the request.
        to: Recipient,
        /// The message type.
        message: &'static str,
        /// The error of the first handler that was asked and failed, if one did. It is the
        /// [`source`](std::error::Error::source) of this error.
        #[source]
        error: Option<SharedError>,
    },
    /// A [`request_any`](crate::MessageManager::request_any) of a message that nobody can answer.
    #[error(
        "`{message}` was not sent to {to}: it has no reply; expected a message with \
         `#[message(reply = …)]`"
    )]
    NoReplyType {
        /// The recipient of the request.
        to: Recipient,
        /// The message type.
        message: &'static str,
    },
    /// The message type is not in the registry. Either it is implemented by hand and was not added to
    /// [`Registry::builder`](crate::Registry::builder); or it came with a plugin that the manager has not taken up
    /// yet, which it does when its next frame begins.
    #[error(
        "`{message}` was not sent: its type is not in the registry; register it with \
         `Registry::builder()` before the first manager is made; a type of a plugin is known from the \
         manager's next frame on"
    )]
    Unregistered {
        /// The message type.
        message: &'static str,
    },
}

fn failed(error: Option<&SharedError>) -> &'static str {
    error.map_or("", |_| ": a handler that was asked has failed")
}

fn made_of(bulk: Option<&Bulk>) -> String {
    bulk.map_or_else(String::new, |bulk| format!(": {bulk}"))
}
