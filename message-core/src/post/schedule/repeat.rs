//! Messages that repeat: when they are due again, and what is left out of them in a long frame.

use crate::header::Repeat;
use crate::post::pass::Then;
use crate::post::schedule::head::posting;
use crate::post::schedule::held::Held;
use crate::post::schedule::stamp::{Stamp, Timeline};
use crate::post::schedule::{Away, Schedule};

/// The deliveries of a message that repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "data", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct Series {
    pub(crate) period: u64,
    /// How many deliveries are left, if not without end.
    pub(crate) times: Option<u64>,
    /// The frame of the last one, and how many there were in it.
    pub(super) frame: u64,
    pub(super) in_frame: u32,
}

impl Series {
    pub(crate) fn new(Repeat { period, times }: Repeat) -> Self {
        Self {
            period,
            times,
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
        if self.in_frame >= most && self.period > 0 {
            return Then::LeftOut;
        }
        self.in_frame += 1;
        match self.times {
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
        let Some((away, due, timeline)) = self.away() else {
            return;
        };
        let series = self.series_mut(&away);
        series.times = series.times.map(|left| left - 1);
        let next = timeline.after(due, series.period);
        if series.period == 0 {
            let (reached, since) = (self.bounds[timeline as usize], timeline.since(&self.bounds));
            self.put_again(away, reached, Some(since), held);
        } else if next == due {
            // There is no later time: it would be due again for ever.
            self.end_away();
        } else {
            self.put_again(away, next, None, held);
        }
    }

    /// Leaves out the deliveries that the pass under way has reached of a message that has come out. It
    /// stays with the caller if there are no later ones.
    #[cold]
    pub(crate) fn leave_out(&mut self, held: &mut dyn Held) {
        let Some((away, due, timeline)) = self.away() else {
            return;
        };
        let reached = self.bounds[timeline as usize];
        let Series { period, times, .. } = self.series_mut(&away);
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
            self.put_again(away, next, None, held);
        }
    }

    /// Returns the message that has come out, and when it was due.
    fn away(&self) -> Option<(Away, u64, Timeline)> {
        let away = self.away?;
        let timeline = self.stamps.get(away.head.stamp).meta.timeline;
        Some((away, self.stamps.due(&away.head), timeline))
    }

    fn series_mut(&mut self, away: &Away) -> &mut Series {
        let number = posting(self.stamps.number(&away.head));
        let rare = self.rare.get_mut(&number);
        let series = rare.and_then(|rare| rare.series.as_mut());
        series.expect("only a message that repeats comes back")
    }

    /// Puts a message back that is due again: in the pass under way, or later. `ready` is given if it is for the next
    /// pass: since when.
    fn put_again(&mut self, away: Away, due: u64, ready: Option<u64>, held: &mut dyn Held) {
        self.away = None;
        let number = self.stamps.number(&away.head);
        let stamp = Stamp {
            number,
            due,
            borne: 1,
            ..*self.stamps.get(away.head.stamp)
        };
        self.stamps.leave(away.head.stamp, 1);
        let sender = away.head.sender();
        let known = self.stamps.enter(stamp, u32::MAX, due, None, sender);
        if let Some(rare) = self.rare.get_mut(&posting(number)) {
            rare.due = due;
        }
        let comes = ready.is_none() && due <= self.bounds[stamp.meta.timeline as usize];
        self.place(away.queue, known, ready, comes, held);
    }
}
