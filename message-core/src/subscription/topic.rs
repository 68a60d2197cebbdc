//! All who listen to one message type, or to all types.
//!
//! Who asks for what is sent to one recipient stands in a list with others who ask for the same, and is
//! found by the recipient of the send. Everybody else stands in one general list. So a message meets
//! only those whose filter asks for its recipient, or for none.

use std::any::Any;
use std::collections::hash_map::Entry;

use crate::address::Recipient;
use crate::hash::HashedMap;
use crate::message::AnyMessage;
use crate::subscription::Listed;
#[cfg(feature = "data")]
use crate::subscription::head::Head;
use crate::subscription::list::{AnyListeners, Audible, Listeners, Moved};
#[cfg(feature = "data")]
use crate::subscription::untyped::Untyped;

pub(super) struct Topic<S: ?Sized> {
    general: Listeners<S>,
    /// By the recipient that they ask for. No list is empty.
    by_recipient: HashedMap<Recipient, Listeners<S>>,
    /// How many count as receivers.
    counting: usize,
}

impl<S: ?Sized> Default for Topic<S> {
    fn default() -> Self {
        Self {
            general: Listeners::default(),
            by_recipient: HashedMap::default(),
            counting: 0,
        }
    }
}

impl<S: ?Sized> Topic<S> {
    /// The listeners among which that subscription is to stand.
    pub(super) fn listeners_for(&mut self, listed: &Listed) -> &mut Listeners<S> {
        self.counting += usize::from(!listed.hidden);
        match listed.to {
            None => &mut self.general,
            Some(to) => self.by_recipient.entry(to).or_default(),
        }
    }
}

#[cfg(feature = "data")]
impl Topic<dyn AnyMessage> {
    /// The same listeners, in the same places, in a topic of one type.
    pub(super) fn into_typed<M: crate::message::Message>(self) -> Topic<M> {
        Topic {
            general: self.general.into_typed(),
            by_recipient: self
                .by_recipient
                .into_iter()
                .map(|(to, listeners)| (to, listeners.into_typed()))
                .collect(),
            counting: self.counting,
        }
    }
}

/// A topic whose message type is not known here.
pub(crate) trait AnyTopic: Any + Send {
    /// Those who do not ask for a recipient, or for one that stands for another from send to send.
    fn general(&self) -> &dyn AnyListeners;

    /// Returns `true` if anybody asks for a recipient.
    fn asks_for_recipients(&self) -> bool;

    /// Those who ask for that recipient.
    fn listeners_to(&self, recipient: &Recipient) -> Option<&dyn AnyListeners>;

    /// Returns `true` if any subscription counts as a receiver, whatever its filter.
    fn any_counts(&self) -> bool;

    fn is_empty(&self) -> bool;

    /// Adds a listener that knows the message only as an `AnyMessage`, and returns its place.
    #[cfg(feature = "data")]
    fn push_untyped(&mut self, listed: &Listed, head: Head, closure: Box<Untyped>) -> usize;

    /// The listeners among which a subscription stands.
    fn listeners_of(&self, listed: &Listed) -> Option<&dyn AnyListeners> {
        match &listed.to {
            None => Some(self.general()),
            Some(to) => self.listeners_to(to),
        }
    }

    /// Takes a subscription out.
    fn remove(&mut self, listed: &Listed, moved: Moved<'_>) -> Box<dyn Any + Send>;

    fn shrink_to_fit(&mut self);

    /// Takes out all subscriptions, and adds their closures with their numbers.
    fn take_all(&mut self, closures: &mut Vec<(u64, Box<dyn Any + Send>)>);
}

impl<S: Audible + ?Sized> AnyTopic for Topic<S> {
    fn general(&self) -> &dyn AnyListeners {
        &self.general
    }

    fn asks_for_recipients(&self) -> bool {
        !self.by_recipient.is_empty()
    }

    fn listeners_to(&self, recipient: &Recipient) -> Option<&dyn AnyListeners> {
        let listeners = self.by_recipient.get(recipient)?;
        Some(listeners)
    }

    fn any_counts(&self) -> bool {
        self.counting != 0
    }

    fn is_empty(&self) -> bool {
        self.by_recipient.is_empty() && self.general.is_empty()
    }

    #[cfg(feature = "data")]
    fn push_untyped(&mut self, listed: &Listed, head: Head, closure: Box<Untyped>) -> usize {
        self.listeners_for(listed).after.push(head, closure)
    }

    fn remove(&mut self, listed: &Listed, moved: Moved<'_>) -> Box<dyn Any + Send> {
        self.counting -= usize::from(!listed.hidden);
        let Some(to) = listed.to else {
            return self.general.remove(listed.part, listed.at(), moved);
        };
        let Entry::Occupied(mut entry) = self.by_recipient.entry(to) else {
            unreachable!("who asks for a recipient stands in the list of that");
        };
        let closure = entry.get_mut().remove(listed.part, listed.at(), moved);
        if entry.get().is_empty() {
            entry.remove();
        }
        closure
    }

    fn shrink_to_fit(&mut self) {
        self.general.shrink_to_fit();
        self.by_recipient
            .values_mut()
            .for_each(Listeners::shrink_to_fit);
        self.by_recipient.shrink_to_fit();
    }

    fn take_all(&mut self, closures: &mut Vec<(u64, Box<dyn Any + Send>)>) {
        self.counting = 0;
        self.general.take_all(closures);
        for (_, mut listeners) in self.by_recipient.drain() {
            listeners.take_all(closures);
        }
    }
}

/// Those who listen to messages of every type.
pub(super) type ToEveryType = Topic<dyn AnyMessage>;

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;
    use crate::address::{MessageeId, SubscriptionId};
    use crate::context::SubscriberContext;
    use crate::identity::ManagerNumber;
    use crate::key::Keys;
    use crate::send::Subscribed;
    use crate::subscription::conditions::{Conditions, Options};
    use crate::subscription::head::Head;
    use crate::subscription::list::{Listener, Part};

    // holds: subscriptions.cost-of-send
    #[test]
    fn a_send_meets_only_those_that_ask_for_its_recipient_however_many_ask_for_others() {
        let mut subscriptions = Keys::new(ManagerNumber(NonZeroU16::MIN));
        let mut messagees = Keys::new(ManagerNumber(NonZeroU16::MIN));
        let mut topic = ToEveryType::default();
        let mut ids = Vec::new();
        for number in 0..1_000 {
            let to = Recipient::Id(MessageeId(messagees.allocate()));
            ids.push(to);
            let id = SubscriptionId(subscriptions.allocate());
            let listed = Listed::new(id, None, None, Some(to), (Part::After, false));
            let subscribed = Subscribed { id, owner: None };
            let (options, conditions) = (Options::default(), Conditions::default());
            let head = Head::new(subscribed, number, options, conditions);
            let closure = |_: &dyn AnyMessage, _: &mut SubscriberContext<'_>| {};
            let list = topic.listeners_for(&listed);
            list.after.push(head, Listener::boxed((), closure));
        }
        assert!(topic.general().is_empty());
        for to in &ids {
            let listeners = topic.listeners_to(to).expect("one asks for it");
            assert_eq!(listeners.heads(Part::After).places().len(), 1);
        }
        let nobodys = Recipient::Id(MessageeId(messagees.allocate()));
        assert!(topic.listeners_to(&nobodys).is_none());
    }
}
