//! Where each subscription stands, by the index of its id, and which of them belong to a messagee.
//!
//! The subscriptions of an owner are linked to each other in the order subscribed, so that one of many
//! is taken out without a search, and an owner of one needs no list.

use crate::address::{MessageeId, Recipient, SubscriptionId};
use crate::hash::HashedMap;
use crate::message::MessageIndex;
use crate::subscription::list::Part;

/// Where a subscription stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Listed {
    pub(super) id: SubscriptionId,
    pub(super) owner: Option<MessageeId>,
    /// The message type that it listens to; `None` for one that listens to all.
    pub(super) message: Option<MessageIndex>,
    /// The recipient by which it is found; `None` if it stands in the general list.
    pub(super) to: Option<Recipient>,
    pub(super) part: Part,
    pub(super) hidden: bool,
    /// It asks whom a message was sent to, as of that time.
    pub(super) looks_back: bool,
    /// The place in its list.
    at: u32,
    links: Links,
}

/// The subscriptions of the same owner before and after one, by their indices in the table.
#[derive(Clone, Copy, Debug)]
struct Links {
    before: u32,
    after: u32,
}

/// Stands where no subscription of the same owner follows.
const NONE: u32 = u32::MAX;

impl Listed {
    /// One that is not yet in a list, nor in the table.
    pub(super) fn new(
        id: SubscriptionId,
        owner: Option<MessageeId>,
        message: Option<MessageIndex>,
        to: Option<Recipient>,
        (part, hidden): (Part, bool),
    ) -> Self {
        Self {
            id,
            owner,
            message,
            to,
            part,
            hidden,
            looks_back: false,
            at: NONE,
            links: Links {
                before: NONE,
                after: NONE,
            },
        }
    }

    pub(super) fn looking_back(self, looks_back: bool) -> Self {
        Self { looks_back, ..self }
    }

    pub(crate) fn id(&self) -> SubscriptionId {
        self.id
    }

    /// The message type that it listens to, if it is one.
    pub(crate) fn message(&self) -> Option<MessageIndex> {
        self.message
    }

    /// The recipient that all messages it receives are sent to, if it is found by that.
    pub(crate) fn to(&self) -> Option<Recipient> {
        self.to
    }

    /// The place in its list.
    pub(crate) fn at(&self) -> usize {
        self.at as usize
    }

    /// Returns `true` if it is an interceptor.
    pub(crate) fn intercepts(&self) -> bool {
        self.part == Part::Before
    }
}

#[derive(Default)]
pub(super) struct Table {
    places: Vec<Option<Listed>>,
    /// The first and the last subscription of each owner, by their indices.
    owned: HashedMap<MessageeId, [u32; 2]>,
}

impl Table {
    pub(super) fn get(&self, at: usize) -> Option<&Listed> {
        self.places.get(at)?.as_ref()
    }

    /// The subscription of that id, if it is listed.
    pub(super) fn find(&self, id: SubscriptionId) -> Option<&Listed> {
        self.get(id.0.index()).filter(|listed| listed.id == id)
    }

    fn links(&mut self, at: u32) -> Option<&mut Links> {
        let listed = self.places.get_mut(at as usize)?.as_mut()?;
        Some(&mut listed.links)
    }

    pub(super) fn insert(&mut self, mut listed: Listed) {
        let at = listed.id.0.index();
        if at >= self.places.len() {
            self.places.resize(at + 1, None);
        }
        if let Some(owner) = listed.owner {
            let place = listed.id.0.place();
            let ends = self.owned.entry(owner).or_insert([place, NONE]);
            listed.links.before = std::mem::replace(&mut ends[1], place);
            if let Some(before) = self.links(listed.links.before) {
                before.after = place;
            }
        }
        self.places[at] = Some(listed);
    }

    /// The subscription stands at that place of its list from now on.
    pub(super) fn set_place(&mut self, id: SubscriptionId, at: usize) {
        if let Some(Some(listed)) = self.places.get_mut(id.0.index()) {
            listed.at = u32::try_from(at).expect("subscriptions are counted in 32 bits");
        }
    }

    pub(super) fn shrink_to_fit(&mut self) {
        let last = self.places.iter().rposition(Option::is_some);
        self.places.truncate(last.map_or(0, |last| last + 1));
        self.places.shrink_to_fit();
        self.owned.shrink_to_fit();
    }

    pub(super) fn remove(&mut self, id: SubscriptionId) -> Option<Listed> {
        self.find(id)?;
        let listed = self.places[id.0.index()].take()?;
        if let Some(owner) = listed.owner {
            self.unlink(owner, listed.links);
        }
        Some(listed)
    }

    fn unlink(&mut self, owner: MessageeId, Links { before, after }: Links) {
        if let Some(links) = self.links(before) {
            links.after = after;
        }
        if let Some(links) = self.links(after) {
            links.before = before;
        }
        if before != NONE && after != NONE {
            return;
        }
        if before == NONE && after == NONE {
            self.owned.remove(&owner);
        } else if let Some([first, last]) = self.owned.get_mut(&owner) {
            if before == NONE {
                *first = after;
            } else {
                *last = before;
            }
        }
    }

    /// The subscriptions of an owner, in the order subscribed.
    #[inline]
    pub(super) fn owned(&self, owner: MessageeId) -> impl Iterator<Item = &Listed> {
        let ends = (!self.owned.is_empty()).then(|| self.owned.get(&owner));
        let first = ends.flatten().and_then(|ends| self.get(ends[0] as usize));
        std::iter::successors(first, |listed| self.get(listed.links.after as usize))
    }

    #[cfg(feature = "data")]
    pub(super) fn iter(&self) -> impl Iterator<Item = &Listed> {
        self.places.iter().flatten()
    }

    pub(super) fn len(&self) -> usize {
        self.places.iter().flatten().count()
    }
}
