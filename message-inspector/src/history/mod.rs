//! The history that the server keeps of a world: the newest events, counts by message type, and groups of
//! dead letters and failures.
//!
//! Everything is bounded: a ring of events, as many message types as the program has, [`GROUPS`] groups.
//! Queries iterate over the ring.

mod cause;
mod counts;
mod dead;
pub(crate) mod event;
mod flow;
mod letters;
mod now;
mod timeline;
mod unheard;

use std::collections::{BTreeSet, HashMap, VecDeque};

use message_core::MessageId;
use message_core::error::Receiver;
use message_core::trace::{TraceEvent, TraceId, Traced};
use message_trace::Recorder;
use serde_json::{Value, json};

use crate::shared::{Reading, Recorded, Seen};
use counts::Counts;
use dead::Remembered;
use letters::Letters;
use unheard::Unheard;

pub(crate) use timeline::{Search, Wanted};

/// How many groups of dead letters and failures are kept.
const GROUPS: usize = 500;
/// How many events are searched for the send of a letter.
const LOOKED_AT: usize = 2_000;
/// How many frames whose budget ran out are remembered.
const CUTS: usize = 1_000;

/// An event and its sequence number.
#[derive(Debug)]
struct Kept {
    number: u64,
    event: TraceEvent,
}

#[derive(Debug)]
pub(crate) struct History {
    capacity: usize,
    events: VecDeque<Kept>,
    /// How many events have arrived.
    came: u64,
    /// The number of the state of a world that goes back and forth.
    pub(crate) state: u64,
    /// How many events were not recorded, as far as that is known.
    missed: u64,
    pub(crate) reading: Reading,
    counts: Counts,
    letters: Letters,
    unheard: Unheard,
    remembered: Remembered,
    /// The frames in which the budget ran out.
    cuts: BTreeSet<u64>,
    /// Whether something has arrived since pages were last updated.
    pub(crate) is_new: bool,
}

impl History {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            capacity,
            events: VecDeque::new(),
            came: 0,
            state: 0,
            missed: 0,
            reading: Reading::default(),
            counts: Counts::default(),
            letters: Letters::default(),
            unheard: Unheard::default(),
            remembered: Remembered::default(),
            cuts: BTreeSet::new(),
            is_new: false,
        }
    }

    /// Stores the report of a world. Returns a recorder that can be used again.
    pub(crate) fn take(
        &mut self,
        reading: Reading,
        recorded: Recorded,
        seen: Seen,
    ) -> Option<Recorder> {
        let recorded = match recorded {
            Recorded::Anew(events, state) => {
                let came = self.came;
                *self = Self::new(self.capacity);
                (self.came, self.state) = (came, state);
                Recorded::Foreign(events, 0)
            }
            other => other,
        };
        self.remembered.take(seen, reading.frame);
        self.counts.frame(reading.frame);
        self.reading = reading;
        self.is_new = true;
        match recorded {
            Recorded::Nothing | Recorded::Anew(..) => None,
            Recorded::Own(mut own, weight) => {
                for (info, count) in own.deliveries() {
                    self.counts.add(info.id, info.name, count * weight);
                }
                if own.is_full() {
                    self.cut(own.events().next_back().map(|it| it.moment.frame));
                    let traced = own.events();
                    let traced = traced.filter(|it| matches!(it.what, Traced::Called { .. }));
                    let counted: u64 = own.deliveries().map(|(_, count)| count).sum();
                    self.missed += counted.saturating_sub(traced.count() as u64);
                }
                for event in own.events() {
                    self.keep(event.clone());
                }
                own.clear();
                Some(own)
            }
            Recorded::Foreign(events, missed) => {
                if missed > 0 {
                    self.cut(events.first().map(|it| it.moment.frame));
                    self.missed += missed;
                }
                for event in events {
                    if matches!(event.what, Traced::Called { .. }) {
                        self.counts.add(event.message_id, event.message, 1);
                    }
                    self.keep(event);
                }
                None
            }
        }
    }

    fn cut(&mut self, frame: Option<u64>) {
        self.cuts.extend(frame);
        while self.cuts.len() > CUTS {
            self.cuts.pop_first();
        }
    }

    fn keep(&mut self, event: TraceEvent) {
        if let Traced::Called { .. } = event.what {
            self.counts.trace(event.message_id);
        }
        self.letters.look_at(&event, &self.events);
        self.unheard.look_at(&event, &self.events);
        while self.events.len() >= self.capacity {
            self.events.pop_front();
        }
        self.came += 1;
        self.events.push_back(Kept {
            number: self.came,
            event,
        });
    }

    /// Returns the number of the newest event.
    pub(crate) fn newest(&self) -> u64 {
        self.came
    }

    /// Returns the newest events after that number, at most `limit`, the oldest first.
    pub(crate) fn since(&self, number: u64, limit: usize) -> Vec<Value> {
        let newest = self.events.iter().rev();
        let newest = newest.take_while(|kept| kept.number > number);
        let mut events: Vec<Value> = newest
            .take(limit)
            .map(|kept| self.told(&kept.event))
            .collect();
        events.reverse();
        events
    }

    /// Ends a second.
    pub(crate) fn second(&mut self) {
        self.counts.second();
    }

    fn events(&self) -> impl DoubleEndedIterator<Item = &TraceEvent> + Clone {
        self.events.iter().map(|kept| &kept.event)
    }

    /// Returns the events that begin sends and deliveries, by their trace ids.
    fn begins(&self) -> HashMap<TraceId, &TraceEvent> {
        let begins = self.events();
        let begins = begins.filter_map(|event| Some((event.begun()?, event)));
        begins.collect()
    }

    /// Returns how many deliveries each traced one represents.
    fn weight(&self, message: MessageId) -> f64 {
        self.counts.weight(message)
    }

    /// Returns the last messages that a messagee has received and sent.
    pub(crate) fn of_messagee(&self, id: &str, limit: usize) -> (Value, Value) {
        let is_it = |found: Option<message_core::MessageeId>| {
            found.is_some_and(|found| format!("{found:#}") == id)
        };
        let received = self.events().rev().filter(|event| {
            let receiver = event.what.receiver().and_then(Receiver::messagee);
            matches!(event.what, Traced::Called { .. }) && is_it(receiver)
        });
        let sent = self
            .events()
            .rev()
            .filter(|event| matches!(event.what, Traced::Sent { .. }) && is_it(event.sender.id()));
        let received: Vec<_> = received.take(limit).map(|it| self.told(it)).collect();
        let sent: Vec<_> = sent.take(limit).map(|it| self.told(it)).collect();
        (json!(received), json!(sent))
    }
}

/// Returns the part of a type's name that people read.
pub(crate) fn short(name: &str) -> &str {
    let head = name.find('<').unwrap_or(name.len());
    let begin = name[..head].rfind([':', '.']).map_or(0, |at| at + 1);
    &name[begin..]
}
