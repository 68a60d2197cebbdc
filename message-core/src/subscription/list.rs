//! The closures that listen to one message type, or to all.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use crate::address::{MessageeId, SubscriptionId};
use crate::dispatch::{Sent, Subscribed, SubscriberContext};
use crate::subscription::filter::{Conditions, Options};
use crate::time::Stage;

/// A closure that hears of a message when the addressed have received it.
pub(crate) type After<S> = dyn FnMut(&S, &mut SubscriberContext<'_>) + Send;

/// A closure that receives a message before the addressed do.
pub(crate) type Before<S> = dyn FnMut(&mut S, &mut SubscriberContext<'_>) -> ControlFlow<()> + Send;

/// The closures that listen to messages of type `S`, or to `dyn AnyMessage`; each list in the order
/// subscribed.
pub(crate) struct Listeners<S: ?Sized> {
    pub(crate) before: Vec<Subscriber<Before<S>>>,
    pub(crate) after: Vec<Subscriber<After<S>>>,
}

impl<S: ?Sized> Default for Listeners<S> {
    fn default() -> Self {
        Self {
            before: Vec::new(),
            after: Vec::new(),
        }
    }
}

/// The listeners of a message type that is not known here, or those to all types.
pub(super) trait AnyListeners: Any + Send {
    fn is_empty(&self) -> bool;

    /// From now on a subscription receives nothing. Whether it did up to now.
    fn end(&self, id: SubscriptionId) -> bool;

    /// Whether a subscription receives nothing more.
    fn has_ended(&self, id: SubscriptionId) -> bool;

    /// Whether a subscription's closure is running.
    fn is_running(&self, id: SubscriptionId) -> bool;

    /// A message is kept for a subscription, or is not any more. Whether that can be.
    fn set_reserved(&self, id: SubscriptionId, reserved: bool) -> bool;

    /// Takes a subscription out.
    fn remove(&mut self, id: SubscriptionId) -> Option<Box<dyn Any + Send>>;
}

impl<S: ?Sized + 'static> AnyListeners for Listeners<S> {
    fn is_empty(&self) -> bool {
        self.before.is_empty() && self.after.is_empty()
    }

    fn end(&self, id: SubscriptionId) -> bool {
        find(&self.before, id).is_some_and(Subscriber::end)
            || find(&self.after, id).is_some_and(Subscriber::end)
    }

    fn has_ended(&self, id: SubscriptionId) -> bool {
        find(&self.before, id).is_some_and(|subscriber| !subscriber.still_hears())
            || find(&self.after, id).is_some_and(|subscriber| !subscriber.still_hears())
    }

    fn is_running(&self, id: SubscriptionId) -> bool {
        find(&self.before, id).is_some_and(Subscriber::is_busy)
            || find(&self.after, id).is_some_and(Subscriber::is_busy)
    }

    fn set_reserved(&self, id: SubscriptionId, reserved: bool) -> bool {
        find(&self.after, id).is_some_and(|subscriber| subscriber.set_reserved(reserved))
    }

    fn remove(&mut self, id: SubscriptionId) -> Option<Box<dyn Any + Send>> {
        fn take<F: ?Sized>(
            list: &mut Vec<Subscriber<F>>,
            id: SubscriptionId,
        ) -> Option<Subscriber<F>> {
            let at = list.iter().position(|subscriber| subscriber.id() == id)?;
            Some(list.remove(at))
        }
        if let Some(subscriber) = take(&mut self.before, id) {
            return Some(Box::new(subscriber));
        }
        Some(Box::new(take(&mut self.after, id)?))
    }
}

fn find<F: ?Sized>(list: &[Subscriber<F>], id: SubscriptionId) -> Option<&Subscriber<F>> {
    list.iter().find(|subscriber| subscriber.id() == id)
}

/// How far a subscription has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Live,
    /// It receives one message more, which waits for it already.
    Last,
    Ended,
}

/// What is to be done with a message for a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    Pass,
    Hear,
    /// It hears of the message in a stage of its own.
    HearIn(Stage),
}

pub(crate) struct Subscriber<F: ?Sized> {
    /// Whether it hears everything, at once, and counts as a receiver: nothing to judge.
    plain: Cell<bool>,
    pub(crate) closure: RefCell<Box<F>>,
    pub(crate) subscribed: Subscribed,
    /// How many were subscribed before.
    pub(crate) number: u64,
    state: Cell<State>,
    /// Absent when there are none, as most often: so a subscriber is one cache line long.
    terms: Option<Box<Terms>>,
}

const _: () = assert!(size_of::<Subscriber<After<()>>>() <= 64);

/// On what terms a subscription listens, if not to everything at once.
struct Terms {
    options: Options,
    conditions: Conditions,
}

impl<F: ?Sized> Subscriber<F> {
    pub(super) fn new(
        id: SubscriptionId,
        owner: Option<MessageeId>,
        number: u64,
        options: Options,
        conditions: Conditions,
        closure: Box<F>,
    ) -> Self {
        let plain = options.is_plain() && conditions.is_empty();
        let terms = (!plain).then(|| {
            Box::new(Terms {
                options,
                conditions,
            })
        });
        Self {
            plain: Cell::new(plain),
            closure: RefCell::new(closure),
            subscribed: Subscribed { id, owner },
            number,
            state: Cell::new(State::Live),
            terms,
        }
    }

    pub(crate) fn id(&self) -> SubscriptionId {
        self.subscribed.id
    }

    #[inline]
    pub(crate) fn is_plain(&self) -> bool {
        self.plain.get()
    }

    pub(crate) fn is_hidden(&self) -> bool {
        self.terms
            .as_ref()
            .is_some_and(|terms| terms.options.hidden)
    }

    pub(crate) fn is_busy(&self) -> bool {
        self.closure.try_borrow_mut().is_err()
    }

    /// Whether it shall receive a message that is sent now.
    pub(crate) fn judge(&self, sent: &Sent<'_>) -> Judgement {
        if self.state.get() != State::Live {
            return Judgement::Pass;
        }
        match &self.terms {
            Some(terms) if !terms.conditions.hold(sent) => Judgement::Pass,
            Some(terms) if terms.options.stage != Stage::Immediate => {
                Judgement::HearIn(terms.options.stage)
            }
            _ => Judgement::Hear,
        }
    }

    fn is_once(&self) -> bool {
        self.terms.as_ref().is_some_and(|terms| terms.options.once)
    }

    /// A message is kept for it, or is not any more. Whether that can be: not if the one message
    /// that it wanted has come already.
    fn set_reserved(&self, reserved: bool) -> bool {
        let (from, to) = if reserved {
            (State::Live, State::Last)
        } else {
            (State::Last, State::Live)
        };
        if !self.is_once() {
            return true;
        }
        let changes = self.state.get() == from;
        if changes {
            self.state.set(to);
        }
        changes
    }

    /// Whether the one message it wanted has come. If so it is to be removed when it has received
    /// it.
    pub(crate) fn use_up(&self) -> bool {
        let once = self.is_once();
        if once {
            self.set_reserved(true);
        }
        once
    }

    /// Whether a message that was kept for it shall still reach it.
    pub(crate) fn still_hears(&self) -> bool {
        self.state.get() != State::Ended
    }

    /// Whether it has not ended before.
    fn end(&self) -> bool {
        self.plain.set(false);
        self.state.replace(State::Ended) != State::Ended
    }
}
