//! Asking: sends a request to a proxy, with a time limit for the answer.

use std::any::Any;
use std::fmt;
use std::time::Duration;

use message_core::{
    Absence, AnyMessage, Context, Message, MessageeId, Recipient, Request, SendError,
    SendErrorKind, SpeakingFor,
};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::ask::answers::{register, write};
use crate::ask::asks::{ASKS, AnswerCame, NewAsk, NotAsked};
use crate::ask::{AskTicket, Unanswered};
use crate::{Data, DataError, find, message_to_bytes};

/// Asks messagees of other rooms or nodes, from a handler or on behalf of a messagee.
///
/// ```no_run
/// use message_core::prelude::*;
/// use message_data::Data;
/// use message_data::ask::{Answered, Ask, AskError};
/// use serde::{Deserialize, Serialize};
/// use std::time::Duration;
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[message(reply = u32)]
/// struct GetHp;
///
/// #[derive(Message)]
/// struct Worry { about: MessageeId }
///
/// struct Healer;
///
/// #[handlers]
/// impl Healer {
///     #[on_receive]
///     fn worry(&mut self, worry: &Worry, cx: &mut Context<'_>) -> Result<(), AskError> {
///         cx.ask(worry.about, GetHp).within(Duration::from_secs(2))?;
///         Ok(())
///     }
///
///     #[on_receive]
///     fn answered(&mut self, answered: &Answered<GetHp>) {
///         match &answered.answer {
///             Ok(hp) => println!("it has {hp}"),
///             Err(why) => println!("unknown: {why}"),
///         }
///     }
/// }
/// ```
pub trait Ask: SpeaksForMessagee {
    /// Begins a question to a proxy. [`AskWithin::within`] asks it.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Data;
    /// use message_data::ask::{Ask, AskError};
    /// use serde::{Deserialize, Serialize};
    /// use std::time::Duration;
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[message(reply = u32)]
    /// #[data(name = "docs.Askask.GetHp", exact)]
    /// struct GetHp;
    ///
    /// let mut manager = MessageManager::new();
    /// let (healer, knight) = (manager.spawn(()), manager.spawn(()));
    /// let mut healer = manager.speak_for(healer)?;
    /// // There are neither rooms nor nodes, so nobody can be asked.
    /// let asked = healer.ask(knight, GetHp).within(Duration::from_secs(2));
    /// assert!(matches!(asked, Err(AskError::NoOthers)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn ask<M: Request + Data>(&mut self, proxy: MessageeId, request: M) -> AskWithin<'_, Self>
    where
        Self: Sized,
        M::Reply: Serialize + DeserializeOwned + Send,
    {
        register::<M>();
        let mut ids = Vec::new();
        AskWithin {
            from: self,
            proxy,
            of: (M::ID.to_bits(), M::TYPE.name()),
            bytes: message_to_bytes(&request, &mut ids),
            ids,
        }
    }
}

impl<T: SpeaksForMessagee> Ask for T {}

/// Anything that sends on behalf of a messagee, and can therefore ask.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no messagee that could receive the answer",
    label = "no messagee asks here",
    note = "ask with the context of a handler, or with `manager.speak_for(id)?`"
)]
pub trait SpeaksForMessagee {
    fn begin_ask(&mut self, ask: NewAsk) -> Result<(u64, MessageeId), SendError>;
    #[track_caller]
    fn send_asked(&mut self, to: MessageeId, asked: Asked) -> Result<(), SendError>;
    fn forget_ask(&mut self, ask: NotAsked);
}

macro_rules! asks_in_its_name {
    ($type:ty) => {
        impl SpeaksForMessagee for $type {
            fn begin_ask(&mut self, ask: NewAsk) -> Result<(u64, MessageeId), SendError> {
                self.request(ASKS, ask)
            }

            fn send_asked(&mut self, to: MessageeId, asked: Asked) -> Result<(), SendError> {
                // Not in a closure, which would be the line that sends.
                let sent = self.send(Recipient::Id(to), asked);
                sent.map(drop)
            }

            fn forget_ask(&mut self, ask: NotAsked) {
                // `ASKS` was there a moment ago.
                let _ = self.send(ASKS, ask);
            }
        }
    };
}

asks_in_its_name!(Context<'_>);
asks_in_its_name!(SpeakingFor<'_>);

/// A question that [`within`](Self::within) asks.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::Data;
/// use message_data::ask::{Ask, AskError};
/// use serde::{Deserialize, Serialize};
/// use std::time::Duration;
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[message(reply = u32)]
/// #[data(name = "docs.AskWithin.GetHp", exact)]
/// struct GetHp;
///
/// let mut manager = MessageManager::new();
/// let (healer, knight) = (manager.spawn(()), manager.spawn(()));
/// let mut healer = manager.speak_for(healer)?;
/// let asking = healer.ask(knight, GetHp);
/// let asked = asking.within(Duration::from_secs(2));
/// assert!(matches!(asked, Err(AskError::NoOthers)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use = "it is asked by `within`"]
pub struct AskWithin<'a, S> {
    from: &'a mut S,
    proxy: MessageeId,
    /// The number and the full name of the request's type.
    of: (u64, &'static str),
    bytes: Result<Vec<u8>, DataError>,
    ids: Vec<MessageeId>,
}

impl<S> fmt::Debug for AskWithin<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AskWithin")
            .field("proxy", &self.proxy)
            .finish_non_exhaustive()
    }
}

