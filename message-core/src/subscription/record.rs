//! One subscription: its owner, its terms and its state. Its closure is with those of its [list](super::list).

use std::cell::Cell;

use crate::address::{MessageeId, Recipient, SubscriptionId};
use crate::message::MessageIndex;
use crate::send::{Sent, Subscribed};
use crate::subscription::index::Shelf;
use crate::subscription::terms::{Asked, Part, Terms};
use crate::tag::TagSet;
use crate::world::World;

/// The state of a subscription. All but the first two receive nothing more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Live,
    /// The one message that it wanted waits for it already.
    Last,
    /// The one message that it wanted has come, unless it declines.
    UsedUp,
    Ended,
}

/// The marker of a paused subscription, in place of the switch from which it listens.
const PAUSED: u64 = u64::MAX;

/// The number of bits of a subscription's number below its priority.
const MADE_BITS: u32 = 48;

#[derive(Clone)]
pub struct Subscription {
    pub(crate) subscribed: Subscribed,
    /// Which subscription of the manager it is. No other one ever has the number, also after a rewind.
    pub(super) life: u64,
    /// The order in which it is called: by priority, and then by the number of subscriptions that were made before.
    pub number: u64,
    /// The message type that it listens to; `None` for one that listens to all.
    pub of: Option<MessageIndex>,
    pub terms: Terms,
    /// It asks a predicate, which is stored with its closure.
    pub asks: bool,
    pub(super) asked: Asked,
    state: Cell<State>,
    /// The number of the [switch](crate::structure::Switches) that resumed it, 0 if none did, or [`PAUSED`]. It hears the
    /// messages that were sent later.
    resumed: Cell<u64>,
    /// Its list.
    pub(super) list: Shelf,
    /// The place in its list.
    pub(super) at: u32,
}

impl Subscription {
    /// Returns the number of subscriptions that were made before.
    pub(super) fn made(&self) -> u64 {
        self.number & ((1 << MADE_BITS) - 1)
    }

    /// Makes a subscription to messages of a type, of which the tags are given, or to all.
    pub(super) fn new(
        subscribed: Subscribed,
        life: u64,
        made: u64,
        of: Option<(MessageIndex, TagSet)>,
        terms: Terms,
    ) -> Self {
        let (of, tags) = of.unzip();
        let rank = u64::from(terms.priority.abs_diff(i16::MAX));
        Self {
            subscribed,
            life,
            number: rank << MADE_BITS | made,
            of,
            terms,
            asks: false,
            asked: terms.asked(tags.unwrap_or_default()),
            state: Cell::new(State::Live),
            resumed: Cell::new(0),
            list: Shelf::After,
            at: 0,
        }
    }

    /// Returns the number of switches from which on its closure can be called with nothing else to ask, or
    /// [`u64::MAX`].
    pub(super) fn at_hand(&self) -> u64 {
        match self.state.get() {
            State::Live if !self.asks && self.terms.are_plain() => self.resumed.get(),
            _ => u64::MAX,
        }
    }

    /// Returns `true` if it counts as a receiver of a message that goes on.
    pub(super) fn counts(&self) -> bool {
        !self.terms.hidden && self.terms.part != Part::Before
    }

    pub fn id(&self) -> SubscriptionId {
        self.subscribed.id
    }

    /// Returns `true` if it asks for the recipients of a message as of the time when it was sent.
    pub(super) fn looks_back(&self) -> bool {
        self.terms.part == Part::Apart || self.terms.to.is_some_and(Recipient::is_by_mnemonic)
    }

    /// Returns the messagee whose components receive the messages that pass, if one overhears by it. Wires have no owner.
    pub fn overhearer(&self) -> Option<MessageeId> {
        let owner = self.subscribed.owner;
        owner.filter(|_| self.terms.part == Part::Apart)
    }

    /// Returns `true` if it receives a message whose send began after that many switches, unless its predicate rejects
    /// the message.
    pub(super) fn hears(&self, sent: &Sent<'_>, switches: u64) -> bool {
        self.state.get() == State::Live && self.resumed.get() <= switches && self.terms.hold(sent)
    }

    /// Returns `true` if it has not ended. A message that was kept for it reaches it, unless it is paused then.
    pub fn is_open(&self) -> bool {
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

    pub fn is_paused(&self) -> bool {
        self.resumed.get() == PAUSED
    }

    /// Returns `true` if it listens since one of the first `switches` switches resumed it.
    pub(super) fn was_resumed(&self, switches: u64) -> bool {
        self.is_open() && (1..=switches).contains(&self.resumed.get())
    }

    /// Pauses it, or resumes it by the switch with that number. Returns `true` if that is a change.
    pub(super) fn set_listening(&self, listening: bool, switch: u64) -> bool {
        let changes = self.is_paused() == listening;
        if changes {
            self.resumed.set(if listening { switch } else { PAUSED });
        }
        changes
    }

    /// Returns `true` if the one message that it wanted waits for it.
    pub fn is_reserved(&self) -> bool {
        self.state.get() == State::Last
    }

    /// Accepts a message that has to wait for it. Returns `false` if the one message that it wanted has come already.
    pub fn reserve(&self) -> bool {
        let accepts = self.state.get() == State::Live;
        if accepts && self.terms.once {
            self.state.set(State::Last);
        }
        accepts
    }

    /// Takes back that a message waits for it, which has not reached it.
    pub(crate) fn give_up(&self) {
        if self.state.get() == State::Last {
            self.state.set(State::Live);
        }
    }

    /// Notes that it receives a message. One that is `once` ends with that. Returns `true` if it does.
    pub(crate) fn use_up(&self, world: &World) -> bool {
        let once = self.terms.once;
        if once {
            self.state.set(State::UsedUp);
            let id = self.id();
            world.later(move |world| {
                // It may have declined, or somebody has ended it, who removes it.
                let subscriptions = &mut world.listen.subscriptions;
                let it = subscriptions.find(id);
                if it.is_some_and(|it| it.state.get() == State::UsedUp) {
                    drop(subscriptions.remove(id));
                }
            });
        }
        once
    }

    /// Takes back that it has received a message: it has declined.
    pub(crate) fn give_back(&self) {
        if self.state.get() == State::UsedUp {
            self.state.set(State::Live);
        }
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
        self.state.set(State::Ended);
        ends
    }

    /// Goes back to an earlier state.
    pub(super) fn rewind(&self, to: &Self) {
        self.state.set(to.state.get());
        self.resumed.set(to.resumed.get());
    }
}
