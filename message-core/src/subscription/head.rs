//! What is known of a subscription besides its closure: whose it is, on what terms it listens, and how
//! far it has come.

use std::cell::Cell;

use crate::address::{MessageeId, SubscriptionId};
use crate::send::{Sent, Subscribed};
use crate::subscription::conditions::{Conditions, Options};
use crate::time::Stage;

/// How far a subscription has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Live,
    /// It receives one message more, which waits for it already.
    Last,
    /// The one message that it wanted has come, unless it declines.
    UsedUp,
    /// It was ended while it received the one message that it wanted.
    Spent,
    Ended,
    /// It was taken out of its list, where its place is left until the list is compacted.
    Removed,
}

/// Tells whether a subscription receives messages, as far as its user wishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Switch {
    On,
    Paused,
    /// It was resumed in this dispatch.
    Resumed,
}

/// What is to be done with a message for a subscription.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Judgement {
    Pass,
    Hear,
    /// It hears of the message in a stage of its own.
    HearIn(Stage),
}

pub(crate) struct Head {
    pub(crate) subscribed: Subscribed,
    /// How many were subscribed before.
    pub(crate) number: u64,
    state: Cell<State>,
    switch: Cell<Switch>,
    hidden: bool,
    retained: bool,
    /// Absent when there are none, as most often.
    terms: Option<Box<Terms>>,
}

/// On what terms a subscription listens, if not to everything at once.
struct Terms {
    options: Options,
    conditions: Conditions,
}

impl Head {
    pub(super) fn new(
        subscribed: Subscribed,
        number: u64,
        options: Options,
        conditions: Conditions,
    ) -> Self {
        let shown = Options {
            hidden: false,
            ..options
        };
        let plain = shown.is_plain() && conditions.is_empty();
        let (hidden, retained) = (options.hidden, options.retained);
        let terms = (!plain).then(|| {
            Box::new(Terms {
                options,
                conditions,
            })
        });
        Self {
            subscribed,
            number,
            state: Cell::new(State::Live),
            switch: Cell::new(Switch::On),
            hidden,
            retained,
            terms,
        }
    }

    /// On what terms a messagee overhears by it, if one does.
    #[cfg(feature = "data")]
    pub(super) fn overhears(&self) -> Option<(MessageeId, Options, Conditions)> {
        let terms = self.terms.as_ref()?;
        let owner = self.overhearer().filter(|_| self.still_hears())?;
        Some((owner, terms.options, terms.conditions))
    }

    pub(crate) fn id(&self) -> SubscriptionId {
        self.subscribed.id
    }

    /// Returns `true` if it hears everything, at once: there is nothing to judge.
    pub(crate) fn is_plain(&self) -> bool {
        self.terms.is_none() && self.state.get() == State::Live && self.switch.get() == Switch::On
    }

    #[inline]
    pub(crate) fn is_hidden(&self) -> bool {
        self.hidden
    }

    /// Returns `true` if it shall receive a message that is sent now, if its predicate lets it pass.
    pub(crate) fn judge(&self, sent: &Sent<'_>) -> Judgement {
        if !self.listens() || !self.holds(sent) {
            return Judgement::Pass;
        }
        match &self.terms {
            Some(terms) if terms.options.stage != Stage::Immediate => {
                Judgement::HearIn(terms.options.stage)
            }
            _ => Judgement::Hear,
        }
    }

    /// Returns `true` if it has neither ended nor been paused, and no one message that it wanted waits for it.
    pub(crate) fn listens(&self) -> bool {
        self.state.get() == State::Live && !self.is_paused()
    }

    /// Returns `true` if its conditions hold.
    pub(crate) fn holds(&self, sent: &Sent<'_>) -> bool {
        let terms = self.terms.as_ref();
        terms.is_none_or(|terms| terms.conditions.hold(sent))
    }

    /// Returns `true` if it asks for retained messages.
    pub(crate) fn wants_retained(&self) -> bool {
        self.retained
    }

