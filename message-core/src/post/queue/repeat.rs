//! Messages that repeat: when they are due again, and what is left out of them in a long frame.
//!
//! How often one was delivered in a frame is kept with the other rare things that are known of it, so
//! that a message that does not repeat has no place for it.

use std::num::NonZeroU64;

use crate::post::Repeat;
use crate::post::queue::pending_of::PendingOf;
use crate::post::queue::{
    Bounds, DelayHeap, DueEntry, Entry, Left, PostMeta, Record, Stored, Timeline, lane_of,
};
use crate::time::Stage;

/// The deliveries of a message that repeats.
#[derive(Clone, Copy, Debug)]
pub(super) struct Series {
    /// What is still to come: the number of deliveries counts down.
    pub(super) repeat: Repeat,
    /// The frame of its last delivery, and how many there were in that frame.
    frame: u64,
    in_frame: u32,
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

    /// Leaves out what is due of a message that repeats, and was taken out of its slot: it goes back to
    /// wait for its next time, or ends.
    #[cold]
    pub(super) fn leave_out<M: Stored>(&mut self, entry: DueEntry, record: &Record, message: M) {
        if let (true, Some(number)) = (self.skip(entry, record), record.number) {
            let slab = &mut PendingOf::<M>::of(&mut *self.place_mut(entry.slab).queue).slab;
            slab.put_back(entry.slot, number, message);
        }
        // Otherwise it is dropped here, last, since a `Drop` may panic.
    }

    /// Skips the deliveries that the pass under way has reached. Whether there are any later ones.
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
            if record.repeats {
                self.end(entry);
            } else {
                // Its last delivery would have been the next: its slot is free already.
                self.ended(record);
            }
            return false;
        }
        if let Some(record) = self.place_mut(entry.slab).queue.record_mut(entry.slot) {
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

    /// A message that repeats is not pending any more.
    #[cold]
    fn ended(&mut self, record: &Record) {
        self.left(Left::of(record));
    }

    /// Puts the message of an entry back that repeats, to wait for its next time. It is returned if
    /// it was cancelled while it was delivered, or if there is no next time.
    #[cold]
    pub(crate) fn put_back<M: Stored>(&mut self, entry: DueEntry, message: M) -> Option<M> {
        let number = NonZeroU64::new(entry.number)?;
        let slab = &mut PendingOf::<M>::of(&mut *self.place_mut(entry.slab).queue).slab;
        if let Some(cancelled) = slab.put_back(entry.slot, number, message) {
            return Some(cancelled);
        }
        let series = self.series_mut(Some(number));
        let Repeat { period, times } =
            &mut series.expect("a message that repeats has a period").repeat;
        *times = times.map(|left| left - 1);
        let (period, times) = (*period, *times);
        let record = self.place_mut(entry.slab).queue.record_mut(entry.slot);
        let record = record.expect("a message was put there a moment ago");
        let due = record.due;
        record.repeats = times != Some(1);
        let post_meta = record.post_meta;
        let PostMeta {
            stage, timeline, ..
        } = *self.postmarks.get(post_meta);
        if period == 0 {
            self.wait_for_next_pass(entry, timeline, stage);
            return None;
        }
        let next = timeline.after(due, period);
        if next == due {
            // There is no later time: it would be due again for ever.
            let slab = &mut PendingOf::<M>::of(&mut *self.place_mut(entry.slab).queue).slab;
            let (record, message) = slab.take_last(entry.slot)?;
            self.ended(&record);
            return Some(message);
        }
        if let Some(record) = self.place_mut(entry.slab).queue.record_mut(entry.slot) {
            record.due = next;
        }
        let again = DueEntry { due: next, ..entry };
        self.lanes[lane_of(stage)].again(again, timeline, self.bounds);
        None
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
        if let Some(record) = self.place_mut(entry.slab).queue.record_mut(entry.slot) {
            record.due = due;
        }
        let waiting = Entry {
            due: since,
            ..entry.waiting()
        };
        self.lanes[lane_of(stage)].ready(waiting, timeline);
    }
}
