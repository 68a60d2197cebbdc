//! One letter, as its reader sees it.

use std::fmt;
use std::ops::Deref;
use std::panic::Location;

use crate::address::{Recipient, Sender};
use crate::mailbox::{Letters, Postmark};
use crate::message::AnyMessage;
use crate::time::Moment;
use crate::trace::TraceId;

/// A message that was published, with what is written on it; from an
/// [`Inbox`](crate::mailbox::Inbox) or from [`Published`](crate::mailbox::Published). It derefs to the
/// message.
///
/// ```
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Noise { volume: u32 }
///
/// let mut manager = MessageManager::new();
/// for volume in [3, 7] {
///     manager.publish(Everyone, Noise { volume })?;
/// }
/// manager.tick(Duration::from_millis(16));
///
/// let mail = manager.inbox::<Noise>().first().expect("two were published");
/// assert_eq!(mail.volume, 3); // The message itself.
/// assert_eq!(mail.sender(), Sender::Outside);
/// assert_eq!(mail.recipient(), Everyone);
/// # Ok::<(), SendError>(())
/// ```
pub struct Mail<'a, M: ?Sized> {
    message: &'a M,
    letters: &'a Letters,
    at: u32,
}

/// Like [`Mail`], but of any type; from an [`AnyInbox`](crate::mailbox::AnyInbox). It dereferences to
/// [`dyn AnyMessage`](AnyMessage), which has the name and the id of its type, and can be downcast.
///
/// ```
/// use message_core::prelude::*;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Noise { volume: u32 }
///
/// let mut manager = MessageManager::new();
/// for volume in [3, 7] {
///     manager.publish(Everyone, Noise { volume })?;
/// }
/// manager.tick(Duration::from_millis(16));
///
/// let mail = manager.inbox_any().first().expect("two were published");
/// assert_eq!((mail.name(), mail.id()), (Noise::NAME, Noise::ID));
/// assert_eq!(mail.downcast_ref::<Noise>().map(|noise| noise.volume), Some(3));
/// assert_eq!(mail.sender(), Sender::Outside);
/// # Ok::<(), SendError>(())
/// ```
pub type AnyMail<'a> = Mail<'a, dyn AnyMessage>;

impl<'a, M: ?Sized> Mail<'a, M> {
    /// The letter whose message is stored there.
    pub(super) fn new(message: &'a M, letters: &'a Letters, at: u32) -> Self {
        Self {
            message,
            letters,
            at,
        }
    }

    /// Returns the message itself, for as long as the letter can be read: longer than this `Mail`,
    /// which derefs to it only for as long as it lives itself.
    ///
    /// ```
    /// use message_core::mailbox::Inbox;
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Hit { damage: u32 }
    ///
    /// fn hardest<'a>(inbox: Inbox<'a, Hit>) -> Option<&'a Hit> {
    ///     inbox.iter().map(|mail| mail.message()).max_by_key(|hit| hit.damage)
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// for damage in [3, 9, 5] {
    ///     manager.publish(Everyone, Hit { damage })?;
    /// }
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(hardest(manager.inbox()).map(|hit| hit.damage), Some(9));
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn message(&self) -> &'a M {
        self.message
    }

    /// Returns who has published it. The manager stamps the sender, so it can be trusted.
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
    /// manager.speak_for(elf)?.publish(orc, Hit)?;
    /// manager.tick(Duration::from_millis(16));
    /// for mail in manager.inbox::<Hit>() {
    ///     assert_eq!(mail.sender(), Sender::Messagee(elf));
    /// }
    /// for mail in manager.inbox_any() {
    ///     assert_eq!(mail.sender(), Sender::Messagee(elf));
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sender(&self) -> Sender {
        self.postmark().sender
    }

    /// Returns where it was published to, as the sender wrote it: a mnemonic stays a mnemonic,
    /// also if it is bound to another messagee now.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// # use std::time::Duration;
    ///
    /// mnemonic!(BOSS);
    ///
    /// #[derive(Message)]
    /// struct Hit;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// manager.bind(BOSS, orc)?;
    /// manager.publish(BOSS, Hit)?;
    /// manager.tick(Duration::from_millis(16));
    /// for mail in manager.inbox::<Hit>().to(orc) {
    ///     assert_eq!(mail.recipient(), Recipient::Mnemonic(BOSS));
    /// }
    /// for mail in manager.inbox_any().to(orc) {
    ///     assert_eq!(mail.recipient(), Recipient::Mnemonic(BOSS));
    /// }
    /// # assert!(!manager.inbox::<Hit>().to(orc).is_empty());
    /// # assert!(!manager.inbox_any().to(orc).is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn recipient(&self) -> Recipient {
        self.postmark().to
    }

    /// Returns the place in the source of the call that published it.
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
    /// manager.tick(Duration::from_millis(16));
    /// let hit = manager.inbox::<Hit>().first().expect("it was published");
    /// assert_eq!(hit.place().file(), file!());
    /// let any = manager.inbox_any().first().expect("it was published");
    /// assert_eq!(any.place(), hit.place());
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn place(&self) -> &'static Location<'static> {
        self.postmark().place
    }

    /// Returns its number, if it was published while the manager was traced: the cause of what is
    /// done about it, by [`with_cause`](crate::MessageManager::with_cause). `None` if the manager
    /// was not traced then.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::Recorder;
    /// # use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Hit;
    ///
    /// let mut manager = MessageManager::new();
    /// Recorder::new(100).start(&mut manager);
    /// manager.publish(Everyone, Hit)?;
    /// manager.tick(Duration::from_millis(16));
    /// let hit = manager.inbox::<Hit>().first().and_then(|mail| mail.trace_id());
    /// assert_eq!(hit.map(|number| number.get()), Some(1));
    /// let any = manager.inbox_any().first().and_then(|mail| mail.trace_id());
    /// assert_eq!(any, hit);
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn trace_id(&self) -> Option<TraceId> {
        self.postmark().trace
    }

    /// Returns when it was published: the scaled time, and the number of the frame.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// # use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Hit;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.tick(Duration::from_millis(16));
    /// manager.publish(Everyone, Hit)?;
    /// manager.tick(Duration::from_millis(16));
    /// let hit = manager.inbox::<Hit>().first().expect("it was published");
    /// assert_eq!(hit.published().frame, 1);
    /// assert_eq!(hit.published().time, Duration::from_millis(16));
    /// let any = manager.inbox_any().first().expect("it was published");
    /// assert_eq!(any.published(), hit.published());
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn published(&self) -> Moment {
        Moment::at(self.postmark().time, self.letters.postmarks.frame)
    }

    pub(super) fn postmark(&self) -> Postmark {
        self.letters.postmarks.get(self.at)
    }
}

impl<M: ?Sized> Clone for Mail<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: ?Sized> Copy for Mail<'_, M> {}

impl<M: ?Sized> Deref for Mail<'_, M> {
    type Target = M;

    fn deref(&self) -> &M {
        self.message
    }
}

/// Prints the message as [`AnyMessage`] does, the sender and the recipient.
impl<M: ?Sized> fmt::Debug for Mail<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mail")
            .field("message", &self.letters.message(self.at))
            .field("sender", &self.sender())
            .field("recipient", &self.recipient())
            .finish_non_exhaustive()
    }
}