    /// Returns `true` if it does not receive a message, whatever happens while that is delivered.
    pub(crate) fn excludes(&self, sent: &Sent<'_>) -> bool {
        let terms = self.terms.as_ref();
        self.is_vacant() || terms.is_some_and(|terms| terms.conditions.exclude(sent))
    }

    /// Returns `true` if it has a predicate.
    pub(crate) fn asks(&self) -> bool {
        self.terms.as_ref().is_some_and(|terms| terms.options.asks)
    }

    /// The messagee whose components receive what passes, if it is one that overhears.
    pub(crate) fn overhearer(&self) -> Option<MessageeId> {
        let overhears = self.terms.as_ref()?.options.overhears;
        self.subscribed.owner.filter(|_| overhears)
    }

    /// The one message that it wanted waits for it.
    #[cfg(feature = "data")]
    pub(super) fn is_reserved(&self) -> bool {
        self.state.get() == State::Last
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.switch.get() == Switch::Paused
    }

    /// Returns `true` if it was resumed in this dispatch.
    pub(crate) fn was_resumed(&self) -> bool {
        self.switch.get() == Switch::Resumed
    }

    /// Pauses or resumes it. Returns `true` if that is a change.
    pub(super) fn set_listening(&self, listening: bool) -> bool {
        let changes = self.is_paused() == listening;
        if changes {
            let switch = if listening {
                Switch::Resumed
            } else {
                Switch::Paused
            };
            self.switch.set(switch);
        }
        changes
    }

    /// The dispatch has ended in which it was resumed.
    pub(super) fn settle_resumed(&self) {
        if self.was_resumed() {
            self.switch.set(Switch::On);
        }
    }

    fn is_once(&self) -> bool {
        self.terms.as_ref().is_some_and(|terms| terms.options.once)
    }

    /// A message is kept for it, or is not any more. Returns `true` if that can be: not if the one
    /// message that it wanted has come already.
    pub(super) fn set_reserved(&self, reserved: bool) -> bool {
        let (from, to) = if reserved {
            (State::Live, State::Last)
        } else {
            (State::Last, State::Live)
        };
        if !self.is_once() {
            return !reserved || self.still_hears();
        }
        let changes = self.state.get() == from;
        if changes {
            self.state.set(to);
        }
        changes
    }

    /// Returns `true` if the one message it wanted has come. If so it is to be removed when it has
    /// received it.
    pub(crate) fn use_up(&self) -> bool {
        let once = self.is_once();
        if once {
            self.state.set(State::UsedUp);
        }
        once
    }

    /// It has declined the one message that it wanted, and goes on.
    pub(crate) fn give_back(&self) {
        if self.state.get() == State::UsedUp {
            self.state.set(State::Live);
        }
    }

    /// Returns `true` if the one message that it wanted has come.
    pub(super) fn is_used_up(&self) -> bool {
        matches!(self.state.get(), State::UsedUp | State::Spent)
    }

    /// Returns `true` if a message that was kept for it shall still reach it, if it is not paused then.
    pub(crate) fn still_hears(&self) -> bool {
        matches!(self.state.get(), State::Live | State::Last)
    }

    /// Returns `true` if a message that was kept for one of those who overhear by it shall still reach
    /// that one. `has_used_up`: the message is the one that it wanted, and others have received it.
    pub(crate) fn still_overhears(&self, has_used_up: bool) -> bool {
        let is_its_own = has_used_up && self.state.get() == State::UsedUp;
        !self.is_paused() && (self.still_hears() || is_its_own)
    }

    /// Ends it, unless it has ended before or is used up. Returns `true` if that was a change.
    pub(super) fn end(&self) -> bool {
        let ends = self.still_hears();
        if ends {
            self.state.set(State::Ended);
        } else if self.state.get() == State::UsedUp {
            self.state.set(State::Spent);
        }
        ends
    }

    /// Ends it, also if it is used up: its closure has panicked.
    pub(super) fn end_panicked(&self) {
        self.state.set(State::Ended);
    }

    /// Leaves its place in the list.
    pub(super) fn vacate(&mut self) {
        self.state.set(State::Removed);
        self.terms = None;
    }

    pub(super) fn is_vacant(&self) -> bool {
        self.state.get() == State::Removed
    }
}
