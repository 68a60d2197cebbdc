//! What a subscription is made of: its [`Filter`], what its closure may be and what it may return.

// For each message type that somebody listens to there is one `topic` of typed closures, and
// one more for those that listen to every type; so a send asks one flag whether anybody listens, and
// then walks slices: of those who ask for its recipient, and of those who ask for none. Subscriptions
// are numbered in the order subscribed, each list is sorted by number, and the `table`
// remembers for each subscription where to find it. During a dispatch the lists do not change: who
// has ended is marked, and removed when the outermost send returns.

mod births;
mod conditions;
mod delivery;
mod enter;
mod filter;
mod head;
mod heads;
mod interceptor;
mod list;
mod listen;
mod listening;
mod mask;
mod missed;
mod overhear;
mod overhearing;
mod retained;
mod returned;
#[cfg(feature = "data")]
mod saved;
mod table;
mod topic;
#[cfg(feature = "data")]
mod untyped;

use std::any::Any;
use std::cell::RefCell;

pub(crate) use enter::WorldAccess;
pub use filter::Filter;
pub(crate) use head::{Head, Judgement};
use heads::Heads;
pub use interceptor::Interceptor;
use list::Moved;
#[cfg(feature = "data")]
pub(crate) use list::{After, Closure};
pub(crate) use list::{AnyListeners, Part};
pub use listen::Listen;
use mask::Mask;
use missed::Missed;
pub use overhear::Overhear;
pub(crate) use retained::{Entry, Reached, Retained, Shared};
pub use returned::{InterceptorReturn, SubscriberReturn};
#[cfg(feature = "data")]
pub(crate) use saved::SavedOverhearing;
pub(crate) use table::Listed;
use table::Table;
pub(crate) use topic::AnyTopic;
use topic::{ToEveryType, Topic};

use crate::address::{MessageeId, Recipient, Sender, SubscriptionId};
use crate::caught::FirstPanic;
use crate::handler::RouteTable;
use crate::hash::HashedMap;
use crate::identity::ManagerNumber;
use crate::key::Keys;
use crate::message::{Message, MessageIndex};
use crate::sort::sort_by_number;
use crate::subscription::conditions::Conditions;
use crate::tag::TagSet;

/// A subscription that takes effect when the outermost send returns.
struct Announced {
    owner: Option<MessageeId>,
    /// `false` if it was paused since it was made.
    listens: bool,
}

/// What has to be done around the sends of one message type.
#[derive(Clone, Copy, Debug)]
enum Around {
    /// Nobody listens.
    Nothing,
    /// Nobody listens. A panic ends with the component.
    Catch,
    /// Somebody may listen, deliveries are traced, or the config asks for something.
    Much,
}

/// The subscriptions of a manager.
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is set on its own and asked on its own"
)]
pub(crate) struct Subscriptions {
    keys: RefCell<Keys>,
    table: Table,
    /// By message index; absent where nobody listens.
    typed: Vec<Option<Box<dyn AnyTopic>>>,
    any: ToEveryType,
    /// Which sends to one messagee those in `typed` may hear.
    typed_masks: Vec<Mask>,
    /// The same of those in `any`: of those that ask for no tag, and of those that do.
    any_masks: [Mask; 2],
    /// Of each type in `typed_masks`, the same of those in `typed`, and of those in `any` that ask for no
    /// tag: so a send asks one of them.
    masks: Vec<Mask>,
    /// `true` if anybody listens to every type.
    to_all: bool,
    /// `true` if the config asks for something to be done around each send.
    shut: bool,
    /// By message type, what has to be done around a send.
    around: Box<[Around]>,
    /// `true` if calls are instrumented: traced, or guarded against panics.
    instrumented: bool,
    /// `true` if deliveries are traced.
    traced: bool,
    /// Made in this dispatch, and not ended since.
    announced: RefCell<HashedMap<SubscriptionId, Announced>>,
    /// Resumed in this dispatch, and how many switches there had been then.
    resumed: RefCell<HashedMap<SubscriptionId, u64>>,
    /// By those that ask for what was retained, and have not received all of it.
    missed: RefCell<HashedMap<SubscriptionId, Missed>>,
    /// How many ask whom a message was sent to: filters by a mnemonic, messagees that overhear, and wires.
    looking_back: usize,
    /// How many have been made; numbers them in the order subscribed.
    made: u64,
}

