//! What a subscription listens to, and on what terms.

use std::fmt;
use std::marker::PhantomData;

use crate::address::{Recipient, Sender};
use crate::dispatch::Sent;
use crate::message::{AnyMessage, Message};
use crate::tag::TagSet;
use crate::time::Stage;

/// Which messages have to be heard of.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Conditions {
    pub(super) from: Option<Sender>,
    pub(super) to: Option<Recipient>,
    /// Every message passes the empty set.
    pub(super) tags: TagSet,
}

impl Conditions {
    pub(super) fn is_empty(&self) -> bool {
        self.from.is_none() && self.to.is_none() && self.tags.is_empty()
    }

    /// Takes out the recipient by which a message that passes is found, if there is one: not where it
    /// stands for another from send to send.
    pub(super) fn take_recipient(&mut self) -> Option<Recipient> {
        match self.to {
            None
            | Some(
                Recipient::Me
                | Recipient::Mnemonic(_)
                | Recipient::UpFrom(_)
                | Recipient::DownFrom(_),
            ) => None,
            Some(_) => self.to.take(),
        }
    }

    pub(super) fn hold(&self, sent: &Sent<'_>) -> bool {
        self.from.is_none_or(|from| sent.sender == from)
            && self.to.is_none_or(|to| {
                let to = sent.world.resolve_mnemonic(to);
                sent.resolved_to() == to.own(sent.sender)
            })
            && (self.tags.is_empty()
                || self.tags.intersects(sent.facts.tags())
                || self.tags.intersects(sent.own_tags()))
    }
}

/// On what terms a subscription listens.
#[derive(Clone, Copy, Debug, Default)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent wishes, of which any combination can be uttered"
)]
pub(crate) struct Options {
    pub(super) hidden: bool,
    pub(super) once: bool,
    pub(super) stage: Stage,
    pub(super) retained: bool,
    /// It asks a predicate, which stands with its closure.
    pub(super) asks: bool,
}

impl Options {
    pub(super) fn is_plain(self) -> bool {
        !self.hidden && !self.once && !self.asks && self.stage == Stage::Immediate
    }
}

/// A condition on the message itself, which [`Filter::when`] puts together.
pub trait Predicate<S: ?Sized>: Send + 'static {
    /// There is a condition.
    const ASKS: bool;

    fn passes(&self, message: &S) -> bool;
}

impl<S: ?Sized> Predicate<S> for () {
    const ASKS: bool = false;

    #[inline]
    fn passes(&self, _: &S) -> bool {
        true
    }
}

impl<S: ?Sized, P: Predicate<S>, F: Fn(&S) -> bool + Send + 'static> Predicate<S> for (P, F) {
    const ASKS: bool = true;

    #[inline]
    fn passes(&self, message: &S) -> bool {
        self.0.passes(message) && (self.1)(message)
    }
}

/// Which messages a subscription receives, and on what terms; for
/// [`subscribe`](crate::MessageManager::subscribe).
///
/// [`of`](Filter::of) listens to one message type, [`any`](Filter::any) to all. The conditions
/// `from`, `to` and `tags` must all hold, and every [`when`](Filter::when). If `from`, `to` or `tags`
/// is set twice, the last value wins.
///
/// A filter is `Copy`, unless it has a `when` whose closure is not: a function and a closure that
/// captures only what is `Copy` keep it so. What a filter says can be read back, and printed:
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
/// let filter = Filter::of::<Damage>().to(Everyone).tags(COMBAT).once();
/// assert_eq!(filter.recipient(), Some(Recipient::Everyone));
/// assert!(filter.is_once() && !filter.is_hidden());
/// assert_eq!(filter.to_string(), "`Damage` to everyone, with tag `combat`, once");
/// ```
pub struct Filter<S: ?Sized, P = ()> {
    pub(super) conditions: Conditions,
    pub(super) options: Options,
    pub(super) when: P,
    /// The name of the message type, if it is one.
    message: Option<&'static str>,
    subject: PhantomData<fn(&S)>,
}

/// As a [`Filter`], for a subscription that receives its messages first; from
/// [`Filter::before`].
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
pub struct Interceptor<S: ?Sized, P = ()>(pub(super) Filter<S, P>);

impl Filter<()> {
    /// Every message of that type.
    #[must_use]
    pub fn of<M: Message>() -> Filter<M> {
        Filter::new(Some(M::NAME))
    }

    /// Every message of every type, the manager's own included.
    #[must_use]
    pub fn any() -> Filter<dyn AnyMessage> {
        Filter::new(None)
    }
}

impl<S: ?Sized> Filter<S> {
    fn new(message: Option<&'static str>) -> Self {
        Self {
            conditions: Conditions::default(),
            options: Options::default(),
            when: (),
            message,
            subject: PhantomData,
        }
    }
}

