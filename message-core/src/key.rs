//! The 64 bits behind [`MessageeId`](crate::MessageeId) and [`HookId`](crate::HookId).
//!
//! From the low end: 32 bits of index into a table, 20 bits of generation, 12 bits that name the
//! manager. The manager's bits are never zero, so a key fits in a `NonZeroU64` and an absent key
//! costs nothing. One comparison of whole keys answers "same place, same life, same manager" at
//! once, which is all that the send path asks.
//!
//! A place whose generations are used up is never handed out again, so an old key cannot meet a
//! newcomer however long the program runs.

use std::fmt;
use std::num::{NonZeroU32, NonZeroU64};
use std::sync::atomic::{AtomicU64, Ordering};

const INDEX_BITS: u32 = 32;
const GENERATION_BITS: u32 = 20;
const LAST_GENERATION: u32 = (1 << GENERATION_BITS) - 1;
const MANAGERS: u64 = (1 << (64 - INDEX_BITS - GENERATION_BITS)) - 1;

/// A place in a table, the life it stands for, and the manager that gave it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key(NonZeroU64);

impl Key {
    fn new(manager: ManagerNumber, generation: u32, index: u32) -> Self {
        let manager = u64::from(manager.0) << (INDEX_BITS + GENERATION_BITS);
        let bits = manager | u64::from(generation) << INDEX_BITS | u64::from(index);
        Self(NonZeroU64::new(bits).expect("a manager's number is never zero"))
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        self.place() as usize
    }

    /// The index in 32 bits, as it stands in the key.
    #[inline]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "the index is what is left: the low 32 bits"
    )]
    pub(crate) fn place(self) -> u32 {
        self.0.get() as u32
    }

    /// The key of a place in a life.
    #[inline]
    pub(crate) fn from_parts(place: u32, life: Life) -> Self {
        let bits = u64::from(life.0.get()) << INDEX_BITS | u64::from(place);
        Self(NonZeroU64::new(bits).expect("a life is never zero"))
    }

    /// All but the index: what tells the lives of one place apart.
    #[inline]
    pub(crate) fn life(self) -> Life {
        let life = u32::try_from(self.0.get() >> INDEX_BITS).ok();
        let life = life.and_then(NonZeroU32::new);
        Life(life.expect("a manager's number is never zero, and stands in the high 32 bits"))
    }

    /// The bits of the life. Never zero.
    #[inline]
    #[allow(
        clippy::cast_possible_truncation,
        reason = "half of the bits are left, and all of them fit"
    )]
    pub(crate) fn life_bits(self) -> u32 {
        (self.0.get() >> INDEX_BITS) as u32
    }

    fn generation(self) -> u32 {
        u32::try_from(self.0.get() >> INDEX_BITS & u64::from(LAST_GENERATION))
            .expect("twenty bits fit in thirty-two")
    }

    pub(crate) fn manager(self) -> ManagerNumber {
        let number = self.0.get() >> (INDEX_BITS + GENERATION_BITS);
        ManagerNumber(u16::try_from(number).expect("twelve bits fit in sixteen"))
    }
}

/// A life of a place in a table. Two keys with one index are equal when their lives are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Life(NonZeroU32);

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.index(), self.generation())
    }
}

/// Which manager gave out a key: 1 to 4095, then from 1 again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ManagerNumber(u16);

impl ManagerNumber {
    /// The number's twelve bits, above 52 bits of room.
    pub(crate) fn high_bits(self) -> NonZeroU64 {
        let bits = u64::from(self.0) << (INDEX_BITS + GENERATION_BITS);
        NonZeroU64::new(bits).expect("a manager's number is never zero")
    }

    pub(crate) fn next() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed) % MANAGERS + 1;
        Self(u16::try_from(number).expect("twelve bits fit in sixteen"))
    }
}

/// Hands out keys and takes them back. A key is live from `allocate` to `release`.
#[derive(Debug)]
pub(crate) struct Keys {
    manager: ManagerNumber,
    /// The generation each place is in, or will be in when it is handed out again.
    generations: Vec<u32>,
    free: Vec<u32>,
}

impl Keys {
    pub(crate) fn new(manager: ManagerNumber) -> Self {
        Self {
            manager,
            generations: Vec::new(),
            free: Vec::new(),
        }
    }

    /// # Panics
    ///
    /// When 2^32 places are in use at once.
    pub(crate) fn allocate(&mut self) -> Key {
        let index = self.free.pop().unwrap_or_else(|| {
            let index = u32::try_from(self.generations.len()).expect("more than 2^32 ids in use");
            self.generations.push(0);
            index
        });
        Key::new(self.manager, self.generations[index as usize], index)
    }

    pub(crate) fn release(&mut self, key: Key) {
        let generation = &mut self.generations[key.index()];
        if *generation < LAST_GENERATION {
            *generation += 1;
            self.free.push(key.place());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_whose_generations_are_used_up_is_never_handed_out_again() {
        let mut keys = Keys::new(ManagerNumber::next());
        let mut key = keys.allocate();
        for _ in 0..LAST_GENERATION {
            keys.release(key);
            let next = keys.allocate();
            assert_eq!(next.index(), key.index());
            assert_ne!(next, key);
            key = next;
        }
        keys.release(key);
        assert_ne!(keys.allocate().index(), key.index());
    }

    #[test]
    fn a_manager_number_is_never_zero() {
        for _ in 0..=MANAGERS {
            assert_ne!(ManagerNumber::next(), ManagerNumber(0));
        }
    }
}