impl Subscriptions {
    /// For so many message types. If it is `shut`, something has to be done around each send.
    pub(crate) fn new(
        manager: ManagerNumber,
        instrumented: bool,
        shut: bool,
        messages: usize,
    ) -> Self {
        let mut new = Self {
            keys: Keys::new(manager).into(),
            table: Table::default(),
            typed: Vec::new(),
            any: Topic::default(),
            typed_masks: Vec::new(),
            any_masks: Default::default(),
            masks: Vec::new(),
            to_all: false,
            instrumented,
            traced: false,
            announced: RefCell::default(),
            resumed: RefCell::default(),
            missed: RefCell::default(),
            looking_back: 0,
            made: 0,
            shut,
            around: Box::default(),
        };
        new.renew_quiet(messages);
        new
    }

    /// Returns `true` if anybody listens to that message type.
    #[inline]
    pub(crate) fn any_listens(&self, message: MessageIndex) -> bool {
        self.to_all || matches!(self.typed.get(message.get()), Some(Some(_)))
    }

    /// Returns `true` if nobody listens to messages of a type, and nothing else has to be done around a send.
    #[inline]
    pub(crate) fn is_quiet(&self, message: MessageIndex) -> bool {
        matches!(self.around.get(message.get()), Some(Around::Nothing))
    }

    /// Like [`is_quiet`](Self::is_quiet), but panics may have to be caught.
    #[inline]
    pub(crate) fn is_unheard(&self, message: MessageIndex) -> bool {
        !matches!(self.around.get(message.get()), None | Some(Around::Much))
    }

    /// Notes for which of so many message types nothing has to be done around a send.
    pub(crate) fn renew_quiet(&mut self, messages: usize) {
        let is_heard = |at| matches!(self.typed.get(at), Some(Some(_)));
        self.around = (0..messages).map(|at| self.around(is_heard(at))).collect();
    }

    /// Notes that somebody listens to a type, or nobody any more.
    fn set_heard(&mut self, message: MessageIndex, is_heard: bool) {
        let around_it = self.around(is_heard);
        if let Some(around) = self.around.get_mut(message.get()) {
            *around = around_it;
        }
    }

    fn around(&self, is_heard: bool) -> Around {
        if is_heard || self.shut || self.traced || self.to_all {
            Around::Much
        } else if self.instrumented {
            Around::Catch
        } else {
            Around::Nothing
        }
    }

    /// Returns `true` if something has to be done around each send, whoever listens.
    #[inline]
    pub(crate) fn is_shut(&self) -> bool {
        self.shut || self.instrumented
    }

    /// Returns `true` if nobody hears a message when a handler or the program sends it to that messagee,
    /// though somebody listens.
    #[inline]
    pub(crate) fn are_passed(&self, table: &RouteTable, to: MessageeId, from: Sender) -> bool {
        self.all_masks(table, |mask| !mask.may_hear(to.0.place(), from))
    }

    /// As [`are_passed`](Self::are_passed), with less to ask: it may return `false` where nobody hears the
    /// message.
    #[inline]
    pub(crate) fn seem_passed(&self, table: &RouteTable, to: MessageeId, from: Sender) -> bool {
        self.all_masks(table, |mask| !mask.seems_to_hear(to.0.place(), from))
    }

    /// Returns `true` if that is so of all who may hear messages of a type.
    #[inline]
    fn all_masks(&self, table: &RouteTable, is_so: impl Fn(&Mask) -> bool) -> bool {
        let [any, tagged] = &self.any_masks;
        let mask = self.masks.get(table.index.get()).unwrap_or(any);
        is_so(mask) && (table.tags.is_empty() || is_so(tagged))
    }

