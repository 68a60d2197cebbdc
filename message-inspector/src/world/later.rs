//! The pending messages, and what a page can do with them.

use std::collections::BTreeMap;
use std::collections::hash_map::{Entry, HashMap};
use std::time::Duration;

use message_core::post::{Due, Interval, PendingPost};
use message_core::{Header, MessageManager, MessageeId, Recipient, Sender, Ticket};
use message_data::{message_to_text, parse_message};
use serde_json::{Value, json};

use crate::builder::Builder;
use crate::shared::{Answer, Refusal};
use crate::world::messagees::{cut, short};

/// How many numbers are kept: more than a list can have.
const MOST: usize = 8_192;
/// How many of the posts that are due first are searched.
const LOOKED_AT: usize = 5_000;
/// The maximum length of a message's text, in bytes.
const LONGEST: usize = 1_024;

/// The numbers by which pages refer to posts.
#[derive(Default)]
pub(super) struct Numbers {
    of: HashMap<Ticket, u64>,
    by: BTreeMap<u64, Ticket>,
    last: u64,
}

impl Numbers {
    pub(super) fn of(&mut self, ticket: Ticket) -> u64 {
        let number = match self.of.entry(ticket) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(new) => {
                self.last += 1;
                self.by.insert(self.last, ticket);
                *new.insert(self.last)
            }
        };
        if self.by.len() > MOST
            && let Some((_, ticket)) = self.by.pop_first()
        {
            self.of.remove(&ticket);
        }
        number
    }

    fn ticket(&self, number: u64) -> Result<Ticket, Refusal> {
        let ticket = self.by.get(&number).copied();
        ticket.ok_or_else(|| gone(number))
    }
}

fn gone(number: u64) -> Refusal {
    Refusal::unknown(format!("post {number} is no longer pending"))
}

pub(super) fn list(
    manager: &MessageManager,
    settings: &Builder,
    numbers: &mut Numbers,
    search: Option<&str>,
    limit: usize,
) -> Value {
    let clock = manager.clock();
    let search = search.unwrap_or_default().trim().to_lowercase();
    let total = manager.inspect().pending_len();
    let is_all = search.is_empty();
    let looked_at = manager
        .inspect()
        .soonest_posts(if is_all { limit } else { LOOKED_AT });
    let fits = |post: &&PendingPost| {
        let has = |text: &str| text.to_lowercase().contains(&search);
        is_all
            || has(post.message)
            || has(&post.sender.to_string())
            || has(&post.recipient.to_string())
            || post.key.is_some_and(|key| has(&key.to_string()))
    };
    let found: Vec<&PendingPost> = looked_at.iter().filter(fits).collect();
    let shown = found.len().min(limit);
    let posts = found[..shown].iter();
    let posts = posts.map(|post| describe(manager, settings, numbers, post));
    json!({
        "frame": clock.frame(),
        "time": clock.now().as_secs_f64(),
        "unscaled_time": clock.unscaled_now().as_secs_f64(),
        "paused": clock.is_paused(),
        "scale": clock.time_scale(),
        "total": total,
        "posts": posts.collect::<Vec<_>>(),
        "left_out": if is_all { total.saturating_sub(shown) } else { found.len() - shown },
        "cut": !is_all && total > looked_at.len(),
    })
}

/// Returns the posts to a messagee, at most `limit`.
pub(super) fn to(
    manager: &MessageManager,
    settings: &Builder,
    numbers: &mut Numbers,
    id: MessageeId,
    limit: usize,
) -> Vec<Value> {
    let posts = manager.inspect().soonest_posts(LOOKED_AT);
    let is_to = |post: &&PendingPost| match post.recipient {
        Recipient::Me => post.sender == Sender::Messagee(id),
        recipient => recipient == Recipient::Id(id),
    };
    let posts = posts.iter().filter(is_to).take(limit);
    posts
        .map(|post| describe(manager, settings, numbers, post))
        .collect()
}

