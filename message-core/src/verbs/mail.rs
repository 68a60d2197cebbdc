//! Publishing messages and reading them.

use std::panic::Location;

use crate::address::Recipient;
use crate::error::SendError;
use crate::mailbox::{AnyInbox, Inbox, Published};
use crate::manager::{MailWriter, SpeakingFor};
use crate::message::{AnyMessage, Message};
use crate::send::Speaker;

verbs! {
    /// Publishes a message, which can be read in the [`inbox`](Self::inbox) of its type in the next frame. No
    /// handler, subscriber or interceptor receives it. The sender is the same as for [`send`](Self::send).
    ///
    /// All messages that are published in a frame appear together in the next one. A mnemonic is resolved
    /// now: the message is for the messagee that is currently bound to it. A message published to a messagee
    /// can still be found after that messagee is despawned. A message published to a hook is for its
    /// messagee.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Walk;
    ///
    /// #[derive(Message)]
    /// struct Footprint { depth: u32 }
    ///
    /// struct Legs;
    ///
    /// #[handlers]
    /// impl Legs {
    ///     #[on_receive]
    ///     fn walk(&mut self, _: &Walk, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         cx.publish(Everyone, Footprint { depth: 2 })
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn((Legs,));
    /// manager.publish(orc, Footprint { depth: 40 })?;
    /// manager.send(orc, Walk)?;
    /// assert!(manager.inbox::<Footprint>().is_empty());
    ///
    /// manager.tick(Duration::from_millis(16));
    /// for mail in manager.inbox::<Footprint>().to(orc) {
    ///     assert_eq!((mail.depth, mail.sender()), (40, Sender::Outside));
    /// }
    /// assert_eq!(manager.inbox::<Footprint>().from(orc).count(), 1);
    /// assert_eq!(manager.inbox::<Footprint>().count(), 2);
    ///
    /// manager.tick(Duration::from_millis(16));
    /// assert!(manager.inbox::<Footprint>().is_empty());
    /// # Ok::<(), SendError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`Gone`](crate::Absence::Gone) and [`OtherManager`](crate::Absence::OtherManager) if the
    /// messagee or the hook does not exist in this manager, or `speak_for` speaks for one that has been despawned,
    /// [`Unbound`](crate::Absence::Unbound), [`NoSender`](crate::SendErrorKind::NoSender) for `Me` and
    /// `EveryoneElse` from outside, [`Elsewhere`](crate::Absence::Elsewhere) for a proxy,
    /// [`AtLimit`](crate::SendErrorKind::AtLimit),
    /// [`Unregistered`](crate::SendErrorKind::Unregistered).
    ///
    /// # Panics
    ///
    /// From outside, panics if a handler panics while this call settles what an earlier panic left pending; see
    /// [`settle`](crate::MessageManager::settle).
    #[track_caller]
    #[inline]
    pub fn publish<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
        message: M,
    ) -> Result<(), SendError> {
        self.publish_one(to.into(), Location::caller(), message)
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
        self.publish_held(to.into(), Location::caller(), &mut Some(message))
    }

    /// Publishes messages to one recipient, one after another, until the first error. This is equivalent to
    /// calling [`publish`](Self::publish) for each message, but faster: the work that they have in common is
    /// done once.
    ///
    /// Messages that were published before an error, or before the iterator panics, stay published. If there
    /// are no messages, no error is returned, unless `speak_for` speaks for a messagee that has been despawned.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Light;
    ///
    /// #[derive(Message)]
    /// struct Spark { angle: u32 }
    ///
    /// struct Fuse;
    ///
    /// #[handlers]
    /// impl Fuse {
    ///     #[on_receive]
    ///     fn light(&mut self, _: &Light, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         cx.publish_each(Everyone, (0..8).map(|at| Spark { angle: 45 * at }))
    ///     }
    /// }
    ///
    /// let mut manager = MessageManager::new();
    /// let rocket = manager.spawn((Fuse,));
    /// manager.send(rocket, Light)?;
    /// manager.publish_each(rocket, (0..360).map(|angle| Spark { angle }))?;
    /// assert_eq!(manager.published::<Spark>().from(rocket).count(), 8);
    /// let sparks = manager.published::<Spark>().to(rocket);
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
        let (to, place) = (to.into(), Location::caller());
        let publication = self.publication(M::FACTS, to, place)?;
        if !publication.publishes_singly() {
            return publication.publish_each(messages);
        }
        let mut messages = messages.into_iter();
        messages.try_for_each(|message| self.publish_one(to, place, message))
    }

    /// Returns the messages of one type that have been published in this frame so far, and will be
    /// found in the next. On behalf of a messagee, `Me` refers to it.
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
    /// assert_eq!((manager.published::<Scream>().count(), manager.inbox::<Scream>().count()), (1, 0));
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!((manager.published::<Scream>().count(), manager.inbox::<Scream>().count()), (0, 1));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn published<M: Message>(&self) -> Published<'_, M> {
        Published::new(self.mail())
    }
}

// A context lends its mail for longer than it is borrowed itself, and has no exclusive access to the mailboxes.
verbs_from_outside! {
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
    /// [`AtLimit`](crate::SendErrorKind::AtLimit), which [`MailWriter::publish`] returns.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`publish`](Self::publish).
    #[track_caller]
    pub fn writer<M: Message>(
        &mut self,
        to: impl Into<Recipient>,
    ) -> Result<MailWriter<'_, M>, SendError> {
        let (sender, place) = (self.speaks_for(), Location::caller());
        MailWriter::new(SpeakingFor::new(self, sender), to.into(), place)
    }

    /// Returns the messages of one type that were published in the last frame, to choose from by
    /// recipient, sender and what they say, or with a cursor, as far back as they are kept. On behalf of a
    /// messagee, `Me` refers to it.
    ///
    /// A type that is not in the [registry](crate::registry()) has no mail.
    ///
    /// ```
    /// use message_core::Recipient::Me;
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
    /// assert_eq!(manager.speak_for(elf)?.inbox::<Blast>().to(Me).count(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inbox<M: Message>(&self) -> Inbox<'_, M> {
        Inbox::new(self.mail())
    }

    /// Returns the messages of all types that were published in the last frame, in the order sent. On behalf of
    /// a messagee, `Me` refers to it.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Blast;
    ///
    /// #[derive(Message)]
    /// struct Scream;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.publish(Everyone, Scream)?;
    /// manager.publish(Everyone, Blast)?;
    /// manager.tick(Duration::from_millis(16));
    /// let names = manager.inbox_any().iter().map(|mail| mail.name());
    /// assert!(names.eq([Scream::NAME, Blast::NAME]));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn inbox_any(&self) -> AnyInbox<'_> {
        AnyInbox::new(self.mail())
    }
}
