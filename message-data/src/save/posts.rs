//! Pending messages.

use std::collections::HashMap;
use std::ops::Not;
use std::panic::Location;

use message_core::internals::{
    BEGUN_AT_MOST, Found, LAST, Lane, PostMeta, Record, Series, Timeline, World,
};
use message_core::{HookId, MessageeId, PostKey, Recipient, Stage, Ticket};
use message_format::Packer;
use serde::{Deserialize, Serialize};

use crate::save::Restoring;
use crate::save::catalog::Catalog;
use crate::save::chunks::{Body, put, put_message};
use crate::save::error::{RestoreError, SaveError};
use crate::scope::{post_after, posts_before};

/// The header before the messages.
#[derive(Serialize, Deserialize)]
struct Head {
    /// The number of messages posted.
    next: u64,
    skipped_repeats: u64,
    lanes: Vec<Lane>,
    /// The metadata that many messages share.
    metas: Vec<PostMeta>,
    posts: Vec<PostRow>,
}

#[derive(Serialize, Deserialize)]
struct PostRow {
    number: u64,
    /// The number of the type.
    of: u32,
    to: Recipient,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    sender: Option<MessageeId>,
    due: u64,
    /// The index of its metadata.
    meta: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    key: Option<PostKey>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    series: Option<Series>,
    #[serde(default, skip_serializing_if = "Not::not")]
    bound: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<HookId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ready: Option<u64>,
}

pub(super) fn write(
    world: &World,
    catalog: &mut Catalog<'_>,
    packer: &mut Packer,
) -> Result<(), SaveError> {
    let (schedule, identity) = (world.schedule.borrow(), &world.common.identity);
    let message = |found: Found| Some((found.record, schedule.message(found.ticket)?));
    let mut all: Vec<_> = schedule.all(None).filter_map(message).collect();
    // In the order in which they were posted.
    all.sort_unstable_by_key(|(post, _)| post.number);
    let (mut metas, mut posts) = (Vec::<PostMeta>::new(), Vec::with_capacity(all.len()));
    let mut messages = Vec::with_capacity(all.len());
    for (post, message) in all {
        let Some((of, data)) = catalog.message(message, |unsaved| unsaved.posts += 1) else {
            continue;
        };
        messages.push((data, message));
        // The place is not saved.
        let place = Location::caller();
        let own = PostMeta { place, ..post.meta };
        // Messages that were posted together follow each other.
        let near = metas.len().saturating_sub(16);
        let known = metas[near..].iter().rposition(|meta| *meta == own);
        let meta = known.map_or(metas.len(), |at| near + at);
        if meta == metas.len() {
            metas.push(own);
        }
        posts.push(PostRow {
            number: posts_before(identity, post.number).unwrap_or_default(),
            of,
            to: post.to,
            sender: post.sender,
            due: post.due,
            meta: u32::try_from(meta).expect("fewer than 2^32 messages are pending"),
            key: post.key,
            series: post.series,
            bound: post.bound,
            until: post.until,
            ready: post.ready,
        });
    }
    let head = Head {
        next: posts_before(identity, schedule.next_number).unwrap_or_default(),
        skipped_repeats: schedule.skipped_repeats,
        lanes: schedule.lanes.to_vec(),
        metas,
        posts,
    };
    put(packer, "a pending message", &head)?;
    let mut messages = messages.into_iter();
    messages.try_for_each(|(data, message)| put_message(packer, data, message))
}

/// The messages that are still to be read, each with the number of its type.
pub(super) struct Unread<'b> {
    body: Body<'b>,
    messages: Vec<(u32, Record)>,
    /// The tickets of the messages whose types are known.
    pub(super) tickets: HashMap<u64, Ticket>,
    /// The number of messages posted.
    pub(super) next: u64,
}