fn describe(
    manager: &MessageManager,
    settings: &Builder,
    numbers: &mut Numbers,
    post: &PendingPost,
) -> Value {
    let clock = manager.clock();
    let seconds = |due: Duration, now: Duration| due.as_secs_f64() - now.as_secs_f64();
    let (kind, at, left) = match post.due {
        Due::Now(at) => ("now", json!(at.as_secs_f64()), Some(0.0)),
        Due::At(at) => (
            "time",
            json!(at.as_secs_f64()),
            Some(seconds(at, clock.now())),
        ),
        Due::Frame(frame) => ("frame", json!(frame), None),
        Due::Unscaled(at) => (
            "unscaled",
            json!(at.as_secs_f64()),
            Some(seconds(at, clock.unscaled_now())),
        ),
        _ => ("time", Value::Null, None),
    };
    let to = match post.recipient {
        Recipient::Id(id) | Recipient::Up(id) | Recipient::Down(id) => Some(id),
        _ => None,
    };
    let contents = settings.contents.then(|| {
        let message = manager.inspect().pending_message(post.ticket)?;
        Some(cut(format!("{:?}", &*message), LONGEST))
    });
    json!({
        "post": numbers.of(post.ticket),
        "message": post.message,
        "short": short(post.message),
        "tags": post.tags.iter().map(message_core::Tag::name).collect::<Vec<_>>(),
        "contents": contents.flatten(),
        "from": post.sender.to_string(),
        "to": post.recipient.to_string(),
        "from_id": post.sender.id().map(|id| format!("{id:#}")),
        "to_id": to.map(|id| format!("{id:#}")),
        "stage": post.stage.to_string(),
        "due": { "kind": kind, "at": at },
        "left": left,
        "posted": { "frame": post.posted.frame, "time": post.posted.time.as_secs_f64() },
        "key": post.key.map(|key| key.to_string()),
        "deliveries": post.deliveries,
        "period": post.period.map(|period| period.to_string()),
        "period_seconds": post.period.and_then(seconds_of),
    })
}

/// Returns the seconds of an interval that is a time.
fn seconds_of(interval: Interval) -> Option<f64> {
    match interval {
        Interval::Time(time) | Interval::Unscaled(time) => Some(time.as_secs_f64()),
        _ => None,
    }
}

pub(super) fn cancel(manager: &mut MessageManager, numbers: &Numbers, number: u64) -> Answer {
    match manager.cancel(numbers.ticket(number)?) {
        0 => Err(gone(number)),
        _ => Ok(json!({ "ok": true })),
    }
}

/// Posts a copy that is due immediately, and cancels the message unless it repeats.
pub(super) fn deliver(manager: &mut MessageManager, numbers: &Numbers, number: u64) -> Answer {
    let ticket = numbers.ticket(number)?;
    let post = manager.pending_posts(ticket).pop();
    let post = post.ok_or_else(|| gone(number))?;
    let copied = manager.inspect().pending_message(ticket).map(|message| {
        let copy = message.try_clone();
        copy.ok_or_else(|| message_to_text(&*message))
    });
    let copied = match copied.ok_or_else(|| gone(number))? {
        Ok(copy) => Ok(copy),
        Err(text) => text.and_then(|text| parse_message(&text, manager)),
    };
    let wrong = |error: &dyn std::fmt::Display| {
        Refusal::bad(format!(
            "`{}` cannot be delivered now: {error}",
            post.message
        ))
    };
    let copied = copied.map_err(|error| wrong(&error))?;
    let header = Header::to(post.recipient).stage(post.stage).tags(post.tags);
    let posted = match post.sender {
        Sender::Messagee(id) => {
            let sender = manager.speak_for(id).map_err(|error| wrong(&error))?;
            let mut sender = sender;
            sender.post_any(header, copied)
        }
        _ => manager.post_any(header, copied),
    };
    posted.map_err(|error| wrong(&error))?;
    if post.deliveries == Some(1) {
        manager.cancel(ticket);
    }
    Ok(json!({ "ok": true }))
}
