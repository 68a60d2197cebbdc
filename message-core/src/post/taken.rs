//! What was taken out of what is pending.

use std::fmt;

use crate::address::Sender;
use crate::config::ManagerConfig;
use crate::header::Delay;
use crate::header::Header;
use crate::message::AnyMessage;
use crate::post::Posts;
use crate::post::queue::{Timeline, Unposted};
use crate::time::Time;
use crate::world::World;

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
#[non_exhaustive]
pub struct TakenPost {
    /// Its header, with what is left of the delay and of the number of deliveries. The key is the
    /// sender's own, unless it is shared.
    pub header: Header,
    /// Who posted it.
    pub sender: Sender,
    /// The message.
    pub message: Box<dyn AnyMessage>,
}

impl fmt::Debug for TakenPost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TakenPost")
            .field("header", &self.header)
            .field("sender", &self.sender)
            .field("message", &self.message.name())
            .finish()
    }
}

impl TakenPost {
    /// A message as it can be posted again.
    fn of(unposted: Unposted, time: &Time, config: &ManagerConfig) -> Self {
        let Unposted {
            record,
            post_meta,
            key,
            repeat,
            is_bound,
            message,
        } = unposted;
        let due = record.due;
        let delay = match post_meta.timeline {
            Timeline::Scaled => match due.saturating_sub(time.now()) {
                0 => Delay::None,
                left => Delay::Time(left),
            },
            Timeline::Unscaled => Delay::Unscaled(due.saturating_sub(time.unscaled_now)),
            Timeline::Frames => Delay::Frames(due.saturating_sub(time.frame)),
        };
        let by_default = config.required_by_default(record.to);
        let header = Header {
            to: record.to,
            stage: post_meta.stage,
            delay,
            repeat,
            tags: post_meta.tags,
            require: Some(post_meta.require)
                .filter(|&require| !record.plain && require != by_default),
            key: key.map(|key| key.told_by(record.sender)),
            bound: is_bound,
            if_alive: post_meta.if_alive,
            retain: post_meta.retain,
            plain: false,
            wait: None,
        };
        Self {
            header: header.finished(),
            sender: record.sender(),
            message,
        }
    }
}

impl World {
    /// Takes pending messages out, in the order in which they are due.
    pub(crate) fn take_posts(&self, posts: &Posts) -> Vec<TakenPost> {
        let mut heap = self.schedule.borrow_mut();
        let listed = heap.list(posts);
        let tickets: Vec<_> = listed.iter().map(|post| post.ticket).collect();
        if self.trace.is_on() {
            self.trace
                .cancelled_posts(&heap, &tickets, self.common.time.moment());
        }
        let taken = tickets.into_iter().filter_map(|ticket| heap.unpost(ticket));
        taken
            .map(|unposted| TakenPost::of(unposted, &self.common.time, &self.common.config))
            .collect()
    }
}
