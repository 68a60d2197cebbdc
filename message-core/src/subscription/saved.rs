//! Overhearing in a save: filters without a predicate are data, and there is no closure behind them.
//!
//! They come back before anybody has subscribed here, by code that does not know the type: so they are
//! [untyped](super::untyped) listeners at first.

use serde::{Deserialize, Serialize};

use crate::address::{MessageeId, SubscriptionId};
use crate::message::MessageIndex;
use crate::send::Subscribed;
use crate::subscription::conditions::{Conditions, Options};
use crate::subscription::head::Head;
use crate::subscription::list::Part;
use crate::subscription::missed::Missed;
use crate::subscription::overhear::Overhearer;
use crate::subscription::topic::ToEveryType;
use crate::subscription::untyped::Untyped;
use crate::subscription::{Listed, Subscriptions};
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
        let mut found = Vec::new();
        for listed in self.table.iter() {
            let heads = self.heads_of(listed);
            let head = heads.map(|heads| &heads.places()[listed.at()]);
            let Some(head) = head else { continue };
            let overhearing = head.overhears().map(|(owner, options, mut conditions)| {
                conditions.to = conditions.to.or(listed.to());
                let saved = SavedOverhearing {
                    owner,
                    conditions,
                    hidden: options.hidden,
                    once: options.once,
                    stage: options.stage,
                    is_paused: head.is_paused(),
                    is_reserved: head.is_reserved(),
                    retained: options.retained,
                    missed: self.saved_missed(listed.id(), retained),
                };
                (!options.asks).then_some(saved)
            });
            found.push((head.number, (listed.id(), listed.message, overhearing)));
        }
        found.sort_unstable_by_key(|(number, _)| *number);
        found.into_iter().map(|(_, it)| it).collect()
    }

    /// Lets a messagee overhear again, of a type with these tags or of all types.
    pub(crate) fn restore_overhearing(
        &mut self,
        saved: SavedOverhearing,
        of: Option<(MessageIndex, TagSet)>,
    ) -> SubscriptionId {
        let id = self.reserve();
        let number = self.count();
        let mut conditions = saved.conditions;
        let to = conditions.take_recipient();
        let options = Options {
            hidden: saved.hidden,
            once: saved.once,
            stage: saved.stage,
            retained: saved.retained,
            asks: false,
            overhears: true,
        };
        if let Some((of, _)) = of {
            self.make_room_for(of);
        }
        self.add_mask(of, to, &conditions);
        let index = of.map(|(index, _)| index);
        let owner = Some(saved.owner);
        let part = (Part::After, saved.hidden);
        let looks_back = conditions.look_back(options);
        let listed = Listed::new(id, owner, index, to, part).looking_back(looks_back);
        self.insert(listed);
        let head = Head::new(Subscribed { id, owner }, number, options, conditions);
        let quiet = Box::new(Overhearer(()));
        let at = match index {
            None => {
                self.set_any_listens(true);
                self.any.listeners_for(&listed).after.push(head, quiet)
            }
            Some(of) => {
                let topic = &mut self.typed[of.get()];
                let topic = topic.get_or_insert_with(|| Box::new(ToEveryType::default()));
                topic.push_untyped(&listed, head, Box::new(Untyped(quiet)))
            }
        };
        self.table.set_place(id, at);
        if saved.is_paused {
            self.set_listening(id, false, 0);
        }
        if let Some(missed) = saved.missed {
            self.missed.get_mut().insert(id, missed);
        }
        if saved.is_reserved {
            self.reserve_message(id.0.index());
        }
        id
    }
}
