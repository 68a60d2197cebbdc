//! What waits for one stage.
//!
//! Three wheels, one for each clock that a delay can be measured on, and the list of what is ready
//! for the next pass. The entries of a pass have keys on one line: the scaled time at which they
//! fell due; what waits by frames falls due with its frame. What waits on the unscaled clock
//! cannot be compared with that and comes behind it, in its own order: its keys have the top bit
//! set, which no time has.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::time::Duration;

use crate::post::Due;
use crate::post::queue::wheel::Wheel;
use crate::post::queue::{Bounds, DueEntry, Entry, Timeline};

const UNSCALED: u64 = 1 << 63;

#[derive(Default)]
pub(super) struct Lane {
    pub(super) scaled: Wheel,
    pub(super) unscaled: Wheel,
    pub(super) frames: Wheel,
    ready: Vec<Entry>,
    /// What the pass under way delivers, in order, from `next` on. What a panic leaves here is put in
    /// order with what falls due by the next pass.
    pass: Vec<DueEntry>,
    next: usize,
    /// The batch that is being delivered.
    current: Option<DueEntry>,
    /// Messages that repeat and have fallen due again in the pass under way, and batches of which a
    /// part is delivered.
    again: BinaryHeap<Reverse<DueEntry>>,
    /// The last frames that have begun, and when: those since the pass before, if there are not
    /// too many.
    pub(super) begun: VecDeque<(u64, u64)>,
}

/// So many frames are remembered that begin without a pass of the stage.
pub(super) const BEGUN_AT_MOST: usize = 4096;

impl Lane {
    /// An entry for the next pass.
    #[inline]
    pub(super) fn ready(&mut self, mut entry: Entry, timeline: Timeline) {
        if timeline == Timeline::Unscaled {
            entry.due |= UNSCALED;
        }
        self.ready.push(entry);
    }

    /// An entry that is to wait until it is due.
    #[inline]
    pub(super) fn wait(&mut self, entry: Entry, timeline: Timeline) {
        let wheel = match timeline {
            Timeline::Scaled => &mut self.scaled,
            Timeline::Unscaled => &mut self.unscaled,
            Timeline::Frames => &mut self.frames,
        };
        if entry.due > wheel.reached() {
            wheel.insert(entry);
        } else {
            self.ready(entry, timeline);
        }
    }

    /// An entry of a message that repeats: for the pass under way, if it is due in it again.
    pub(super) fn again(&mut self, entry: DueEntry, timeline: Timeline, bounds: Bounds) {
        let due = match timeline {
            Timeline::Scaled if entry.due <= bounds.now => entry.due,
            Timeline::Unscaled if entry.due <= bounds.unscaled => entry.due | UNSCALED,
            Timeline::Frames if entry.due <= bounds.frame => self.beginning_of(entry.due, bounds),
            _ => return self.wait(entry.waiting(), timeline),
        };
        self.again.push(Reverse(DueEntry { due, ..entry }));
    }

    /// A frame begins: what waited for it falls due at that time.
    pub(super) fn begin_frame(&mut self, frame: u64, now: u64) {
        if self.begun.len() == BEGUN_AT_MOST {
            self.begun.pop_front();
        }
        self.begun.push_back((frame, now));
        let begun = self.ready.len();
        self.frames.advance(frame, &mut self.ready);
        for entry in &mut self.ready[begun..] {
            entry.due = now;
        }
    }

    /// When a frame has begun, as far as that is remembered.
    fn beginning_of(&self, frame: u64, bounds: Bounds) -> u64 {
        let at = self.begun.partition_point(|(begun, _)| *begun < frame);
        self.begun.get(at).map_or(bounds.now, |(_, now)| *now)
    }

    /// Takes out everything that is due by now.
    pub(super) fn take_due(&mut self, bounds: Bounds) -> Vec<Entry> {
        let mut due = std::mem::take(&mut self.ready);
        self.scaled.advance(bounds.now, &mut due);
        let scaled = due.len();
        self.unscaled.advance(bounds.unscaled, &mut due);
        for entry in &mut due[scaled..] {
            entry.due |= UNSCALED;
        }
        due
    }

