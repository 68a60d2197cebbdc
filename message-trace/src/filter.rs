//! Filters for events.

use message_core::error::Receiver;
use message_core::trace::{TraceEvent, Traced};
use message_core::{Message, MessageId, MessageeId, Recipient, Sender, TagSet};

/// A filter for traced events: by message type, sender, recipient, tags and messagee. All given conditions
/// must hold.
///
/// ```
/// use message_core::prelude::*;
/// use message_trace::{Recorder, TraceFilter};
///
/// #[derive(Message)]
/// struct Ping;
///
/// #[derive(Message)]
/// struct Pong;
///
/// let mut manager = MessageManager::new();
/// Recorder::new(100).start(&mut manager);
/// manager.send(Everyone, Ping)?;
/// manager.send(Everyone, Pong)?;
///
/// let recorder = Recorder::stop(&mut manager).expect("it was started");
/// let pings = TraceFilter::of::<Ping>();
/// assert!(recorder.select(&pings).all(|event| event.message_id == Ping::ID));
/// assert!(recorder.select(&pings).count() < recorder.events().count());
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct TraceFilter {
    messages: Vec<MessageId>,
    from: Option<Sender>,
    to: Option<Recipient>,
    messagees: Vec<MessageeId>,
    tags: Option<TagSet>,
}

impl TraceFilter {
    /// Creates a filter that every event passes.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::{Recorder, TraceFilter};
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// Recorder::new(100).start(&mut manager);
    /// manager.send(Everyone, Ping)?;
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// assert_eq!(recorder.select(&TraceFilter::all()).count(), recorder.len());
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn all() -> Self {
        Self::default()
    }

    /// Creates a filter for the events about messages of that type.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::{Recorder, TraceFilter};
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// #[derive(Message)]
    /// struct Pong;
    ///
    /// let mut manager = MessageManager::new();
    /// Recorder::new(100).only(TraceFilter::of::<Ping>()).start(&mut manager);
    /// manager.send(Everyone, Ping)?;
    /// manager.send(Everyone, Pong)?;
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// assert!(recorder.events().all(|event| event.message == Ping::NAME));
    /// # assert!(!recorder.is_empty());
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn of<M: Message>() -> Self {
        Self::all().or_of::<M>()
    }

