//! The state of an in-memory network.
//!
//! A place is one link. Its number is never reused, so frames to a node that crashed do not reach the one that
//! comes back. Frames in flight are sorted by the order of their arrival. Visibility between nodes is
//! recomputed only when something has changed or a lease ends.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::settings::{MemoryCounters, MemoryPath, MemorySettings};
use crate::link::{Frame, LinkError, LinkEvent};
use crate::name::NodeName;
use crate::random::Random;
use crate::spare::Spare;

/// The maximum number of extra steps for a frame that others may overtake.
const OVERTAKEN: u32 = 8;

pub(super) struct State {
    pub(super) settings: MemorySettings,
    pub(super) counters: MemoryCounters,
    /// The memory of frames that were read.
    pub(super) spare: Spare,
    random: Random,
    now: u64,
    places: BTreeMap<u64, Place>,
    next_place: u64,
    /// The settings of the path from one node to another.
    paths: BTreeMap<(NodeName, NodeName), MemoryPath>,
    cuts: BTreeSet<(NodeName, NodeName)>,
    /// The slow readers, and how many frames each receives in a step.
    slow: BTreeMap<NodeName, usize>,
    /// Frames in flight, by the step of arrival and the order of sending.
    flights: BTreeMap<(u64, u64), Flight>,
    next_flight: u64,
    /// The lanes from one place to another.
    lanes: BTreeMap<(u64, u64), Lane>,
    /// Whether visibility between nodes may have changed.
    changed: bool,
    /// When the next lease ends.
    next_lease: Option<u64>,
}

/// The place of one link.
struct Place {
    name: NodeName,
    /// All events except frames.
    events: VecDeque<LinkEvent>,
    /// Frames that have arrived, with the places that sent them.
    frames: VecDeque<(u64, NodeName, Vec<u8>)>,
    /// Frames that were read in this step.
    read: usize,
    /// The nodes that it was notified of. For those that it has lost: when it is notified of the loss.
    sees: BTreeMap<NodeName, Option<u64>>,
}

/// A frame in flight.
struct Flight {
    from: u64,
    /// The name of the sending place, which may have gone in the meantime.
    name: NodeName,
    to: u64,
    frame: Vec<u8>,
}

/// The frames in flight from one place to another.
#[derive(Default)]
struct Lane {
    under_way: usize,
    /// When the last frame that must not be overtaken arrives.
    last: u64,
}

impl State {
    pub(super) fn new(seed: u64, settings: MemorySettings) -> Self {
        Self {
            settings,
            counters: MemoryCounters::default(),
            spare: Spare::default(),
            random: Random::new(seed),
            now: 0,
            places: BTreeMap::new(),
            next_place: 0,
            paths: BTreeMap::new(),
            cuts: BTreeSet::new(),
            slow: BTreeMap::new(),
            flights: BTreeMap::new(),
            next_flight: 0,
            lanes: BTreeMap::new(),
            changed: false,
            next_lease: None,
        }
    }

    pub(super) fn now(&self) -> u64 {
        self.now
    }

    pub(super) fn join(&mut self, name: NodeName) -> u64 {
        let number = self.next_place;
        self.next_place += 1;
        let mut place = Place {
            name,
            events: VecDeque::new(),
            frames: VecDeque::new(),
            read: 0,
            sees: BTreeMap::new(),
        };
        for (other_number, other) in &mut self.places {
            if other.name == place.name {
                let taken = |number: u64| LinkEvent::NameTaken {
                    by: format!("link {number} of the network in memory"),
                };
                other.events.push_back(taken(number));
                place.events.push_back(taken(*other_number));
            }
        }
        self.places.insert(number, place);
        self.changed = true;
        number
    }

