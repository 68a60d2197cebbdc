//! Finding pending messages by what is known of them, for cancelling and for tools.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::slice;
use std::time::Duration;

use crate::error::Bulk;
use crate::message::{Facts, MessageId};
use crate::post::schedule::head::Head;
use crate::post::schedule::{Record, Schedule, Timeline};
use crate::post::{Due, Named, PendingPost, Posts, Ticket};
use crate::trace::TraceId;

/// A pending message, but for the message itself.
#[derive(Clone, Copy)]
pub(crate) struct Found {
    pub(crate) ticket: Ticket,
    pub(crate) facts: &'static Facts,
    pub(crate) record: Record,
    /// Its number in the trace, if it was posted while the manager was traced.
    pub(crate) traced: Option<TraceId>,
}

/// Visits a message that was found.
type Visit<'a> = dyn FnMut(Found) -> ControlFlow<()> + 'a;

impl Schedule {
    /// Prepares to find messages that will be cancelled or taken out: builds an index if that helps.
    pub(crate) fn prepare(&mut self, posts: &Posts) {
        if posts.named.is_none() && Self::end_of(posts).is_some() {
            self.build_index();
        }
    }

    /// Returns the tickets of the messages that are meant, in the order of posting.
    pub(crate) fn select(&mut self, posts: &Posts) -> Vec<Ticket> {
        self.prepare(posts);
        let mut tickets = Vec::new();
        let _ = self.visit(posts, &mut |found| {
            tickets.push(found.ticket);
            ControlFlow::Continue(())
        });
        tickets.sort_unstable_by_key(|ticket| ticket.number);
        tickets
    }

    /// Returns `true` if a message is meant. Looks no further than to the first.
    pub(crate) fn has(&self, posts: &Posts) -> bool {
        self.visit(posts, &mut |_| ControlFlow::Break(()))
            .is_break()
    }

    /// Returns the messages that are meant, in the order in which they are due.
    pub(crate) fn list(&self, posts: &Posts) -> Vec<PendingPost> {
        let mut listed = Vec::new();
        let _ = self.visit(posts, &mut |found| {
            listed.push(found.describe());
            ControlFlow::Continue(())
        });
        listed.sort_by_key(|post| (post.due.order(), post.ticket.number));
        listed
    }

