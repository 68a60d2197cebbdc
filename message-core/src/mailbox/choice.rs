//! Choosing letters by what is written on them.

use crate::address::{MessageeId, Recipient, Sender};
use crate::error::Absence;
use crate::mailbox::{Mailboxes, Postmark};
use crate::structure::Structure;
use crate::tag::TagSet;

/// A choice among letters, by recipient, sender and tags.
#[derive(Clone, Copy)]
pub(crate) struct Choice<'a> {
    pub(super) mail: &'a Mailboxes,
    pub(super) structure: &'a Structure,
    /// The messagee that asks.
    me: Option<MessageeId>,
    pub(super) whose: To,
    pub(super) from: Option<Sender>,
    /// The empty set chooses every letter.
    pub(super) tags: TagSet,
}

/// A choice of letters by recipient.
#[derive(Clone, Copy)]
pub(super) enum To {
    Any,
    None,
    /// The letters for one messagee alone.
    Own(MessageeId),
    /// The letters that were written to exactly this recipient.
    Written(Recipient),
    /// The letters that mean a messagee, perhaps among others.
    Reaching(MessageeId),
}

impl<'a> Choice<'a> {
    /// Every letter, as somebody sees it.
    pub(crate) fn all(
        mail: &'a Mailboxes,
        structure: &'a Structure,
        me: Option<MessageeId>,
    ) -> Self {
        Self {
            mail,
            structure,
            me,
            whose: To::Any,
            from: None,
            tags: TagSet::EMPTY,
        }
    }

    pub(super) fn to(&mut self, recipient: Recipient) {
        self.whose = match self.structure.addresses.resolve(recipient) {
            Recipient::Id(id) => To::Own(id),
            Recipient::Me => self.me.map_or(To::None, To::Own),
            Recipient::Mnemonic(_) | Recipient::UpFrom(_) | Recipient::DownFrom(_) => To::None,
            written => To::Written(written),
        };
    }

    pub(super) fn reaching(&mut self, id: MessageeId) {
        self.whose = match self.structure.absence(id) {
            Some(Absence::OtherManager) => To::None,
            _ => To::Reaching(id),
        };
    }

    /// Returns `true` if the letters of a run are chosen. If an index has found those for one messagee, they are left out.
    pub(super) fn includes(&self, postmark: &Postmark, is_indexed: bool) -> bool {
        match (self.whose, postmark.address) {
            (To::Any, _) => true,
            (To::None, _) => false,
            (To::Written(to), _) => postmark.to == to,
            (To::Own(id), address) => address == Some(id),
            (To::Reaching(id), Some(address)) => !is_indexed && address == id,
            (To::Reaching(id), None) => {
                let Postmark { to, sender, .. } = *postmark;
                self.structure.is_meant(id, to, sender)
            }
        }
    }
}

