//! Finding pending messages by what is known of them, for cancelling and for tools.

use std::collections::BTreeMap;
use std::slice;
use std::time::Duration;

use crate::error::Bulk;
use crate::header::Interval;
use crate::message::{Facts, MessageId};
use crate::post::schedule::{Head, Record, Schedule, Timeline};
use crate::post::{Due, Named, PendingPost, Posts, Ticket};
use crate::trace::TraceId;

/// A pending message, but for the message itself.
#[derive(Clone, Copy)]
pub struct Found {
    pub ticket: Ticket,
    pub(crate) facts: &'static Facts,
    pub record: Record,
    /// Its number in the trace, if it was posted while the manager was traced.
    pub(crate) traced: Option<TraceId>,
}

impl Schedule {
    /// Returns the tickets of the messages that are meant, in the order of posting.
    pub(crate) fn select(&mut self, posts: &Posts) -> Vec<Ticket> {
        self.prepare(posts);
        let mut tickets: Vec<_> = self.meant(posts).map(|found| found.ticket).collect();
        tickets.sort_unstable_by_key(|ticket| ticket.number());
        tickets
    }

    /// Returns `true` if a message is meant. Looks no further than to the first.
    pub(crate) fn has(&self, posts: &Posts) -> bool {
        self.meant(posts).next().is_some()
    }

    /// Returns the messages that are meant, in the order in which they are due.
    pub(crate) fn list(&self, posts: &Posts) -> Vec<PendingPost> {
        let mut listed: Vec<_> = self.meant(posts).map(|found| found.describe()).collect();
        listed.sort_by_key(|post| (post.due.order(), post.ticket.number()));
        listed
    }

    /// Iterates over the messages that are meant.
    fn meant<'s>(&'s self, posts: &'s Posts) -> impl Iterator<Item = Found> + 's {
        let tickets = match &posts.named {
            Some(Named::Ticket(ticket)) => Some(slice::from_ref(ticket)),
            Some(Named::Key(key)) => Some(self.keys.get(key).map_or(&[][..], slice::from_ref)),
            None => {
                let by_end = self.index.as_ref().zip(Self::end_of(posts));
                by_end.map(|(index, end)| index.tickets(end))
            }
        };
        let named = tickets.into_iter().flatten();
        let named = named.filter_map(|&ticket| self.found(ticket));
        let all = tickets.is_none().then(|| self.all(posts.message));
        let found = named.chain(all.into_iter().flatten());
        found.filter(|found| posts.covers(found))
    }

    /// Returns a pending message by its ticket.
    pub(crate) fn found(&self, ticket: Ticket) -> Option<Found> {
        if let Some(away) = self.lent(ticket) {
            return Some(self.found_at(away.queue, &away.head, None));
        }
        let (at, spot) = self.find(ticket)?;
        let head = self.queues[at].stock.head(spot.block, spot.at)?;
        Some(self.found_at(at, head, spot.ready))
    }

    /// Iterates over all messages, or those of a type.
    pub fn all(&self, of: Option<MessageId>) -> impl Iterator<Item = Found> {
        let heads = self.heads(of);
        heads.map(|(queue, head, ready)| self.found_at(queue, head, ready))
    }

    /// Iterates over the heads of all messages or those of a type. Each comes with the place of its queue and, if it waits
    /// for the next pass of its stage, since when.
    fn heads(&self, of: Option<MessageId>) -> impl Iterator<Item = (usize, &Head, Option<u64>)> {
        let queues = self.queues.iter().enumerate();
        let queues = queues.filter(move |(_, queue)| of.is_none_or(|id| id == queue.facts.id));
        queues.flat_map(move |(at, queue)| {
            let away = self.away.iter().filter(move |away| away.queue == at);
            let away = away.map(|away| (&away.head, None));
            let heads = queue.heads(&self.stamps).chain(away);
            heads.map(move |(head, ready)| (at, head, ready))
        })
    }

    fn found_at(&self, queue: usize, head: &Head, ready: Option<u64>) -> Found {
        let record = self.record(head, ready);
        Found {
            ticket: self.ticket(queue, head, ready.is_none()),
            facts: self.queues[queue].facts,
            record,
            traced: self.traced.get(&record.number).copied(),
        }
    }

