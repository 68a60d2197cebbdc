//! The chain of handlers in which something went wrong.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use crate::address::{InText, MessageeId, SubscriptionId, write_padded};
use crate::error::Cycle;

/// The handlers that were running when a send failed, the outermost first. Each was called by a
/// send of the one before it.
///
/// When the send failed at a limit, the chain also knows the [cycle](Self::cycle) that led there,
/// if one did.
///
/// ```
/// use message_core::lifecycle::HandlerFailed;
/// use message_core::prelude::*;
/// use std::sync::mpsc;
///
/// #[derive(Message)]
/// struct Ping;
///
/// struct Echo;
///
/// #[handlers]
/// impl Echo {
///     #[on_receive]
///     fn again(&self, _: &Ping, cx: &mut Context<'_>) -> Result<(), SendError> {
///         cx.send(Me, Ping)?; // Without end.
///         Ok(())
///     }
/// }
///
/// let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(8));
/// let (log, errors) = mpsc::channel();
/// manager.subscribe(Filter::of::<HandlerFailed>(), move |failed, _| {
///     if let Some(SendErrorKind::TooDeep { chain, .. }) = failed.error.downcast_ref().map(SendError::kind) {
///         let _ = log.send(chain.clone());
///     }
/// });
/// let echo = manager.spawn((Echo,));
/// manager.send(echo, Ping)?;
/// let chain = errors.recv()?;
/// assert_eq!(chain.links().len(), 8);
/// assert!(chain.cycle().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chain(Arc<Known>);

/// Behind one pointer, so that every error that has a chain stays small; shared, since a trace keeps
/// errors too.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Known {
    running: Box<[ChainLink]>,
    cycle: Option<Cycle>,
}

impl Chain {
    pub(crate) fn new(running: Vec<ChainLink>, cycle: Option<Cycle>) -> Self {
        Self(Arc::new(Known {
            running: running.into(),
            cycle,
        }))
    }

    /// Returns the running handlers, the outermost first. Empty if the send came from outside.
    ///
    /// ```
    /// use message_core::lifecycle::HandlerFailed;
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    ///
    /// #[derive(Message)]
    /// struct Trigger;
    ///
    /// #[derive(Message)]
    /// struct Load;
    ///
    /// struct Gun;
    ///
    /// #[handlers]
    /// impl Gun {
    ///     #[on_receive]
    ///     fn trigger(&self, _: &Trigger, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         cx.send(Me, Load).map(drop)
    ///     }
    ///
    ///     #[on_receive]
    ///     fn load(&self, _: &Load) -> Result<(), HandlerError> { Err("it jams".into()) }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let (log, chains) = mpsc::channel();
    /// manager.subscribe(Filter::of::<HandlerFailed>(), move |failed, _| {
    ///     let _ = log.send(failed.chain.clone());
    /// });
    /// let gun = manager.spawn((Gun,));
    /// manager.send(gun, Trigger)?;
    /// let around = chains.recv()?;
    /// assert_eq!(around.links().len(), 1);
    /// assert_eq!(around.links()[0].message, Trigger::NAME);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn links(&self) -> &[ChainLink] {
        &self.0.running
    }

    /// Returns the messages that lead to each other for ever, if the send failed at a limit and such
    /// were found. Not all of them need be among the [links](Self::links): what waited for a busy
    /// receiver is delivered when its sender has returned.
    ///
    /// `None` says that none was found near the limit, not that there is none.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::with_config(ManagerConfig::new().max_kept(8));
    /// let (log, chains) = mpsc::channel();
    /// manager.subscribe(Filter::of::<Ping>(), move |_, cx| {
    ///     // It is running, so each of these is kept, and leads to the next.
    ///     if let Err(SendErrorKind::TooManyKept { chain, .. }) = cx.send(Everyone, Ping).map_err(SendError::into_kind) {
    ///         let _ = log.send(chain);
    ///     }
    /// });
    /// manager.send(Everyone, Ping)?;
    /// let chain = chains.recv()?;
    /// assert!(chain.cycle().is_some_and(|cycle| cycle.hops()[0].message == Ping::NAME));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cycle(&self) -> Option<&Cycle> {
        self.0.cycle.as_ref()
    }
}

