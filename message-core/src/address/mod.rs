//! Addresses of messages: ids, recipients and senders.

mod display;
mod family;

pub(crate) use display::{in_text, write_padded};
pub use family::{Down, Root, Up};

use crate::group::Group;
pub(crate) use crate::key::{HookId, MessageeId, SubscriptionId};
use crate::mnemonic::Mnemonic;

/// The recipient of a send.
///
/// A [`MessageeId`], a [`HookId`], a [`Mnemonic`] and a [`Group`] convert into a recipient, so they can
/// be handed to [`send`](crate::MessageManager::send) as they are. The other recipients are in the
/// [prelude](crate::prelude) by their bare names.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Load;
///
/// #[derive(Default)]
/// struct Gun { loaded: bool }
///
/// #[handlers]
/// impl Gun {
///     #[on_receive]
///     fn load(&mut self, _: &Load) { self.loaded = true; }
/// }
///
/// let mut manager = MessageManager::new();
/// let tank = manager.spawn(());
/// let front = manager.hook(tank, Gun::default())?;
/// let rear = manager.hook(tank, Gun::default())?;
/// assert_eq!(manager.send(rear, Load)?.received, 1);
/// assert!(manager.component_mut::<Gun>(rear)?.loaded);
/// assert!(!manager.component_mut::<Gun>(front)?.loaded);
/// assert_eq!(manager.send(tank, Load)?.received, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// ```
/// use message_core::prelude::*;
///
/// mnemonic!(PLAYER);
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn(());
/// assert_eq!(Recipient::from(orc), Recipient::Id(orc));
/// assert_eq!(Recipient::from(PLAYER), Recipient::Mnemonic(PLAYER));
/// assert_eq!(Up(orc).to_string(), "messagee 0v0 and its ancestors");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
// A whole word says which it is: a recipient that was just written can be read by words at once.
#[repr(u64)]
pub enum Recipient {
    /// The components of one messagee, in order of priority, then of hooking.
    Id(MessageeId),
    /// The sender's own messagee. From outside every messagee this is
    /// [`SendErrorKind::NoSender`](crate::SendErrorKind::NoSender).
    Me,
    /// Every component of every messagee, component type by component type: higher priority
    /// first, then by type name; each type's components in storage order.
    Everyone,
    /// Like [`Everyone`](Self::Everyone), but without the components of the sender's messagee. From
    /// outside every messagee this is [`SendErrorKind::NoSender`](crate::SendErrorKind::NoSender).
    EveryoneElse,
    /// The messagee that is bound to a well-known address.
    Mnemonic(Mnemonic),
    /// The members of a group, in the order in which they joined.
    Group(Group),
    /// The messagee, then its parent, its parent's parent, and so on.
    Up(MessageeId),
    /// The messagee, then all its descendants, each before its own children (pre-order).
    Down(MessageeId),
    /// The messagee that is bound to a well-known address, then its ancestors: `Up(PLAYER)`.
    UpFrom(Mnemonic),
    /// The messagee that is bound to a well-known address, then its descendants: `Down(PLAYER)`.
    DownFrom(Mnemonic),
    /// One component of one messagee. To [publish](crate::MessageManager::publish) to it is to publish
    /// to its messagee.
    Hook(HookId),
}

impl Recipient {
    /// Returns `true` if it addresses the messagee that a mnemonic is bound to.
    pub(crate) fn is_by_mnemonic(self) -> bool {
        self.mnemonic().is_some()
    }

    /// Returns the mnemonic that it refers to, if any.
    pub(crate) fn mnemonic(self) -> Option<Mnemonic> {
        match self {
            Self::Mnemonic(mnemonic) | Self::UpFrom(mnemonic) | Self::DownFrom(mnemonic) => {
                Some(mnemonic)
            }
            _ => None,
        }
    }

    /// Returns the recipient with its mnemonic replaced by the messagee that holds it.
    pub(crate) fn held_by(self, id: MessageeId) -> Self {
        match self {
            Self::Mnemonic(_) => Self::Id(id),
            Self::UpFrom(_) => Self::Up(id),
            Self::DownFrom(_) => Self::Down(id),
            _ => self,
        }
    }

    /// Returns the messagee that it names by id, alone or with its family.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let orc = MessageManager::new().spawn(());
    /// assert_eq!(Recipient::from(Up(orc)).messagee(), Some(orc));
    /// assert_eq!(Recipient::from(Everyone).messagee(), None);
    /// ```
    #[must_use]
    pub fn messagee(self) -> Option<MessageeId> {
        match self {
            Self::Id(id) | Self::Up(id) | Self::Down(id) => Some(id),
            _ => None,
        }
    }

    /// Returns the recipient as that sender means it: `Me` becomes the sender's id.
    pub(crate) fn own(self, sender: Sender) -> Self {
        match (self, sender) {
            (Self::Me, Sender::Messagee(id)) => Self::Id(id),
            _ => self,
        }
    }
}

impl From<MessageeId> for Recipient {
    fn from(id: MessageeId) -> Self {
        Self::Id(id)
    }
}

impl From<HookId> for Recipient {
    fn from(hook: HookId) -> Self {
        Self::Hook(hook)
    }
}

impl From<Mnemonic> for Recipient {
    fn from(mnemonic: Mnemonic) -> Self {
        Self::Mnemonic(mnemonic)
    }
}

impl From<Group> for Recipient {
    fn from(group: Group) -> Self {
        Self::Group(group)
    }
}

/// The sender of a message. Stamped by the manager; nothing a handler does can change it.
///
/// ```
/// use message_core::Recipient::Me;
/// use message_core::prelude::*;
/// use std::sync::mpsc;
///
/// #[derive(Message)]
/// struct Ping;
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn(());
/// let (log, senders) = mpsc::channel();
/// manager.subscribe(Filter::of::<Ping>(), move |_, cx| {
///     let _ = log.send(cx.sender());
/// });
/// manager.send(orc, Ping)?;
/// manager.speak_for(orc)?.send(Me, Ping)?;
/// assert_eq!(senders.recv()?, Sender::Outside);
/// assert_eq!(senders.recv()?.id(), Some(orc));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum Sender {
    /// Code outside every handler, that holds the manager itself.
    Outside,
    /// The manager, for the messages of [`lifecycle`](crate::lifecycle).
    Manager,
    /// A messagee: one of its handlers, or code that speaks for it through
    /// [`speak_for`](crate::MessageManager::speak_for).
    Messagee(MessageeId),
}

impl Sender {
    /// Returns the messagee that sent the message, or `None` when none did.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// assert_eq!(Sender::from(orc).id(), Some(orc));
    /// assert_eq!(Sender::Outside.id(), None);
    /// assert_eq!(Sender::Manager.id(), None);
    /// ```
    #[must_use]
    pub fn id(self) -> Option<MessageeId> {
        match self {
            Self::Messagee(id) => Some(id),
            Self::Outside | Self::Manager => None,
        }
    }
}

impl From<MessageeId> for Sender {
    fn from(id: MessageeId) -> Self {
        Self::Messagee(id)
    }
}