    /// Removes the place of a node that leaves.
    pub(super) fn leave(&mut self, number: u64) {
        let Some(place) = self.places.remove(&number) else {
            return;
        };
        self.removed(number, &place);
        let at_once = Some(self.now + 1);
        for other in self.places.values_mut() {
            let cut = (place.name.clone(), other.name.clone());
            let Some(gone) = other.sees.get_mut(&place.name) else {
                continue;
            };
            if gone.is_none() && !self.cuts.contains(&cut) {
                *gone = at_once;
            }
        }
    }

    pub(super) fn crash(&mut self, name: &NodeName) {
        let crashed = |(_, place): &(&u64, &Place)| place.name == *name;
        let numbers: Vec<u64> = self
            .places
            .iter()
            .filter(crashed)
            .map(|(n, _)| *n)
            .collect();
        for number in numbers {
            if let Some(place) = self.places.remove(&number) {
                self.removed(number, &place);
            }
        }
    }

    fn removed(&mut self, number: u64, place: &Place) {
        self.counters.unread += place.frames.len() as u64;
        self.lanes
            .retain(|(from, to), _| *from != number && *to != number);
        self.changed = true;
    }

    pub(super) fn set_path(&mut self, from: &NodeName, to: &NodeName, path: Option<MemoryPath>) {
        let ends = (from.clone(), to.clone());
        match path {
            Some(path) => self.paths.insert(ends, path),
            None => self.paths.remove(&ends),
        };
    }

    pub(super) fn cut(&mut self, from: &NodeName, to: &NodeName, cut: bool) {
        let ends = (from.clone(), to.clone());
        if cut {
            self.cuts.insert(ends);
        } else {
            self.cuts.remove(&ends);
        }
        self.changed = true;
    }

    pub(super) fn heal(&mut self) {
        self.cuts.clear();
        self.changed = true;
    }

    pub(super) fn slow(&mut self, node: &NodeName, frames: Option<usize>) {
        match frames {
            Some(frames) => self.slow.insert(node.clone(), frames),
            None => self.slow.remove(node),
        };
    }

    pub(super) fn send(
        &mut self,
        number: u64,
        to: &NodeName,
        frame: Frame,
    ) -> Result<(), LinkError> {
        let Some(place) = self.places.get(&number) else {
            return Err(LinkError::Ended("its node was removed".to_owned()));
        };
        if !place.sees.contains_key(to) {
            return Err(LinkError::Unknown(to.clone()));
        }
        let (len, most) = (frame.len(), self.settings.max_frame);
        if len > most {
            return Err(LinkError::TooLong { len, most });
        }
        let name = place.name.clone();
        let is_meant = |(other, place): &(&u64, &Place)| **other != number && place.name == *to;
        let receivers = self.places.iter().filter(is_meant);
        let receivers: Vec<u64> = receivers.map(|(number, _)| *number).collect();
        let is_full = |receiver: &u64| {
            let lane = self.lanes.get(&(number, *receiver));
            lane.is_some_and(|lane| lane.under_way >= self.settings.queue)
        };
        if receivers.iter().any(is_full) {
            self.counters.refused += 1;
            return Err(LinkError::Full);
        }
        let copies = receivers.len().max(1) as u64;
        self.counters.sent += copies;
        self.counters.bytes += copies * len as u64;
        let Some((last, others)) = receivers.split_last() else {
            // The node has crashed, and nobody knows yet.
            self.counters.unread += 1;
            return Ok(());
        };
        let frame = frame.into_vec_in(|| self.spare.take());
        for receiver in others {
            self.start(number, &name, to, *receiver, frame.clone());
        }
        self.start(number, &name, to, *last, frame);
        Ok(())
    }

    /// Sends a frame to one place, and determines what happens to it.
    fn start(&mut self, from: u64, name: &NodeName, to: &NodeName, receiver: u64, frame: Vec<u8>) {
        let ends = (name.clone(), to.clone());
        let path = self.paths.get(&ends).copied().unwrap_or(self.settings.path);
        if self.random.chance(path.loss) {
            self.counters.lost += 1;
            return;
        }
        if self.cuts.contains(&ends) {
            self.counters.cut += 1;
            return;
        }
        let doubled = self.random.chance(path.duplication);
        if doubled {
            self.counters.doubled += 1;
            self.fly(from, name, receiver, frame.clone(), path);
        }
        self.fly(from, name, receiver, frame, path);
    }