impl Restoring {
    /// Reads the metadata of all messages, so that tickets in components and messages can refer to them.
    pub(super) fn read_posts<'b>(
        &mut self,
        mut body: Body<'b>,
    ) -> Result<Unread<'b>, RestoreError> {
        let (world, types) = (&mut self.world, &mut self.types);
        let (schedule, identity) = (world.schedule.get_mut(), &world.common.identity);
        let Head {
            next,
            skipped_repeats,
            lanes,
            metas,
            posts,
        } = body.read()?;
        let Some(next_number) = post_after(identity, next) else {
            return Err(body.wrong(format_args!("{next} messages cannot have been posted")));
        };
        let lanes: [Lane; Stage::WAITING.len()] = match lanes.try_into() {
            Ok(lanes) => lanes,
            Err(lanes) => {
                let (expected, found) = (Stage::WAITING.len(), lanes.len());
                return Err(body.wrong(format_args!("expected {expected} stages, found {found}")));
            }
        };
        if !lanes.iter().all(is_plausible) {
            return Err(
                body.wrong("a stage has more frames than it can have, or they are out of order")
            );
        }
        schedule.restore(next_number, skipped_repeats, lanes);
        let (mut messages, mut tickets) = (Vec::new(), HashMap::new());
        let (mut last, mut keys) = (None, std::collections::HashSet::new());
        for row in posts {
            let number = row.number;
            if last.is_some_and(|last| number <= last) || number >= next {
                let what =
                    format!("the pending message {number} is out of order, or not posted yet");
                return Err(body.wrong(what));
            }
            last = Some(number);
            let Some(meta) = metas.get(row.meta as usize) else {
                let what = format!("there is no meta {}: there are {}", row.meta, metas.len());
                return Err(body.wrong(what));
            };
            if let Some(key) = row.key
                && !keys.insert(key)
            {
                return Err(body.wrong(format_args!(
                    "two messages are pending under the key `{key}`"
                )));
            }
            let Some(own_number) = post_after(identity, number) else {
                continue;
            };
            let post = Record {
                number: own_number,
                to: row.to,
                sender: row.sender,
                due: row.due,
                meta: PostMeta {
                    place: self.place,
                    ..*meta
                },
                key: row.key,
                series: row.series,
                bound: row.bound,
                until: row.until,
                ready: row.ready,
            };
            check(&post).map_err(|what| body.wrong(what))?;
            let known = types.message(row.of, &body)?;
            if let Some(index) = known.index() {
                tickets.insert(number, post.boxed_ticket(index));
            }
            messages.push((row.of, post));
        }
        Ok(Unread {
            body,
            messages,
            tickets,
            next,
        })
    }

    /// Reads the messages themselves.
    pub(super) fn read_posted(&mut self, unread: Unread<'_>) -> Result<(), RestoreError> {
        let Unread {
            mut body, messages, ..
        } = unread;
        let schedule = self.world.schedule.get_mut();
        for (of, post) in messages {
            if let Some((_, message)) = self.types.read_message(of, &mut body)? {
                let held = &mut Some(message);
                schedule.insert(&post, None, &self.world.common.time, held);
            }
        }
        body.finish()
    }
}

/// Returns `true` if a stage can know this.
fn is_plausible(lane: &Lane) -> bool {
    let begun = lane.begun.iter().is_sorted_by(|(a, _), (b, _)| a < b);
    begun && lane.begun.len() <= BEGUN_AT_MOST
}

/// Checks for values that no pending message has.
///
/// # Errors
///
/// Returns what is wrong.
fn check(post: &Record) -> Result<(), &'static str> {
    if !Stage::WAITING.contains(&post.meta.stage) {
        return Err("a message that is delivered at once is not pending");
    }
    if post.ready.is_some_and(|key| key > LAST)
        || (post.meta.timeline != Timeline::Frames && post.due > LAST)
    {
        return Err("a time is after the end of all clocks");
    }
    if post.bound && post.sender.is_none() {
        return Err("a message is tied to its sender, but has none");
    }
    match post.series {
        Some(Series { times: Some(0), .. }) => Err("a message has no delivery left"),
        Some(_) if post.meta.retain => Err("a message repeats and is retained"),
        _ => Ok(()),
    }
}
