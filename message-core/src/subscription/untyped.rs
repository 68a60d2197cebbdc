//! Listeners to one message type that know it only as an [`AnyMessage`]: those of wires.
//!
//! They are made where the type is known by its name alone. As long as nobody else listens to the type,
//! its topic is one of `dyn AnyMessage`; the first typed listener makes it a topic of its type, in which
//! those that were there stay in their places. So a message is told as ever, and only to those who listen
//! to its type.

use std::any::Any;

use crate::address::SubscriptionId;
use crate::message::{AnyMessage, Message, MessageIndex};
use crate::send::{Sent, Subscribed, Verdict};
use crate::subscription::conditions::{Conditions, Options};
use crate::subscription::head::Head;
use crate::subscription::list::{After, Audible, Closure, Part};
use crate::subscription::topic::{AnyTopic, Topic};
use crate::subscription::{Listed, Subscriptions};
use crate::tag::TagSet;

/// A listener to any message, in a list of those to one type.
pub(crate) struct Untyped(pub(super) Box<dyn After<dyn AnyMessage>>);

impl Closure for Untyped {
    fn is_running(&self) -> bool {
        self.0.is_running()
    }
}

impl<S: Audible + ?Sized> After<S> for Untyped {
    fn hear(&self, message: &S, sent: &Sent<'_>, subscribed: &Subscribed) -> Verdict {
        self.0.hear(message.as_any(), sent, subscribed)
    }

    fn passes(&self, message: &S) -> bool {
        self.0.passes(message.as_any())
    }
}

/// Makes a topic of untyped listeners one of their type.
pub(super) fn make_typed<M: Message>(topic: &mut Box<dyn AnyTopic>) {
    let any: &mut dyn Any = &mut **topic;
    if let Some(untyped) = any.downcast_mut::<Topic<dyn AnyMessage>>() {
        let typed: Topic<M> = std::mem::take(untyped).into_typed();
        *topic = Box::new(typed);
    }
}

impl Subscriptions {
    /// Adds a hidden listener to a message type, whatever the recipient is.
    pub(crate) fn enter_untyped(
        &mut self,
        of: MessageIndex,
        tags: TagSet,
        closure: Box<dyn After<dyn AnyMessage>>,
    ) -> SubscriptionId {
        let id = self.reserve();
        self.make_room_for(of);
        let number = self.count();
        let conditions = Conditions::default();
        self.add_mask(Some((of, tags)), None, &conditions);
        let options = Options {
            hidden: true,
            ..Options::default()
        };
        let listed = Listed::new(id, None, Some(of), None, (Part::After, true)).looking_back(true);
        self.insert(listed);
        let subscribed = Subscribed { id, owner: None };
        let head = Head::new(subscribed, number, options, conditions);
        let topic = self.typed[of.get()]
            .get_or_insert_with(|| Box::new(Topic::<dyn AnyMessage>::default()));
        let at = topic.push_untyped(&listed, head, Box::new(Untyped(closure)));
        self.table.set_place(id, at);
        id
    }
}