    fn fly(&mut self, from: u64, name: &NodeName, to: u64, frame: Vec<u8>, path: MemoryPath) {
        let delay = self.random.between(path.min_delay, path.max_delay);
        let mut due = self.now + u64::from(delay);
        let overtaken = self.random.chance(path.reordering);
        let lane = self.lanes.entry((from, to)).or_default();
        if overtaken {
            due += u64::from(self.random.between(1, OVERTAKEN));
            self.counters.reordered += 1;
        } else {
            due = due.max(lane.last);
            lane.last = due;
        }
        lane.under_way += 1;
        let name = name.clone();
        let flight = Flight {
            from,
            name,
            to,
            frame,
        };
        if due <= self.now {
            self.arrive(flight);
        } else {
            self.flights.insert((due, self.next_flight), flight);
            self.next_flight += 1;
        }
    }

    fn arrive(&mut self, flight: Flight) {
        let Some(place) = self.places.get_mut(&flight.to) else {
            self.counters.unread += 1;
            return;
        };
        let ends = (flight.name, place.name.clone());
        if self.cuts.contains(&ends) {
            self.counters.cut += 1;
            if let Some(lane) = self.lanes.get_mut(&(flight.from, flight.to)) {
                lane.under_way -= 1;
            }
            return;
        }
        place.frames.push_back((flight.from, ends.0, flight.frame));
    }

    pub(super) fn poll(&mut self, number: u64) -> Option<LinkEvent> {
        let place = self.places.get_mut(&number)?;
        if let Some(event) = place.events.pop_front() {
            return Some(event);
        }
        if let Some(most) = self.slow.get(&place.name)
            && place.read >= *most
        {
            return None;
        }
        let (sender, from, frame) = place.frames.pop_front()?;
        place.read += 1;
        if let Some(lane) = self.lanes.get_mut(&(sender, number)) {
            lane.under_way -= 1;
        }
        self.counters.delivered += 1;
        Some(LinkEvent::Frame { from, frame })
    }

    pub(super) fn step(&mut self) {
        self.now += 1;
        for place in self.places.values_mut() {
            place.read = 0;
        }
        while let Some(first) = self.flights.first_entry()
            && first.key().0 <= self.now
        {
            let flight = first.remove();
            self.arrive(flight);
        }
        if self.changed || self.next_lease.is_some_and(|end| end <= self.now) {
            self.look_around();
        }
    }

    /// Notifies every place of the nodes that came and went.
    fn look_around(&mut self) {
        self.changed = false;
        self.next_lease = None;
        let there: Vec<(u64, NodeName)> = self
            .places
            .iter()
            .map(|(number, place)| (*number, place.name.clone()))
            .collect();
        for (number, place) in &mut self.places {
            let mut reached = BTreeSet::new();
            for (other, name) in &there {
                let ends = (name.clone(), place.name.clone());
                if other != number && *name != place.name && !self.cuts.contains(&ends) {
                    reached.insert(name.clone());
                }
            }
            for name in &reached {
                if place.sees.insert(name.clone(), None).is_none() {
                    place.events.push_back(LinkEvent::Came(name.clone()));
                }
            }
            let (now, lease) = (self.now, u64::from(self.settings.lease));
            let (events, next_lease) = (&mut place.events, &mut self.next_lease);
            place.sees.retain(|name, gone| {
                if reached.contains(name) {
                    return true;
                }
                let end = *gone.get_or_insert(now + lease);
                if end <= now {
                    events.push_back(LinkEvent::Went(name.clone()));
                    return false;
                }
                *next_lease = Some(next_lease.map_or(end, |next| next.min(end)));
                true
            });
        }
    }
}