/// How many links of a long chain are printed at each of its ends, and how many when its cycle has
/// been printed before.
const PRINTED_END: usize = 4;
const PRINTED_END_OF_CYCLE: usize = 1;

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Known { running, cycle } = &*self.0;
        if let Some(cycle) = cycle {
            let kind = if cycle.wanders() {
                "a chain from messagee to messagee"
            } else {
                "a cycle"
            };
            write!(f, "{kind}: {cycle}; ")?;
        }
        if running.is_empty() {
            return f.write_str("nothing is running");
        }
        f.write_str("running: ")?;
        let end = match cycle {
            Some(_) => PRINTED_END_OF_CYCLE,
            None => PRINTED_END,
        };
        write_ends(f, running, end, ", then ", ", ")
    }
}

/// Writes a list; of a long one, so many at each of its ends and how many are between. `gap` stands
/// before what is said of these.
pub(super) fn write_ends(
    f: &mut fmt::Formatter<'_>,
    links: &[ChainLink],
    end: usize,
    separator: &str,
    gap: &str,
) -> fmt::Result {
    let hidden = links.len().saturating_sub(2 * end);
    let hidden = if hidden > 1 { hidden } else { 0 };
    for (at, link) in links.iter().enumerate() {
        if hidden > 0 && at == end {
            write!(f, "{gap}… {hidden} more …")?;
        }
        if (end..end + hidden).contains(&at) {
            continue;
        }
        let separator = if at == 0 { "" } else { separator };
        write!(f, "{separator}{link}")?;
    }
    Ok(())
}

/// One running handler or subscriber.
///
/// ```
/// use message_core::lifecycle::HandlerFailed;
/// use message_core::prelude::*;
/// use std::sync::mpsc;
///
/// #[derive(Message)]
/// struct Ping;
///
/// struct Echo;
///
/// #[handlers]
/// impl Echo {
///     #[on_receive]
///     fn again(&self, _: &Ping, cx: &mut Context<'_>) -> Result<(), SendError> {
///         cx.send(Me, Ping)?; // Without end.
///         Ok(())
///     }
/// }
///
/// let mut manager = MessageManager::with_config(ManagerConfig::new().max_depth(8));
/// let (log, errors) = mpsc::channel();
/// manager.subscribe(Filter::of::<HandlerFailed>(), move |failed, _| {
///     if let Some(SendErrorKind::TooDeep { chain, .. }) = failed.error.downcast_ref().map(SendError::kind) {
///         let _ = log.send(chain.clone());
///     }
/// });
/// let echo = manager.spawn((Echo,));
/// manager.send(echo, Ping)?;
/// let chain = errors.recv()?;
/// for link in chain.links() {
///     assert_eq!(link.receiver.messagee(), Some(echo));
///     assert_eq!(link.message, Ping::NAME);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainLink {
    /// Who is running.
    pub receiver: Receiver,
    /// The type of the message it is handling.
    pub message: &'static str,
    /// Where that message was sent.
    pub place: &'static Location<'static>,
}

/// Who receives a message.
///
/// ```
/// use message_core::error::Receiver;
/// use message_core::prelude::*;
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn(());
/// let receiver = Receiver::Component { messagee: orc, component: "Health" };
/// assert_eq!(receiver.messagee(), Some(orc));
/// assert_eq!(receiver.to_string(), "`Health` of messagee 0v0");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Receiver {
    /// A component.
    Component {
        /// The messagee that it is hooked to.
        messagee: MessageeId,
        /// The type of the component.
        component: &'static str,
    },
    /// A subscriber.
    Subscription(SubscriptionId),
}

impl Receiver {
    /// Returns the messagee whose component it is, or `None` for a subscriber.
    ///
    /// ```
    /// use message_core::error::Receiver;
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// let health = Receiver::Component { messagee: orc, component: "Health" };
    /// let listener = Receiver::Subscription(manager.subscribe(Filter::any(), |_, _| {}));
    /// assert_eq!(health.messagee(), Some(orc));
    /// assert_eq!(listener.messagee(), None);
    /// ```
    #[must_use]
    pub fn messagee(self) -> Option<MessageeId> {
        match self {
            Self::Component { messagee, .. } => Some(messagee),
            Self::Subscription(_) => None,
        }
    }
}

/// Prints in words who it is. `{:#}` leaves the name of the messagee out.
impl fmt::Display for Receiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = !f.alternate();
        match *self {
            Self::Component {
                messagee: id,
                component,
            } => {
                let messagee = InText { id, named };
                write_padded(f, format_args!("`{component}` of messagee {messagee}"))
            }
            Self::Subscription(id) => write_padded(f, format_args!("subscription {id}")),
        }
    }
}

impl fmt::Display for ChainLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            receiver,
            message,
            place,
        } = self;
        write!(f, "{receiver} on `{message}` sent at {place}")
    }
}
