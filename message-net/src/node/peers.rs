//! The other nodes that a node knows.

use std::collections::{BTreeMap, HashMap};
use std::ops::Index;

use message_core::MessageeId;

use crate::hash::OwnKeys;
use crate::name::NodeName;
use crate::node::peer::{Peer, State};

/// The other nodes, by their names and by their places.
#[derive(Debug, Default)]
pub(crate) struct Peers {
    places: BTreeMap<NodeName, Place>,
    /// `None` where a node was removed, or is temporarily taken out.
    all: Vec<Option<Box<Peer>>>,
    free: Vec<Place>,
    /// All proxies.
    stands: HashMap<MessageeId, Stand, OwnKeys>,
}

/// A proxy: the node of its messagee, and who keeps it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stand {
    pub(crate) at: Place,
    /// Whether the program has imported it.
    pub(crate) is_imported: bool,
    /// The number of other nodes that have named it.
    pub(crate) named_by: u32,
    /// The round in which its last message was handed in, and the number of messages in that round.
    heard: (u64, usize),
}

/// The index of a node until it is removed. Finding a node by it requires no comparison of names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place(usize);

const THERE: &str = "a node has its place until it is removed";

impl Peers {
    pub(crate) fn place(&self, name: &NodeName) -> Option<Place> {
        self.places.get(name).copied()
    }

    /// Adds a node with a name that is not known yet.
    pub(crate) fn add(&mut self, peer: Peer) -> Place {
        let place = self.free.pop().unwrap_or(Place(self.all.len()));
        if place.0 == self.all.len() {
            self.all.push(None);
        }
        self.places.insert(peer.name.clone(), place);
        self.all[place.0] = Some(Box::new(peer));
        place
    }

    #[inline]
    pub(crate) fn at(&self, place: Place) -> &Peer {
        self.all[place.0].as_deref().expect(THERE)
    }

    #[inline]
    pub(crate) fn at_mut(&mut self, place: Place) -> &mut Peer {
        self.all[place.0].as_deref_mut().expect(THERE)
    }

    /// Takes a node out, until it is [put back](Self::put_back). In the meantime it is not among the others.
    pub(crate) fn take_out(&mut self, place: Place) -> Box<Peer> {
        self.all[place.0].take().expect(THERE)
    }

    pub(crate) fn put_back(&mut self, place: Place, peer: Box<Peer>) {
        self.all[place.0] = Some(peer);
    }

    pub(crate) fn get(&self, name: &NodeName) -> Option<&Peer> {
        self.all[self.place(name)?.0].as_deref()
    }

    pub(crate) fn get_mut(&mut self, name: &NodeName) -> Option<&mut Peer> {
        let place = self.place(name)?;
        self.all[place.0].as_deref_mut()
    }

    pub(crate) fn contains_key(&self, name: &NodeName) -> bool {
        self.places.contains_key(name)
    }

    pub(crate) fn remove(&mut self, name: &NodeName) -> Option<Box<Peer>> {
        let place = self.places.remove(name)?;
        self.free.push(place);
        self.all[place.0].take()
    }

    /// Takes note of a new proxy for a messagee of a node.
    pub(crate) fn add_proxy(&mut self, proxy: MessageeId, at: Place) {
        let stand = Stand {
            at,
            is_imported: false,
            named_by: 0,
            heard: (0, 0),
        };
        self.stands.insert(proxy, stand);
    }

    /// Returns the node of a proxy, and who keeps it.
    #[inline]
    pub(crate) fn stand_of(&self, proxy: MessageeId) -> Option<&Stand> {
        self.stands.get(&proxy)
    }

    pub(crate) fn stand_mut(&mut self, proxy: MessageeId) -> Option<&mut Stand> {
        self.stands.get_mut(&proxy)
    }

    /// Counts a message of a proxy's messagee. Returns `false` if it exceeds the limit for each round.
    pub(crate) fn may_send(&mut self, proxy: MessageeId, round: u64, most: usize) -> bool {
        let Some(stand) = self.stands.get_mut(&proxy) else {
            return true;
        };
        if stand.heard.0 != round {
            stand.heard = (round, 0);
        }
        stand.heard.1 += 1;
        stand.heard.1 <= most
    }

    /// Forgets a proxy that has ended, also for those who have named it. Returns the place of its node.
    pub(crate) fn ended(&mut self, proxy: MessageeId) -> Option<Place> {
        let stand = self.stands.remove(&proxy)?;
        if stand.named_by > 0 {
            for peer in self.values_mut() {
                peer.named.remove(&proxy);
            }
        }
        Some(stand.at)
    }

    /// Returns the node of a messagee for which there is a proxy, unless it is taken out.
    pub(crate) fn of_proxy(&self, proxy: MessageeId) -> Option<&Peer> {
        self.all[self.stands.get(&proxy)?.at.0].as_deref()
    }

    /// Returns the number of proxies.
    #[cfg(test)]
    pub(crate) fn proxy_count(&self) -> usize {
        self.stands.len()
    }

    /// Returns the number of nodes that are there.
    pub(crate) fn present(&self) -> usize {
        let there = self.values().filter(|peer| peer.state != State::Away);
        there.count()
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Returns the places, in the order of the names.
    pub(crate) fn places(&self) -> impl Iterator<Item = Place> {
        self.places.values().copied()
    }

    /// Returns the nodes, in the order of their names.
    pub(crate) fn values(&self) -> impl Iterator<Item = &Peer> {
        let places = self.places.values();
        places.filter_map(|place| self.all[place.0].as_deref())
    }

    /// Returns the nodes, in no particular order.
    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut Peer> {
        self.all.iter_mut().filter_map(Option::as_deref_mut)
    }

    pub(crate) fn into_values(self) -> impl Iterator<Item = Box<Peer>> {
        let Self {
            places, mut all, ..
        } = self;
        let places = places.into_values();
        places.filter_map(move |place| all[place.0].take())
    }
}

impl Index<&NodeName> for Peers {
    type Output = Peer;

    fn index(&self, name: &NodeName) -> &Peer {
        self.get(name).expect("a node of that name is known")
    }
}
