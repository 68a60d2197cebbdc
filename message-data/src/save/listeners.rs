//! The subscriptions of a manager, and overhearing among them: filters without a predicate, behind which there is no
//! closure of the program.

use std::collections::VecDeque;

use message_core::internals::{
    Missed, Part, Subscribed, Subscription, Subscriptions, Terms, overhearer,
};
use message_core::registry::MessageIndex;
use message_core::{MessageeId, SubscriptionId, TagSet};
use serde::{Deserialize, Serialize};

/// A filter by which a messagee overhears.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct SavedOverhearing {
    pub(super) owner: MessageeId,
    filter: Terms,
    is_paused: bool,
    /// The one message that it wanted waits for it in a stage.
    is_reserved: bool,
    /// The retained messages that it has missed, by their indices among the saved ones.
    missed: Option<SavedMissed>,
}

/// The retained messages that a subscription has missed, by their indices among the saved ones.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedMissed {
    wanted: VecDeque<u64>,
    from: Option<u64>,
    had: Vec<u64>,
}

impl SavedOverhearing {
    /// Returns how a messagee overhears by a subscription. `retained` contains the numbers of the retained messages
    /// that are saved.
    fn of(it: &Subscription, owner: MessageeId, all: &Subscriptions, retained: &[u64]) -> Self {
        Self {
            owner,
            filter: it.terms,
            is_paused: it.is_paused(),
            is_reserved: it.is_reserved(),
            missed: SavedMissed::of(it.id(), all, retained),
        }
    }

    /// Lets a messagee overhear again, of a type with these tags or of all types.
    pub(super) fn restore(
        self,
        id: SubscriptionId,
        all: &mut Subscriptions,
        of: Option<(MessageIndex, TagSet)>,
    ) {
        let owner = Some(self.owner);
        let terms = Terms {
            part: Part::Apart,
            ..self.filter
        };
        all.enter(Subscribed { id, owner }, of, terms, overhearer(Vec::new()));
        if self.is_paused {
            all.set_listening(id, false, 0);
        }
        if let Some(SavedMissed { wanted, from, had }) = self.missed {
            let missed = Missed { wanted, from, had };
            all.missed.get_mut().insert(id, missed);
        }
        if self.is_reserved
            && let Some(it) = all.find(id)
        {
            it.reserve();
        }
    }
}

impl SavedMissed {
    fn of(id: SubscriptionId, all: &Subscriptions, retained: &[u64]) -> Option<Self> {
        let missed = all.missed.borrow();
        let Missed { wanted, from, had } = missed.get(&id)?;
        let place = |number: &u64| retained.binary_search(number).ok().map(|at| at as u64);
        let first = |from: u64| retained.partition_point(|number| *number < from) as u64;
        Some(Self {
            wanted: wanted.iter().filter_map(place).collect(),
            from: from.map(first),
            had: had.iter().filter_map(place).collect(),
        })
    }
}

/// A subscription: see [`saved_listeners`].
pub(super) type SavedListener = (
    SubscriptionId,
    Option<MessageIndex>,
    Option<Option<SavedOverhearing>>,
);

/// Returns all subscriptions in their order, each with the message type that it listens to, if any, and with
/// how a messagee overhears by it, if one does: `Some(None)` if the filter has a predicate.
/// `retained` contains the numbers of the retained messages that are saved.
pub(super) fn saved_listeners(all: &Subscriptions, retained: &[u64]) -> Vec<SavedListener> {
    let mut in_order: Vec<&Subscription> = all.records.iter().flatten().collect();
    in_order.sort_unstable_by_key(|it| it.number);
    let saved = in_order.into_iter().map(|it| {
        let overhearing = it.overhearer().filter(|_| it.is_open()).map(|owner| {
            let is_data = !it.asks;
            is_data.then(|| SavedOverhearing::of(it, owner, all, retained))
        });
        (it.id(), it.of, overhearing)
    });
    saved.collect()
}
