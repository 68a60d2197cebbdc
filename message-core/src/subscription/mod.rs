//! Subscriptions: closures that receive every message which passes their filter, whoever it was
//! sent to.
//!
//! For each message type that somebody listens to there is one list of typed closures, in the
//! order subscribed, and one more for those that listen to every type; so a send asks one flag
//! whether anybody listens, and then walks a slice. During a dispatch the lists do not change: who
//! has ended is marked, and removed when the outermost send returns.

mod filter;
mod head;
mod list;
mod retained;
mod unheard;

use std::any::Any;
use std::cell::RefCell;
use std::collections::HashSet;

pub use filter::{Filter, Interceptor, Listen};
pub(crate) use head::{Head, Judgement};
pub(crate) use list::AnyListeners;
use list::Listeners;
pub(crate) use retained::{Retained, Shared};
pub(crate) use unheard::Unheard;

use crate::address::{MessageeId, SubscriptionId};
use crate::caught::FirstPanic;
use crate::hash::HashedMap;
use crate::key::{Keys, ManagerNumber};
use crate::message::{AnyMessage, Message, MessageIndex};

/// Where a subscription stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listed {
    id: SubscriptionId,
    owner: Option<MessageeId>,
    /// The message type that it listens to; `None` for one that listens to all.
    message: Option<MessageIndex>,
}

impl Listed {
    pub(crate) fn id(self) -> SubscriptionId {
        self.id
    }

    pub(crate) fn message(self) -> Option<MessageIndex> {
        self.message
    }
}

/// The subscriptions of a manager.
pub(crate) struct Subscriptions {
    keys: RefCell<Keys>,
    /// By the index of the subscription's id.
    table: Vec<Option<Listed>>,
    /// By message index; absent where nobody listens.
    typed: Vec<Option<Box<dyn AnyListeners>>>,
    any: Listeners<dyn AnyMessage>,
    /// Who can be sent to directly.
    pub(crate) unheard: Unheard,
    /// Whether anybody listens to every type, or every delivery is attended to.
    to_all: bool,
    /// Whether deliveries are attended to: traced, or guarded against panics. Then every message takes
    /// the way of those that somebody listens to.
    attended: bool,
    owned: HashedMap<MessageeId, Vec<SubscriptionId>>,
    /// Made in this dispatch, and not ended since.
    announced: RefCell<HashSet<SubscriptionId>>,
    /// How many have been made; numbers them in the order subscribed.
    made: u64,
}

impl Subscriptions {
    pub(crate) fn new(manager: ManagerNumber, attended: bool, unheard: Unheard) -> Self {
        let mut subscriptions = Self {
            keys: Keys::new(manager).into(),
            table: Vec::new(),
            typed: Vec::new(),
            any: Listeners::default(),
            to_all: attended,
            attended,
            owned: HashedMap::default(),
            announced: RefCell::default(),
            made: 0,
            unheard,
        };
        subscriptions.set_to_all(attended);
        subscriptions
    }

    /// Whether anybody listens to that message type.
    pub(crate) fn any_listens(&self, message: MessageIndex) -> bool {
        !self.any.is_empty() || matches!(self.typed.get(message.get()), Some(Some(_)))
    }

    /// Whether messages of that type take the way of those that somebody listens to: somebody does,
    /// or deliveries are attended to.
    #[inline]
    pub(crate) fn hears(&self, message: MessageIndex) -> bool {
        self.to_all || matches!(self.typed.get(message.get()), Some(Some(_)))
    }

    #[inline]
    pub(crate) fn are_attended(&self) -> bool {
        self.attended
    }

    #[cfg(feature = "trace")]
    pub(crate) fn set_attended(&mut self, attended: bool) {
        self.attended = attended;
        self.set_to_all(attended || !self.any.is_empty());
    }

    /// Those that listen to a message type.
    pub(crate) fn to_type(&self, message: MessageIndex) -> Option<&dyn AnyListeners> {
        self.typed.get(message.get())?.as_deref()
    }

    /// Those who listen to every type.
    pub(crate) fn to_any(&self) -> &dyn AnyListeners {
        &self.any
    }

    pub(crate) fn listed(&self, at: usize) -> Option<Listed> {
        self.table.get(at).copied().flatten()
    }

    pub(crate) fn reserve(&self) -> SubscriptionId {
        SubscriptionId(self.keys.borrow_mut().allocate())
    }

    /// Whether any subscription waits for the end of the outermost send.
    pub(crate) fn any_announced(&self) -> bool {
        !self.announced.borrow().is_empty()
    }

    /// A message is about to be kept for the subscription at that place. Whether it may be: not if
    /// the one message that it wanted has come already.
    pub(crate) fn reserve_message(&self, at: usize) -> bool {
        self.with_listeners(at, |listeners, id| listeners.set_reserved(id, true))
    }

    /// The message that was kept for the subscription has not reached it.
    pub(crate) fn return_message(&self, at: usize) {
        self.with_listeners(at, |listeners, id| listeners.set_reserved(id, false));
    }

