//! What is known of a subscription besides its closure: whose it is, on what terms it listens, and how
//! far it has come.

use std::cell::Cell;

use crate::address::SubscriptionId;
use crate::dispatch::{Sent, Subscribed};
use crate::subscription::filter::{Conditions, Options};
use crate::time::Stage;

/// How far a subscription has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Live,
    /// It receives one message more, which waits for it already.
    Last,
    /// The one message that it wanted has come.
    UsedUp,
    Ended,
    /// It was taken out of its list, where its place is left until the list is compacted.
    Removed,
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
        let plain = options.is_plain() && conditions.is_empty();
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
            terms,
        }
    }

    pub(crate) fn id(&self) -> SubscriptionId {
        self.subscribed.id
    }

    /// Returns `true` if it hears everything, at once, and counts as a receiver: nothing to judge.
    pub(crate) fn is_plain(&self) -> bool {
        self.terms.is_none() && self.state.get() == State::Live
    }

    pub(crate) fn is_hidden(&self) -> bool {
        self.terms
            .as_ref()
            .is_some_and(|terms| terms.options.hidden)
    }

    /// Returns `true` if it shall receive a message that is sent now.
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

    /// A message is kept for it, or is not any more. Returns `true` if that can be: not if the one
    /// message that it wanted has come already.
    pub(super) fn set_reserved(&self, reserved: bool) -> bool {
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

    /// Returns `true` if the one message it wanted has come. If so it is to be removed when it has
    /// received it.
    pub(crate) fn use_up(&self) -> bool {
        let once = self.is_once();
        if once {
            self.state.set(State::UsedUp);
        }
        once
    }

    /// Returns `true` if a message that was kept for it shall still reach it.
    pub(crate) fn still_hears(&self) -> bool {
        matches!(self.state.get(), State::Live | State::Last)
    }

    /// Returns `true` if somebody has ended it, who also removes it.
    pub(super) fn has_ended(&self) -> bool {
        matches!(self.state.get(), State::Ended | State::Removed)
    }

    /// Ends it, unless it has ended before or is used up. Returns `true` if that was a change.
    pub(super) fn end(&self) -> bool {
        let ends = self.still_hears();
        if ends {
            self.state.set(State::Ended);
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
