//! What many posted messages have in common: the call that posted them, its moment, and the parts of
//! the header that do not differ from recipient to recipient.
//!
//! Metadata that several messages share is stored once, with a count of the batches and single messages
//! that bear it, so that a pending message is small. What was used last is found without a search; if
//! an older one is not found there, it is entered a second time, which does no harm.

use std::panic::Location;
use std::time::Duration;

use crate::header::Interval;
use crate::tag::TagSet;
use crate::time::{Moment, Stage, Time};

#[derive(Clone, Copy, Debug)]
pub(crate) struct PostMeta {
    pub(crate) place: &'static Location<'static>,
    /// The scaled time, in nanoseconds.
    pub(crate) time: u64,
    pub(crate) frame: u64,
    /// The header's own tags.
    pub(crate) tags: TagSet,
    pub(crate) require: u32,
    pub(crate) stage: Stage,
    pub(crate) timeline: Timeline,
    pub(crate) retain: bool,
    pub(crate) if_alive: bool,
}

impl PostMeta {
    /// Returns `true` if two are the same. Equal places at different addresses count as different.
    #[inline]
    fn is(&self, other: &Self) -> bool {
        std::ptr::eq(self.place, other.place)
            && self.time == other.time
            && self.frame == other.frame
            && self.tags == other.tags
            && self.require == other.require
            && self.stage == other.stage
            && self.timeline == other.timeline
            && self.retain == other.retain
            && self.if_alive == other.if_alive
    }

    pub(crate) fn posted(&self) -> Moment {
        Moment {
            time: Duration::from_nanos(self.time),
            frame: self.frame,
        }
    }
}

/// The clock that tells when a message is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "data", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum Timeline {
    Scaled,
    Unscaled,
    Frames,
}

impl Timeline {
    /// A reading of the clock that is so much later, or the last one.
    pub(super) fn after(self, reading: u64, delay: u64) -> u64 {
        match self {
            Self::Scaled | Self::Unscaled => Time::after(reading, delay),
            Self::Frames => reading.saturating_add(delay),
        }
    }

    /// The period of a message that repeats on this clock.
    pub(super) fn interval(self, period: u64) -> Interval {
        match self {
            _ if period == 0 => Interval::Pass,
            Self::Scaled => Interval::Time(Duration::from_nanos(period)),
            Self::Unscaled => Interval::Unscaled(Duration::from_nanos(period)),
            Self::Frames => Interval::Frames(period),
        }
    }
}

/// Which call posts a message, and when: of the post's metadata, all that messages without conditions
/// can differ in.
#[derive(Clone, Copy)]
pub(crate) struct PostCall {
    pub(crate) place: &'static Location<'static>,
    pub(crate) tags: TagSet,
    /// How many times the clocks have moved.
    pub(crate) moment: u64,
    /// Stage and clock.
    pub(crate) queue: u8,
}

/// The call that posted the last message without conditions of a type. It bears the metadata too, so
/// that the number stays good.
#[derive(Default)]
pub(super) struct RecentCall(Option<(PostCall, u32)>);

impl RecentCall {
    /// The number of the post's metadata, if it is the same call at the same moment.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "as for `insert`")]
    pub(super) fn post_meta(&self, call: &PostCall) -> Option<u32> {
        let (known, post_meta) = self.0.as_ref()?;
        let is_same = std::ptr::eq(known.place, call.place)
            && known.moment == call.moment
            && known.queue == call.queue
            && known.tags == call.tags;
        is_same.then_some(*post_meta)
    }

    /// Remembers another call.
    pub(super) fn replace(&mut self, call: PostCall, post_meta: u32, postmarks: &mut Postmarks) {
        postmarks.enter_again(post_meta);
        self.forget(postmarks);
        self.0 = Some((call, post_meta));
    }

    pub(super) fn forget(&mut self, postmarks: &mut Postmarks) {
        if let Some((_, post_meta)) = self.0.take() {
            postmarks.leave(post_meta);
        }
    }
}

/// So many metadata of posts are remembered to be found again.
const RECENT: usize = 16;

#[derive(Default)]
pub(super) struct Postmarks {
    marks: Vec<(PostMeta, u32)>,
    free: Vec<u32>,
    recent: [u32; RECENT],
}

impl Postmarks {
    /// Enters something more that bears the metadata of that number.
    pub(super) fn enter_again(&mut self, at: u32) {
        let count = &mut self.marks[at as usize].1;
        *count = count
            .checked_add(1)
            .expect("fewer than 2^32 messages are pending");
    }

    /// Enters a message that bears this metadata.
    pub(super) fn enter(&mut self, mark: PostMeta) -> u32 {
        let recent = self.recent[Self::place_in_recent(&mark)];
        if let Some((known, count)) = self.marks.get_mut(recent as usize)
            && *count > 0
            && *count < u32::MAX
            && known.is(&mark)
        {
            *count += 1;
            return recent;
        }
        self.enter_new(mark)
    }

    fn enter_new(&mut self, mark: PostMeta) -> u32 {
        let at = if let Some(free) = self.free.pop() {
            self.marks[free as usize] = (mark, 1);
            free
        } else {
            self.marks.push((mark, 1));
            u32::try_from(self.marks.len() - 1).expect("fewer than 2^32 messages are pending")
        };
        self.recent[Self::place_in_recent(&mark)] = at;
        at
    }

    /// Also frees the numbers behind the last one in use.
    pub(super) fn shrink_to_fit(&mut self) {
        let last = self.marks.iter().rposition(|(_, count)| *count > 0);
        let end = last.map_or(0, |last| last + 1);
        self.marks.truncate(end);
        self.free.retain(|&free| (free as usize) < end);
        self.marks.shrink_to_fit();
        self.free.shrink_to_fit();
    }

    #[inline]
    pub(super) fn get(&self, at: u32) -> &PostMeta {
        &self.marks[at as usize].0
    }

    /// Something that bears the post's metadata is gone.
    pub(super) fn leave(&mut self, at: u32) {
        let count = &mut self.marks[at as usize].1;
        *count -= 1;
        if *count == 0 {
            self.free.push(at);
            if self.free.len() == self.marks.len() {
                self.marks.clear();
                self.free.clear();
            }
        }
    }

    #[inline]
    fn place_in_recent(mark: &PostMeta) -> usize {
        // Only spreads the entries. The address of a place differs from run to run, and shows in nothing.
        let place = std::ptr::from_ref(mark.place).addr() >> 3;
        let stage = mark.stage.lane().unwrap_or(0);
        (place ^ (place >> 4) ^ stage ^ mark.tags.folded()) % RECENT
    }
}
