//! Filters: the messages that a subscription listens to, and its terms.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use super::terms::{Part, Terms};
use crate::address::{Recipient, Sender};
use crate::message::{AnyMessage, Message, MessageId, MessageIndex};
use crate::registry::MessageInfo;
use crate::registry::linked::registry;
use crate::subscription::Subject;
use crate::tag::TagSet;
use crate::time::Stage;

/// A condition on the message itself.
pub(super) type When<S> = Arc<dyn Fn(&S) -> bool + Send + Sync>;

/// A choice of the messages that a subscription receives, and the terms; for
/// [`subscribe`](crate::MessageManager::subscribe).
///
/// [`of`](Filter::of) and [`of_id`](Filter::of_id) listen to one message type, [`all`](Filter::all) to all. The conditions
/// `from`, `to` and `tagged` must all hold, and every [`when`](Filter::when). If `from`, `to` or
/// `tagged` is set twice, the last value wins.
///
/// Its `Debug` shows its settings:
///
/// ```
/// use message_core::prelude::*;
///
/// tag!(COMBAT = "combat");
///
/// #[derive(Message)]
/// #[message(name = "Damage")]
/// struct Damage { amount: u32 }
///
/// let filter = Filter::of::<Damage>().to(Everyone).tagged(COMBAT).once();
/// let settings = format!("{filter:?}");
/// assert!(settings.contains("to: Some(Everyone)") && settings.contains("once: true"));
/// ```
#[must_use]
pub struct Filter<S: ?Sized, W = ()> {
    pub(crate) terms: Terms,
    pub(super) when: Vec<When<S>>,
    /// The message type, if it is given by its id.
    pub(crate) of: Option<&'static MessageInfo>,
    subject: PhantomData<fn(&S, W)>,
}

/// The mark of an [`Interceptor`], which receives a message before everybody else.
///
/// ```
/// use message_core::prelude::*;
/// use message_core::subscription::Before;
///
/// #[derive(Message)]
/// struct Damage { amount: u32 }
///
/// let shield: Filter<Damage, Before> = Filter::of::<Damage>().before();
/// MessageManager::new().subscribe(shield, |damage: &mut Damage, _| damage.amount /= 2);
/// ```
#[derive(Debug)]
pub struct Before;

/// A [`Filter`] for a subscription that receives its messages first; from [`Filter::before`].
///
/// Its conditions can be set before and after `before`:
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Damage { amount: u32 }
///
/// let mut manager = MessageManager::new();
/// let knight = manager.spawn(());
/// let shield = Filter::of::<Damage>().before().to(knight).hidden();
/// manager.subscribe(shield, |damage, _| damage.amount /= 2);
///
/// let mut damage = Damage { amount: 10 };
/// manager.send_mut(knight, &mut damage)?;
/// assert_eq!(damage.amount, 5);
/// # Ok::<(), SendError>(())
/// ```
pub type Interceptor<S> = Filter<S, Before>;

impl Filter<()> {
    /// Listens to every message of that type.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// #[derive(Message)]
    /// struct Pong;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.subscribe(Filter::of::<Ping>(), |_: &Ping, _| {});
    /// assert_eq!(manager.send(Everyone, Ping)?.received, 1);
    /// assert_eq!(manager.send(Everyone, Pong)?.received, 0);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn of<M: Message>() -> Filter<M> {
        Filter::new()
    }

    /// Listens to every message of every type, the [manager's own](crate::lifecycle) included. The
    /// subscriber receives each as a [`dyn AnyMessage`](crate::AnyMessage).
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// #[derive(Message)]
    /// struct Pong;
    ///
    /// let mut manager = MessageManager::new();
    /// let (log, names) = mpsc::channel();
    /// manager.subscribe(Filter::all(), move |message, _| { let _ = log.send(message.name()); });
    /// manager.send(Everyone, Ping)?;
    /// manager.send(Everyone, Pong)?;
    /// assert!(names.try_iter().eq([Ping::NAME, Pong::NAME]));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn all() -> Filter<dyn AnyMessage> {
        Filter::new()
    }

    /// Listens to every message of the type with that id, which need not be known at compile time. The subscriber receives
    /// each as a [`dyn AnyMessage`](crate::AnyMessage). Other sends cost no more, as they do with [`all`](Self::all).
    ///
    /// Returns `None` if the [registry](crate::registry()) has no such type.
    ///
    /// ```
    /// use message_core::MessageId;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// #[message(name = "siren.on")]
    /// struct On;
    ///
    /// let mut manager = MessageManager::new();
    /// let typed_in = "siren.on";
    /// if let Some(filter) = Filter::of_id(MessageId::of_name(typed_in)) {
    ///     manager.subscribe(filter, |message, _| assert_eq!(message.name(), On::NAME));
    /// }
    /// assert_eq!(manager.send(Everyone, On)?.received, 1);
    /// assert!(Filter::of_id(MessageId::of_name("siren.off")).is_none());
    /// # Ok::<(), SendError>(())
    /// ```
    #[must_use]
    pub fn of_id(id: MessageId) -> Option<Filter<dyn AnyMessage>> {
        let of = Some(registry().message(id)?);
        Some(Filter {
            of,
            ..Filter::new()
        })
    }
}

