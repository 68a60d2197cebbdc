//! Posts of another node that are not due yet.

use std::time::Duration;

use message_core::post::{Interval, TakenPost, Ticket};
use message_core::{Header, MessageManager};

/// The size that a post counts in addition to the bytes of its message.
const ROOM_OF_ONE: usize = 128;

/// The limits for the posts of each node.
#[derive(Clone, Debug)]
pub(crate) struct PostLimits {
    /// The maximum number of pending posts.
    pub(crate) number: usize,
    /// The maximum number of bytes in pending posts.
    pub(crate) bytes: usize,
    /// The maximum number of posts that repeat.
    pub(crate) repeating: usize,
    /// The shortest period.
    pub(crate) shortest: Duration,
    /// The longest delay and the longest period.
    pub(crate) longest: Duration,
    /// Whether posts stay when their node has gone.
    pub(crate) outlive: bool,
}

impl Default for PostLimits {
    fn default() -> Self {
        Self {
            number: 10_000,
            bytes: 16 << 20,
            repeating: 1000,
            shortest: Duration::from_millis(10),
            longest: Duration::from_secs(3600),
            outlive: false,
        }
    }
}

/// The posts of one node, some of which may have been delivered since.
#[derive(Debug, Default)]
pub(crate) struct Posted {
    posts: Vec<Post>,
    /// The sum of their sizes.
    bytes: usize,
    /// The number of those that repeat.
    repeating: usize,
    /// The last round in which the posts were checked.
    looked: Option<u64>,
}

#[derive(Clone, Copy, Debug)]
struct Post {
    ticket: Ticket,
    bytes: usize,
    repeats: bool,
    is_endless: bool,
}

impl Posted {
    /// Checks that one more post is within the limits. `size` is that of its message. Checks which posts are
    /// still pending at most once per round.
    ///
    /// # Errors
    ///
    /// Returns the limit that it exceeds.
    pub(crate) fn check(
        &mut self,
        header: &Header,
        size: usize,
        limits: &PostLimits,
        (round, manager): (u64, &MessageManager),
    ) -> Result<(), String> {
        check_times(header, limits)?;
        if self.exceeds(header, size, limits).is_some() && self.looked != Some(round) {
            self.looked = Some(round);
            self.posts.retain(|post| manager.has_pending(post.ticket));
            self.bytes = self.posts.iter().map(|post| post.bytes).sum();
            self.repeating = self.posts.iter().filter(|post| post.repeats).count();
        }
        self.exceeds(header, size, limits).map_or(Ok(()), Err)
    }

    fn exceeds(&self, header: &Header, size: usize, limits: &PostLimits) -> Option<String> {
        let bytes = self.bytes.saturating_add(size + ROOM_OF_ONE);
        if self.posts.len() >= limits.number {
            let most = limits.number;
            Some(format!(
                "{most} posts of its node are pending; `NodeConfig::max_posts` can allow more"
            ))
        } else if bytes > limits.bytes {
            let most = limits.bytes;
            Some(format!(
                "with it, the pending posts of its node have {bytes} bytes: expected at most {most}; \
                 `NodeConfig::max_post_bytes` can allow more"
            ))
        } else if header.period().is_some() && self.repeating >= limits.repeating {
            let most = limits.repeating;
            Some(format!(
                "{most} posts of its node already repeat; `NodeConfig::max_repeating_posts` can allow more"
            ))
        } else {
            None
        }
    }

    pub(crate) fn add(&mut self, ticket: Ticket, header: &Header, size: usize) {
        let post = Post {
            ticket,
            bytes: size + ROOM_OF_ONE,
            repeats: header.period().is_some(),
            is_endless: header.times().is_none(),
        };
        self.bytes += post.bytes;
        self.repeating += usize::from(post.repeats);
        self.posts.push(post);
    }

    /// Takes out the posts, because their node has gone. Posts that may outlive it stay, unless they repeat forever.
    pub(crate) fn take(self, manager: &mut MessageManager, outlive: bool) -> Vec<TakenPost> {
        let ending = self.posts.into_iter();
        let ending = ending.filter(|post| post.is_endless || !outlive);
        ending
            .flat_map(|post| manager.take_posts(post.ticket))
            .collect()
    }
}

/// Checks the delay and the period of a post. A frame counts as a millisecond.
fn check_times(header: &Header, limits: &PostLimits) -> Result<(), String> {
    let time = |interval: Interval| match interval {
        Interval::Time(time) | Interval::Unscaled(time) => Some(time),
        Interval::Frames(frames) => Some(Duration::from_millis(frames)),
        _ => None,
    };
    let (longest, shortest) = (limits.longest, limits.shortest);
    for (what, interval) in [("delay", header.delay()), ("period", header.period())] {
        if let Some(found) = interval.and_then(time).filter(|time| *time > longest) {
            return Err(format!(
                "its {what} is {found:?}: expected at most {longest:?}; `NodeConfig::post_times` can allow more"
            ));
        }
    }
    if let Some(Interval::Time(period) | Interval::Unscaled(period)) = header.period()
        && period < shortest
    {
        return Err(format!(
            "its period is {period:?}: expected at least {shortest:?}; `NodeConfig::post_times` can allow less"
        ));
    }
    Ok(())
}
