//! Pending messages that were taken out.

use crate::address::Sender;
use crate::header::{Delay, Header, Renewal, Repeat};
use crate::message::AnyMessage;
use crate::post::schedule::{Series, Timeline, Unposted};
use crate::post::{Named, Posts};
use crate::world::{Common, World};

/// A message that was pending, taken out by [`take_posts`](crate::MessageManager::take_posts): it can be
/// posted again, here or in another manager.
///
/// ```
/// use message_core::prelude::*;
/// use message_core::post::Interval;
/// use std::time::Duration;
///
/// #[derive(Message)]
/// struct Ping;
///
/// let mut manager = MessageManager::new();
/// manager.post(Header::to(Everyone).after(Duration::from_secs(3)), Ping)?;
/// manager.tick(Duration::from_secs(1));
/// let taken = manager.take_posts(Posts::all());
/// assert_eq!(taken[0].header.delay(), Some(Interval::Time(Duration::from_secs(2))));
/// assert!(taken[0].message.is::<Ping>());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct TakenPost {
    /// Its header, with what is left of the delay and of the number of deliveries. The key is the
    /// sender's own, unless it is shared.
    pub header: Header,
    /// Its sender.
    pub sender: Sender,
    /// The message.
    pub message: Box<dyn AnyMessage>,
}

impl TakenPost {
    /// A message as it can be posted again.
    fn of(unposted: Unposted, common: &Common) -> Self {
        let Unposted { found, message } = unposted;
        let record = found.record;
        let (due, meta, time) = (record.due, record.meta, &common.time);
        let delay = match meta.timeline {
            Timeline::Scaled => match due.saturating_sub(time.now()) {
                0 => Delay::None,
                left => Delay::Time(left),
            },
            Timeline::Unscaled => Delay::Unscaled(due.saturating_sub(time.reading().unscaled_now)),
            Timeline::Frames => Delay::Frames(due.saturating_sub(time.reading().frame)),
        };
        let by_default = common.config.required_by_default(record.to);
        let header = Header {
            to: record.to,
            stage: meta.stage,
            delay,
            repeat: record
                .series
                .map(|Series { period, times, .. }| Repeat { period, times }),
            tags: meta.tags,
            require: Some(meta.require).filter(|&require| require != by_default),
            key: record.key.map(|key| key.told_by(record.sender)),
            renewal: Renewal::Restart,
            bound: record.bound,
            until: record.until,
            if_alive: meta.if_alive,
            retain: meta.retain,
            activator: meta.activator,
            wait: None,
        };
        Self {
            header: header.finished(),
            sender: record.sender(),
            message,
        }
    }
}

/// Takes pending messages out, in the order in which they are due.
pub(crate) fn take_posts(world: &World, posts: &Posts) -> Vec<TakenPost> {
    let mut schedule = world.schedule.borrow_mut();
    schedule.prepare(posts);
    let listed = schedule.list(posts);
    let tickets: Vec<_> = listed.iter().map(|post| post.ticket).collect();
    let moment = world.common.time.moment();
    world.trace.cancelled_posts(&schedule, &tickets, moment);
    let taken = tickets.into_iter();
    let taken = taken.filter_map(|ticket| schedule.unpost(ticket));
    let describe = |unposted| TakenPost::of(unposted, &world.common);
    taken.map(describe).collect()
}

/// Cancels pending messages. Returns how many there were.
#[inline]
pub fn cancel(world: &World, posts: &Posts) -> usize {
    match posts.named {
        // Nothing else is asked for.
        Some(Named::Ticket(ticket)) if *posts == ticket.into() && !world.trace.is_on() => {
            usize::from(world.schedule.borrow_mut().cancel(ticket).is_some())
        }
        _ => cancel_selected(world, posts),
    }
}

fn cancel_selected(world: &World, posts: &Posts) -> usize {
    let mut schedule = world.schedule.borrow_mut();
    let tickets = schedule.select(posts);
    let moment = world.common.time.moment();
    world.trace.cancelled_posts(&schedule, &tickets, moment);
    schedule.discard_all(&tickets)
}