impl<S: ?Sized, W> Filter<S, W> {
    /// Returns `true` if it has a predicate.
    pub(crate) fn asks(&self) -> bool {
        !self.when.is_empty()
    }

    /// Returns the index and the tags of the message type, if it is one.
    pub(super) fn subject(&self) -> Option<(MessageIndex, TagSet)>
    where
        S: Subject,
    {
        let by_id = self.of.map(|of| (of.index, of.tags));
        by_id.or_else(S::of)
    }

    /// Keeps only messages from this sender: a [`MessageeId`](crate::MessageeId), or a [`Sender`].
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Shout;
    ///
    /// let mut manager = MessageManager::new();
    /// let captain = manager.spawn(());
    /// manager.subscribe(Filter::of::<Shout>().from(captain), |_, _| {});
    /// assert_eq!(manager.speak_for(captain)?.send(Everyone, Shout)?.received, 1);
    /// assert_eq!(manager.send(Everyone, Shout)?.received, 0); // From outside.
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from(mut self, sender: impl Into<Sender>) -> Self {
        self.terms.from = Some(sender.into());
        self
    }

    /// Keeps only messages to this recipient.
    ///
    /// An id matches every message to that messagee alone: by its id, by `Me`, or by a mnemonic that is bound to
    /// it. A mnemonic matches messages to the messagee that it is bound to when the message is sent, even if a
    /// receiver binds it to another. A message to `Everyone`, or to a group or a family that the messagee belongs
    /// to, is not sent to it alone, and a message to a hook is sent to that component alone. `Me` matches messages
    /// that a messagee sends to itself.
    ///
    /// For retained messages, a mnemonic means the messagee that it is bound to when the subscription takes effect
    /// or is resumed.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// mnemonic!(BOSS);
    ///
    /// #[derive(Message)]
    /// struct Damage;
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// manager.bind(BOSS, orc)?;
    /// manager.subscribe(Filter::of::<Damage>().to(orc), |_, _| {});
    /// assert_eq!(manager.send(orc, Damage)?.received, 1);
    /// assert_eq!(manager.send(BOSS, Damage)?.received, 1);
    /// assert_eq!(manager.send(Everyone, Damage)?.received, 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to(mut self, recipient: impl Into<Recipient>) -> Self {
        self.terms.to = Some(recipient.into());
        self
    }

    /// Keeps only messages with at least one of these tags, by their type or their header. The empty set is no
    /// condition, so that a filter can be made from data. For a tag and all tags below it, see
    /// [`Tag::and_below`](crate::Tag::and_below).
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// tag!(RADIO, SONAR);
    ///
    /// #[derive(Message)]
    /// #[message(tags(RADIO))]
    /// struct Call;
    ///
    /// #[derive(Message)]
    /// struct Splash;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.subscribe(Filter::all().tagged(RADIO | SONAR), |_, _| {});
    /// assert_eq!(manager.send(Everyone, Call)?.received, 1);
    /// assert_eq!(manager.send(Everyone, Splash)?.received, 0);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn tagged(mut self, tags: impl Into<TagSet>) -> Self {
        self.terms.tagged = tags.into();
        self
    }

    /// Keeps only messages for which the predicate returns `true`: it is given the message as `&M`,
    /// and with [`Filter::all`] as `&dyn AnyMessage`. If it is set twice, both must hold.
    ///
    /// The predicate is called when everything else in the filter holds, right before the subscriber
    /// would receive the message. It therefore sees the message as the components have changed it; for
    /// [interceptors](Filter::before), it sees the message as sent. A request or an in–out message that a
    /// running subscriber might receive is refused without asking its predicate. A panic in it counts
    /// as a panic of the subscriber.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    ///
    /// #[derive(Message)]
    /// struct Damage { amount: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let orc = manager.spawn(());
    /// let (log, lines) = mpsc::channel();
    /// let heavy = Filter::of::<Damage>().when(|damage| damage.amount > 5);
    /// manager.subscribe(heavy, move |damage, _| { let _ = log.send(damage.amount); });
    ///
    /// assert_eq!(manager.send(orc, Damage { amount: 3 })?.received, 0);
    /// assert_eq!(manager.send(orc, Damage { amount: 7 })?.received, 1);
    /// assert_eq!(lines.try_recv(), Ok(7));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn when(mut self, predicate: impl Fn(&S) -> bool + Send + Sync + 'static) -> Self {
        self.when.push(Arc::new(predicate));
        self
    }

    /// Leaves the subscription out where receivers are counted: in a [`Receipt`](crate::Receipt), and
    /// for a header that [requires](crate::post::HeaderBuilder::require) receivers. For logs and
    /// tools.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let mut manager = MessageManager::new();
    /// let (log, lines) = mpsc::channel();
    /// manager.subscribe(Filter::of::<Ping>().hidden(), move |_, _| { let _ = log.send("ping"); });
    /// assert_eq!(manager.send(Everyone, Ping)?.received, 0);
    /// assert_eq!(lines.try_recv(), Ok("ping")); // It has heard it all the same.
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn hidden(mut self) -> Self {
        self.terms.hidden = true;
        self
    }

    /// Sets the priority: subscribers with a larger one are called first, as with handlers. The default is 0. Subscribers
    /// of one priority are called in the order in which they subscribed.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    ///
    /// #[derive(Message)]
    /// struct Frame;
    ///
    /// let mut manager = MessageManager::new();
    /// let (draws, drawn) = mpsc::channel();
    /// for (name, priority) in [("overlay", -1), ("world", 0), ("clear", 10)] {
    ///     let draws = draws.clone();
    ///     let filter = Filter::of::<Frame>().priority(priority);
    ///     manager.subscribe(filter, move |_, _| { let _ = draws.send(name); });
    /// }
    /// let screen = manager.spawn(());
    /// manager.send(screen, Frame)?;
    /// assert!(drawn.try_iter().eq(["clear", "world", "overlay"]));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn priority(mut self, priority: i16) -> Self {
        self.terms.priority = priority;
        self
    }

    /// Ends the subscription with the first message that it receives. One that it declines, by
    /// returning `false`, does not end it.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Damage { amount: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// manager.subscribe(Filter::of::<Damage>().once(), |damage, _| damage.amount > 5);
    /// assert_eq!(manager.send(Everyone, Damage { amount: 3 })?.received, 0); // Declined.
    /// assert_eq!(manager.send(Everyone, Damage { amount: 7 })?.received, 1); // The one.
    /// assert_eq!(manager.send(Everyone, Damage { amount: 9 })?.received, 0);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn once(mut self) -> Self {
        self.terms.once = true;
        self
    }
}