    /// Takes out what a panic has left of the last pass, but for what had fallen due again in it.
    pub(super) fn take_left(&mut self) -> Vec<DueEntry> {
        let mut left = std::mem::take(&mut self.pass);
        left.drain(..std::mem::take(&mut self.next));
        left.extend(self.current.take());
        left
    }

    /// A pass begins, with these entries, in order.
    pub(super) fn begin_pass(&mut self, due: Vec<DueEntry>) {
        self.pass = due;
    }

    /// The entry that comes first of the pass under way.
    #[inline]
    pub(super) fn first(&self) -> Option<DueEntry> {
        let next = self.pass.get(self.next).copied();
        let Some(&Reverse(again)) = self.again.peek() else {
            return next;
        };
        Some(next.map_or(again, |next| next.min(again)))
    }

    /// Takes the entry out that comes first, when that of a batch comes again.
    #[inline]
    pub(super) fn take_first(&mut self, current: Option<DueEntry>) -> Option<DueEntry> {
        let next = self.pass.get(self.next).copied();
        let again = self.again.peek().map(|Reverse(again)| *again);
        let comes_before =
            |one: DueEntry, other: Option<DueEntry>| other.is_none_or(|other| one < other);
        let first = match (current, next, again) {
            (Some(current), ..) if comes_before(current, next) && comes_before(current, again) => {
                current
            }
            (_, Some(next), _) if comes_before(next, again) => {
                self.next += 1;
                self.again.extend(current.map(Reverse));
                next
            }
            (Some(current), ..) => {
                let mut top = self.again.peek_mut()?;
                std::mem::replace(&mut *top, Reverse(current)).0
            }
            (None, ..) => self.again.pop()?.0,
        };
        if first.is_whole() {
            self.current = Some(first);
        }
        Some(first)
    }

    /// A batch comes again in the pass under way.
    pub(super) fn put_back(&mut self, entry: DueEntry) {
        self.again.push(Reverse(entry));
    }

    /// The batch that was being delivered.
    #[inline]
    pub(super) fn take_current(&mut self) -> Option<DueEntry> {
        self.current.take()
    }

    /// The pass has come to its end.
    pub(super) fn end_pass(&mut self) {
        self.pass = Vec::new();
        self.next = 0;
        self.begun.clear();
    }

    /// Drops the entries that are not to be kept, but for those of the pass under way.
    pub(super) fn retain(&mut self, keep: &mut dyn FnMut(Entry) -> bool) {
        for wheel in [&mut self.scaled, &mut self.unscaled, &mut self.frames] {
            wheel.retain(|entry| keep(*entry));
        }
        self.ready.retain(|entry| keep(*entry));
    }

    pub(super) fn shrink_to_fit(&mut self) {
        for wheel in [&mut self.scaled, &mut self.unscaled, &mut self.frames] {
            wheel.shrink_to_fit();
        }
        self.ready.shrink_to_fit();
        self.pass.shrink_to_fit();
        self.again.shrink_to_fit();
        self.begun.shrink_to_fit();
    }

    /// Where the messages are that are ready, and since when.
    pub(super) fn ready_entries(&self) -> impl Iterator<Item = ((u32, u32), Due)> {
        self.ready_keys().map(|(at, key)| {
            let since = Duration::from_nanos(key);
            (at, Due::Now(since))
        })
    }

    /// The key that orders each entry that is ready, without the bit that tells the clock.
    pub(super) fn ready_keys(&self) -> impl Iterator<Item = ((u32, u32), u64)> {
        self.ready_marked().map(|(at, key, _)| (at, key))
    }

    /// As [`ready_keys`](Self::ready_keys), with `true` for those that wait on the unscaled clock.
    pub(super) fn ready_marked(&self) -> impl Iterator<Item = ((u32, u32), u64, bool)> {
        let again = self.again.iter().map(|Reverse(entry)| entry.waiting());
        let pass = self.pass[self.next..].iter().chain(&self.current);
        let entries = self.ready.iter().copied();
        let entries = entries
            .chain(pass.map(|entry| entry.waiting()))
            .chain(again);
        entries
            .map(|Entry { due, slab, slot }| ((slab, slot), due & !UNSCALED, due & UNSCALED != 0))
    }
}
