//! Messages that repeat: when they are due again, and what is left out of them in a long frame.
//!
//! How often one was delivered in a frame is kept with the other rare things that are known of it, so
//! that a message that does not repeat has no place for it.

use std::num::NonZeroU64;

use crate::header::Repeat;
use crate::post::queue::{
    Bounds, DelayHeap, DueEntry, Entry, Held, Left, PostMeta, Record, Timeline, lane_of,
};
use crate::time::Stage;

/// The deliveries of a message that repeats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Series {
    /// What is still to come: the number of deliveries counts down.
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
}

impl DelayHeap {
    /// How many deliveries were left out, in all frames.
    pub(crate) fn skipped_repeats(&self) -> u64 {
        self.skipped_repeats
    }

    fn series_mut(&mut self, number: Option<NonZeroU64>) -> Option<&mut Series> {
        self.rare.get_mut(&number?)?.series.as_mut()
    }

    /// Counts a delivery that is about to be made. `false` if the message repeats, and has had as many
    /// in this frame as it may.
    #[cold]
    pub(super) fn count_delivery(&mut self, record: &Record) -> bool {
        let (frame, most) = (self.bounds.frame, self.max_repeats);
        let Some(series) = self.series_mut(record.number) else {
            return true;
        };
        if series.frame != frame {
            (series.frame, series.in_frame) = (frame, 0);
        }
        // A series without a period has one delivery in each pass, and nothing to catch up with.
        let counts = series.in_frame < most || series.repeat.period == 0;
        series.in_frame += u32::from(counts);
        counts
    }

    /// Leaves out what is due of a message that repeats: it waits for its next time, or ends.
    #[cold]
    pub(super) fn leave_out(&mut self, entry: DueEntry, record: &Record) {
        if !self.skip(entry, record) {
            let queue = self.queue_mut(entry.slab);
            let message = queue.take(entry.slot);
            queue.free(entry.slot);
            self.left(Left::of(record));
            // Last, since a `Drop` may panic.
            drop(message);
        }
    }

    /// Skips the deliveries that the pass under way has reached. Returns `true` if there are later ones.
    fn skip(&mut self, entry: DueEntry, record: &Record) -> bool {
        let PostMeta {
            stage, timeline, ..
        } = *self.postmarks.get(record.post_meta);
        let reached = self.bounds.reached(timeline);
        let series = self.series_mut(record.number);
        let series = series.expect("only a message that repeats is left out");
        let Repeat { period, times } = series.repeat;
        let periods = reached.saturating_sub(record.due) / period;
        let last = record.due + periods * period;
        let next = timeline.after(last, period);
        // At the end of time the next one is no later than what is reached, and the last.
        let is_over = next <= reached;
        let due = periods.saturating_add(1 + u64::from(is_over && next > last));
        let skipped = times.map_or(due, |left| left.min(due));
        let left = times.map(|left| left - skipped);
        series.repeat.times = left;
        self.skipped_repeats = self.skipped_repeats.saturating_add(skipped);
        if is_over || left == Some(0) {
            return false;
        }
        if let Some(record) = self.queue_mut(entry.slab).single_mut(entry.slot) {
            record.due = next;
            record.repeats = left != Some(1);
        }
        let waiting = Entry {
            due: next,
            ..entry.waiting()
        };
        self.lanes[lane_of(stage)].wait(waiting, timeline);
        true
    }

    /// Puts the message of an entry back that repeats, to wait for its next time. It stays with the
    /// caller if it was cancelled while it was delivered, or if there is no next time.
    #[cold]
    pub(crate) fn put_back(&mut self, entry: DueEntry, held: &mut dyn Held) {
        let Some(number) = NonZeroU64::new(entry.number) else {
            return;
        };
        if !self.queue_mut(entry.slab).comes_back(entry.slot, number) {
            return;
        }
        let series = self.series_mut(Some(number));
        let Repeat { period, times } =
            &mut series.expect("a message that repeats has a period").repeat;
        *times = times.map(|left| left - 1);
        let (period, times) = (*period, *times);
        let record = self.queue_mut(entry.slab).single_mut(entry.slot);
        let record = record.expect("a message comes back to its slot");
        record.repeats = times != Some(1);
        let record = *record;
        let PostMeta {
            stage, timeline, ..
        } = *self.postmarks.get(record.post_meta);
        let next = timeline.after(record.due, period);
        if period != 0 && next == record.due {
            // There is no later time: it would be due again for ever.
            self.queue_mut(entry.slab).free(entry.slot);
            return self.left(Left::of(&record));
        }
        let queue = self.queue_mut(entry.slab);
        queue.store(entry.slot, None, held);
        if period == 0 {
            return self.wait_for_next_pass(entry, timeline, stage);
        }
        if let Some(record) = queue.single_mut(entry.slot) {
            record.due = next;
        }
        let again = DueEntry { due: next, ..entry };
        self.lanes[lane_of(stage)].again(again, timeline, self.bounds);
    }

    /// Puts the entry of a message that is delivered in each pass to what is ready for the next one.
    fn wait_for_next_pass(&mut self, entry: DueEntry, timeline: Timeline, stage: Stage) {
        let Bounds {
            now,
            unscaled,
            frame,
        } = self.bounds;
        let (due, since) = match timeline {
            Timeline::Scaled => (now, now),
            Timeline::Unscaled => (unscaled, unscaled),
            Timeline::Frames => (frame, now),
        };
        if let Some(record) = self.queue_mut(entry.slab).single_mut(entry.slot) {
            record.due = due;
        }
        let waiting = Entry {
            due: since,
            ..entry.waiting()
        };
        self.lanes[lane_of(stage)].ready(waiting, timeline);
    }
}
