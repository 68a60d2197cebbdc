//! Selections of pending messages, and the data that is shown of each.

use std::time::Duration;

use crate::address::{HookId, Recipient, Sender};
use crate::header::{Interval, PostKey};
use crate::message::{Message, MessageId};
use crate::post::Ticket;
use crate::post::schedule::Found;
use crate::tag::TagSet;
use crate::time::{Moment, Stage};

/// A choice among pending messages, for [`cancel`](crate::MessageManager::cancel),
/// [`has_pending`](crate::MessageManager::has_pending) and
/// [`pending_posts`](crate::MessageManager::pending_posts).
///
/// A [`Ticket`], a [`PostKey`] and the name of a key convert into the choice of the one message they
/// name (by `into`, since [`from`](Self::from) chooses by the sender), and that is found at once. The first cancelling by a recipient or a sender builds an index of
/// all pending messages; as long as there is one, such choices look only at what they mean. The other
/// choices look at every pending message of the type they name, or of all types.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Reload;
///
/// let mut manager = MessageManager::new();
/// let gun = manager.spawn(());
/// let soon = Header::to(gun).after_frames(3).build()?;
/// let ticket = manager.post(&soon, Reload)?;
///
/// assert!(manager.has_pending(ticket));
/// assert!(manager.has_pending(Posts::of::<Reload>().to(gun)));
/// assert!(!manager.has_pending(Posts::all().from(gun)));
/// assert_eq!(manager.cancel(Posts::of::<Reload>().to(gun)), 1);
/// assert!(!manager.has_pending(ticket));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct Posts {
    pub(crate) named: Option<Named>,
    pub(crate) message: Option<MessageId>,
    pub(crate) from: Option<Sender>,
    pub(crate) to: Option<Recipient>,
    pub(crate) tags: Option<TagSet>,
    pub(crate) stage: Option<Stage>,
}

/// The name of one pending message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Named {
    Ticket(Ticket),
    Key(PostKey),
}

impl Posts {
    /// Chooses every pending message.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.post(Header::to(Everyone).after_frames(1), Ping)?;
    /// manager.post(Header::to(Everyone).after_frames(2), Ping)?;
    /// assert_eq!(manager.pending_posts(Posts::all()).len(), 2);
    /// assert_eq!(manager.cancel(Posts::all()), 2);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn all() -> Self {
        Self::default()
    }

    /// Chooses every pending message of that type.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Burn;
    ///
    /// #[derive(Message)]
    /// struct Freeze;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.post(Header::to(Everyone).after_frames(1), Burn)?;
    /// assert!(manager.has_pending(Posts::of::<Burn>()));
    /// assert!(!manager.has_pending(Posts::of::<Freeze>()));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn of<M: Message>() -> Self {
        Self {
            message: Some(M::ID),
            ..Self::default()
        }
    }

    /// Keeps only the messages that this sender has posted: a [`MessageeId`](crate::MessageeId), or a
    /// [`Sender`]. If it is called twice, the last call wins.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Spell;
    ///
    /// let mut manager = MessageManager::new();
    /// let mage = manager.spawn(());
    /// let later = Header::to(Everyone).after_frames(3).build()?;
    /// manager.post(&later, Spell)?;
    /// manager.speak_for(mage)?.post(&later, Spell)?;
    /// assert_eq!(manager.cancel(Posts::all().from(mage)), 1);
    /// assert!(manager.has_pending(Posts::all().from(Sender::Outside)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from(mut self, sender: impl Into<Sender>) -> Self {
        self.from = Some(sender.into());
        self
    }

    /// Keeps only the messages that were posted to this recipient: as the sender wrote it, or by `Me`
    /// to the sender itself. If it is called twice, the last call wins.
    ///
    /// ```
    /// use message_core::Recipient::Me;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Burn;
    ///
    /// let mut manager = MessageManager::new();
    /// let (orc, elf) = (manager.spawn(()), manager.spawn(()));
    /// let later = Header::to(orc).after_frames(3).build()?;
    /// manager.post(&later, Burn)?;
    /// manager.speak_for(elf)?.post_to(Me, &later, Burn)?;
    /// assert_eq!(manager.pending_posts(Posts::of::<Burn>().to(orc)).len(), 1);
    /// assert_eq!(manager.pending_posts(Posts::of::<Burn>().to(elf)).len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to(mut self, recipient: impl Into<Recipient>) -> Self {
        self.to = Some(recipient.into());
        self
    }

    /// Keeps only the messages with any of these tags, by their header or their type. The empty set
    /// is no condition. If it is called twice, the last call wins.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// tag!(MAGIC);
    ///
    /// #[derive(Message)]
    /// struct Strike;
    ///
    /// let mut manager = MessageManager::new();
    /// let later = Header::to(Everyone).after_frames(3);
    /// manager.post(later, Strike)?;
    /// manager.post(later.tags(MAGIC), Strike)?;
    /// assert_eq!(manager.cancel(Posts::of::<Strike>().tagged(MAGIC)), 1);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn tagged(mut self, tags: impl Into<TagSet>) -> Self {
        self.tags = Some(tags.into()).filter(|tags| !tags.is_empty());
        self
    }

    /// Keeps only the messages that wait for this stage. If it is called twice, the last call wins.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Draw;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.post(Header::to(Everyone).stage(Stage::LateUpdate), Draw)?;
    /// assert!(manager.has_pending(Posts::all().stage(Stage::LateUpdate)));
    /// assert!(!manager.has_pending(Posts::all().stage(Stage::Update)));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn stage(mut self, stage: Stage) -> Self {
        self.stage = Some(stage);
        self
    }

    /// The recipient that is meant, if one is: not `Me`, which is another one for each sender.
    pub(crate) fn recipient(&self) -> Option<Recipient> {
        self.to.filter(|to| *to != Recipient::Me)
    }

    /// Puts that sender in the place of `Me`, and its own key in the place of a name.
    #[doc(hidden)]
    #[inline]
    pub fn seen_from(mut self, sender: Sender) -> Self {
        if let Some(Named::Key(key)) = self.named {
            self.named = Some(Named::Key(key.seen_from(sender.id())));
        }
        if let (Some(Recipient::Me), Sender::Messagee(id)) = (self.to, sender) {
            self.to = Some(Recipient::Id(id));
        }
        self
    }

    /// Returns `true` if a message is meant, given that it has the name that is asked for.
    pub(crate) fn covers(&self, post: &Found) -> bool {
        let (record, sender) = (&post.record, post.record.sender());
        let tags = record.meta.tags | post.facts.tags();
        let is_to = |to: Recipient| record.to.own(sender) == to.own(sender);
        self.message.is_none_or(|message| post.facts.id == message)
            && self.from.is_none_or(|from| sender == from)
            && self.to.is_none_or(is_to)
            && self.tags.is_none_or(|any| tags.intersects(any))
            && self.stage.is_none_or(|stage| record.meta.stage == stage)
    }
}

