//! The manager's mailboxes.

use std::panic::Location;

use crate::address::{MessageeId, Recipient, Sender};
use crate::error::SendError;
use crate::input::Input;
use crate::mailbox::{AnyInbox, Choice, Inbox, Pending, Unpublished};
use crate::manager::{AsMessagee, MailWriter, MessageManager};
use crate::message::{AnyMessage, Message};
use crate::world::World;

impl MessageManager {
    /// Publishes a message, which can be read in the [`inbox`](Self::inbox) of its type in the next frame. No
    /// handler, subscriber or interceptor receives it.
    ///
    /// All messages that are published in a frame appear together in the next one. A mnemonic is resolved
    /// now: the message is for the messagee that is currently bound to it. A message published to a messagee
    /// can still be found after that messagee is despawned. A message published to a hook is for its
    /// messagee.
    ///
    /// ```
    /// use std::time::Duration;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Sighted { distance: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// manager.publish(orc, Sighted { distance: 40 })?;
    /// assert!(manager.inbox::<Sighted>().is_empty());
    ///
    /// manager.tick(Duration::from_millis(16));
    /// for mail in manager.inbox::<Sighted>().to(orc) {
    ///     assert_eq!((mail.distance, mail.sender()), (40, Sender::Outside));
    /// }
    /// assert_eq!(manager.inbox::<Sighted>().count(), 1);
    ///
    /// manager.tick(Duration::from_millis(16));
    /// assert!(manager.inbox::<Sighted>().is_empty());
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Gone`](crate::SendErrorKind::Gone) and [`OtherManager`](crate::SendErrorKind::OtherManager) if the
    /// messagee or the hook does not exist in this manager, [`Unbound`](crate::SendErrorKind::Unbound),
    /// [`NoSender`](crate::SendErrorKind::NoSender) for `Me` and `EveryoneElse` from outside,
    /// [`Elsewhere`](crate::SendErrorKind::Elsewhere) for a proxy,
    /// [`MailboxFull`](crate::SendErrorKind::MailboxFull),
    /// [`Unregistered`](crate::SendErrorKind::Unregistered).
    ///
    /// # Panics
    ///
    /// Panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](Self::settle).
    #[track_caller]
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "each message of a loop that publishes comes this way; W6-pass"
    )]
    pub fn publish<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<(), SendError> {
        let (to, place) = (to.into(), Location::caller());
        self.settle();
        let World {
            mail, structure, ..
        } = self.no_input();
        let is_here = |id| structure.messagees.is_here(id);
        match mail.go_on(to, place, is_here, message) {
            // It belongs to the run of the last one.
            Ok(()) => Ok(()),
            Err(message) => self.publish_anew(to, place, &mut Some(message)),
        }
    }

    /// Publishes a message whose type is not known here. It does the same as [`publish`](Self::publish) with
    /// the message itself: the message can be found by its type, too.
    ///
    /// ```
    /// use message_core::AnyMessage;
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Fog { density: u32 }
    ///
    /// #[derive(Message)]
    /// struct Rain;
    ///
    /// let mut manager = MessageManager::new();
    /// let weather: Vec<Box<dyn AnyMessage>> = vec![Box::new(Fog { density: 3 }), Box::new(Rain)];
    /// for message in weather {
    ///     manager.publish_any(Everyone, message)?;
    /// }
    /// manager.publish(Everyone, Fog { density: 4 })?;
    ///
    /// manager.tick(Duration::from_millis(16));
    /// let fog = manager.inbox::<Fog>().iter().map(|mail| mail.density);
    /// assert!(fog.eq([3, 4]));
    /// assert_eq!(manager.inbox_any().count(), 3);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`publish`](Self::publish). The message is dropped then, as it is there.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`publish`](Self::publish).
    #[track_caller]
    pub fn publish_any(
        &mut self,
        to: impl Into<Recipient>,
        message: Box<dyn AnyMessage>,
    ) -> Result<(), SendError> {
        AsMessagee::new(self, Sender::Outside).publish_any(to, message)
    }

    /// Publishes a message that begins a run.
    #[cold]
    #[inline(never)]
    fn publish_anew(
        &mut self,
        to: Recipient,
        place: &'static Location<'static>,
        message: &mut dyn Unpublished,
    ) -> Result<(), SendError> {
        AsMessagee::new(self, Sender::Outside).publish_one(to, place, message)
    }

