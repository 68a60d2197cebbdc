//! Subscriptions that come from data: wires, and overhearing in a save. Filters without a predicate are data, and there
//! is no closure of the program behind them.

use serde::{Deserialize, Serialize};

use crate::address::{MessageeId, SubscriptionId};
use crate::message::{AnyMessage, MessageIndex};
use crate::send::Subscribed;
use crate::subscription::Subscriptions;
use crate::subscription::listener::{Hear, overhearer};
use crate::subscription::missed::Missed;
use crate::subscription::record::Subscription;
use crate::subscription::terms::{Conditions, Options, Part};
use crate::tag::TagSet;
use crate::time::Stage;

/// A filter by which a messagee overhears.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent facts, of which any combination can be"
)]
pub(crate) struct SavedOverhearing {
    pub(crate) owner: MessageeId,
    conditions: Conditions,
    hidden: bool,
    once: bool,
    stage: Stage,
    is_paused: bool,
    /// The one message that it wanted waits for it in a stage.
    is_reserved: bool,
    /// It asks for retained messages. Missing in saves of earlier versions.
    #[serde(default)]
    retained: bool,
    /// The retained messages that it has missed, by their indices among the saved ones.
    #[serde(default)]
    missed: Option<Missed>,
}

/// A subscription: see [`Subscriptions::saved_listeners`].
pub(crate) type SavedListener = (
    SubscriptionId,
    Option<MessageIndex>,
    Option<Option<SavedOverhearing>>,
);

impl Subscriptions {
    /// Returns all subscriptions in their order, each with the message type that it listens to, if any, and with
    /// how a messagee overhears by it, if one does: `Some(None)` if the filter has a predicate.
    /// `retained` contains the numbers of the retained messages that are saved.
    pub(crate) fn saved_listeners(&self, retained: &[u64]) -> Vec<SavedListener> {
        let mut all: Vec<&Subscription> = self.records.iter().flatten().collect();
        all.sort_unstable_by_key(|it| it.number);
        let saved = all.into_iter().map(|it| {
            let overhearing = it.overhearer().filter(|_| it.is_open()).map(|owner| {
                let options = it.options;
                let saved = SavedOverhearing {
                    owner,
                    conditions: it.conditions,
                    hidden: options.hidden,
                    once: options.once,
                    stage: options.stage,
                    is_paused: it.is_paused(),
                    is_reserved: it.is_reserved(),
                    retained: options.retained,
                    missed: self.saved_missed(it.id(), retained),
                };
                (!options.asks).then_some(saved)
            });
            (it.id(), it.of, overhearing)
        });
        saved.collect()
    }

    /// Lets a messagee overhear again, of a type with these tags or of all types.
    pub(crate) fn restore_overhearing(
        &mut self,
        saved: SavedOverhearing,
        of: Option<(MessageIndex, TagSet)>,
    ) -> SubscriptionId {
        let id = self.reserve();
        let owner = Some(saved.owner);
        let options = Options {
            hidden: saved.hidden,
            once: saved.once,
            stage: saved.stage,
            retained: saved.retained,
            part: Part::Apart,
            ..Options::default()
        };
        let terms = (options, saved.conditions);
        self.enter(Subscribed { id, owner }, of, terms, overhearer(()));
        if saved.is_paused {
            self.set_listening(id, false, 0);
        }
        if let Some(missed) = saved.missed {
            self.missed.get_mut().insert(id, missed);
        }
        if saved.is_reserved
            && let Some(it) = self.find(id)
        {
            it.reserve();
        }
        id
    }

    /// Adds a hidden listener to the messages of a type, which asks for their recipients as of the time of the send.
    pub(crate) fn enter_hidden(
        &mut self,
        of: (MessageIndex, TagSet),
        listener: Box<dyn Hear<dyn AnyMessage>>,
    ) -> SubscriptionId {
        let id = self.reserve();
        let options = Options {
            hidden: true,
            part: Part::Apart,
            ..Options::default()
        };
        let terms = (options, Conditions::default());
        self.enter(Subscribed { id, owner: None }, Some(of), terms, listener);
        id
    }
}
