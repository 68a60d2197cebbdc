//! One letter, as its reader sees it.

use std::fmt;
use std::ops::Deref;
use std::panic::Location;

use super::letters::{Letters, Page};
use crate::address::{Recipient, Sender};
use crate::message::{AnyMessage, Message, MessageId};
use crate::time::Moment;
use crate::trace::TraceId;

/// A message that was published, with what is written on it; from an [`Inbox`](crate::mailbox::Inbox) or
/// from [`Pending`](crate::mailbox::Pending). It derefs to the message.
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
pub struct Mail<'a, M> {
    pub(super) page: Page<'a, M>,
    pub(super) slot: u32,
}

/// As [`Mail`], of any type; from an [`AnyInbox`](crate::mailbox::AnyInbox). It derefs to
/// [`dyn AnyMessage`](AnyMessage), which can be downcast.
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
/// assert_eq!(mail.downcast_ref::<Noise>().map(|noise| noise.volume), Some(3));
/// assert_eq!(mail.sender(), Sender::Outside);
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, Copy)]
pub struct AnyMail<'a> {
    pub(super) letters: &'a Letters,
    pub(super) slot: u32,
}

/// What can be read on every letter.
macro_rules! written {
    () => {
        /// Who has published it. Stamped by the manager, so it can be trusted.
        #[must_use]
        pub fn sender(&self) -> Sender {
            self.letters().covers().mark_of_slot(self.slot).sender
        }

        /// Where it was published to, as the sender wrote it.
        #[must_use]
        pub fn recipient(&self) -> Recipient {
            let covers = self.letters().covers();
            covers.recipient(covers.position(self.slot))
        }

        /// Where in the source it was published.
        #[must_use]
        pub fn place(&self) -> &'static Location<'static> {
            self.letters().covers().mark_of_slot(self.slot).place
        }

        /// Its number, if it was published while the manager was traced: the cause of what is done
        /// about it, by [`with_cause`](crate::MessageManager::with_cause).
        #[must_use]
        pub fn trace_id(&self) -> Option<TraceId> {
            self.letters().covers().mark_of_slot(self.slot).trace
        }

        /// When it was published: the scaled time, and the frame.
        #[must_use]
        pub fn published(&self) -> Moment {
            let covers = self.letters().covers();
            covers.published(covers.position(self.slot))
        }
    };
}

impl<'a, M: Message> Mail<'a, M> {
    /// Returns the message itself, for as long as the letter can be read.
    #[inline]
    #[must_use]
    pub fn message(&self) -> &'a M {
        self.page.message(self.slot)
    }

    fn letters(&self) -> &'a Letters {
        self.page.letters()
    }

    written!();
}

impl<'a> AnyMail<'a> {
    /// Returns the message itself, for as long as the letter can be read.
    #[must_use]
    pub fn message(&self) -> &'a dyn AnyMessage {
        self.letters.any_message(self.slot)
    }

    /// Returns the name of the message's type.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.message().name()
    }

    /// Returns the id of the message's type.
    #[must_use]
    pub fn id(&self) -> MessageId {
        self.message().id()
    }

    fn letters(&self) -> &'a Letters {
        self.letters
    }

    written!();
}

impl<M> Clone for Mail<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Mail<'_, M> {}

impl<M: Message> Deref for Mail<'_, M> {
    type Target = M;

    #[inline]
    fn deref(&self) -> &M {
        self.message()
    }
}

impl Deref for AnyMail<'_> {
    type Target = dyn AnyMessage;

    fn deref(&self) -> &Self::Target {
        self.message()
    }
}

/// Prints the message as [`AnyMessage`] does, the sender and the recipient.
impl<M: Message> fmt::Debug for Mail<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (letters, slot) = (self.page.letters(), self.slot);
        fmt::Debug::fmt(&AnyMail { letters, slot }, f)
    }
}

impl fmt::Debug for AnyMail<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Mail")
            .field("message", &self.message())
            .field("sender", &self.sender())
            .field("recipient", &self.recipient())
            .finish_non_exhaustive()
    }
}
