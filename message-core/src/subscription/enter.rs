//! The entry of a subscription: in the table, and in the list of those who listen to the same.

use crate::message::{AnyMessage, Message, MessageIndex, index_of};
use crate::send::Subscribed;
use crate::subscription::filter::Filter;
use crate::subscription::head::Head;
use crate::subscription::list::{After, Before, Listeners, Part};
use crate::subscription::topic::Topic;
use crate::subscription::{Listed, Subscriptions};
use crate::tag::TagSet;
use crate::world::World;

/// What a filter may do with a manager's insides; opaque outside this crate.
#[doc(hidden)]
#[derive(Debug)]
pub struct WorldAccess<'w>(pub(crate) &'w mut World);

/// What a filter is about: messages of one type, or `dyn AnyMessage`.
pub(super) trait Subject: 'static {
    /// The index of the type, if it is one.
    fn index() -> Option<MessageIndex>;

    /// The tags of the type, if it is one.
    fn tags() -> TagSet;

    /// Those who listen to it, to add one.
    fn topic(subscriptions: &mut Subscriptions) -> &mut Topic<Self>;
}

impl<M: Message> Subject for M {
    fn index() -> Option<MessageIndex> {
        index_of::<M>()
    }

    fn tags() -> TagSet {
        M::FACTS.tags()
    }

    fn topic(subscriptions: &mut Subscriptions) -> &mut Topic<Self> {
        let Some(of) = index_of::<M>() else {
            panic!(
                "nobody can subscribe to `{}`: its type is not in the registry; register it with \
                 `Registry::builder()` before the first manager is made",
                M::NAME
            );
        };
        subscriptions.to_type_mut(of)
    }
}

impl Subject for dyn AnyMessage {
    fn index() -> Option<MessageIndex> {
        None
    }

    fn tags() -> TagSet {
        TagSet::EMPTY
    }

    fn topic(subscriptions: &mut Subscriptions) -> &mut Topic<Self> {
        subscriptions.set_any_listens(true);
        &mut subscriptions.any
    }
}

/// Enters a subscription that hears of messages when the addressed have received them.
pub(super) fn enter_after<S: Subject + ?Sized, P>(
    filter: Filter<S, P>,
    world: &mut World,
    subscribed: Subscribed,
    closure: impl FnOnce(P) -> Box<dyn After<S>>,
) {
    let retained = filter.options.retained;
    let (head, list, when) = enter(filter, world, subscribed, Part::After);
    let at = list.after.push(head, closure(when));
    let id = subscribed.id;
    world.listen.subscriptions.table.set_place(id, at);
    if retained {
        world.listen.subscriptions.miss_all(id);
        world.changes().next(move |world| world.tell_missed(id));
    }
}

/// Enters an interceptor.
pub(super) fn enter_before<S: Subject + ?Sized, P>(
    filter: Filter<S, P>,
    world: &mut World,
    subscribed: Subscribed,
    closure: impl FnOnce(P) -> Box<dyn Before<S>>,
) {
    let (head, list, when) = enter(filter, world, subscribed, Part::Before);
    let at = list.before.push(head, closure(when));
    world
        .listen
        .subscriptions
        .table
        .set_place(subscribed.id, at);
}

/// Enters a subscription in the table. Returns its head, where to add it, and its predicate.
fn enter<S: Subject + ?Sized, P>(
    mut filter: Filter<S, P>,
    world: &mut World,
    subscribed: Subscribed,
    part: Part,
) -> (Head, &mut Listeners<S>, P) {
    let subscriptions = &mut world.listen.subscriptions;
    // Before anything is changed: it panics if the type is not in the registry.
    let _ = S::topic(subscriptions);
    let Subscribed { id, owner } = subscribed;
    let number = subscriptions.count();
    let to = filter.conditions.take_recipient();
    let typed = S::index().map(|index| (index, S::tags()));
    subscriptions.add_mask(typed, to, &filter.conditions);
    let hidden = filter.options.hidden;
    let looks_back = filter.conditions.look_back(filter.options);
    let listed = Listed::new(id, owner, S::index(), to, (part, hidden)).looking_back(looks_back);
    subscriptions.insert(listed);
    let head = Head::new(subscribed, number, filter.options, filter.conditions);
    let list = S::topic(subscriptions).listeners_for(&listed);
    (head, list, filter.when)
}
