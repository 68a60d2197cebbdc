//! Finding pending messages by what is known of them, for cancelling and for tools.

use std::collections::HashMap;
use std::time::Duration;

use crate::address::Sender;
use crate::heap::lane::Lane;
use crate::heap::slab::Record;
use crate::heap::{DelayHeap, Timeline};
use crate::post::{Due, PendingPost, Posts, Ticket};

impl DelayHeap {
    /// The tickets of the messages that are meant.
    pub(crate) fn select(&self, posts: &Posts) -> Vec<Ticket> {
        let posts = self.listed(posts);
        posts.map(|post| post.ticket).collect()
    }

    /// The messages that are meant, in the order in which they are due.
    pub(crate) fn list(&self, posts: &Posts) -> Vec<PendingPost> {
        let mut listed: Vec<PendingPost> = self.listed(posts).collect();
        let lanes = self.lanes.iter();
        let ready: HashMap<(u32, u32), Due> = lanes.flat_map(Lane::ready_entries).collect();
        for post in &mut listed {
            if let Some(&since) = ready.get(&(post.ticket.slab, post.ticket.slot))
                && !matches!(post.due, Due::Unscaled(_))
            {
                post.due = since;
            }
        }
        listed.sort_by_key(|post| (post.due.order(), post.ticket.number));
        listed
    }

    fn listed(&self, posts: &Posts) -> impl Iterator<Item = PendingPost> {
        let mut listed = Vec::new();
        let named = match (posts.ticket, posts.key) {
            (Some(ticket), _) => Some(Some(ticket)),
            (None, Some(key)) => Some(self.keys.get(&key).copied()),
            (None, None) => None,
        };
        if let Some(named) = named {
            if let Some(ticket) = named
                && let Some(record) = self.record(ticket)
            {
                listed.push(self.describe(ticket, record));
            }
        } else {
            for (slab, place) in (0..).zip(&self.places) {
                let Some(place) = place else { continue };
                let wanted = posts.message();
                if wanted.is_some_and(|id| id != place.slab.facts().id) {
                    continue;
                }
                place.slab.for_each(&mut |slot, record| {
                    let number = record.number;
                    listed.push(self.describe(Ticket { number, slab, slot }, record));
                });
            }
        }
        let posts = *posts;
        listed.into_iter().filter(move |post| posts.covers(post))
    }

    fn describe(&self, ticket: Ticket, record: &Record) -> PendingPost {
        let place = self.places[ticket.slab as usize].as_ref();
        let place = place.expect("the message type of what is pending has a slab");
        let facts = place.slab.facts();
        let rare = ticket.number.and_then(|number| self.rare.get(&number));
        let postmark = self.postmarks.get(record.postmark);
        PendingPost {
            ticket,
            message: facts.name,
            id: facts.id,
            sender: record.sender.map_or(Sender::Outside, Sender::Messagee),
            recipient: record.to,
            stage: postmark.stage,
            due: match postmark.timeline {
                Timeline::Scaled => Due::At(Duration::from_nanos(record.due)),
                Timeline::Unscaled => Due::Unscaled(Duration::from_nanos(record.due)),
                Timeline::Frames => Due::Frame(record.due),
            },
            posted: postmark.posted(),
            tags: postmark.tags | facts.tags(),
            key: rare.and_then(|rare| rare.key),
            deliveries: match rare.and_then(|rare| rare.repeat) {
                Some(repeat) => repeat.times,
                None => Some(1),
            },
        }
    }
}
