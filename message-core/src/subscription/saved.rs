//! Overhearing in a save: filters without a predicate are data, and there is no closure behind them.
//!
//! Who overhears messages of a type comes back before anybody has subscribed to that type here, by code
//! that does not know it: so the subscriptions stand in a list for messages of any type, at the place of
//! that type. With the first typed subscription the list becomes one of the type.

use std::any::Any;

use serde::{Deserialize, Serialize};

use crate::address::{MessageeId, SubscriptionId};
use crate::message::{AnyMessage, Message, MessageIndex};
use crate::send::Subscribed;
use crate::subscription::conditions::{Conditions, Options};
use crate::subscription::head::Head;
use crate::subscription::list::{After, Part};
use crate::subscription::overhear::Overhearer;
use crate::subscription::topic::{AnyTopic, ToEveryType, Topic};
use crate::subscription::{Listed, Mask, Subscriptions};
use crate::tag::TagSet;
use crate::time::Stage;

/// A filter by which a messagee overhears.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct SavedOverhearing {
    pub(crate) owner: MessageeId,
    conditions: Conditions,
    hidden: bool,
    once: bool,
    stage: Stage,
    is_paused: bool,
    /// The one message that it wanted waits for it in a stage.
    is_reserved: bool,
}

impl Subscriptions {
    /// Who overhears, in the order of the subscriptions: with the type that is overheard, if not all
    /// are. `None` for a filter that has a predicate.
    pub(crate) fn overhearing(
        &self,
    ) -> Vec<(
        SubscriptionId,
        Option<MessageIndex>,
        Option<SavedOverhearing>,
    )> {
        let mut found = Vec::new();
        for listed in self.table.iter() {
            let heads = self.heads_of(listed);
            let head = heads.map(|heads| &heads.places()[listed.at()]);
            let Some(head) = head else { continue };
            let Some((owner, options, mut conditions)) = head.overhears() else {
                continue;
            };
            conditions.to = conditions.to.or(listed.to());
            let saved = SavedOverhearing {
                owner,
                conditions,
                hidden: options.hidden,
                once: options.once,
                stage: options.stage,
                is_paused: head.is_paused(),
                is_reserved: head.is_reserved(),
            };
            let saved = (!options.asks).then_some(saved);
            found.push((head.number, (listed.id(), listed.message, saved)));
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
            retained: false,
            asks: false,
            overhears: true,
        };
        if let Some((of, _)) = of {
            self.make_erased(of);
        }
        self.add_mask(of, to, &conditions);
        let index = of.map(|(index, _)| index);
        let owner = Some(saved.owner);
        let part = (Part::After, saved.hidden);
        let listed = Listed::new(id, owner, index, to, part);
        self.table.insert(listed);
        let head = Head::new(Subscribed { id, owner }, number, options, conditions);
        let topic = match index {
            None => {
                self.set_to_all(true);
                Some(&mut self.any)
            }
            Some(of) => {
                let topic = self.typed[of.get()].as_deref_mut();
                let topic = topic.map(|topic| topic as &mut dyn Any);
                topic.and_then(<dyn Any>::downcast_mut::<ToEveryType>)
            }
        };
        let topic = topic.expect("nobody has subscribed to the type before");
        let after = &mut topic.listeners_for(&listed).after;
        let at = after.push(head, Box::new(Overhearer(())));
        self.table.set_place(id, at);
        if saved.is_paused {
            self.set_listening(id, false, 0);
        }
        if saved.is_reserved {
            self.reserve_message(id.0.index());
        }
        id
    }

    fn make_erased(&mut self, of: MessageIndex) {
        let at = of.get();
        if at >= self.typed.len() {
            self.typed.resize_with(at + 1, || None);
            self.masks.resize_with(at + 1, Mask::default);
        }
        self.fast_routes.set_heard(of, true);
        self.typed[at].get_or_insert_with(|| Box::new(ToEveryType::default()));
    }
}

/// Makes the listeners to a type those of the type, if they came from a save.
pub(super) fn make_typed<M: Message>(topic: &mut Box<dyn AnyTopic>) {
    if (&**topic as &dyn Any).is::<Topic<M>>() {
        return;
    }
    let erased = std::mem::replace(topic, Box::new(Topic::<M>::default()));
    let erased: Box<dyn Any> = erased;
    if let Ok(erased) = erased.downcast::<Topic<dyn AnyMessage>>() {
        let quiet = || -> Box<dyn After<M>> { Box::new(Overhearer(())) };
        *topic = Box::new(erased.into_typed(quiet));
    }
}
