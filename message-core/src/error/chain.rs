//! The chain of handlers in which something went wrong.

use std::fmt;
use std::panic::Location;
use std::sync::Arc;

use crate::address::{MessageeId, SubscriptionId, in_text, write_padded};

/// The handlers that were running when a send failed, the outermost first. Each was called by a
/// send of the one before it.
///
/// If the send failed at a limit and would have called one of them again with a message of the same type, the
/// chain also knows the [cycle](Self::cycle).
///
/// ```
/// use message_core::lifecycle::HandlerFailed;
/// use message_core::Recipient::Me;
/// use message_core::error::Limit;
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
///     let error = failed.error.downcast_ref::<SendError>();
///     if let Some(SendErrorKind::AtLimit { limit: Limit::Depth(_), chain }) = error.map(SendError::kind) {
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chain {
    /// Shared, because a trace and several reports keep the same chain.
    running: Arc<[ChainLink]>,
    cycle: Option<Arc<[ChainLink]>>,
}

impl Chain {
    pub(crate) fn new(running: Vec<ChainLink>) -> Self {
        let (running, cycle) = (running.into(), None);
        Self { running, cycle }
    }

    /// Adds the cycle of a send from `place` that failed at a limit. `returns` says whether the send would have
    /// called that receiver again with a message of the same type.
    pub(crate) fn at_limit(
        mut self,
        place: &'static Location<'static>,
        returns: impl Fn(&ChainLink) -> bool,
    ) -> Self {
        let first = self.running.iter().rposition(returns);
        self.cycle = first.map(|first| {
            let mut hops = self.running[first..].to_vec();
            // It may have been begun from elsewhere, but this is where it goes on.
            hops[0].place = place;
            hops.into()
        });
        self
    }

    /// Returns the running handlers, the outermost first. Empty if the send came from outside.
    ///
    /// ```
    /// use message_core::lifecycle::HandlerFailed;
    /// use message_core::Recipient::Me;
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
        &self.running
    }

    /// Returns the last of the [links](Self::links), which lead to each other, if the send failed at a limit and
    /// would have led to the first of them again. That one has the place of the send that failed.
    ///
    /// A message that was kept for a busy receiver is delivered after its sender has returned. A cycle through
    /// several kept messages therefore does not show in the chain and is not found.
    ///
    /// ```
    /// use message_core::error::Limit;
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// #[derive(Message)]
    /// struct Pong;
    ///
    /// let mut manager = MessageManager::with_config(ManagerConfig::new().max_kept(8));
    /// let (log, errors) = mpsc::channel();
    /// manager.subscribe(Filter::of::<Ping>(), |_, cx| { let _ = cx.send(Everyone, Pong); });
    /// manager.subscribe(Filter::of::<Pong>(), move |_, cx| {
    ///     // The first one is running, so each of these is kept, and leads to the next.
    ///     let _ = cx.send(Everyone, Ping).map_err(|error| log.send(error));
    /// });
    /// manager.send(Everyone, Ping)?;
    /// let error = errors.recv()?;
    /// let SendErrorKind::AtLimit { limit: Limit::Kept(_), chain } = error.kind() else { unreachable!() };
    /// let cycle = chain.cycle().ok_or("they answer each other")?;
    /// let messages: Vec<&str> = cycle.iter().map(|hop| hop.message).collect();
    /// assert_eq!(messages, [Ping::NAME, Pong::NAME]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn cycle(&self) -> Option<&[ChainLink]> {
        self.cycle.as_deref()
    }
}

/// The number of links of a long list that are printed at each of its ends. After a cycle,
/// `PRINTED_END_OF_CYCLE` of the running receivers are printed instead.
const PRINTED_END: usize = 4;
const PRINTED_END_OF_CYCLE: usize = 1;

impl fmt::Display for Chain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut end = PRINTED_END;
        if let Some(cycle @ [first, ..]) = self.cycle() {
            let (receiver, message) = (first.receiver, first.message);
            let links = ends(cycle, end, " → ", " → ");
            write!(f, "a cycle: {links} → {receiver} on `{message}` …; ")?;
            end = PRINTED_END_OF_CYCLE;
        }
        if self.running.is_empty() {
            return f.write_str("nothing is running");
        }
        write!(f, "running: {}", ends(&self.running, end, ", then ", ", "))
    }
}

/// Returns a list as text; of a long one, `end` links at each of its ends and the number of those between, behind
/// `gap`.
fn ends(links: &[ChainLink], end: usize, separator: &str, gap: &str) -> String {
    let list = |links: &[ChainLink]| {
        let texts: Vec<String> = links.iter().map(ChainLink::to_string).collect();
        texts.join(separator)
    };
    let hidden = links.len().saturating_sub(2 * end);
    if hidden <= 1 {
        return list(links);
    }
    let (head, tail) = (list(&links[..end]), list(&links[end + hidden..]));
    format!("{head}{gap}… {hidden} more …{separator}{tail}")
}

/// One running handler or subscriber.
///
/// ```
/// use message_core::lifecycle::HandlerFailed;
/// use message_core::Recipient::Me;
/// use message_core::error::Limit;
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
///     let error = failed.error.downcast_ref::<SendError>();
///     if let Some(SendErrorKind::AtLimit { limit: Limit::Depth(_), chain }) = error.map(SendError::kind) {
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
    /// The running receiver.
    pub receiver: Receiver,
    /// The type of the message it is handling.
    pub message: &'static str,
    /// The place where that message was sent.
    pub place: &'static Location<'static>,
}

/// The receiver of a message.
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
    Subscription {
        /// The subscription.
        id: SubscriptionId,
        /// The messagee that it was made for, by `subscribe_for` or in a handler.
        owner: Option<MessageeId>,
    },
}

impl Receiver {
    /// Returns the messagee whose component or subscription it is, or `None` for a subscription without an owner.
    ///
    /// ```
    /// use message_core::error::Receiver;
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// let health = Receiver::Component { messagee: orc, component: "Health" };
    /// assert_eq!(health.messagee(), Some(orc));
    ///
    /// let id = manager.subscribe(Filter::all(), |_, _| {});
    /// assert_eq!(Receiver::Subscription { id, owner: None }.messagee(), None);
    ///
    /// let (id, owner) = (manager.subscribe_for(orc, Filter::all(), |_, _| {})?, Some(orc));
    /// assert_eq!(Receiver::Subscription { id, owner }.to_string(), "subscription 1v0 of messagee 0v0");
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[must_use]
    pub fn messagee(self) -> Option<MessageeId> {
        match self {
            Self::Component { messagee, .. } => Some(messagee),
            Self::Subscription { owner, .. } => owner,
        }
    }
}

/// Prints in words who it is. `{:#}` leaves the name of the messagee out.
impl fmt::Display for Receiver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match *self {
            Self::Component {
                messagee,
                component,
            } => format!("`{component}` of messagee {}", in_text(messagee, f)),
            Self::Subscription { id, owner: None } => format!("subscription {id}"),
            Self::Subscription {
                id,
                owner: Some(owner),
            } => format!("subscription {id} of messagee {}", in_text(owner, f)),
        };
        write_padded(f, &text)
    }
}

impl fmt::Display for ChainLink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (receiver, message) = (self.receiver, self.message);
        write!(f, "{receiver} on `{message}` sent at {}", self.place)
    }
}