    /// A subscription with these conditions listens from now on: to one message type, of which the tags
    /// are given, or to all.
    fn add_mask(
        &mut self,
        message: Option<(MessageIndex, TagSet)>,
        to: Option<Recipient>,
        conditions: &Conditions,
    ) {
        let mask = Mask::of(to, conditions);
        match message {
            Some((_, tags)) if !conditions.tags.is_empty() && !conditions.tags.intersects(tags) => {
            }
            Some((at, _)) => {
                self.typed_masks[at.get()].add(mask);
                self.masks[at.get()].add(mask);
            }
            None => {
                let [before, _] = self.any_masks;
                self.any_masks[usize::from(!conditions.tags.is_empty())].add(mask);
                if self.any_masks[0] != before {
                    self.join_masks();
                }
            }
        }
    }

    /// Those who listen to every type are others, or nobody does any more.
    fn join_masks(&mut self) {
        let [any, _] = self.any_masks;
        self.masks.clone_from(&self.typed_masks);
        for mask in &mut self.masks {
            mask.add(any);
        }
    }

    /// A subscription is added to the table.
    fn insert(&mut self, listed: Listed) {
        self.looking_back += usize::from(listed.looks_back);
        self.table.insert(listed);
    }

    /// Returns `true` if anybody asks whom a message was sent to when its receivers have it already.
    #[inline]
    pub(crate) fn any_looks_back(&self) -> bool {
        self.looking_back > 0
    }

    /// Returns `true` if deliveries are instrumented: they are traced, or panics are caught.
    #[inline]
    pub(crate) fn are_instrumented(&self) -> bool {
        self.instrumented
    }

    #[inline]
    pub(crate) fn are_traced(&self) -> bool {
        cfg!(feature = "trace") && self.traced
    }

    #[cfg(feature = "trace")]
    pub(crate) fn set_instrumented(&mut self, instrumented: bool, traced: bool) {
        (self.instrumented, self.traced) = (instrumented, traced);
        self.set_any_listens(!self.any.is_empty());
    }

    /// Those that listen to a message type.
    #[inline]
    pub(crate) fn to_type(&self, message: MessageIndex) -> Option<&dyn AnyTopic> {
        self.typed.get(message.get())?.as_deref()
    }

    /// Those who listen to every type.
    #[inline]
    pub(crate) fn to_any(&self) -> Option<&dyn AnyTopic> {
        self.to_all.then_some(&self.any as &dyn AnyTopic)
    }

    /// The subscription at that place of the table.
    pub(crate) fn listed(&self, at: usize) -> Option<&Listed> {
        self.table.get(at)
    }

    pub(crate) fn reserve(&self) -> SubscriptionId {
        SubscriptionId(self.keys.borrow_mut().allocate())
    }

    /// Returns `true` if any subscription waits for the end of the outermost send.
    pub(crate) fn any_announced(&self) -> bool {
        !self.announced.borrow().is_empty()
    }

    /// A message is about to be kept for the subscription at that place. Returns `true` if it may
    /// be: not if the one message that it wanted has come already.
    pub(crate) fn reserve_message(&self, at: usize) -> bool {
        self.set_reserved(at, true)
    }

    /// The message that was kept for the subscription has not reached it.
    pub(crate) fn return_message(&self, at: usize) {
        self.set_reserved(at, false);
    }

    fn set_reserved(&self, at: usize, reserved: bool) -> bool {
        let listed = self.listed(at).filter(|listed| !listed.intercepts());
        listed.is_some_and(|listed| {
            let heads = self.heads_of(listed);
            heads.is_some_and(|heads| heads.places()[listed.at()].set_reserved(reserved))
        })
    }

    /// The listeners among which a subscription stands.
    pub(crate) fn listeners_of(&self, listed: &Listed) -> Option<&dyn AnyListeners> {
        match listed.message {
            Some(message) => self.to_type(message)?.listeners_of(listed),
            None => self.any.listeners_of(listed),
        }
    }

    fn heads_of(&self, listed: &Listed) -> Option<&Heads> {
        Some(self.listeners_of(listed)?.heads(listed.part))
    }

    /// A subscription that takes effect when the outermost send returns.
    pub(crate) fn announce(&self, id: SubscriptionId, owner: Option<MessageeId>) {
        let announced = Announced {
            owner,
            listens: true,
        };
        self.announced.borrow_mut().insert(id, announced);
    }