    fn with_listeners(
        &self,
        at: usize,
        call: impl FnOnce(&dyn AnyListeners, SubscriptionId) -> bool,
    ) -> bool {
        let Some(Listed { id, message, .. }) = self.listed(at) else {
            return false;
        };
        let Some(message) = message else {
            return call(&self.any, id);
        };
        let listeners = self.typed.get(message.get()).and_then(Option::as_deref);
        listeners.is_some_and(|listeners| call(listeners, id))
    }

    /// A subscription that takes effect when the outermost send returns.
    pub(crate) fn announce(&self, id: SubscriptionId) {
        self.announced.borrow_mut().insert(id);
    }

    /// Whether a subscription that was announced is still wanted; never if its owner has not
    /// stayed.
    pub(crate) fn is_wanted(&mut self, id: SubscriptionId, owner_stays: bool) -> bool {
        let wanted = self.announced.get_mut().remove(&id) && owner_stays;
        if !wanted {
            self.keys.get_mut().release(id.0);
        }
        wanted
    }

    /// The number of the next subscription.
    fn count(&mut self) -> u64 {
        self.made += 1;
        self.made
    }

    fn list(&mut self, listed: Listed) {
        let at = listed.id.0.index();
        if at >= self.table.len() {
            self.table.resize(at + 1, None);
        }
        self.table[at] = Some(listed);
        if let Some(owner) = listed.owner {
            self.owned.entry(owner).or_default().push(listed.id);
        }
    }

    /// The listeners of a type, to add one.
    fn to_type_mut<M: Message>(&mut self, message: MessageIndex) -> &mut Listeners<M> {
        let at = message.get();
        if at >= self.typed.len() {
            self.typed.resize_with(at + 1, || None);
        }
        // While somebody listens to everything there is no entry to change.
        self.unheard.set_heard(message, true);
        let listeners = self.typed[at].get_or_insert_with(|| Box::new(Listeners::<M>::default()));
        let listeners = (&mut **listeners as &mut dyn Any).downcast_mut();
        listeners.expect("listeners stand at the index of their message type")
    }

    /// From now on the subscription receives nothing. Whether it did up to now.
    pub(crate) fn end(&self, id: SubscriptionId) -> bool {
        if self.announced.borrow_mut().remove(&id) {
            return true;
        }
        let at = id.0.index();
        self.listed(at).is_some_and(|listed| listed.id == id)
            && self.with_listeners(at, AnyListeners::end)
    }

    /// Whether the subscription is listed, and receives nothing more.
    pub(crate) fn has_ended(&self, id: SubscriptionId) -> bool {
        let at = id.0.index();
        self.listed(at).is_some_and(|listed| listed.id == id)
            && self.with_listeners(at, AnyListeners::has_ended)
    }

    /// Whether the closure of the subscription at that place is running.
    pub(crate) fn is_running(&self, at: usize) -> bool {
        self.with_listeners(at, AnyListeners::is_running)
    }

    /// As [`end`](Self::end), for all that belong to a messagee.
    pub(crate) fn end_owned(&self, owner: MessageeId) {
        for &id in self.owned.get(&owner).into_iter().flatten() {
            self.end(id);
        }
    }

    /// Takes out all that belong to a messagee; the closures, to be dropped by the caller.
    pub(crate) fn remove_owned(&mut self, owner: MessageeId) -> Vec<Box<dyn Any + Send>> {
        if self.owned.is_empty() {
            return Vec::new();
        }
        let ids = self.owned.remove(&owner).unwrap_or_default();
        ids.into_iter().filter_map(|id| self.remove(id)).collect()
    }

    /// Takes a subscription out; its closure, to be dropped by the caller.
    pub(crate) fn remove(&mut self, id: SubscriptionId) -> Option<Box<dyn Any + Send>> {
        let at = id.0.index();
        let listed = self.listed(at).filter(|listed| listed.id == id)?;
        self.table[at] = None;
        self.keys.get_mut().release(id.0);
        if let Some(owner) = listed.owner
            && let Some(owned) = self.owned.get_mut(&owner)
        {
            owned.retain(|own| *own != id);
            if owned.is_empty() {
                self.owned.remove(&owner);
            }
        }
        let Some(message) = listed.message else {
            let closure = self.any.remove(id);
            self.set_to_all(self.attended || !self.any.is_empty());
            return closure;
        };
        let listeners = self.typed[message.get()].as_deref_mut()?;
        let closure = listeners.remove(id);
        if listeners.is_empty() {
            self.typed[message.get()] = None;
            self.unheard.set_heard(message, false);
        }
        closure
    }

    /// Drops every closure, one by one; the manager goes.
    pub(crate) fn drop_all(&mut self, panics: &mut FirstPanic) {
        for listeners in self.typed.iter_mut().flatten() {
            listeners.drop_all(panics);
        }
        self.any.drop_all(panics);
    }

    /// Whether every send has to look for who listens.
    fn set_to_all(&mut self, to_all: bool) {
        self.to_all = to_all;
        let heard = self
            .typed
            .iter()
            .zip(0..)
            .filter(|(typed, _)| typed.is_some());
        let heard = heard.map(|(_, index)| MessageIndex(index));
        self.unheard.set_all_heard(to_all, heard);
    }

    pub(crate) fn len(&self) -> usize {
        self.table.iter().flatten().count()
    }
}