impl<S: ?Sized> Filter<S> {
    pub(crate) fn new() -> Self {
        Self {
            terms: Terms::default(),
            when: Vec::new(),
            of: None,
            subject: PhantomData,
        }
    }

    /// Lets the subscription receive its messages in the next pass of this stage, behind the posted
    /// ones. With `Immediate`, as without this, it receives them when they are sent.
    ///
    /// The message is kept until then. One that stays with its sender (an in–out message) or will
    /// be delivered again is copied, and becomes a dead letter for this subscription if its type is
    /// not `Clone`. As many may wait in a stage as
    /// [`max_pending`](crate::ManagerConfig::max_pending) allows; one more is a dead letter.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Moved(i32);
    ///
    /// let mut manager = MessageManager::new();
    /// let (log, drawn) = mpsc::channel();
    /// let late = Filter::of::<Moved>().stage(Stage::LateUpdate);
    /// manager.subscribe(late, move |moved, _| { let _ = log.send(moved.0); });
    /// assert_eq!(manager.send(Everyone, Moved(3))?.pending, 1);
    /// assert!(drawn.try_recv().is_err());
    /// manager.tick(Duration::from_millis(16));
    /// assert_eq!(drawn.try_recv(), Ok(3));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn stage(mut self, stage: Stage) -> Self {
        self.terms.stage = stage;
        self
    }

    /// Lets a new subscription receive the messages that pass the filter and were
    /// [retained](crate::post::HeaderBuilder::retain) earlier, in the order in which they were retained. It
    /// receives them at once, even if it has a [stage](Self::stage). When it is resumed after a
    /// [pause](crate::MessageManager::set_listening), it receives those that were retained during the pause.
    ///
    /// A messagee that [overhears](crate::MessageManager::overhear) with this filter receives messages that were
    /// sent to others, except those that reached it when they were sent.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    ///
    /// #[derive(Message)]
    /// struct Score(u32);
    ///
    /// let mut manager = MessageManager::new();
    /// manager.post(Header::to(Everyone).retain(), Score(7))?;
    ///
    /// let (log, shown) = mpsc::channel();
    /// manager.subscribe(Filter::of::<Score>().with_retained(), move |score, _| {
    ///     let _ = log.send(score.0);
    /// });
    /// assert_eq!(shown.try_recv(), Ok(7));
    /// manager.send(Everyone, Score(8))?;
    /// assert_eq!(shown.try_recv(), Ok(8));
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn with_retained(mut self) -> Self {
        self.terms.with_retained = true;
        self
    }

    /// Leaves the subscription out while inputs are [repeated](crate::MessageManager::is_replaying), and
    /// [hides](Self::hidden) it, so that receipts are the same as when they were recorded.
    ///
    /// This is for subscribers that only act on the outside world, such as one that sends a mail or plays a sound. One that
    /// sends messages, or changes what other subscribers read, must not be left out: the replay would differ. It has no
    /// effect for a messagee that [overhears](crate::MessageManager::overhear).
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::sync::mpsc;
    ///
    /// #[derive(Message)]
    /// struct Scored(u32);
    ///
    /// let mut manager = MessageManager::new();
    /// let (mails, sent) = mpsc::channel();
    /// manager.subscribe(Filter::of::<Scored>().not_in_replay(), move |scored, _| {
    ///     let _ = mails.send(scored.0);
    /// });
    /// manager.send(Everyone, Scored(7))?;
    /// assert_eq!(sent.try_recv(), Ok(7)); // It is the first time.
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn not_in_replay(mut self) -> Self {
        self.terms.not_in_replay = true;
        self.hidden()
    }

    /// Makes the subscription an interceptor: it runs before everybody else and receives the message
    /// as `&mut`. Its closure returns nothing, or a [`ControlFlow`](std::ops::ControlFlow): `Break`
    /// consumes the message, so that nobody receives it.
    ///
    /// Several interceptors run in the order subscribed. An interceptor counts as a receiver of the
    /// messages that it consumes, unless it is hidden. While one is running, a message that it would
    /// receive waits, for all receivers, until it is free.
    ///
    /// # Panics
    ///
    /// When a [stage](Self::stage) or [retained](Self::with_retained) messages were asked for: an
    /// interceptor comes before the delivery or not at all. Also with [`not_in_replay`](Self::not_in_replay), since what an
    /// interceptor does to a message is no effect on the outside world.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use std::ops::ControlFlow;
    ///
    /// #[derive(Message)]
    /// struct Damage { amount: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// manager.subscribe(Filter::of::<Damage>().before(), |damage, _| match damage.amount {
    ///     0 => ControlFlow::Break(()),
    ///     _ => ControlFlow::Continue(()),
    /// });
    /// manager.subscribe(Filter::of::<Damage>(), |_, _| {});
    /// assert!(manager.send(Everyone, Damage { amount: 0 })?.consumed);
    /// assert!(!manager.send(Everyone, Damage { amount: 3 })?.consumed);
    /// # Ok::<(), SendError>(())
    /// ```
    pub fn before(self) -> Interceptor<S> {
        assert!(
            self.terms.stage == Stage::Immediate
                && !self.terms.with_retained
                && !self.terms.not_in_replay,
            "an interceptor runs before the delivery, and also in a replay: expected `before()` without \
             `stage()`, `with_retained()` and `not_in_replay()`"
        );
        Filter {
            terms: Terms {
                part: Part::Before,
                ..self.terms
            },
            when: self.when,
            of: self.of,
            subject: PhantomData,
        }
    }
}

impl<S: ?Sized, W> Clone for Filter<S, W> {
    fn clone(&self) -> Self {
        Self {
            when: self.when.clone(),
            ..*self
        }
    }
}

impl<S: ?Sized, W> fmt::Debug for Filter<S, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_id = self.of.map(|of| of.name);
        let message = of_id.unwrap_or_else(std::any::type_name::<S>);
        f.debug_struct("Filter")
            .field("message", &message)
            .field("terms", &self.terms)
            .field("asks", &self.asks())
            .finish_non_exhaustive()
    }
}