    /// Returns `true` if a subscription that was announced listens, and `false` if it was paused since.
    /// `None` if it is not wanted any more, as when its owner has not stayed.
    pub(crate) fn take_announced(&mut self, id: SubscriptionId, owner_stays: bool) -> Option<bool> {
        let announced = self.announced.get_mut().remove(&id);
        let wanted = announced.filter(|_| owner_stays);
        if wanted.is_none() {
            self.keys.get_mut().release(id.0.place());
        }
        wanted.map(|announced| announced.listens)
    }

    /// The number of the next subscription.
    fn count(&mut self) -> u64 {
        self.made += 1;
        self.made
    }

    /// Makes room for somebody who listens to a type, which is heard from now on.
    fn make_room_for(&mut self, message: MessageIndex) {
        let at = message.get();
        if at >= self.typed.len() {
            self.typed.resize_with(at + 1, || None);
            self.typed_masks.resize_with(at + 1, Mask::default);
            self.masks.resize(at + 1, self.any_masks[0]);
        }
        self.set_heard(message, true);
    }

    /// Those who listen to a type, to add one.
    fn to_type_mut<M: Message>(&mut self, message: MessageIndex) -> &mut Topic<M> {
        self.make_room_for(message);
        let topic = &mut self.typed[message.get()];
        let topic = topic.get_or_insert_with(|| Box::new(Topic::<M>::default()));
        #[cfg(feature = "data")]
        untyped::make_typed::<M>(topic);
        let topic = (&mut **topic as &mut dyn Any).downcast_mut();
        topic.expect("a topic stands at the index of its message type")
    }

    /// From now on the subscription receives nothing. Returns `true` if it did up to now: not if it
    /// has had the one message that it wanted.
    pub(crate) fn end(&self, id: SubscriptionId) -> bool {
        if self.any_announced() && self.announced.borrow_mut().remove(&id).is_some() {
            return true;
        }
        self.table
            .find(id)
            .is_some_and(|listed| self.end_listed(listed))
    }

    fn end_listed(&self, listed: &Listed) -> bool {
        let heads = self.heads_of(listed);
        heads.is_some_and(|heads| heads.end(listed.at()))
    }

    /// From now on the subscription, whose closure has panicked, receives nothing. Who calls this
    /// removes it.
    pub(crate) fn end_panicked(&self, id: SubscriptionId) {
        if let Some(listed) = self.table.find(id)
            && let Some(heads) = self.heads_of(listed)
        {
            heads.end_panicked(listed.at());
        }
    }

    pub(crate) fn head(&self, id: SubscriptionId) -> Option<&Head> {
        let listed = self.table.find(id)?;
        Some(&self.heads_of(listed)?.places()[listed.at()])
    }

    /// Returns `true` if the subscription is listed, and the one message that it wanted has come.
    pub(crate) fn is_used_up(&self, id: SubscriptionId) -> bool {
        self.head(id).is_some_and(Head::is_used_up)
    }

    /// Pauses or resumes a subscription that waits for the end of the outermost send. Returns `true` if it
    /// does.
    pub(crate) fn switch_announced(&self, id: SubscriptionId, listening: bool) -> bool {
        let mut announced = self.announced.borrow_mut();
        let announced = announced.get_mut(&id);
        announced.map(|it| it.listens = listening).is_some()
    }

    /// Returns `true` if the subscription has taken effect, and has neither ended nor been paused.
    pub(crate) fn is_listening(&self, id: SubscriptionId) -> bool {
        let head = self.head(id);
        head.is_some_and(|head| head.still_hears() && !head.is_paused())
    }

    /// Pauses or resumes a subscription; `count` is the number of this switch. Returns `None` if it has
    /// ended, and otherwise `true` if it was resumed.
    pub(crate) fn set_listening(
        &self,
        id: SubscriptionId,
        listening: bool,
        count: u64,
    ) -> Option<bool> {
        let listed = self.table.find(id)?;
        let heads = self.heads_of(listed)?;
        if !heads.places()[listed.at()].still_hears() {
            return None;
        }
        let resumed = heads.set_listening(listed.at(), listening) && listening;
        if resumed {
            self.resumed.borrow_mut().insert(id, count);
        }
        Some(resumed)
    }

