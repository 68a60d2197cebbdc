//! The data that many posted messages have in common: the call that posted them, its moment, and the parts of
//! the header that do not differ from recipient to recipient.
//!
//! A stamp is stored once, with a count of the messages that bear it. A post finds the stamp of the last post of its
//! type. If an older one is like it, that is entered a second time, which does no harm.

use std::panic::Location;

use crate::address::{MessageeId, Sender};
use crate::by_field::clone_by_field;
use crate::post::schedule::Head;
use crate::post::schedule::cancelled::Cancelled;
use crate::tag::TagSet;
use crate::time::{Moment, Stage, Timeline, Track};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct PostMeta {
    #[cfg_attr(feature = "serde", serde(skip, default = "Location::caller"))]
    pub place: &'static Location<'static>,
    /// The scaled time, in nanoseconds.
    pub time: u64,
    pub frame: u64,
    /// The header's own tags.
    pub tags: TagSet,
    pub require: u32,
    pub stage: Stage,
    pub timeline: Timeline,
    pub retain: bool,
    pub if_alive: bool,
    /// The sender of the message that began the chain of wires which leads to this one.
    #[cfg_attr(
        feature = "serde",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub activator: Option<Sender>,
}

impl PostMeta {
    /// Returns `true` if there is nothing to do with the message but to call its receivers.
    #[inline]
    pub(in crate::post) fn is_plain(&self) -> bool {
        self.require == 0 && !self.retain
    }

    pub(super) fn track(&self) -> Track {
        let lane = self.stage.lane();
        let lane = lane.expect("a message that waits has a stage other than `Immediate`");
        Track::new(lane, self.timeline)
    }

    pub(crate) fn posted(&self) -> Moment {
        Moment::at(self.time, self.frame)
    }
}

/// The greatest distance of numbers and due times of messages from those of their stamp.
pub(super) const REACH: u64 = u32::MAX as u64;

/// See the [module](self).
#[derive(Clone, Copy, Debug)]
pub(in crate::post) struct Stamp {
    pub(in crate::post) meta: PostMeta,
    /// Its messages end with their sender.
    pub(super) bound: bool,
    /// Stage and clock, as in [`Wait`](crate::header::Wait): set if the header says nothing else that matters, so that
    /// comparing it compares all of these.
    pub(super) track: Option<Track>,
    /// The number of times that the clocks had moved.
    pub(super) moves: u64,
    /// The numbers and due times of its messages count from here.
    pub(super) number: u64,
    pub(super) due: u64,
    /// The number of messages that bear it.
    pub(super) borne: u64,
}

impl Stamp {
    /// Returns `true` if a message with this number and due time can be counted from the stamp's.
    #[inline]
    pub(super) fn reaches(&self, number: u64, due: u64) -> bool {
        number.wrapping_sub(self.number) <= REACH && due.wrapping_sub(self.due) <= REACH
    }

    /// Writes number and due time, which are [in reach](Self::reaches), into a head.
    #[inline]
    #[allow(clippy::cast_possible_truncation, reason = "they are in reach")]
    pub(super) fn count(&self, mut head: Head, number: u64, due: u64) -> Head {
        head.number = number.wrapping_sub(self.number) as u32;
        head.due = due.wrapping_sub(self.due) as u32;
        head
    }
}

#[derive(Default)]
pub(crate) struct Stamps {
    pub(super) all: Vec<Stamp>,
    free: Vec<u32>,
    /// The number of messages that bear one, also those that were cancelled and are still there.
    pub(super) messages: usize,
    /// The number of messages that end with their sender.
    pub(super) bound: usize,
    pub(super) cancelled: Cancelled,
}

clone_by_field!(Stamps {
    all,
    free,
    messages,
    bound,
    cancelled
});

impl Stamps {
    #[inline]
    pub(in crate::post) fn get(&self, at: u32) -> &Stamp {
        &self.all[at as usize]
    }

    /// Returns the number of a message's posting.
    #[inline]
    pub(super) fn number(&self, head: &Head) -> u64 {
        self.get(head.stamp).number + u64::from(head.number)
    }

    /// Returns when a message is due, on the clock of its timeline.
    #[inline]
    pub(super) fn due(&self, head: &Head) -> u64 {
        self.get(head.stamp).due + u64::from(head.due)
    }

    /// Returns `true` if a message was cancelled, and waits to fall due.
    #[inline]
    pub(in crate::post) fn is_cancelled(&self, head: &Head) -> bool {
        self.cancelled.has(self.number(head))
    }

    /// Enters a message that bears a stamp like this one, made for it, and returns its head. `recent` is the stamp that
    /// it may share.
    pub(super) fn enter(
        &mut self,
        stamp: Stamp,
        recent: u32,
        due: u64,
        to: Option<MessageeId>,
        sender: Option<MessageeId>,
    ) -> Head {
        self.messages += 1;
        self.bound += usize::from(stamp.bound);
        let number = stamp.number;
        let at = if let Some(known) = self.all.get_mut(recent as usize)
            && known.borne > 0
            && known.meta == stamp.meta
            && known.bound == stamp.bound
            && known.reaches(number, due)
        {
            known.borne += 1;
            known.track = stamp.track;
            known.moves = stamp.moves;
            recent
        } else {
            let free = self.free.pop().unwrap_or_else(|| {
                self.all.push(stamp);
                u32::try_from(self.all.len() - 1).expect("fewer than 2^32 messages are pending")
            });
            self.all[free as usize] = stamp;
            free
        };
        self.get(at).count(Head::new(to, sender, at), number, due)
    }

    /// Messages that bear a stamp are gone.
    #[inline]
    pub(super) fn leave(&mut self, at: u32, messages: usize) {
        self.messages -= messages;
        let stamp = &mut self.all[at as usize];
        stamp.borne -= messages as u64;
        if stamp.bound {
            self.bound -= messages;
        }
        if stamp.borne == 0 {
            // Nothing bears it again.
            stamp.track = None;
            self.free.push(at);
            if self.free.len() == self.all.len() {
                self.all.clear();
                self.free.clear();
            }
        }
    }

    /// Also frees the numbers behind the last one in use.
    pub(super) fn shrink_to_fit(&mut self) {
        let last = self.all.iter().rposition(|stamp| stamp.borne > 0);
        let end = last.map_or(0, |last| last + 1);
        self.all.truncate(end);
        self.free.retain(|&free| (free as usize) < end);
        self.all.shrink_to_fit();
        self.free.shrink_to_fit();
        self.cancelled.words.shrink_to_fit();
    }
}
