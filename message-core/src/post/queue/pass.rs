//! A pass of a stage: what is due, entry by entry.

use crate::post::queue::pending_of::DeliverDue;
use crate::post::queue::span::{Span, in_order};
use crate::post::queue::{Bounds, CANCELLED_AT_LEAST, DelayHeap, DueEntry, Entry};

impl DelayHeap {
    /// A pass of a lane begins, with everything that is due by now.
    pub(crate) fn begin_pass(&mut self, lane: usize, bounds: Bounds) {
        self.bounds = bounds;
        let due = self.lanes[lane].take_due(bounds);
        let spans = due.into_iter().map(|Entry { due, slab, slot }| Span {
            entry: DueEntry {
                due,
                number: 0,
                slab,
                slot,
            },
            last: 0,
        });
        let mut spans: Vec<Span> = spans.collect();
        // This also brings what the pass is about to read nearer.
        let mut cancelled = 0;
        for of_one_type in spans.chunk_by_mut(|this, next| this.entry.slab == next.entry.slab) {
            let place = self.place_mut(of_one_type[0].entry.slab);
            cancelled += place.queue.number(of_one_type);
        }
        if cancelled > 0 {
            self.cancelled -= cancelled;
            self.sweep_at = CANCELLED_AT_LEAST;
            spans.retain(|span| span.last != 0);
        }
        let left = self.lanes[lane].take_left();
        if !left.is_empty() {
            self.add_left(left, &mut spans);
        }
        self.lanes[lane].begin_pass(in_order(spans, &mut self.places));
    }

    /// Adds what a panic has left of the pass before.
    #[cold]
    fn add_left(&mut self, left: Vec<DueEntry>, spans: &mut Vec<Span>) {
        for mut entry in left {
            let mut last = entry.number;
            if entry.is_whole() {
                let queue = &mut self.place_mut(entry.slab).queue;
                let Some((next, end)) = queue.rest(entry.slot) else {
                    let was_cancelled = queue.come_out(entry.slot);
                    self.cancelled -= usize::from(was_cancelled);
                    continue;
                };
                (entry.number, last) = (next, end);
            }
            spans.push(Span { entry, last });
        }
    }

    /// The next entry of the pass under way, and the function that delivers what it stands for. One
    /// that stands for a batch comes again until nothing of that is left.
    #[inline]
    pub(crate) fn next(&mut self, lane: usize) -> Option<(DueEntry, DeliverDue)> {
        loop {
            let (lane, places) = (&mut self.lanes[lane], &mut self.places);
            let mut next = lane.front();
            let mut is_whole = false;
            if let Some(entry) = next.as_mut().filter(|entry| entry.is_whole()) {
                is_whole = true;
                let place = places[entry.slab as usize].as_mut();
                let place = place.expect("the message type of what is pending has a place");
                let Some((slot, number)) = place.queue.front(entry.slot) else {
                    lane.pop();
                    self.cancelled -= usize::from(place.queue.come_out(entry.slot));
                    continue;
                };
                entry.number = number;
                // What repeats may come between the messages of a batch.
                if lane.repeats() {
                    entry.slot = slot;
                }
            }
            let entry = if let Some(again) = lane.take_again(next) {
                again
            } else {
                let Some(next) = next else {
                    lane.end_pass();
                    return None;
                };
                if !is_whole {
                    lane.pop();
                }
                next
            };
            let place = places[entry.slab as usize].as_ref();
            let place = place.expect("the message type of what is pending has a place");
            return Some((entry, place.deliver));
        }
    }

    /// The next message of the batch that an entry stands for.
    #[inline]
    pub(crate) fn front(&mut self, entry: DueEntry) -> Option<DueEntry> {
        let (slot, number) = self.place_mut(entry.slab).queue.front(entry.slot)?;
        Some(DueEntry {
            number,
            slot,
            ..entry
        })
    }
}
