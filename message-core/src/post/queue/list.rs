//! Finding pending messages by what is known of them, for cancelling and for tools.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;

use crate::message::Facts;
use crate::post::queue::lane::Lane;
use crate::post::queue::slot::{chunk_of, whole_batch};
use crate::post::queue::{DelayHeap, Record, Timeline};
use crate::post::{Candidate, Due, Named, PendingPost, Posts, Ticket};

/// What is done about a message that is meant.
type Visit<'a> = dyn FnMut(Ticket, &Record) -> ControlFlow<()> + 'a;

impl DelayHeap {
    /// The tickets of the messages that are meant.
    pub(crate) fn select(&self, posts: &Posts) -> Vec<Ticket> {
        let mut tickets = Vec::new();
        let _ = self.visit(posts, &mut |ticket, _| {
            tickets.push(ticket);
            ControlFlow::Continue(())
        });
        tickets
    }

    /// Returns `true` if a message is meant. Looks no further than to the first.
    pub(crate) fn has(&self, posts: &Posts) -> bool {
        let found = &mut |_, _: &_| ControlFlow::Break(());
        self.visit(posts, found).is_break()
    }

    /// The messages that are meant, in the order in which they are due.
    pub(crate) fn list(&self, posts: &Posts) -> Vec<PendingPost> {
        let lanes = self.lanes.iter();
        let ready: HashMap<(u32, u32), Due> = lanes.flat_map(Lane::ready_entries).collect();
        let mut listed = Vec::new();
        let _ = self.visit(posts, &mut |ticket, record| {
            let mut post = self.describe(ticket, record);
            let since = ready.get(&(ticket.slab(), ticket.slot()));
            let since =
                since.or_else(|| ready.get(&(ticket.slab(), whole_batch(chunk_of(ticket.slot())))));
            if let Some(&since) = since
                && !matches!(post.due, Due::Unscaled(_))
            {
                post.due = since;
            }
            listed.push(post);
            ControlFlow::Continue(())
        });
        listed.sort_by_key(|post| (post.due.order(), post.ticket.number));
        listed
    }

    /// Visits the messages that are meant, until a visit breaks off.
    fn visit(&self, posts: &Posts, visit: &mut Visit<'_>) -> ControlFlow<()> {
        let named = match posts.named {
            None => return self.visit_all(posts, visit),
            Some(Named::Ticket(ticket)) => Some(ticket),
            Some(Named::Key(key)) => self.keys.get(&key).copied(),
        };
        if let Some(ticket) = named
            && let Some(record) = self.record(ticket)
            && posts.covers(&self.candidate(self.queue(ticket.slab()).facts, &record))
        {
            return visit(ticket, &record);
        }
        ControlFlow::Continue(())
    }

    fn visit_all(&self, posts: &Posts, visit: &mut Visit<'_>) -> ControlFlow<()> {
        for (slab, queue) in (0..).zip(&self.queues) {
            let Some(queue) = queue else { continue };
            let facts = queue.facts;
            if posts.message().is_some_and(|id| id != facts.id) {
                continue;
            }
            queue.for_each(&mut |slot, record| {
                if posts.covers(&self.candidate(facts, record)) {
                    let number = record.number;
                    return visit(Ticket::new(number, slab, slot), record);
                }
                ControlFlow::Continue(())
            })?;
        }
        ControlFlow::Continue(())
    }

    fn candidate(&self, facts: &Facts, record: &Record) -> Candidate {
        let post_meta = self.postmarks.get(record.post_meta);
        Candidate {
            message: facts.id,
            sender: record.sender(),
            recipient: record.to,
            tags: [post_meta.tags, facts.tags()],
            stage: post_meta.stage,
        }
    }

    pub(super) fn describe(&self, ticket: Ticket, record: &Record) -> PendingPost {
        let facts = self.queue(ticket.slab()).facts;
        let rare = ticket.number.and_then(|number| self.rare.get(&number));
        let repeat = rare
            .and_then(|rare| rare.series)
            .map(|series| series.repeat);
        let post_meta = self.postmarks.get(record.post_meta);
        PendingPost {
            ticket,
            message: facts.name,
            id: facts.id,
            sender: record.sender(),
            recipient: record.to,
            stage: post_meta.stage,
            due: match post_meta.timeline {
                Timeline::Scaled => Due::At(Duration::from_nanos(record.due)),
                Timeline::Unscaled => Due::Unscaled(Duration::from_nanos(record.due)),
                Timeline::Frames => Due::Frame(record.due),
            },
            posted: post_meta.posted(),
            tags: post_meta.tags | facts.tags(),
            key: rare.and_then(|rare| rare.key),
            deliveries: repeat.map_or(Some(1), |repeat| repeat.times),
            period: repeat.map(|repeat| post_meta.timeline.interval(repeat.period)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::Recipient;
    use crate::header::Header;
    use crate::identity::Identity;
    use crate::message::{Message, MessageIndex, NoReply};
    use crate::post::queue::{PostMeta, Stamped, When};
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
        let mut heap = DelayHeap::new(&Identity::new().expect("few managers are alive"), 200, 1);
        let header = Header::to(Recipient::Everyone).after_frames(1).build();
        let header = header.expect("it is complete");
        let stamped = Stamped {
            sender: None,
            post_meta: PostMeta {
                place: std::panic::Location::caller(),
                time: 0,
                frame: 0,
                tags: TagSet::EMPTY,
                require: 0,
                stage: Stage::Update,
                timeline: Timeline::Frames,
                retain: false,
                if_alive: false,
            },
            when: When {
                due: 1,
                ready_at: None,
            },
        };
        let time = Time::new(Duration::ZERO);
        for of in [MessageIndex(0), MessageIndex(1)] {
            for _ in 0..100 {
                heap.insert(of, &header, &stamped, &time, &mut Some(Note));
            }
        }
        assert_eq!(heap.select(&Posts::all()).len(), 200);
        let mut visited = 0;
        let broken = heap.visit(&Posts::all(), &mut |_, _| {
            visited += 1;
            ControlFlow::Break(())
        });
        assert!(broken.is_break() && heap.has(&Posts::all()));
        assert_eq!(visited, 1);
        assert!(!heap.has(&Posts::all().stage(Stage::LateUpdate)));
    }
}