    /// Adds the events about messages of that type. The first type that is named narrows the filter
    /// from all types to this one.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::{Recorder, TraceFilter};
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// #[derive(Message)]
    /// struct Pong;
    ///
    /// #[derive(Message)]
    /// struct Noise;
    ///
    /// let mut manager = MessageManager::new();
    /// let game = TraceFilter::of::<Ping>().or_of::<Pong>();
    /// Recorder::new(100).only(game).start(&mut manager);
    /// manager.send(Everyone, Noise)?;
    /// assert_eq!(Recorder::of(&manager).map(|recorder| recorder.len()), Some(0));
    /// manager.send(Everyone, Pong)?;
    /// assert!(Recorder::of(&manager).is_some_and(|recorder| recorder.len() > 0));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn or_of<M: Message>(mut self) -> Self {
        self.messages.push(M::ID);
        self
    }

    /// Keeps only the events about messages from this sender: a [`MessageeId`], or a [`Sender`]. If it is
    /// called twice, the last call wins.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::{Recorder, TraceFilter};
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// Recorder::new(100).start(&mut manager);
    /// manager.speak_for(orc)?.send(Everyone, Ping)?;
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// assert!(recorder.select(&TraceFilter::all().from(orc)).count() > 0);
    /// assert_eq!(recorder.select(&TraceFilter::all().from(Sender::Outside)).count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from(mut self, sender: impl Into<Sender>) -> Self {
        self.from = Some(sender.into());
        self
    }

    /// Keeps only the events about messages to this recipient: as the sender wrote it, or by `Me` to the sender
    /// itself. If it is called twice, the last call wins.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::{Recorder, TraceFilter};
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// let (orc, elf) = (manager.spawn(()), manager.spawn(()));
    /// Recorder::new(100).start(&mut manager);
    /// manager.send(elf, Ping)?;
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// assert!(recorder.select(&TraceFilter::all().to(elf)).count() > 0);
    /// assert_eq!(recorder.select(&TraceFilter::all().to(orc)).count(), 0);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn to(mut self, recipient: impl Into<Recipient>) -> Self {
        self.to = Some(recipient.into());
        self
    }

    /// Keeps only the events that involve the messagee: as the sender, as the recipient (also of a send up or down
    /// from it), or as a receiver that was called, skipped or waited for. If several messagees are named, one of
    /// them is enough.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::{Recorder, TraceFilter};
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// let (orc, elf) = (manager.spawn(()), manager.spawn(()));
    /// Recorder::new(100).start(&mut manager);
    /// manager.send(elf, Ping)?;
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// assert!(recorder.select(&TraceFilter::all().involving(elf)).count() > 0);
    /// assert_eq!(recorder.select(&TraceFilter::all().involving(orc)).count(), 0);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn involving(mut self, id: MessageeId) -> Self {
        self.messagees.push(id);
        self
    }

    /// Keeps only the events about messages with any of these tags, by their type or their header.
    /// The empty set is no condition. If it is called twice, the last call wins.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::{Recorder, TraceFilter};
    ///
    /// tag!(RADIO);
    ///
    /// #[derive(Message)]
    /// #[message(tags(RADIO))]
    /// struct Call;
    ///
    /// #[derive(Message)]
    /// struct Shout;
    ///
    /// let mut manager = MessageManager::new();
    /// Recorder::new(100).only(TraceFilter::all().tagged(RADIO)).start(&mut manager);
    /// manager.send(Everyone, Shout)?;
    /// assert_eq!(Recorder::of(&manager).map(|recorder| recorder.len()), Some(0));
    /// manager.send(Everyone, Call)?;
    /// assert!(Recorder::of(&manager).is_some_and(|recorder| recorder.len() > 0));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn tagged(mut self, tags: impl Into<TagSet>) -> Self {
        self.tags = Some(tags.into()).filter(|tags| !tags.is_empty());
        self
    }

    /// Returns `true` if the event passes the filter.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_trace::{Recorder, TraceFilter};
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// #[derive(Message)]
    /// struct Pong;
    ///
    /// let mut manager = MessageManager::new();
    /// Recorder::new(100).start(&mut manager);
    /// manager.send(Everyone, Ping)?;
    /// let recorder = Recorder::stop(&mut manager).expect("it was started");
    /// let event = recorder.events().next().expect("it was sent");
    /// assert!(TraceFilter::of::<Ping>().covers(event));
    /// assert!(!TraceFilter::of::<Pong>().covers(event));
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn covers(&self, event: &TraceEvent) -> bool {
        let own = |to| match (to, event.sender) {
            (Recipient::Me, Sender::Messagee(id)) => Recipient::Id(id),
            (to, _) => to,
        };
        (self.messages.is_empty() || self.messages.contains(&event.message_id))
            && self.from.is_none_or(|from| from == event.sender)
            && self.to.is_none_or(|to| own(to) == own(event.recipient))
            && (self.messagees.is_empty()
                || self.messagees.iter().any(|&id| has_to_do_with(event, id)))
            && self.tags.is_none_or(|tags| event.tags.intersects(tags))
    }
}

fn has_to_do_with(event: &TraceEvent, id: MessageeId) -> bool {
    let (to, receiver) = (event.recipient, event.what.receiver());
    event.sender == Sender::Messagee(id)
        || matches!(to, Recipient::Id(to) | Recipient::Up(to) | Recipient::Down(to) if to == id)
        || matches!(event.what, Traced::Unhandled { messagee, .. } if messagee == id)
        || receiver.and_then(Receiver::messagee) == Some(id)
}
