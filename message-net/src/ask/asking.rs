//! Asking: sends a request to a proxy, with a time limit for the answer.

use std::fmt;
use std::time::Duration;

use message_core::{
    Absence, Context, Message, MessageeId, Recipient, Request, SendError, SendErrorKind,
    SpeakingFor,
};
use message_data::{Data, DataError, message_to_bytes};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::ask::{AskTicket, askable};
use crate::net::{NET, NewAsk, NotAsked};
use crate::proxy::check_ids;

/// Asks messagees of other nodes, from a handler or on behalf of a messagee.
///
/// ```no_run
/// use message_core::prelude::*;
/// use message_data::Data;
/// use message_net::{Answered, Ask, AskError};
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
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    /// use message_net::Ask;
    /// use message_net::{Node, NodeConfig, NodeName};
    /// use serde::{Deserialize, Serialize};
    /// use std::time::Duration;
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[message(reply = u32)]
    /// #[data(name = "docs.Askask.GetHp", exact)]
    /// struct GetHp;
    ///
    /// # let network = MemoryNetwork::new(1, MemorySettings::new());
    /// # let (mut manager, hub) = (MessageManager::new(), NodeName::new("hub")?);
    /// # let mut node = Node::attach(&mut manager, network.link(hub), NodeConfig::new());
    /// let (healer, local) = (manager.spawn(()), manager.spawn(()));
    /// let gate = node.import(&mut manager, "zone/gate")?;
    /// let mut healer = manager.speak_for(healer)?;
    /// assert!(healer.ask(gate, GetHp).within(Duration::from_secs(2)).is_ok());
    /// # let _ = local;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    fn ask<M: Request + Data>(&mut self, proxy: MessageeId, request: M) -> AskWithin<'_, Self>
    where
        Self: Sized,
        M::Reply: DeserializeOwned + Send,
    {
        let mut ids = Vec::new();
        AskWithin {
            from: self,
            proxy,
            of: (askable::<M>(), M::TYPE.name()),
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
    fn request_ticket(&mut self, ask: NewAsk) -> Result<u64, SendError>;
    #[track_caller]
    fn send_asked(&mut self, to: MessageeId, asked: Asked) -> Result<(), SendError>;
    fn forget_ask(&mut self, ask: NotAsked);
}

macro_rules! asks_in_its_name {
    ($type:ty) => {
        impl SpeaksForMessagee for $type {
            fn request_ticket(&mut self, ask: NewAsk) -> Result<u64, SendError> {
                self.request(NET, ask)
            }

            fn send_asked(&mut self, to: MessageeId, asked: Asked) -> Result<(), SendError> {
                // Not in a closure, which would be the line that sends.
                let sent = self.send(Recipient::Id(to), asked);
                sent.map(drop)
            }

            fn forget_ask(&mut self, ask: NotAsked) {
                // `NET` was there a moment ago.
                let _ = self.send(NET, ask);
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
/// use message_net::link::{MemoryNetwork, MemorySettings};
/// use message_net::Ask;
/// use message_net::{Node, NodeConfig, NodeName};
/// use serde::{Deserialize, Serialize};
/// use std::time::Duration;
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[message(reply = u32)]
/// #[data(name = "docs.AskWithin.GetHp", exact)]
/// struct GetHp;
///
/// # let network = MemoryNetwork::new(1, MemorySettings::new());
/// # let (mut manager, hub) = (MessageManager::new(), NodeName::new("hub")?);
/// # let mut node = Node::attach(&mut manager, network.link(hub), NodeConfig::new());
/// let (healer, local) = (manager.spawn(()), manager.spawn(()));
/// let gate = node.import(&mut manager, "zone/gate")?;
/// let mut healer = manager.speak_for(healer)?;
/// let asking = healer.ask(gate, GetHp);
/// let ticket = asking.within(Duration::from_secs(2))?;
/// # let _ = (local, ticket);
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
    /// Asks. The messagee that asks receives an [`Answered`](crate::Answered) in any case: with the answer, or
    /// without one if none arrives within this time of the manager's unscaled clock.
    ///
    /// Returns the ticket that the answer carries.
    ///
    /// # Errors
    ///
    /// Returns [`AskError::NoNode`] if no node is attached to the manager, [`AskError::NoProxy`] if the
    /// messagee belongs to this manager (use `request` for it), or otherwise the reason why the question could
    /// not be sent. In all these cases no answer follows.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Data;
    /// use message_net::link::{MemoryNetwork, MemorySettings};
    /// use message_net::Ask;
    /// use message_net::{Node, NodeConfig, NodeName};
    /// use serde::{Deserialize, Serialize};
    /// use std::time::Duration;
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[message(reply = u32)]
    /// #[data(name = "docs.AskWithin.within.GetHp", exact)]
    /// struct GetHp;
    ///
    /// # let network = MemoryNetwork::new(1, MemorySettings::new());
    /// # let (mut manager, hub) = (MessageManager::new(), NodeName::new("hub")?);
    /// # let mut node = Node::attach(&mut manager, network.link(hub), NodeConfig::new());
    /// let (healer, local) = (manager.spawn(()), manager.spawn(()));
    /// let gate = node.import(&mut manager, "zone/gate")?;
    /// let mut healer = manager.speak_for(healer)?;
    /// let ticket = healer.ask(gate, GetHp).within(Duration::from_secs(2))?;
    /// // One of this world answers a `request` at once.
    /// assert!(healer.ask(local, GetHp).within(Duration::from_secs(2)).is_err());
    /// # let _ = ticket;
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
        let ticket = from
            .request_ticket(ask)
            .map_err(|error| match error.kind() {
                SendErrorKind::Absent(Absence::Unbound) => AskError::NoNode,
                SendErrorKind::NoAnswer { .. } => AskError::NoProxy { id: proxy },
                _ => AskError::NotSent(error),
            })?;
        let asked = Asked {
            ticket,
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
/// use message_net::link::{MemoryNetwork, MemorySettings};
/// use message_net::{Ask, AskError};
/// use message_net::{Node, NodeConfig, NodeName};
/// use serde::{Deserialize, Serialize};
/// use std::time::Duration;
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[message(reply = u32)]
/// #[data(name = "docs.AskError.GetHp", exact)]
/// struct GetHp;
///
/// # let network = MemoryNetwork::new(1, MemorySettings::new());
/// # let (mut manager, hub) = (MessageManager::new(), NodeName::new("hub")?);
/// # let mut node = Node::attach(&mut manager, network.link(hub), NodeConfig::new());
/// let (healer, local) = (manager.spawn(()), manager.spawn(()));
/// let gate = node.import(&mut manager, "zone/gate")?;
/// let mut healer = manager.speak_for(healer)?;
/// let error = healer.ask(local, GetHp).within(Duration::from_secs(2)).unwrap_err();
/// assert!(matches!(error, AskError::NoProxy { id } if id == local));
/// # let _ = gate;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AskError {
    /// No node is attached to the manager.
    #[error("nobody can be asked: no node is attached to this manager; call `Node::attach` first")]
    NoNode,
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

/// A request on its way to a node: the message that the proxy receives.
#[derive(Message, Data, Serialize, Deserialize, Debug)]
#[message(name = "message_net.Asked")]
#[data(name = "message_net.Asked", exact)]
pub struct Asked {
    pub(crate) ticket: u64,
    /// The full name of the request's type.
    pub(crate) of: String,
    pub(crate) bytes: Vec<u8>,
    pub(crate) ids: Vec<MessageeId>,
}
