//! The outcome of a request.

use crate::DataError;
use message_core::{Absence, Message, MessageId, MessageeId, Request, SendError, SendErrorKind};
use serde::{Deserialize, Serialize};

/// The answer to a request of type `M`, or the reason why there is none. Sent to the messagee that
/// [asked](super::Ask::ask).
///
/// ```
/// use message_core::prelude::*;
/// use message_data::Data;
/// use message_data::ask::Answered;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[message(name = "docs.GetHp", reply = u32)]
/// #[data(name = "docs.GetHp")]
/// struct GetHp;
///
/// struct Healer { known: Option<u32> }
///
/// #[handlers]
/// impl Healer {
///     #[on_receive]
///     fn answered(&mut self, answered: &Answered<GetHp>) {
///         self.known = answered.answer.as_ref().ok().copied();
///     }
/// }
/// # let mut manager = MessageManager::new();
/// # manager.spawn((Healer { known: None },));
/// ```
pub struct Answered<M: Request> {
    /// The ticket that [`within`](super::AskWithin::within) returned.
    pub ticket: AskTicket,
    /// The proxy that was asked. It may have ended since.
    pub from: MessageeId,
    /// The reply, or the reason why there is none.
    pub answer: Result<M::Reply, Unanswered>,
}

/// Identifies the question to which an answer belongs.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::Data;
/// use message_data::ask::{Answered, Ask, AskError, AskTicket};
/// use serde::{Deserialize, Serialize};
/// use std::time::Duration;
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[message(reply = u32)]
/// #[data(name = "docs.AskTicket.GetHp", exact)]
/// struct GetHp;
///
/// #[derive(Message)]
/// struct Worry { about: MessageeId }
///
/// struct Healer { asked: Option<AskTicket>, known: Option<u32> }
///
/// #[handlers]
/// impl Healer {
///     #[on_receive]
///     fn worry(&mut self, worry: &Worry, cx: &mut Context<'_>) -> Result<(), AskError> {
///         self.asked = Some(cx.ask(worry.about, GetHp).within(Duration::from_secs(2))?);
///         Ok(())
///     }
///
///     #[on_receive]
///     fn answered(&mut self, answered: &Answered<GetHp>) {
///         if self.asked == Some(answered.ticket) {
///             self.known = answered.answer.as_ref().ok().copied();
///         }
///     }
/// }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AskTicket(pub(super) u64);

/// Why a request has no answer.
///
/// ```
/// use message_data::ask::Unanswered;
///
/// assert_eq!(Unanswered::TimedOut.to_string(), "there was no answer in time");
/// let refused = Unanswered::Refused { why: "it is not accepted".to_owned() };
/// assert_eq!(refused.to_string(), "its node refused the request: it is not accepted");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[non_exhaustive]
pub enum Unanswered {
    /// The time limit set by [`within`](super::AskWithin::within) has passed.
    #[error("there was no answer in time")]
    TimedOut,
    /// The messagee that was asked has ended.
    #[error("the messagee that was asked has ended")]
    Gone,
    /// Its node cannot be reached: the question or the answer is lost.
    #[error("its node cannot be reached")]
    Unreachable,
    /// Its node does not accept the request.
    #[error("its node refused the request: {why}")]
    Refused {
        /// The reason that the node gives.
        why: String,
    },
    /// No one there has answered: none of the messagee's components handles the request, or each has declined.
    #[error("nobody answered: {why}")]
    NoAnswer {
        /// The reason that the other manager gives.
        why: String,
    },
    /// A handler failed.
    #[error("a handler failed: {why}")]
    HandlerFailed {
        /// The handler's error.
        why: String,
    },
    /// The answer could not be written there, or could not be read here.
    #[error("the answer cannot be written or read: {why}")]
    Unreadable {
        /// The error that occurred.
        why: String,
    },
}

impl Unanswered {
    /// Returns the reason if a handler panicked.
    #[doc(hidden)]
    #[must_use]
    pub fn panicked() -> Self {
        let why = "a handler panicked".to_owned();
        Self::HandlerFailed { why }
    }

    /// The number of [`Refused`](Self::Refused).
    #[doc(hidden)]
    pub const REFUSED: u32 = 3;

    /// Returns the number and the text that one node sends to another.
    #[doc(hidden)]
    #[must_use]
    pub fn parts(&self) -> (u32, &str) {
        match self {
            Self::TimedOut => (0, ""),
            Self::Gone => (1, ""),
            Self::Unreachable => (2, ""),
            Self::Refused { why } => (Self::REFUSED, why),
            Self::NoAnswer { why } => (4, why),
            Self::Unreadable { why } => (5, why),
            Self::HandlerFailed { why } => (6, why),
        }
    }

    /// Restores what [`parts`](Self::parts) returned on another node.
    #[doc(hidden)]
    #[must_use]
    pub fn of_parts(number: u32, text: &str) -> Self {
        let why = text.to_owned();
        match number {
            0 => Self::TimedOut,
            1 => Self::Gone,
            2 => Self::Unreachable,
            Self::REFUSED => Self::Refused { why },
            5 => Self::Unreadable { why },
            6 => Self::HandlerFailed { why },
            _ => Self::NoAnswer { why },
        }
    }
}

impl From<DataError> for Unanswered {
    fn from(error: DataError) -> Self {
        Self::Unreadable {
            why: error.to_string(),
        }
    }
}

impl From<&SendError> for Unanswered {
    fn from(error: &SendError) -> Self {
        match error.kind() {
            SendErrorKind::Absent(Absence::Gone) => Self::Gone,
            SendErrorKind::NoAnswer {
                error: Some(failed),
                ..
            } => Self::HandlerFailed {
                why: failed.to_string(),
            },
            _ => Self::NoAnswer {
                why: error.to_string(),
            },
        }
    }
}

impl<M: Request> std::fmt::Debug for Answered<M>
where
    M::Reply: std::fmt::Debug,
{
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Answered")
            .field("ticket", &self.ticket)
            .field("from", &self.from)
            .field("answer", &self.answer)
            .finish()
    }
}

/// The name of the message `Answered<M>`, derived from that of `M` at compile time.
struct NameOf<M>(std::marker::PhantomData<M>);

/// The prefix that precedes the name of the request.
const BEFORE: &str = "message_data.Answered/";

/// The maximum length of a name.
const LONGEST: usize = 512;

impl<M: Message> NameOf<M> {
    const LEN: usize = BEFORE.len() + M::NAME.len();

    const BYTES: [u8; LONGEST] = {
        assert!(Self::LEN <= LONGEST, "the name of the request is too long");
        let mut bytes = [0; LONGEST];
        let mut at = 0;
        while at < BEFORE.len() {
            bytes[at] = BEFORE.as_bytes()[at];
            at += 1;
        }
        while at < Self::LEN {
            bytes[at] = M::NAME.as_bytes()[at - BEFORE.len()];
            at += 1;
        }
        bytes
    };

    const NAME: &'static str = match std::str::from_utf8(Self::BYTES.split_at(Self::LEN).0) {
        Ok(name) => name,
        Err(_) => panic!("two texts in a row are a text"),
    };
}

impl<M: Request> Message for Answered<M>
where
    M::Reply: Send,
{
    type Reply = message_core::NoReply;
    const NAME: &'static str = NameOf::<M>::NAME;
    const ID: MessageId = MessageId::of_name(Self::NAME);
}
