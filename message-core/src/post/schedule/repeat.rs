//! Messages that repeat: when they are due again, and what is left out of them in a long frame.

use std::num::NonZeroU64;

use crate::header::Repeat;
use crate::post::pass::Then;
use crate::post::schedule::head::posting;
use crate::post::schedule::held::Held;
use crate::post::schedule::pass::Next;
use crate::post::schedule::run::{Front, Key, Since, Track};
use crate::post::schedule::stamp::{PostMeta, Timeline};
use crate::post::schedule::{Away, Bounds, QUEUE, Schedule};

/// The deliveries of a message that repeats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Series {
    /// The deliveries that are still to come: their number counts down.
    pub(super) repeat: Repeat,
    /// The frame of its last delivery, and how many there were in that frame.
    pub(super) frame: u64,
    pub(super) in_frame: u32,
}

impl Series {
    pub(super) fn new(repeat: Repeat) -> Self {
        Self {
            repeat,
            frame: 0,
            in_frame: 0,
        }
    }

    /// Counts a delivery that is about to be made, and returns what comes after it. It is left out if the
    /// message has had as many in this frame as it may.
    pub(super) fn then(&mut self, frame: u64, most: u32) -> Then {
        if self.frame != frame {
            (self.frame, self.in_frame) = (frame, 0);
        }
        // A series without a period has one delivery in each pass, and nothing to catch up with.
        if self.in_frame >= most && self.repeat.period > 0 {
            return Then::LeftOut;
        }
        self.in_frame += 1;
        match self.repeat.times {
            Some(1) => Then::Ends,
            _ => Then::Repeats,
        }
    }
}

impl Schedule {
    /// Returns how many deliveries were left out, in all frames.
    pub(crate) fn skipped_repeats(&self) -> u64 {
        self.skipped_repeats
    }

    /// Ends a message that repeats and has come out for its delivery.
    #[cold]
    pub(crate) fn end_away(&mut self) {
        if let Some(away) = self.away.take() {
            self.leave(&away.head);
        }
    }

    /// Puts a message back that has come out for its delivery, to wait for its next time. It stays with
    /// the caller if it was cancelled while it was delivered, or if there is no next time.
    #[cold]
    pub(crate) fn put_back(&mut self, held: &mut dyn Held) {
        let Some(away) = self.away else {
            return;
        };
        let number = posting(self.stamps.number(&away.head));
        let Repeat { period, times } = self.repeat_mut(number);
        *times = times.map(|left| left - 1);
        let period = *period;
        let (due, timeline) = self.due_of(&away);
        let next = timeline.after(due, period);
        if period == 0 {
            self.put_in_next_pass(away, held);
        } else if next == due {
            // There is no later time: it would be due again for ever.
            self.end_away();
        } else {
            self.put_again(away, next, held);
        }
    }

    /// Leaves out the deliveries that the pass under way has reached of a message that has come out. It
    /// stays with the caller if there are no later ones.
    #[cold]
    pub(crate) fn leave_out(&mut self, held: &mut dyn Held) {
        let Some(away) = self.away else {
            return;
        };
        let number = posting(self.stamps.number(&away.head));
        let (due, timeline) = self.due_of(&away);
        let reached = self.bounds.reached(timeline);
        let Repeat { period, times } = self.repeat_mut(number);
        let periods = reached.saturating_sub(due) / *period;
        let last = due + periods * *period;
        let next = timeline.after(last, *period);
        // At the end of time the next one is no later than what is reached, and the last.
        let is_over = next <= reached;
        let passed = periods.saturating_add(1 + u64::from(is_over && next > last));
        let skipped = times.map_or(passed, |left| left.min(passed));
        *times = times.map(|left| left - skipped);
        let is_over = is_over || *times == Some(0);
        self.skipped_repeats = self.skipped_repeats.saturating_add(skipped);
        if is_over {
            self.end_away();
        } else {
            self.put_again(away, next, held);
        }
    }

    fn repeat_mut(&mut self, number: NonZeroU64) -> &mut Repeat {
        let series = self.series_mut(number);
        &mut series
            .expect("only a message that repeats comes back")
            .repeat
    }

    /// Returns when a message was due, and on which clock.
    fn due_of(&self, away: &Away) -> (u64, Timeline) {
        let stamp = self.stamps.get(away.head.stamp);
        (stamp.due, stamp.meta.timeline)
    }

    /// Gives a message another due time. Returns its track.
    fn set_due(&mut self, away: &Away, due: u64) -> Track {
        if let Some(stamp) = self.stamps.get_mut(away.head.stamp) {
            stamp.due = due;
        }
        self.away = None;
        self.track(&away.head)
    }

    /// Puts a message back that is due again: in the pass under way, or later.
    fn put_again(&mut self, away: Away, due: u64, held: &mut dyn Held) {
        let Away { slab, head } = away;
        let track = self.set_due(&away, due);
        let PostMeta { timeline, .. } = self.stamps.get(head.stamp).meta;
        let key = Key {
            due,
            number: self.stamps.number(&head),
        };
        let (reached, since) = (self.reached(track), self.late(track, due));
        let is_again = due <= self.bounds.reached(timeline);
        let queue = self.queues[slab as usize].as_deref_mut().expect(QUEUE);
        let (block, at) = if is_again {
            let (run, block) = queue.again(track, since);
            held.store(&mut *queue.stock, block, None, head);
            let stamp = self.stamps.get(head.stamp);
            let key = queue.line(track.lane(), run).key(&head, stamp);
            let front = Front { key, head, block };
            return self.comes(Next { front, slab, run });
        } else if due > reached {
            queue.wait_again(track, key, reached, &self.stamps)
        } else {
            (queue.ready(track, since, key, &self.stamps), None)
        };
        held.store(&mut *queue.stock, block, at, head);
    }

    /// Puts a message back that is delivered in each pass.
    fn put_in_next_pass(&mut self, away: Away, held: &mut dyn Held) {
        let Bounds {
            now,
            unscaled,
            frame,
        } = self.bounds;
        let (due, since) = match self.due_of(&away).1 {
            Timeline::Scaled => (now, now),
            Timeline::Unscaled => (unscaled, unscaled),
            Timeline::Frames => (frame, now),
        };
        let track = self.set_due(&away, due);
        let key = Key {
            due,
            number: self.stamps.number(&away.head),
        };
        let queue = self.queues[away.slab as usize].as_deref_mut().expect(QUEUE);
        let block = queue.ready(track, Since::At(since), key, &self.stamps);
        held.store(&mut *queue.stock, block, None, away.head);
    }

    /// Returns since when something is ready that was due at a time which the clock has reached.
    pub(super) fn late(&self, track: Track, due: u64) -> Since {
        if track.clock() != Timeline::Frames as usize {
            return Since::Due;
        }
        // When the frame has begun, as far as that is remembered.
        let begun = &self.lanes[track.lane()].begun;
        let at = begun.partition_point(|(begun, _)| *begun < due);
        Since::At(begun.get(at).map_or(self.bounds.now, |(_, now)| *now))
    }
}