    /// Visits the messages that are meant, until a visit breaks off.
    fn visit(&self, posts: &Posts, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let tickets = match &posts.named {
            Some(Named::Ticket(ticket)) => slice::from_ref(ticket),
            Some(Named::Key(key)) => self.keys.get(key).map_or(&[][..], slice::from_ref),
            None => {
                if let Some((index, end)) = self.index.as_ref().zip(Self::end_of(posts)) {
                    index.tickets(end)
                } else {
                    let mut if_meant = |found: Found| {
                        if posts.covers(&found) {
                            return visit(found);
                        }
                        ControlFlow::Continue(())
                    };
                    return self.visit_all(usize::MAX, posts.message(), &mut if_meant);
                }
            }
        };
        let found = tickets.iter().filter_map(|&ticket| self.found(ticket));
        let mut meant = found.filter(|found| posts.covers(found));
        meant.try_for_each(visit)
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

    /// Visits all messages or those of a type, until `most` of each run and wheel were visited.
    pub(super) fn visit_all(
        &self,
        most: usize,
        of: Option<MessageId>,
        visit: &mut Visit<'_>,
    ) -> ControlFlow<()> {
        for (at, queue) in self.queues.iter().enumerate() {
            if of.is_some_and(|id| id != queue.facts.id) {
                continue;
            }
            queue.visit(most, &self.stamps, &mut |head, ready| {
                visit(self.found_at(at, head, ready))
            })?;
            if let Some(away) = self.away.filter(|away| away.queue == at) {
                visit(self.found_at(at, &away.head, None))?;
            }
        }
        ControlFlow::Continue(())
    }

    fn found_at(&self, queue: usize, head: &Head, ready: Option<u64>) -> Found {
        let record = self.record(head, ready);
        Found {
            ticket: self.ticket(queue, head, ready.is_none()),
            facts: self.queues[queue].facts,
            record,
            traced: self.number(record.number),
        }
    }

    /// Returns the pending messages that are due first, up to a number, in the order in which they are due.
    ///
    /// The wheels are in order but for the messages of one slot, so of each only the first slots are looked
    /// at. Of these messages, no more are kept than are wanted.
    pub(crate) fn soonest(&self, most: usize) -> Vec<PendingPost> {
        let mut soonest = BTreeMap::new();
        for (at, queue) in self.queues.iter().enumerate() {
            let mut add = |head: &Head, ready| {
                // Only this is found for each message, since there may be millions.
                let timeline = self.stamps.get(head.stamp).meta.timeline;
                let due = due(timeline, self.stamps.due(head), ready).order();
                let key = (due, self.stamps.number(head));
                if soonest.len() < most {
                    soonest.insert(key, (at, *head, ready));
                } else if let Some(last) = soonest.last_entry()
                    && key < *last.key()
                {
                    last.remove();
                    soonest.insert(key, (at, *head, ready));
                }
                ControlFlow::Continue(())
            };
            let _ = queue.visit(most, &self.stamps, &mut add);
            if let Some(away) = self.away.filter(|away| away.queue == at) {
                let _ = add(&away.head, None);
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
        for queue in &self.queues {
            // Of each type the messages by value, and those in boxes.
            let of = by_type.entry(queue.slab / 2);
            let (_, by_place) = of.or_insert_with(|| (queue.facts, BTreeMap::new()));
            let _ = queue.visit(usize::MAX, &self.stamps, &mut |head, _| {
                let place = self.stamps.get(head.stamp).meta.place;
                *by_place.entry(place).or_insert(0) += 1;
                ControlFlow::Continue(())
            });
        }
        let bulks = by_type.into_values().filter_map(|(facts, by_place)| {
            let messages = by_place.values().sum();
            // Of equal ones the first in the source, so that it is the same one every time.
            let most = by_place.into_iter().rev().max_by_key(|&(_, count)| count);
            let (place, from_place) = most?;
            Some(Bulk {
                message: facts.name,
                messages,
                place,
                from_place,
            })
        });
        // Of equal ones the first type.
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
        let Self {
            ticket,
            facts,
            record,
            ..
        } = self;
        let (meta, series) = (&record.meta, record.series);
        PendingPost {
            ticket: *ticket,
            message: facts.name,
            id: facts.id,
            sender: record.sender(),
            recipient: record.to,
            stage: meta.stage,
            due: due(record.meta.timeline, record.due, record.ready),
            posted: meta.posted(),
            tags: meta.tags | facts.tags(),
            key: record.key,
            deliveries: series.map_or(Some(1), |series| series.times),
            period: series.map(|series| meta.timeline.interval(series.period)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::Location;

    use super::*;
    use crate::address::Recipient;
    use crate::identity::Identity;
    use crate::message::{Message, MessageIndex, NoReply};
    use crate::post::schedule::PostMeta;
    use crate::tag::TagSet;
    use crate::time::{Stage, Time};

    struct Note;

    impl Message for Note {
        type Reply = NoReply;
        const NAME: &'static str = "note";
    }

    #[test]
    fn a_visit_that_breaks_off_is_the_last() {
        // What is posted asks for the routes of its type.
        let _ = crate::registry();
        let mut schedule = Schedule::new(&Identity::new().expect("few managers are alive"), 1);
        let time = Time::new(Duration::ZERO);
        for of in [MessageIndex(0), MessageIndex(1)] {
            for _ in 0..100 {
                let record = Record {
                    number: schedule.next_number(),
                    to: Recipient::Everyone,
                    sender: None,
                    due: 1,
                    ready: None,
                    meta: PostMeta {
                        place: Location::caller(),
                        time: 0,
                        frame: 0,
                        tags: TagSet::EMPTY,
                        require: 0,
                        stage: Stage::Update,
                        timeline: Timeline::Frames,
                        retain: false,
                        if_alive: false,
                    },
                    bound: false,
                    key: None,
                    series: None,
                };
                schedule.insert(of, &record, None, &time, &mut Some(Note));
            }
        }
        assert_eq!(schedule.select(&Posts::all()).len(), 200);
        let mut visited = 0;
        let broken = schedule.visit(&Posts::all(), &mut |_| {
            visited += 1;
            ControlFlow::Break(())
        });
        assert!(broken.is_break() && schedule.has(&Posts::all()));
        assert_eq!(visited, 1);
        assert!(!schedule.has(&Posts::all().stage(Stage::LateUpdate)));
    }
}