/// The methods that every selection with a `choice` has: by which it is narrowed down, and what they
/// find.
macro_rules! selecting {
    ($mail:ty) => {
        /// Keeps only messages that were written to this recipient. An id finds all messages that were
        /// addressed to that messagee alone: by its id, by `Me`, or by a mnemonic that was bound to it then.
        /// A mnemonic refers to the messagee that is bound to it now, and `Me` to the messagee that asks:
        /// the one whose handler is running, or the one that
        /// [`speak_for`](crate::MessageManager::speak_for) speaks for. On the manager itself, `Me` finds
        /// nothing. `Everyone`, a group, a hook and the other recipients find only messages that were written
        /// to exactly that recipient.
        ///
        /// If both `to` and [`reaching`](Self::reaching) are called, the last call wins.
        ///
        /// ```
        /// use message_core::prelude::*;
        /// # use std::time::Duration;
        ///
        /// #[derive(Message)]
        /// struct Hit;
        ///
        /// let mut manager = MessageManager::new();
        /// let orc = manager.spawn(());
        /// manager.publish(orc, Hit)?;
        /// manager.publish(Everyone, Hit)?;
        /// assert_eq!(manager.published::<Hit>().to(orc).count(), 1);
        ///
        /// manager.tick(Duration::from_millis(16));
        /// assert_eq!(manager.inbox::<Hit>().to(orc).count(), 1);
        /// assert_eq!(manager.inbox_any().to(Everyone).count(), 1);
        /// # Ok::<(), SendError>(())
        /// ```
        pub fn to(mut self, recipient: impl Into<$crate::address::Recipient>) -> Self {
            self.choice.to(recipient.into());
            self
        }

        /// Keeps only what a send would have delivered to this messagee: what is for it alone, for
        /// `Everyone`, for `EveryoneElse` unless it is the sender, for a group that it belongs to
        /// now, and for a family that it belongs to now. For a messagee that is gone, this is what
        /// was for it alone and for everyone; for one of another manager, nothing.
        ///
        /// ```
        /// use message_core::prelude::*;
        /// # use std::time::Duration;
        ///
        /// group!(ORCS);
        ///
        /// #[derive(Message)]
        /// struct Hit;
        ///
        /// let mut manager = MessageManager::new();
        /// let (orc, elf) = (manager.spawn(()), manager.spawn(()));
        /// manager.join(ORCS, orc)?;
        /// manager.publish(Everyone, Hit)?;
        /// manager.publish(ORCS, Hit)?;
        /// assert_eq!(manager.published::<Hit>().reaching(orc).count(), 2);
        ///
        /// manager.tick(Duration::from_millis(16));
        /// assert_eq!(manager.inbox::<Hit>().reaching(orc).count(), 2);
        /// assert_eq!(manager.inbox_any().reaching(elf).count(), 1);
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        pub fn reaching(mut self, id: $crate::address::MessageeId) -> Self {
            self.choice.reaching(id);
            self
        }

        /// Keeps only what this sender published: a [`MessageeId`](crate::MessageeId), or a
        /// [`Sender`](crate::Sender). If it is called twice, the last call wins.
        ///
        /// ```
        /// use message_core::prelude::*;
        /// # use std::time::Duration;
        ///
        /// #[derive(Message)]
        /// struct Hit;
        ///
        /// let mut manager = MessageManager::new();
        /// let (orc, elf) = (manager.spawn(()), manager.spawn(()));
        /// manager.publish(orc, Hit)?;
        /// manager.speak_for(elf)?.publish(orc, Hit)?;
        /// assert_eq!(manager.published::<Hit>().from(elf).count(), 1);
        ///
        /// manager.tick(Duration::from_millis(16));
        /// assert_eq!(manager.inbox::<Hit>().from(Sender::Outside).count(), 1);
        /// assert_eq!(manager.inbox_any().from(orc).count(), 0);
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        pub fn from(mut self, sender: impl Into<$crate::address::Sender>) -> Self {
            self.choice.from = Some(sender.into());
            self
        }

        /// Keeps only messages with at least one of these tags. Published messages have the tags of their
        /// type. The empty set is no condition. If it is called twice, the last call wins.
        ///
        /// ```
        /// use message_core::prelude::*;
        /// # use std::time::Duration;
        ///
        /// tag!(NOISE);
        ///
        /// #[derive(Message)]
        /// #[message(tags(NOISE))]
        /// struct Shot;
        ///
        /// #[derive(Message)]
        /// struct Step;
        ///
        /// let mut manager = MessageManager::new();
        /// manager.publish(Everyone, Shot)?;
        /// manager.publish(Everyone, Step)?;
        /// assert!(manager.published::<Step>().tagged(NOISE).is_empty());
        ///
        /// manager.tick(Duration::from_millis(16));
        /// assert_eq!(manager.inbox_any().tagged(NOISE).count(), 1);
        /// assert_eq!(manager.inbox::<Shot>().tagged(NOISE).count(), 1);
        /// # Ok::<(), SendError>(())
        /// ```
        pub fn tagged(mut self, tags: impl Into<$crate::tag::TagSet>) -> Self {
            self.choice.tags = tags.into();
            self
        }

        /// Returns `true` if no mail is selected.
        ///
        /// ```
        /// use message_core::prelude::*;
        /// # use std::time::Duration;
        ///
        /// #[derive(Message)]
        /// struct Hit;
        ///
        /// let mut manager = MessageManager::new();
        /// manager.publish(Everyone, Hit)?;
        /// assert!(!manager.published::<Hit>().is_empty());
        /// assert!(manager.inbox::<Hit>().is_empty()); // It is found in the next frame.
        ///
        /// manager.tick(Duration::from_millis(16));
        /// assert!(!manager.inbox::<Hit>().is_empty());
        /// assert!(!manager.inbox_any().is_empty());
        /// # Ok::<(), SendError>(())
        /// ```
        #[must_use]
        pub fn is_empty(&self) -> bool {
            self.first().is_none()
        }

        /// Returns the number of selected letters, by walking through them.
        ///
        /// ```
        /// use message_core::prelude::*;
        /// # use std::time::Duration;
        ///
        /// #[derive(Message)]
        /// struct Hit;
        ///
        /// let mut manager = MessageManager::new();
        /// for _ in 0..3 {
        ///     manager.publish(Everyone, Hit)?;
        /// }
        /// assert_eq!(manager.published::<Hit>().count(), 3);
        ///
        /// manager.tick(Duration::from_millis(16));
        /// assert_eq!(manager.inbox::<Hit>().count(), 3);
        /// assert_eq!(manager.inbox_any().count(), 3);
        /// # Ok::<(), SendError>(())
        /// ```
        #[must_use]
        pub fn count(&self) -> usize {
            self.iter().count()
        }

        /// Returns the selected letter that was published first, or `None` if no mail is selected.
        ///
        /// ```
        /// use message_core::prelude::*;
        /// # use std::time::Duration;
        ///
        /// #[derive(Message)]
        /// struct Bid(u32);
        ///
        /// let mut manager = MessageManager::new();
        /// for price in [30, 50] {
        ///     manager.publish(Everyone, Bid(price))?;
        /// }
        /// let pending = manager.published::<Bid>();
        /// assert_eq!(pending.first().map(|bid| bid.0), Some(30));
        /// drop(pending);
        ///
        /// manager.tick(Duration::from_millis(16));
        /// assert_eq!(manager.inbox::<Bid>().first().map(|bid| bid.0), Some(30));
        /// let first = manager.inbox_any().first();
        /// assert!(first.is_some_and(|mail| mail.is::<Bid>()));
        /// # Ok::<(), SendError>(())
        /// ```
        #[must_use]
        pub fn first(&self) -> Option<$mail> {
            self.iter().next()
        }
    };
}

pub(super) use selecting;
