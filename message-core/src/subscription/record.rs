//! One subscription: its owner, its terms and its state. Its closure is with those of its [list](super::closures).

use std::cell::Cell;

use crate::address::{MessageeId, Recipient, SubscriptionId};
use crate::message::{AnyMessage, MessageIndex};
use crate::send::{Sent, Subscribed, Verdict};
use crate::subscription::closures::Closures;
use crate::subscription::index::Part;
use crate::subscription::listener::Hear;
use crate::subscription::terms::{Asked, Conditions, Options};
use crate::tag::TagSet;

/// The state of a subscription. All but the first two receive nothing more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Live,
    /// The one message that it wanted waits for it already.
    Last,
    /// The one message that it wanted has come, unless it declines.
    UsedUp,
    /// It was ended while it received the one message that it wanted.
    Spent,
    Ended,
}

/// Stands for the switch from which on a paused subscription listens.
const PAUSED: u64 = u64::MAX;

pub(crate) struct Subscription {
    pub(crate) subscribed: Subscribed,
    /// The number of subscriptions that were made before.
    pub(crate) number: u64,
    /// The message type that it listens to; `None` for one that listens to all.
    of: Option<MessageIndex>,
    hidden: bool,
    intercepts: bool,
    /// `true` if it counts as a receiver of a message that goes on.
    counts: bool,
    state: Cell<State>,
    /// The number of the [switch](crate::world::Switches) that resumed it, 0 if none did, or [`PAUSED`]. It hears the
    /// messages that were sent later.
    resumed: Cell<u64>,
    /// The number of switches from which on its closure can be called at once, with nothing else to ask: W7.
    at_hand: Cell<u64>,
    /// The place in its list.
    pub(super) at: u32,
    /// Absent if it receives every message at once, by its closure.
    terms: Option<Box<Terms>>,
}

/// The terms of a subscription.
struct Terms {
    options: Options,
    conditions: Conditions,
    asked: Asked,
    /// A listener to messages whose type is not known, as that of wires: it is called instead of a closure.
    apart: Option<Box<dyn Hear<dyn AnyMessage>>>,
}

impl Subscription {
    /// Makes a subscription to messages of a type, of which the tags are given, or to all.
    pub(super) fn new(
        subscribed: Subscribed,
        number: u64,
        of: Option<(MessageIndex, TagSet)>,
        (options, conditions): (Options, Conditions),
    ) -> Self {
        let (of, tags) = of.unzip();
        let asked = conditions.asked(tags.unwrap_or_default());
        let terms = Terms {
            options,
            conditions,
            asked,
            apart: None,
        };
        let is_plain = options.are_plain() && conditions.is_empty();
        let new = Self {
            subscribed,
            number,
            of,
            hidden: options.hidden,
            intercepts: options.intercepts,
            counts: !options.hidden && !options.intercepts,
            state: Cell::new(State::Live),
            resumed: Cell::new(0),
            at_hand: Cell::new(0),
            at: 0,
            terms: (!is_plain).then(|| Box::new(terms)),
        };
        new.renew_at_hand();
        new
    }

    /// Gives it a listener that is called instead of a closure.
    #[cfg(feature = "data")]
    pub(super) fn hear_apart(&mut self, listener: Box<dyn Hear<dyn AnyMessage>>) {
        if let Some(terms) = &mut self.terms {
            terms.apart = Some(listener);
        }
    }

    /// Calls its closure, which is among those of its list.
    pub(super) fn call(
        &self,
        closures: &dyn Closures,
        message: &mut dyn AnyMessage,
        sent: &Sent<'_>,
    ) -> Verdict {
        let apart = self.terms.as_ref().and_then(|terms| terms.apart.as_ref());
        match apart {
            Some(listener) => listener.call(message, sent, &self.subscribed),
            None => closures.call(self.at as usize, message, sent, &self.subscribed),
        }
    }

    /// Notes since when its closure can be called at once.
    fn renew_at_hand(&self) {
        let is_at_hand = self.terms.is_none() && self.state.get() == State::Live;
        self.at_hand.set(if is_at_hand {
            self.resumed.get()
        } else {
            u64::MAX
        });
    }

    fn set_state(&self, state: State) {
        self.state.set(state);
        self.renew_at_hand();
    }

    /// Returns the number of switches from which on its closure can be called at once, with nothing else to ask.
    #[inline]
    pub(super) fn at_hand(&self) -> u64 {
        self.at_hand.get()
    }

    /// Returns `true` if it counts as a receiver of a message that goes on.
    #[inline]
    pub(super) fn counts(&self) -> bool {
        self.counts
    }

    pub(super) fn options(&self) -> Options {
        let terms = self.terms.as_ref();
        terms.map_or_else(Options::default, |terms| terms.options)
    }

    pub(crate) fn id(&self) -> SubscriptionId {
        self.subscribed.id
    }

    pub(crate) fn of(&self) -> Option<MessageIndex> {
        self.of
    }

    pub(super) fn asked(&self) -> Asked {
        let terms = self.terms.as_ref();
        terms.map_or(Asked::Nothing, |terms| terms.asked)
    }

