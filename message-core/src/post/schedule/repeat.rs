//! Messages that repeat: when they are due again, and what is left out of them in a long frame.

use crate::header::Repeat;
use crate::post::pass::Then;
use crate::post::schedule::{Held, Record, Schedule};
use crate::time::Time;

/// The deliveries of a message that repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Series {
    pub(crate) period: u64,
    /// The number of deliveries that are left, or `None` if it repeats without end.
    pub times: Option<u64>,
    /// The frame of the last one, and how many there were in it.
    pub(crate) frame: u64,
    pub(crate) in_frame: u32,
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
    pub(crate) fn put_back(&mut self, time: &Time, held: &mut dyn Held) {
        let Some((mut record, mut series)) = self.lent_record() else {
            return;
        };
        let timeline = record.meta.timeline;
        series.times = series.times.map(|left| left - 1);
        let next = timeline.after(record.due, series.period);
        if series.period == 0 {
            record.due = self.bounds[timeline as usize];
            record.ready = Some(timeline.since(&self.bounds));
        } else if next == record.due {
            // There is no later time: it would be due again for ever.
            return self.end_away();
        } else {
            record.due = next;
        }
        record.series = Some(series);
        self.put_again(&record, time, held);
    }

    /// Leaves out the deliveries that the pass under way has reached of a message that has come out. It
    /// stays with the caller if there are no later ones.
    #[cold]
    pub(crate) fn leave_out(&mut self, time: &Time, held: &mut dyn Held) {
        let Some((mut record, mut series)) = self.lent_record() else {
            return;
        };
        let (timeline, period) = (record.meta.timeline, series.period);
        let reached = self.bounds[timeline as usize];
        let periods = reached.saturating_sub(record.due) / period;
        let last = record.due + periods * period;
        record.due = timeline.after(last, period);
        // At the end of time the next one is no later than what is reached, and the last.
        let is_over = record.due <= reached;
        let passed = periods.saturating_add(1 + u64::from(is_over && record.due > last));
        let skipped = series.times.map_or(passed, |left| left.min(passed));
        series.times = series.times.map(|left| left - skipped);
        self.skipped_repeats = self.skipped_repeats.saturating_add(skipped);
        if is_over || series.times == Some(0) {
            return self.end_away();
        }
        record.series = Some(series);
        self.put_again(&record, time, held);
    }

    /// Returns the data of the message that has come out for its delivery, unless it was cancelled meanwhile.
    fn lent_record(&self) -> Option<(Record, Series)> {
        let record = self.record(&self.away?.head, None);
        Some((record, record.series?))
    }

    /// Puts a message back that is due again: in the pass under way, or later.
    fn put_again(&mut self, record: &Record, time: &Time, held: &mut dyn Held) {
        if let Some(away) = self.away.take() {
            self.stamps.leave(away.head.stamp, 1);
            self.enter(away.queue, record, None, time, held);
        }
    }
}
