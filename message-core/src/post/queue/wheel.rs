//! A monotone priority queue of keys from 0 to 2^64 - 1: what is due comes out, and what is due
//! can only grow.
//!
//! Eleven levels of 64 slots, as in a hierarchical timing wheel (Varghese and Lauck 1987), with the
//! slot chosen as in a radix heap (Ahuja, Mehlhorn, Orlin, Tarjan 1990): an entry stands on the
//! level of the highest base-64 digit in which its key differs from `reached`, in the slot of that
//! digit. So there is no horizon, and what is far away costs as little as what is near. When
//! `reached` moves on, whole slots fall due at once; only the one slot that it lands in is sorted
//! into lower levels. Entries of one key stay in the order in which they were put in.

use crate::post::queue::Entry;

const BITS: u32 = 6;
const SLOTS: usize = 1 << BITS;
const LEVELS: usize = u64::BITS.div_ceil(BITS) as usize;

#[derive(Default)]
pub(crate) struct Wheel {
    /// Every entry with a key up to this has come out.
    reached: u64,
    levels: [Option<Box<Level>>; LEVELS],
    len: usize,
}

struct Level {
    /// A bit for each slot that is not empty.
    occupied: u64,
    slots: [Vec<Entry>; SLOTS],
}

impl Default for Level {
    fn default() -> Self {
        Self {
            occupied: 0,
            slots: [const { Vec::new() }; SLOTS],
        }
    }
}

/// The digit of a key on a level.
#[inline]
#[allow(
    clippy::cast_possible_truncation,
    reason = "a digit is what is left: six bits"
)]
fn digit(key: u64, level: usize) -> usize {
    (key >> (BITS as usize * level)) as usize % SLOTS
}

/// The level of the highest digit in which two different keys differ.
#[inline]
fn level_of(key: u64, other: u64) -> usize {
    ((u64::BITS - 1 - (key ^ other).leading_zeros()) / BITS) as usize
}

impl Wheel {
    pub(crate) fn reached(&self) -> u64 {
        self.reached
    }

    /// Puts an entry in whose key is not reached yet.
    #[inline]
    pub(crate) fn insert(&mut self, entry: Entry) {
        debug_assert!(entry.due > self.reached, "what is due does not wait");
        let level = level_of(entry.due, self.reached);
        let slot = digit(entry.due, level);
        let level = self.levels[level].get_or_insert_default();
        level.occupied |= 1 << slot;
        level.slots[slot].push(entry);
        self.len += 1;
    }

    /// Moves on, and takes out every entry with a key up to there: in order of levels and slots,
    /// which is not that of the keys.
    pub(crate) fn advance(&mut self, to: u64, due: &mut Vec<Entry>) {
        if to <= self.reached {
            return;
        }
        let (from, top) = (self.reached, level_of(to, self.reached));
        self.reached = to;
        if self.len == 0 {
            return;
        }
        let before = due.len();
        for level in self.levels[..top].iter_mut().flatten() {
            level.drain(u64::MAX, due);
        }
        let mut straddled = Vec::new();
        if let Some(level) = &mut self.levels[top] {
            let slot = digit(to, top);
            level.drain(((1 << slot) - 1) & !((2 << digit(from, top)) - 1), due);
            level.drain(1 << slot, &mut straddled);
        }
        self.len -= due.len() - before + straddled.len();
        for entry in straddled {
            if entry.due <= to {
                due.push(entry);
            } else {
                self.insert(entry);
            }
        }
    }

    /// The slots that are not empty: all that is due in one comes before all of the next.
    pub(crate) fn slots(&self) -> impl Iterator<Item = &[Entry]> {
        let levels = self.levels.iter().flatten();
        let slots = levels.flat_map(|level| &level.slots);
        slots.map(Vec::as_slice).filter(|slot| !slot.is_empty())
    }

    pub(crate) fn shrink_to_fit(&mut self) {
        for level in &mut self.levels {
            if level.as_ref().is_some_and(|level| level.occupied == 0) {
                *level = None;
            }
            let slots = level.iter_mut().flat_map(|level| &mut level.slots);
            slots.for_each(Vec::shrink_to_fit);
        }
    }

    /// Drops the entries that are not to be kept.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&Entry) -> bool) {
        self.len = 0;
        for level in self.levels.iter_mut().flatten() {
            for (at, slot) in level.slots.iter_mut().enumerate() {
                slot.retain(&mut keep);
                if slot.is_empty() {
                    level.occupied &= !(1 << at);
                }
                self.len += slot.len();
            }
        }
    }
}

impl Level {
    /// Takes out everything in the slots of a mask, and gives their memory back.
    fn drain(&mut self, mask: u64, into: &mut Vec<Entry>) {
        let mut left = self.occupied & mask;
        self.occupied &= !mask;
        while left != 0 {
            let slot = left.trailing_zeros() as usize;
            left &= left - 1;
            let entries = std::mem::take(&mut self.slots[slot]);
            if into.is_empty() {
                *into = entries;
            } else {
                into.extend(entries);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(due: u64, slot: u32) -> Entry {
        Entry { due, slab: 0, slot }
    }

    /// A generator of its own: Marsaglia's xorshift64.
    fn random(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    // holds: time.due-order
    #[test]
    fn what_comes_out_is_exactly_what_is_due_at_any_distance() {
        let mut state = 0x2545_f491_4f6c_dd1d;
        for _ in 0..200 {
            let (mut wheel, mut naive, mut now) = (Wheel::default(), Vec::new(), 0_u64);
            for id in 0..400 {
                let distance = random(&mut state) >> (random(&mut state) % 64);
                let due = now.saturating_add(distance.max(1));
                if due > now {
                    wheel.insert(entry(due, id));
                    naive.push((due, id));
                }
                if id % 3 == 0 {
                    now = now.saturating_add(random(&mut state) >> (random(&mut state) % 64));
                    let mut due = Vec::new();
                    wheel.advance(now, &mut due);
                    due.sort_by_key(|entry| (entry.due, entry.slot));
                    let due: Vec<_> = due.iter().map(|entry| (entry.due, entry.slot)).collect();
                    let mut expected: Vec<_> =
                        naive.extract_if(.., |(due, _)| *due <= now).collect();
                    expected.sort_unstable();
                    assert_eq!(due, expected);
                    assert_eq!(wheel.len, naive.len());
                }
            }
        }
    }

    // holds: time.due-order
    #[test]
    fn entries_of_one_key_come_out_in_the_order_they_were_put_in() {
        let mut wheel = Wheel::default();
        let mut due = Vec::new();
        for id in 0..100 {
            wheel.insert(entry(1 << 40, id));
            wheel.advance(u64::from(id) << 33, &mut due);
        }
        assert!(due.is_empty());
        wheel.advance(1 << 40, &mut due);
        assert!(due.iter().map(|entry| entry.slot).eq(0..100));
    }

    #[test]
    fn the_slots_that_were_emptied_hold_no_memory() {
        let mut wheel = Wheel::default();
        for id in 0..10_000 {
            wheel.insert(entry(u64::from(1 + id % 50), id));
        }
        wheel.advance(100, &mut Vec::new());
        let slots = wheel.levels.iter().flatten().flat_map(|level| &level.slots);
        assert_eq!(slots.map(Vec::capacity).sum::<usize>(), 0);
    }
}
