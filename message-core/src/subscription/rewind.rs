//! Subscriptions in snapshots.
//!
//! A snapshot has their records. The closures stay with the manager: a rewind ends the subscriptions that were made since,
//! and brings back those that have ended. So the closure of a subscription that ends is kept as long as a snapshot
//! lives that was taken before.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use crate::address::SubscriptionId;
use crate::hash::HashedMap;
use crate::key::Keys;
use crate::storage::Removed;
use crate::subscription::index::{Records, Topic};
use crate::subscription::{Hear, Missed, Subject, Subscription, Subscriptions};

/// The closure of a subscription that has ended.
pub(crate) trait Retired: Send {
    /// Adds it to the end of its list again, with its subscription.
    fn push(self: Box<Self>, topic: &mut Topic, it: &mut Subscription);
}

impl<S: Subject + ?Sized> Retired for Box<dyn Hear<S>> {
    fn push(self: Box<Self>, topic: &mut Topic, it: &mut Subscription) {
        topic.push(it, *self, None);
    }
}

/// The snapshots that are alive, and the closures that they need.
#[derive(Default)]
pub(super) struct Remembered {
    /// The sorted numbers of the subscriptions of each.
    snapshots: Vec<Weak<Vec<u64>>>,
    /// Keyed by the numbers of the subscriptions.
    pub(super) retired: BTreeMap<u64, Box<dyn Retired>>,
}

impl Remembered {
    /// Returns `true` if a snapshot has a subscription.
    #[inline]
    pub(super) fn needs(&self, life: u64) -> bool {
        !self.snapshots.is_empty() && self.any_has(life)
    }

    #[cold]
    fn any_has(&self, life: u64) -> bool {
        let mut snapshots = self.snapshots.iter().filter_map(Weak::upgrade);
        snapshots.any(|lives| lives.binary_search(&life).is_ok())
    }

    pub(super) fn retire(&mut self, life: u64, closure: Option<Box<dyn Retired>>) {
        self.retired.extend(closure.map(|closure| (life, closure)));
    }

    /// Takes the closures that no snapshot needs any more.
    fn take_unneeded(&mut self) -> impl Iterator<Item = Box<dyn Retired>> + use<> {
        self.snapshots.retain(|it| it.strong_count() > 0);
        let retired = std::mem::take(&mut self.retired).into_iter();
        let (needed, others) = retired.partition(|(life, _)| self.needs(*life));
        self.retired = needed;
        BTreeMap::into_values(others)
    }
}

/// The subscriptions of a snapshot.
#[derive(Default)]
pub(crate) struct SavedSubscriptions {
    /// The sorted numbers of the subscriptions. The manager knows by it how long the snapshot lives.
    lives: Arc<Vec<u64>>,
    keys: Option<Keys>,
    records: Records,
    missed: HashedMap<SubscriptionId, Missed>,
    made: u64,
}

impl SavedSubscriptions {
    /// Returns `true` if a subscription is among these.
    fn has(&self, it: &Subscription) -> bool {
        is_among(&self.records, it)
    }
}

fn is_among(records: &Records, it: &Subscription) -> bool {
    let other = records.get(it.id().0.index()).and_then(Option::as_ref);
    other.is_some_and(|other| other.life == it.life)
}

impl Subscriptions {
    /// Writes them to a snapshot. Returns closures that no snapshot needs any more, to be dropped.
    pub(crate) fn save(
        &mut self,
        into: &mut SavedSubscriptions,
    ) -> impl Iterator<Item = Box<dyn Retired>> + use<> {
        let mut lives: Vec<u64> = self.records.iter().flatten().map(|it| it.life).collect();
        lives.sort_unstable();
        into.lives = Arc::new(lives);
        into.keys.clone_from(&Some(self.keys.get_mut().clone()));
        into.records.clone_from(&self.records);
        into.missed.clone_from(self.missed.get_mut());
        into.made = self.made;
        let closures = self.remembered.take_unneeded();
        self.remembered.snapshots.push(Arc::downgrade(&into.lives));
        closures
    }

    /// Goes back to a snapshot. Returns closures to be dropped.
    pub(crate) fn rewind(&mut self, to: &SavedSubscriptions) -> Vec<Removed> {
        let records = self.records.iter().flatten();
        let made_since = records.filter(|it| !to.has(it)).map(Subscription::id);
        let made_since: Vec<SubscriptionId> = made_since.collect();
        let closures = made_since.into_iter().map(|id| self.remove(id)).collect();
        let records = to.records.iter().flatten();
        let ended = records.filter(|it| !is_among(&self.records, it));
        let ended: Vec<Subscription> = ended.cloned().collect();
        for mut it in ended {
            if let Some(closure) = self.remembered.retired.remove(&it.life) {
                self.list(&mut it, |topic, it, _| closure.push(topic, it));
                let at = it.id().0.index();
                self.records[at] = Some(it);
            }
        }
        self.rewind_lists();
        for (here, then) in self.records.iter().zip(&to.records) {
            if let (Some(here), Some(then)) = (here, then) {
                here.rewind(then);
                self.renew_at_hand(here);
            }
        }
        if let Some(keys) = &to.keys {
            self.keys.get_mut().clone_from(keys);
        }
        self.missed.get_mut().clone_from(&to.missed);
        self.made = to.made;
        closures
    }
}