    /// Returns the pending messages that are due first, up to a number, in the order in which they are due.
    ///
    /// The wheels are in order but for the messages of one slot, so of each only the first slots are looked
    /// at. Of these messages, no more are kept than are wanted.
    pub(crate) fn soonest<'s>(&'s self, most: usize) -> Vec<PendingPost> {
        // The key of the last one, when there are enough.
        let (mut soonest, mut last) = (BTreeMap::new(), None);
        let mut note = |at: usize, head: &'s Head, ready| {
            // Only this is found for each message, since there may be millions.
            let timeline = self.stamps.get(head.stamp).meta.timeline;
            let due = due(timeline, self.stamps.due(head), ready).order();
            let key = (due, self.stamps.number(head));
            if last.is_some_and(|last| key > last) {
                return;
            }
            soonest.insert(key, (at, head, ready));
            if soonest.len() > most {
                soonest.pop_last();
            }
            if soonest.len() == most {
                last = soonest.last_key_value().map(|(&key, _)| key);
            }
        };
        for (at, queue) in self.queues.iter().enumerate() {
            if let Some(away) = self.away.as_ref().filter(|away| away.queue == at) {
                note(at, &away.head, None);
            }
            for run in queue.runs.iter().flatten() {
                for head in queue.heads_in(&run.list, &self.stamps).take(most) {
                    note(at, head, Some(run.since(head, &self.stamps)));
                }
            }
            for wheel in queue.wheels.iter().flatten() {
                let mut found = 0;
                for slot in wheel.slots() {
                    if found >= most {
                        break;
                    }
                    for head in queue.heads_in(slot, &self.stamps) {
                        found += 1;
                        note(at, head, None);
                    }
                }
            }
        }
        let found = soonest.values();
        let found = found.map(|(at, head, ready)| self.found_at(*at, head, *ready).describe());
        found.collect()
    }

    /// Returns the message type that has most pending, and the place that posted most of these. Counting
    /// looks at all messages, and a runaway is refused again and again, so a count holds until one in
    /// sixteen was posted anew.
    #[cold]
    pub(crate) fn bulk(&mut self) -> Option<Bulk> {
        let fresh = u64::try_from(self.pending() / 16).unwrap_or(u64::MAX);
        if let Some((bulk, at)) = self.counted
            && self.next_number.get() - at.get() < fresh.max(1)
        {
            return bulk;
        }
        let bulk = self.count_bulk();
        self.counted = Some((bulk, self.next_number));
        bulk
    }

    fn count_bulk(&self) -> Option<Bulk> {
        let mut by_type = BTreeMap::new();
        for (at, head, _) in self.heads(None) {
            // For each type, counts the messages by value and those in boxes.
            let queue = &self.queues[at];
            let of = by_type.entry(queue.slab / 2);
            let (_, by_place) = of.or_insert_with(|| (queue.facts, BTreeMap::new()));
            let place = self.stamps.get(head.stamp).meta.place;
            *by_place.entry(place).or_insert(0) += 1;
        }
        let bulks = by_type.into_values().filter_map(|(facts, by_place)| {
            let messages = by_place.values().sum();
            // Takes the first in the source of equal ones, so that it is the same one every time.
            let most = by_place.into_iter().rev().max_by_key(|&(_, count)| count);
            let (place, from_place) = most?;
            Some(Bulk {
                message: facts.name,
                messages,
                place,
                from_place,
            })
        });
        // Takes the first type of equal ones.
        bulks.rev().max_by_key(|bulk| bulk.messages)
    }
}

/// Returns when a message is due. `ready` is given if it waits for the next pass of its stage.
fn due(timeline: Timeline, due: u64, ready: Option<u64>) -> Due {
    let time = Duration::from_nanos;
    match (timeline, ready) {
        (Timeline::Unscaled, _) => Due::Unscaled(time(due)),
        (_, Some(since)) => Due::Now(time(since)),
        (Timeline::Scaled, None) => Due::At(time(due)),
        (Timeline::Frames, None) => Due::Frame(due),
    }
}

impl Found {
    fn describe(&self) -> PendingPost {
        let (facts, record) = (self.facts, &self.record);
        let (meta, series) = (&record.meta, record.series);
        PendingPost {
            ticket: self.ticket,
            message: facts.name,
            id: facts.id,
            sender: record.sender(),
            recipient: record.to,
            stage: meta.stage,
            due: due(record.meta.timeline, record.due, record.ready),
            posted: meta.posted(),
            tags: meta.tags | facts.tags(),
            key: record.key,
            until: record.until,
            deliveries: series.map_or(Some(1), |series| series.times),
            period: series.map(|series| Interval::every(meta.timeline, series.period)),
        }
    }
}
