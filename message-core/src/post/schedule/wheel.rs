//! A monotone priority queue of messages by their due time, from 0 to 2^64 - 1.
//!
//! Eleven levels of 64 slots, as in a hierarchical timing wheel (Varghese and Lauck 1987), with the slot
//! chosen as in a radix heap (Ahuja, Mehlhorn, Orlin, Tarjan 1990): a message is on the level of the
//! highest base-64 digit in which its due time differs from what the clock has reached, in the slot of
//! that digit. So there is no horizon, and what is far away costs as little as what is near. A slot is a
//! list of [blocks](super::stock). A post writes to the end of one of few open slots, whose
//! ends stay in the first-level cache: W5.
//!
//! When the clock moves on, whole slots fall due at once. Only the one slot that it lands in is spread
//! over the level below, always in sequence. The messages of each slot are in the order of posting.

use smallvec::SmallVec;

use crate::by_field::clone_by_field;
use crate::post::schedule::{Stamps, Stock};

const BITS: u32 = 6;
pub(super) const SLOTS: usize = 1 << BITS;
const LEVELS: usize = u64::BITS.div_ceil(BITS) as usize;

/// The numbers of the blocks of a slot or a run, filled one after the other.
pub(super) type BlockList = SmallVec<[u32; 4]>;

#[derive(Default)]
pub(super) struct Wheel {
    levels: [Option<Box<Level>>; LEVELS],
}

struct Level {
    /// A bit for each slot that may not be empty.
    occupied: u64,
    slots: [BlockList; SLOTS],
}

impl Default for Level {
    fn default() -> Self {
        let slots = std::array::from_fn(|_| BlockList::new());
        Self { occupied: 0, slots }
    }
}

/// The digit of a due time on a level.
#[inline]
#[allow(clippy::cast_possible_truncation, reason = "six bits are left")]
fn digit(due: u64, level: usize) -> usize {
    (due >> shift(level)) as usize % SLOTS
}

#[inline]
#[allow(clippy::cast_possible_truncation, reason = "there are eleven levels")]
fn shift(level: usize) -> u32 {
    BITS * level as u32
}

/// The level of the highest digit in which two different times differ.
#[inline]
fn level_of(due: u64, other: u64) -> usize {
    let differ = due ^ other;
    if differ < SLOTS as u64 {
        return 0;
    }
    ((u64::BITS - 1 - differ.leading_zeros()) / BITS) as usize
}

/// The items that have fallen due.
#[derive(Default)]
pub(super) struct Drained {
    pub(super) blocks: BlockList,
    /// All of it was due at one time.
    pub(super) at_once: bool,
}

impl Drained {
    fn take(&mut self, blocks: BlockList, level: usize) {
        self.at_once = self.blocks.is_empty() && level == 0;
        self.blocks.extend(blocks);
    }
}

clone_by_field!(Wheel { levels });

impl Wheel {
    /// Returns the slot of a due time that the clock has not reached yet, if there is one.
    #[inline]
    pub(super) fn peek(&self, due: u64, reached: u64) -> Option<&BlockList> {
        let level = level_of(due, reached);
        let at = digit(due, level);
        Some(&self.levels[level].as_deref()?.slots[at])
    }

    /// Like [`peek`](Self::peek), for a message that is put there next.
    pub(super) fn slot(&mut self, due: u64, reached: u64) -> &mut BlockList {
        debug_assert!(due > reached, "what is due does not wait");
        let level = level_of(due, reached);
        let at = digit(due, level);
        let level = self.levels[level].get_or_insert_default();
        level.occupied |= 1 << at;
        &mut level.slots[at]
    }

    /// Moves on, and takes out all that is due by then: slot by slot in order of due time, in each slot in
    /// the order of posting. Those that were cancelled do not move to a level below.
    pub(super) fn advance(
        &mut self,
        from: u64,
        to: u64,
        stock: &mut Stock,
        stamps: &mut Stamps,
    ) -> Drained {
        let mut due = Drained::default();
        if to <= from {
            return due;
        }
        let mut at = level_of(to, from);
        for (below, level) in self.levels[..at].iter_mut().enumerate() {
            if let Some(level) = level {
                level.drain(u64::MAX, below, &mut due);
            }
        }
        let mut landed = BlockList::new();
        if let Some(level) = &mut self.levels[at] {
            let passed = ((1 << digit(to, at)) - 1) & !((2 << digit(from, at)) - 1);
            level.drain(passed, at, &mut due);
            landed = level.take(digit(to, at));
        }
        while at > 0 && !landed.is_empty() {
            at -= 1;
            stock.sweep(&mut landed, stamps);
            let level = self.levels[at].get_or_insert_default();
            for block in landed {
                level.occupied |= stock.spread(block, shift(at), stamps, &mut level.slots);
            }
            level.drain((1 << digit(to, at)) - 1, at, &mut due);
            landed = level.take(digit(to, at));
        }
        if !landed.is_empty() {
            due.take(landed, at);
        }
        due
    }