impl From<Ticket> for Posts {
    fn from(ticket: Ticket) -> Self {
        Self {
            named: Some(Named::Ticket(ticket)),
            ..Self::default()
        }
    }
}

impl From<PostKey> for Posts {
    fn from(key: PostKey) -> Self {
        Self {
            named: Some(Named::Key(key)),
            ..Self::default()
        }
    }
}

/// The message under the key of that name of who asks.
impl From<&'static str> for Posts {
    fn from(key: &'static str) -> Self {
        PostKey::from(key).into()
    }
}

/// When a pending message is due.
///
/// ```
/// use message_core::prelude::*;
/// use message_core::post::Due;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Ping;
///
/// let mut manager = MessageManager::new();
/// let later = Header::to(Everyone).after(Duration::from_secs(1)).build()?;
/// let ticket = manager.post(&later, Ping)?;
///
/// let pending = manager.pending_posts(ticket);
/// assert_eq!(pending[0].due, Due::At(Duration::from_secs(1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Due {
    /// In the next pass of its stage. It has been due since this moment of the scaled clock.
    Now(Duration),
    /// At this moment of the scaled clock.
    At(Duration),
    /// In this frame.
    Frame(u64),
    /// At this moment of the unscaled clock, or since then.
    Unscaled(Duration),
}

impl Due {
    /// Returns the sort key: the clock, and the reading of that clock.
    pub(crate) fn order(self) -> (u8, u128) {
        match self {
            Self::Now(time) | Self::At(time) => (0, time.as_nanos()),
            Self::Frame(frame) => (1, u128::from(frame)),
            Self::Unscaled(time) => (2, time.as_nanos()),
        }
    }
}

/// A message that is pending, as [`pending_posts`](crate::MessageManager::pending_posts) lists it.
///
/// ```
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Ping;
///
/// let mut manager = MessageManager::new();
/// let later = Header::to(Everyone).after(Duration::from_secs(1)).build()?;
/// let ticket = manager.post(&later, Ping)?;
///
/// let pending = manager.pending_posts(Posts::all());
/// assert_eq!(pending.len(), 1);
/// assert_eq!((pending[0].ticket, pending[0].message), (ticket, Ping::NAME));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PendingPost {
    /// Its ticket.
    pub ticket: Ticket,
    /// The name of its type.
    pub message: &'static str,
    /// The id of its type.
    pub id: MessageId,
    /// Its sender.
    pub sender: Sender,
    /// Where it goes, as the sender wrote it.
    pub recipient: Recipient,
    /// The stage that it waits for.
    pub stage: Stage,
    /// When it is due.
    pub due: Due,
    /// When it was posted.
    pub posted: Moment,
    /// Its tags, and those of its type.
    pub tags: TagSet,
    /// Its key, if it has one.
    pub key: Option<PostKey>,
    /// The component with which it ends, if there is one.
    pub until: Option<HookId>,
    /// How many deliveries are left; `None` when it repeats without end.
    pub deliveries: Option<u64>,
    /// The time from one delivery to the next; `None` when it does not repeat.
    pub period: Option<Interval>,
}