    pub(super) fn part(&self) -> Part {
        if self.intercepts {
            Part::Before
        } else {
            Part::After
        }
    }

    #[cfg(feature = "data")]
    pub(super) fn conditions(&self) -> Conditions {
        let terms = self.terms.as_ref();
        terms.map_or_else(Conditions::default, |terms| terms.conditions)
    }

    #[inline]
    pub(crate) fn is_hidden(&self) -> bool {
        self.hidden
    }

    pub(crate) fn wants_retained(&self) -> bool {
        self.options().retained
    }

    /// Returns `true` if it asks for the recipients of a message as of the time when it was sent.
    pub(super) fn looks_back(&self) -> bool {
        self.terms.as_ref().is_some_and(|terms| {
            let Terms {
                options,
                conditions,
                ..
            } = &**terms;
            let asks = conditions.to.is_some_and(Recipient::is_by_mnemonic);
            asks || options.overhears || options.looks_back
        })
    }

    /// Returns the messagee whose components receive what passes, if one overhears by it.
    pub(crate) fn overhearer(&self) -> Option<MessageeId> {
        self.subscribed.owner.filter(|_| self.options().overhears)
    }

    /// Returns `true` if it receives a message whose send began after `begun` switches, as far as that can be said
    /// without its predicate.
    #[inline]
    pub(super) fn hears(&self, sent: &Sent<'_>, begun: u64) -> bool {
        self.state.get() == State::Live && self.resumed.get() <= begun && self.holds(sent)
    }

    /// Returns `true` if a message meets its conditions.
    #[inline]
    pub(crate) fn holds(&self, sent: &Sent<'_>) -> bool {
        let terms = self.terms.as_ref();
        terms.is_none_or(|terms| terms.conditions.hold(sent))
    }

    /// Returns `true` if it has not ended. A message that was kept for it reaches it, unless it is paused then.
    pub(super) fn is_open(&self) -> bool {
        matches!(self.state.get(), State::Live | State::Last)
    }

    /// Returns `true` if it accepts messages that have to wait for it: the first one, if it wants just one.
    pub(super) fn listens(&self) -> bool {
        self.state.get() == State::Live && !self.is_paused()
    }

    /// Returns `true` if it has neither ended nor been paused.
    pub(super) fn is_listening(&self) -> bool {
        self.is_open() && !self.is_paused()
    }

    pub(super) fn is_paused(&self) -> bool {
        self.resumed.get() == PAUSED
    }

    /// Returns the number of the switch that resumed it, if one did.
    pub(super) fn resumed(&self) -> Option<u64> {
        Some(self.resumed.get()).filter(|resumed| ![0, PAUSED].contains(resumed))
    }

    /// Pauses it, or resumes it by the switch with that number. Returns `true` if that is a change.
    pub(super) fn set_listening(&self, listening: bool, switch: u64) -> bool {
        let changes = self.is_paused() == listening;
        if changes {
            self.resumed.set(if listening { switch } else { PAUSED });
            self.renew_at_hand();
        }
        changes
    }

    /// Returns `true` if the one message that it wanted waits for it.
    #[cfg(feature = "data")]
    pub(super) fn is_reserved(&self) -> bool {
        self.state.get() == State::Last
    }

    /// Accepts a message that has to wait for it. Returns `false` if the one message that it wanted has come already.
    pub(crate) fn reserve(&self) -> bool {
        let once = self.options().once;
        let accepts = self.state.get() == State::Live || !once && self.is_open();
        if accepts && once {
            self.set_state(State::Last);
        }
        accepts
    }

    /// Takes back that a message waits for it, which has not reached it.
    pub(crate) fn give_up(&self) {
        if self.state.get() == State::Last {
            self.set_state(State::Live);
        }
    }

    /// Notes that it receives a message. Returns `true` if it ends with that.
    pub(super) fn note_received(&self) -> bool {
        let once = self.options().once;
        if once {
            self.set_state(State::UsedUp);
        }
        once
    }

    /// Takes back that it has received a message: it has declined.
    pub(crate) fn give_back(&self) {
        if self.state.get() == State::UsedUp {
            self.set_state(State::Live);
        }
    }

    /// Returns `true` if the one message that it wanted has come.
    pub(super) fn is_used_up(&self) -> bool {
        matches!(self.state.get(), State::UsedUp | State::Spent)
    }

    /// Returns `true` if a message that was kept for a component that overhears by it still reaches that.
    /// `has_used_up` is set if the message is the one that it wanted, and others have received it.
    pub(crate) fn still_overhears(&self, has_used_up: bool) -> bool {
        let is_its_own = has_used_up && self.state.get() == State::UsedUp;
        !self.is_paused() && (self.is_open() || is_its_own)
    }

    /// Ends it. Returns `true` if that is a change: not if it has received the one message that it wanted.
    pub(super) fn end(&self) -> bool {
        let ends = self.is_open();
        if ends {
            self.set_state(State::Ended);
        } else if self.state.get() == State::UsedUp {
            self.set_state(State::Spent);
        }
        ends
    }

    /// Ends it, even if it is used up: its closure has panicked.
    pub(super) fn end_panicked(&self) {
        self.set_state(State::Ended);
    }
}