    /// Iterates over the slots that are not empty: all that is due in one comes before all of the next.
    pub(super) fn slots(&self) -> impl Iterator<Item = &BlockList> {
        let levels = self.levels.iter().flatten();
        let slots = levels.flat_map(|level| &level.slots);
        slots.filter(|slot| !slot.is_empty())
    }

    pub(super) fn slots_mut(&mut self) -> impl Iterator<Item = &mut BlockList> {
        let levels = self.levels.iter_mut().flatten();
        let slots = levels.flat_map(|level| &mut level.slots);
        slots.filter(|slot| !slot.is_empty())
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.slots_mut().for_each(BlockList::shrink_to_fit);
        for level in &mut self.levels {
            let is_empty = |level: &Level| level.slots.iter().all(BlockList::is_empty);
            if level.as_deref().is_some_and(is_empty) {
                *level = None;
            }
        }
    }
}

clone_by_field!(Level { occupied, slots });

impl Level {
    fn take(&mut self, at: usize) -> BlockList {
        self.occupied &= !(1 << at);
        std::mem::take(&mut self.slots[at])
    }

    /// Takes out everything in the slots of a mask.
    fn drain(&mut self, mask: u64, level: usize, into: &mut Drained) {
        let mut left = self.occupied & mask;
        self.occupied &= !mask;
        while left != 0 {
            let at = left.trailing_zeros() as usize;
            left &= left - 1;
            let slot = std::mem::take(&mut self.slots[at]);
            if !slot.is_empty() {
                into.take(slot, level);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::message::{Message, NoReply};
    use crate::post::schedule::column::Messages;
    use crate::post::schedule::held::Held;
    use crate::post::schedule::stamp::{PostMeta, Stamp};
    use crate::tag::TagSet;
    use crate::time::{Stage, Timeline};

    struct Note;

    impl Message for Note {
        type Reply = NoReply;
        const NAME: &'static str = "note";
    }

    struct Waiting {
        wheel: Wheel,
        stock: Stock,
        stamps: Stamps,
        posted: u64,
        reached: u64,
    }

    impl Waiting {
        fn new() -> Self {
            Self {
                wheel: Wheel::default(),
                stock: Stock::new(Messages::<Note>::boxed),
                stamps: Stamps::default(),
                posted: 0,
                reached: 0,
            }
        }

        fn post(&mut self, due: u64) -> u64 {
            self.posted += 1;
            let number = self.posted;
            let meta = PostMeta {
                place: std::panic::Location::caller(),
                time: 0,
                frame: 0,
                tags: TagSet::EMPTY,
                require: 0,
                stage: Stage::Update,
                timeline: Timeline::Scaled,
                retain: false,
                if_alive: false,
                activator: None,
            };
            let stamp = Stamp {
                meta,
                bound: false,
                track: None,
                moves: 0,
                number,
                due,
                borne: 1,
            };
            let head = self.stamps.enter(stamp, 0, due, None, None);
            let slot = self.wheel.slot(due, self.reached);
            let block = self.stock.make_room(slot);
            self.stock.push_head(block, head).expect("there is room");
            Some(Note).store(self.stock.column(), block);
            number
        }

        fn advance(&mut self, to: u64) -> Vec<(u64, u64)> {
            let stock = &mut self.stock;
            let drained = self
                .wheel
                .advance(self.reached, to, stock, &mut self.stamps);
            self.reached = to.max(self.reached);
            let mut due = Vec::new();
            for block in drained.blocks {
                for at in 0..stock.len(block) {
                    let head = *stock.head(block, at).expect("it is there");
                    due.push((self.stamps.due(&head), self.stamps.number(&head)));
                }
                let numbers = &due[due.len() - stock.len(block)..];
                let numbers = numbers.iter().map(|(_, number)| number);
                assert!(numbers.is_sorted(), "each block is in the order of posting");
                stock.close(block);
            }
            due
        }
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
            let (mut waiting, mut naive, mut now) = (Waiting::new(), Vec::new(), 0_u64);
            for _ in 0..400 {
                let distance = random(&mut state) >> (random(&mut state) % 64);
                let due = now.saturating_add(distance.max(1));
                if due > now {
                    naive.push((due, waiting.post(due)));
                }
                if random(&mut state).is_multiple_of(8) {
                    now = now.saturating_add(random(&mut state) >> (random(&mut state) % 64));
                    let mut due = waiting.advance(now);
                    due.sort_unstable();
                    let expected = naive.extract_if(.., |(due, _)| *due <= now);
                    let mut expected: Vec<_> = expected.collect();
                    expected.sort_unstable();
                    assert_eq!(due, expected);
                }
            }
        }
    }

    // holds: time.due-order
    #[test]
    fn messages_that_are_due_at_one_time_come_out_in_the_order_of_posting() {
        let mut waiting = Waiting::new();
        for id in 0..100 {
            waiting.post(1 << 40);
            assert_eq!(waiting.advance(id << 33), []);
        }
        let due = waiting.advance(1 << 40);
        assert!(due.iter().map(|(_, number)| *number).eq(1..=100));
    }
}