impl<S: ?Sized, P> Filter<S, P> {
    /// Only from this sender: a [`MessageeId`](crate::MessageeId), or a [`Sender`].
    #[must_use]
    pub fn from(mut self, sender: impl Into<Sender>) -> Self {
        self.conditions.from = Some(sender.into());
        self
    }

    /// Only what is sent to this recipient. An id stands for that messagee however it is written
    /// to alone: by its id, by `Me`, or by a mnemonic that is bound to it; and a mnemonic for the
    /// messagee that is bound to it when the message is sent. What is sent to `Everyone`, a group or
    /// a family that it belongs to is not sent to it alone, and what is sent to a hook is sent to that
    /// component alone. `Me` is what anybody sends to itself.
    /// For what was retained, a mnemonic stands for whom it is bound to when the subscription is
    /// made.
    #[must_use]
    pub fn to(mut self, recipient: impl Into<Recipient>) -> Self {
        self.conditions.to = Some(recipient.into());
        self
    }

    /// Only what has one of these tags at least, by its type or its header. The empty set is no
    /// condition, so that a filter can be made from data.
    #[must_use]
    pub fn tags(mut self, tags: impl Into<TagSet>) -> Self {
        self.conditions.tags = tags.into();
        self
    }

    /// Only messages for which the predicate returns `true`: it is given the message as `&M`, and with
    /// [`Filter::any`] as `&dyn AnyMessage`. If it is set twice, both must hold.
    ///
    /// It is called when everything else in the filter holds, right before the subscriber would
    /// receive the message: so it sees what the components have made of the message, and before
    /// [interceptors](Self::before) what was sent. A request or an in–out message that a running
    /// subscriber might receive is refused without asking its predicate. A panic in it is one of the
    /// subscriber.
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
    #[must_use]
    pub fn when<F: Fn(&S) -> bool + Send + 'static>(self, predicate: F) -> Filter<S, (P, F)> {
        Filter {
            conditions: self.conditions,
            options: Options {
                asks: true,
                ..self.options
            },
            when: (self.when, predicate),
            message: self.message,
            subject: PhantomData,
        }
    }

    /// The subscription does not count as a receiver: not in a [`Receipt`](crate::Receipt), and
    /// not for a header that [requires](crate::post::HeaderBuilder::require) receivers.
    #[must_use]
    pub fn hidden(mut self) -> Self {
        self.options.hidden = true;
        self
    }

    /// The subscription ends with the first message that it receives. One that it declines, by
    /// returning `false`, does not end it.
    #[must_use]
    pub fn once(mut self) -> Self {
        self.options.once = true;
        self
    }

    /// The subscription receives its messages in the next pass of this stage, behind the posted
    /// ones, and not when they are sent. `Immediate`, which is what it is without this, is when
    /// they are sent.
    ///
    /// The message is kept until then. One that stays with its sender (an in–out message) or will
    /// be delivered again is copied, and becomes a dead letter for this subscription if its type is
    /// not `Clone`. As many may wait in a stage as
    /// [`max_pending`](crate::ManagerConfig::max_pending) allows; one more is a dead letter.
    #[must_use]
    pub fn stage(mut self, stage: Stage) -> Self {
        self.options.stage = stage;
        self
    }

    /// The subscription receives at once the messages that were
    /// [retained](crate::post::HeaderBuilder::retain) before it was made, and that pass the filter, in
    /// the order in which they were retained; at once also if it has a [stage](Self::stage).
    #[must_use]
    pub fn with_retained(mut self) -> Self {
        self.options.retained = true;
        self
    }

    /// The subscription is an interceptor: it runs before everybody else and receives the message as
    /// `&mut`. Its closure returns nothing, or a [`ControlFlow`](std::ops::ControlFlow): `Break`
    /// consumes the message, so that nobody receives it.
    ///
    /// Several run in the order subscribed. An interceptor counts as a receiver of what it
    /// consumes, unless it is hidden. While one is running, a message that it would receive waits,
    /// for everybody, until it is free.
    ///
    /// # Panics
    ///
    /// When a [stage](Self::stage) or [retained](Self::with_retained) messages were asked for: an
    /// interceptor comes before the delivery or not at all.
    #[must_use]
    pub fn before(self) -> Interceptor<S, P> {
        assert!(
            self.options.stage == Stage::Immediate && !self.options.retained,
            "an interceptor runs before the delivery: expected `before()` without `stage()` and \
             `with_retained()`"
        );
        Interceptor(self)
    }

    /// The name of the message type that it listens to; `None` if it listens to all.
    #[must_use]
    pub fn message(&self) -> Option<&'static str> {
        self.message
    }

    /// The sender that [`from`](Self::from) asks for.
    #[must_use]
    pub fn sender(&self) -> Option<Sender> {
        self.conditions.from
    }

    /// The recipient that [`to`](Self::to) asks for.
    #[must_use]
    pub fn recipient(&self) -> Option<Recipient> {
        self.conditions.to
    }

    /// The tags of which [`tags`](Self::tags) asks for one; empty if it asks for none.
    #[must_use]
    pub fn any_of(&self) -> TagSet {
        self.conditions.tags
    }

    /// Returns `true` if it has a [`when`](Self::when).
    #[must_use]
    pub fn has_predicate(&self) -> bool {
        self.options.asks
    }

    /// Returns `true` if it is [`hidden`](Self::hidden).
    #[must_use]
    pub fn is_hidden(&self) -> bool {
        self.options.hidden
    }

    /// Returns `true` if it is for [one](Self::once) message.
    #[must_use]
    pub fn is_once(&self) -> bool {
        self.options.once
    }

    /// When its messages are received: what [`stage`](Self::stage) says.
    #[must_use]
    pub fn receives_in(&self) -> Stage {
        self.options.stage
    }

    /// Returns `true` if it asks for [retained](Self::with_retained) messages.
    #[must_use]
    pub fn wants_retained(&self) -> bool {
        self.options.retained
    }
}