    /// Publishes messages to one recipient, one after another, until the first error. This is equivalent to
    /// calling [`publish`](Self::publish) for each message, but faster: the work that they have in common is
    /// done once.
    ///
    /// Messages that were published before an error, or before the iterator panics, stay published. If there
    /// are no messages, no error is returned.
    ///
    /// ```
    /// use std::time::Duration;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Spark { angle: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let fire = manager.spawn(());
    /// manager.publish_each(fire, (0..360).map(|angle| Spark { angle }))?;
    ///
    /// manager.tick(Duration::from_millis(16));
    /// let sparks = manager.inbox::<Spark>().to(fire);
    /// assert!(sparks.iter().map(|spark| spark.angle).eq(0..360));
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`publish`](Self::publish).
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`publish`](Self::publish), and if the iterator panics.
    #[track_caller]
    pub fn publish_each<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        messages: impl IntoIterator<Item = M>,
    ) -> Result<(), SendError> {
        AsMessagee::new(self, Sender::Outside).publish_each(to, messages)
    }

    /// Makes a writer that publishes messages of one type to one recipient in a loop. The recipient is
    /// checked now, so that each message takes less time than with [`publish`](Self::publish).
    ///
    /// ```
    /// use std::time::Duration;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Moved { by: i32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let camera = manager.spawn(());
    /// let mut moved = manager.writer::<Moved>(camera)?;
    /// for by in (-3..=3).filter(|&by| by != 0) {
    ///     moved.publish(Moved { by })?;
    /// }
    ///
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(manager.inbox::<Moved>().to(camera).count(), 6);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`publish`](Self::publish), except
    /// [`MailboxFull`](crate::SendErrorKind::MailboxFull), which [`MailWriter::publish`] returns.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`publish`](Self::publish).
    #[track_caller]
    pub fn writer<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
    ) -> Result<MailWriter<'_, M>, SendError> {
        let place = Location::caller();
        MailWriter::new(AsMessagee::new(self, Sender::Outside), to.into(), place)
    }

    /// Returns the messages of one type that were published in the last frame, to choose from by
    /// recipient, sender and what they say, or with a cursor, as far back as they are kept.
    ///
    /// A type that is not in the [registry](crate::registry()) has no mail.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Blast { power: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let [orc, elf] = [(); 2].map(|()| manager.spawn(()));
    /// manager.publish(orc, Blast { power: 3 })?;
    /// manager.publish(elf, Blast { power: 4 })?;
    /// manager.publish(Everyone, Blast { power: 1 })?;
    /// manager.tick(Duration::from_millis(16));
    ///
    /// assert_eq!(manager.inbox::<Blast>().to(orc).count(), 1);
    /// let powers = manager.inbox::<Blast>().reaching(orc).iter().map(|blast| blast.power);
    /// assert!(powers.eq([3, 1])); // In the order published.
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn inbox<M: Message>(&self) -> Inbox<'_, M> {
        Inbox::new(self.all_mail(None))
    }

    /// Returns the messages of all types that were published in the last frame, in the order sent.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// #[message(name = "doc.inbox_any.blast")]
    /// struct Blast;
    ///
    /// #[derive(Message)]
    /// #[message(name = "doc.inbox_any.scream")]
    /// struct Scream;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.publish(Everyone, Scream)?;
    /// manager.publish(Everyone, Blast)?;
    /// manager.tick(Duration::from_millis(16));
    /// let names = manager.inbox_any().iter().map(|mail| mail.name());
    /// assert!(names.eq(["doc.inbox_any.scream", "doc.inbox_any.blast"]));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn inbox_any(&self) -> AnyInbox<'_> {
        AnyInbox::new(self.all_mail(None))
    }

    /// Returns the messages of one type that have been published in this frame so far, and will be
    /// found in the next.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Scream;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.publish(Everyone, Scream)?;
    /// assert_eq!((manager.pending::<Scream>().count(), manager.inbox::<Scream>().count()), (1, 0));
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!((manager.pending::<Scream>().count(), manager.inbox::<Scream>().count()), (0, 1));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn pending<M: Message>(&self) -> Pending<'_, M> {
        Pending::new(self.all_mail(None))
    }

    /// Sets the number of frames for which messages of a type can be found, from the next frame on. The
    /// default is 1. A message published in frame f can be found in the frames from f + 1 to f + `frames`: in
    /// the first of them with [`inbox`](Self::inbox), which this does not affect, and in all of them with a
    /// [cursor](crate::mailbox::Inbox::since). With 0, it is never found.
    ///
    /// ```
    /// use std::time::Duration;
    /// use message_core::mailbox::Cursor;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Noise;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.set_mail_retention::<Noise>(3);
    /// let mut cursor = Cursor::<Noise>::new();
    /// for _ in 0..5 {
    ///     manager.publish(Everyone, Noise)?;
    ///     manager.tick(Duration::from_millis(16));
    /// }
    /// assert_eq!(manager.inbox::<Noise>().count(), 1);
    /// assert_eq!(manager.inbox::<Noise>().since(&mut cursor).count(), 3);
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics if the [registry](crate::registry()) does not know the message type, or if a handler panics
    /// while this call settles what an earlier panic left pending; see [`settle`](Self::settle).
    pub fn set_mail_retention<M: Message>(&mut self, frames: u64) {
        let Some(of) = M::FACTS.index() else {
            panic!(
                "`{}` has no mailbox: its type is not in the registry; register it with \
                 `Registry::builder()` before the first manager is made",
                M::NAME
            );
        };
        self.no_input().changes().take_up();
        let outermost = self.input(|| Input::SetMailRetention(M::ID, frames));
        outermost.0.mail.set_retention(of, frames);
    }

    /// Returns all mail, as that messagee sees it.
    pub(super) fn all_mail(&self, me: Option<MessageeId>) -> Choice<'_> {
        Choice::all(&self.world.mail, &self.world.structure, me)
    }
}