    /// The dispatch has ended in which the subscription was resumed.
    pub(crate) fn settle_resumed(&mut self, id: SubscriptionId) {
        self.resumed.get_mut().remove(&id);
        if let Some(listed) = self.table.find(id)
            && let Some(heads) = self.heads_of(listed)
        {
            heads.settle_resumed(listed.at());
        }
    }

    /// Returns `true` if a subscription was resumed when there had been more switches than that.
    pub(crate) fn was_resumed_since(&self, id: SubscriptionId, begun: u64) -> bool {
        let resumed = self.resumed.borrow();
        resumed.get(&id).is_some_and(|&count| count > begun)
    }

    /// Returns `true` if the closure of the subscription at that place is running.
    pub(crate) fn is_running(&self, at: usize) -> bool {
        self.listed(at).is_some_and(|listed| {
            let listeners = self.listeners_of(listed);
            listeners.is_some_and(|listeners| listeners.is_running(listed.part, listed.at()))
        })
    }

    /// As [`end`](Self::end), for all that belong to a messagee.
    pub(crate) fn end_owned(&self, owner: MessageeId) {
        for listed in self.table.owned(owner) {
            self.end_listed(listed);
        }
        if self.any_announced() {
            let mut announced = self.announced.borrow_mut();
            announced.retain(|_, it| it.owner != Some(owner));
        }
    }

    /// Returns `true` if a messagee owns a subscription.
    #[inline]
    pub(crate) fn owns_any(&self, owner: MessageeId) -> bool {
        self.table.owned(owner).next().is_some()
    }

    /// Takes out all that belong to a messagee; the closures in the order subscribed, to be dropped by
    /// the caller.
    pub(crate) fn remove_owned(&mut self, owner: MessageeId) -> Vec<Box<dyn Any + Send>> {
        let ids: Vec<SubscriptionId> = self.table.owned(owner).map(Listed::id).collect();
        ids.into_iter().filter_map(|id| self.remove(id)).collect()
    }

    /// Takes a subscription out; its closure, to be dropped by the caller.
    pub(crate) fn remove(&mut self, id: SubscriptionId) -> Option<Box<dyn Any + Send>> {
        let listed = self.table.remove(id)?;
        self.looking_back -= usize::from(listed.looks_back);
        if !self.missed.get_mut().is_empty() {
            self.missed.get_mut().remove(&id);
        }
        self.keys.get_mut().release(id.0.place());
        let table = &mut self.table;
        let moved: Moved<'_> = &mut |id, at| table.set_place(id, at);
        let Some(message) = listed.message else {
            let closure = self.any.remove(&listed, moved);
            if self.any.is_empty() {
                self.any_masks = Default::default();
                self.join_masks();
            }
            self.set_any_listens(!self.any.is_empty());
            return Some(closure);
        };
        let topic = self.typed[message.get()].as_deref_mut()?;
        let closure = topic.remove(&listed, moved);
        if topic.is_empty() {
            self.typed[message.get()] = None;
            self.typed_masks[message.get()] = Mask::default();
            self.masks[message.get()] = self.any_masks[0];
            self.set_heard(message, false);
        }
        Some(closure)
    }

    /// Drops the closures one by one in the order subscribed, however they are found; the manager goes.
    pub(crate) fn drop_all(&mut self, panics: &mut FirstPanic) {
        let mut closures = Vec::new();
        for mut topic in self.typed.drain(..).flatten() {
            topic.take_all(&mut closures);
        }
        self.any.take_all(&mut closures);
        sort_by_number(&mut closures, |(number, _)| *number);
        panics.drop_each(closures);
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        for topic in self.typed.iter_mut().flatten() {
            topic.shrink_to_fit();
        }
        self.any.shrink_to_fit();
        self.table.shrink_to_fit();
        self.announced.get_mut().shrink_to_fit();
        self.missed.get_mut().shrink_to_fit();
    }

    /// From now on somebody listens to every type, or nobody does any more.
    fn set_any_listens(&mut self, any: bool) {
        self.to_all = any;
        self.renew_quiet(self.around.len());
    }

    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }
}