impl<S: ?Sized, P> Interceptor<S, P> {
    /// As [`Filter::from`].
    #[must_use]
    pub fn from(self, sender: impl Into<Sender>) -> Self {
        Self(self.0.from(sender))
    }

    /// As [`Filter::to`].
    #[must_use]
    pub fn to(self, recipient: impl Into<Recipient>) -> Self {
        Self(self.0.to(recipient))
    }

    /// As [`Filter::tags`].
    #[must_use]
    pub fn tags(self, tags: impl Into<TagSet>) -> Self {
        Self(self.0.tags(tags))
    }

    /// As [`Filter::when`].
    #[must_use]
    pub fn when<F: Fn(&S) -> bool + Send + 'static>(self, predicate: F) -> Interceptor<S, (P, F)> {
        Interceptor(self.0.when(predicate))
    }

    /// As [`Filter::hidden`].
    #[must_use]
    pub fn hidden(self) -> Self {
        Self(self.0.hidden())
    }

    /// As [`Filter::once`].
    #[must_use]
    pub fn once(self) -> Self {
        Self(self.0.once())
    }

    /// What it listens to, and on what terms.
    #[must_use]
    pub fn filter(&self) -> &Filter<S, P> {
        &self.0
    }
}

impl<S: ?Sized, P: Clone> Clone for Filter<S, P> {
    fn clone(&self) -> Self {
        Self {
            when: self.when.clone(),
            ..*self
        }
    }
}

impl<S: ?Sized, P: Copy> Copy for Filter<S, P> {}

impl<S: ?Sized, P: Clone> Clone for Interceptor<S, P> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S: ?Sized, P: Copy> Copy for Interceptor<S, P> {}

impl<S: ?Sized, P> fmt::Debug for Filter<S, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Filter")
            .field("message", &std::any::type_name::<S>())
            .field("conditions", &self.conditions)
            .field("options", &self.options)
            .finish_non_exhaustive()
    }
}

impl<S: ?Sized, P> fmt::Debug for Interceptor<S, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Interceptor").field(&self.0).finish()
    }
}

/// Prints what passes, and on what terms, as
/// ``every message from outside to everyone, with tag `ai` or `ui`, that passes its predicate, once``.
impl<S: ?Sized, P> fmt::Display for Filter<S, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.message {
            Some(name) => write!(f, "`{name}`")?,
            None => f.write_str("every message")?,
        }
        if let Some(from) = self.conditions.from {
            write!(f, " from {from}")?;
        }
        if let Some(to) = self.conditions.to {
            write!(f, " to {to}")?;
        }
        if !self.conditions.tags.is_empty() {
            write!(f, ", with tag {}", self.conditions.tags.listed("or"))?;
        }
        let Options {
            hidden,
            once,
            stage,
            retained,
            asks,
        } = self.options;
        if asks {
            f.write_str(", that passes its predicate")?;
        }
        if once {
            f.write_str(", once")?;
        }
        if stage != Stage::Immediate {
            write!(f, ", in `{stage}`")?;
        }
        if retained {
            f.write_str(", and what was retained")?;
        }
        if hidden {
            f.write_str(", hidden")?;
        }
        Ok(())
    }
}

/// As a [`Filter`], with `before delivery` at the end.
impl<S: ?Sized, P> fmt::Display for Interceptor<S, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, before delivery", self.0)
    }
}