impl<S: SpeaksForMessagee> AskWithin<'_, S> {
    /// Asks. The messagee that asks receives an [`Answered`](crate::ask::Answered) in any case: with the answer, or
    /// without one if none arrives within this time of the manager's unscaled clock.
    ///
    /// Returns the ticket that the answer carries.
    ///
    /// # Errors
    ///
    /// Returns [`AskError::NoOthers`] if the manager is no room and has no node, [`AskError::NoProxy`] if the
    /// messagee belongs to this manager (use `request` for it), or otherwise the reason why the question could
    /// not be sent. In all these cases no answer follows.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Data;
    /// use message_data::ask::{Ask, AskError};
    /// use serde::{Deserialize, Serialize};
    /// use std::time::Duration;
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[message(reply = u32)]
    /// #[data(name = "docs.AskWithin.within.GetHp", exact)]
    /// struct GetHp;
    ///
    /// let mut manager = MessageManager::new();
    /// let (healer, knight) = (manager.spawn(()), manager.spawn(()));
    /// let mut healer = manager.speak_for(healer)?;
    /// let asked = healer.ask(knight, GetHp).within(Duration::from_secs(2));
    /// assert!(matches!(asked, Err(AskError::NoOthers)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn within(self, time: Duration) -> Result<AskTicket, AskError> {
        let Self {
            from,
            proxy,
            of: (of, name),
            bytes,
            ids,
        } = self;
        let bytes = bytes?;
        check_ids(format_args!("`{name}`"), &ids, proxy)?;
        let ask = NewAsk {
            of,
            proxy,
            within: time,
        };
        let begun = from.begin_ask(ask).map_err(|error| match error.kind() {
            SendErrorKind::Absent(Absence::Unbound) => AskError::NoOthers,
            SendErrorKind::NoAnswer { .. } => AskError::NoProxy { id: proxy },
            _ => AskError::NotSent(error),
        });
        let (ticket, answer_to) = begun?;
        let asked = Asked {
            ticket,
            answer_to,
            of: name.to_owned(),
            bytes,
            ids,
        };
        match from.send_asked(proxy, asked) {
            Ok(()) => Ok(AskTicket(ticket)),
            Err(error) => {
                from.forget_ask(NotAsked { ticket });
                Err(AskError::NotSent(error))
            }
        }
    }
}

/// Why a question was not asked.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::Data;
/// use message_data::ask::{Ask, AskError};
/// use serde::{Deserialize, Serialize};
/// use std::time::Duration;
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[message(reply = u32)]
/// #[data(name = "docs.AskError.GetHp", exact)]
/// struct GetHp;
///
/// let mut manager = MessageManager::new();
/// let (healer, knight) = (manager.spawn(()), manager.spawn(()));
/// let mut healer = manager.speak_for(healer)?;
/// let error = healer.ask(knight, GetHp).within(Duration::from_secs(2)).unwrap_err();
/// assert!(error.to_string().starts_with("nobody can be asked"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// The manager is no room of `message-rooms`, and no node of `message-net` is attached to it.
    #[error(
        "nobody can be asked: this manager has no other rooms or nodes; call `Rooms::add` or `Node::attach` first"
    )]
    NoOthers,
    /// The messagee that was asked belongs to this manager.
    #[error("messagee {id} is not a proxy: use `request`, which returns the answer at once")]
    NoProxy {
        /// The messagee that was asked.
        id: MessageeId,
    },
    /// The request cannot be written.
    #[error("the request cannot be written: {0}")]
    NotWritten(#[from] DataError),
    /// The request could not be sent.
    #[error(transparent)]
    NotSent(#[from] SendError),
}

/// A request on its way: the message that the proxy receives.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
#[message(name = "message_data.Asked")]
#[data(name = "message_data.Asked", exact)]
pub struct Asked {
    /// The number of the question.
    pub ticket: u64,
    /// The messagee that takes the answer.
    pub answer_to: MessageeId,
    /// The full name of the request's type.
    pub of: String,
    /// The request, written.
    pub bytes: Vec<u8>,
    /// The ids in it.
    pub ids: Vec<MessageeId>,
}

impl Asked {
    /// Reads the request, passes it to `request`, and returns the answer. `None` means that a handler has panicked.
    pub fn answer(
        &self,
        request: impl FnOnce(Box<dyn AnyMessage>) -> Option<Result<Box<dyn Any>, SendError>>,
    ) -> AnswerCame {
        let read = find(&self.of).and_then(|of| of.read_message(&self.bytes, &self.ids));
        let answer = read.map_err(Unanswered::from).and_then(|message| {
            let of = message.id();
            match request(message) {
                Some(Ok(reply)) => write(of, reply).map_err(Unanswered::from),
                Some(Err(error)) => Err(Unanswered::from(&error)),
                None => Err(Unanswered::panicked()),
            }
        });
        let ticket = self.ticket;
        AnswerCame { ticket, answer }
    }
}

/// Checks that the ids in a message for another manager are of the manager that sends it, as `own` is.
///
/// # Errors
///
/// Returns an error that names the first other id.
pub fn check_ids(
    of: fmt::Arguments<'_>,
    ids: &[MessageeId],
    own: MessageeId,
) -> Result<(), DataError> {
    match ids.iter().find(|id| !id.is_of_same_manager(own)) {
        None => Ok(()),
        Some(id) => Err(DataError::new(format_args!(
            "messagee {id} in {of} belongs to another manager: expected one of the sending manager, or a proxy there"
        ))),
    }
}
