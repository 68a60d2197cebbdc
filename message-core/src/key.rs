//! The 64 bits behind [`MessageeId`](crate::MessageeId) and [`HookId`](crate::HookId).
//!
//! From the low end: 32 bits of index into a table, 16 bits of generation, 16 bits of the
//! [manager's number](ManagerNumber). The manager's bits are never zero, so a key fits in a
//! `NonZeroU64` and an absent key costs nothing. One comparison of whole keys answers "same place,
//! same life, same manager" at once, which is all that the send path asks.
//!
//! A place whose generations are used up is never handed out again, so an old key cannot meet a
//! newcomer however long the manager lives.

pub(crate) mod ids;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::num::NonZeroU64;

pub use ids::{HookId, MessageeId, SubscriptionId};

use crate::by_field::clone_by_field;
use crate::identity::ManagerNumber;

const INDEX_BITS: u32 = 32;
const GENERATION_BITS: u32 = u16::BITS;
const MANAGER_BITS: u32 = u64::BITS - INDEX_BITS - GENERATION_BITS;

/// A place in a table, its generation, and the manager that gave it out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key(NonZeroU64);

/// Hashes only the place and the generation: the manager's number depends on the rest of the process,
/// and a program that iterates over a map of ids should do the same each time.
impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.0.get() & (u64::MAX >> MANAGER_BITS));
    }
}

impl Key {
    pub(crate) fn index(self) -> usize {
        self.place() as usize
    }

    /// Returns the index in 32 bits, as the key holds it.
    #[allow(clippy::cast_possible_truncation, reason = "takes the low 32 bits")]
    pub fn place(self) -> u32 {
        self.0.get() as u32
    }

    /// Returns the key of a place and the bits of a life.
    pub fn from_halves(place: u32, life: u32) -> Option<Self> {
        NonZeroU64::new(u64::from(life) << INDEX_BITS | u64::from(place)).map(Self)
    }

    /// Returns the bits of the life. Never zero.
    #[allow(clippy::cast_possible_truncation, reason = "32 bits are left")]
    pub(crate) fn life_bits(self) -> u32 {
        (self.0.get() >> INDEX_BITS) as u32
    }

    /// Returns the generation in 16 bits, as the key holds it.
    #[allow(clippy::cast_possible_truncation, reason = "takes the low 16 bits")]
    pub(crate) fn short_generation(self) -> u16 {
        self.life_bits() as u16
    }

    /// Returns the manager that gave it out.
    pub fn manager(self) -> ManagerNumber {
        let bits = NonZeroU64::new(self.0.get() & !(u64::MAX >> MANAGER_BITS));
        ManagerNumber(bits.expect("a manager's number is never zero"))
    }

    /// Returns the place and the generation: the number of the key in files about its manager.
    pub fn number(self) -> u64 {
        self.0.get() & (u64::MAX >> MANAGER_BITS)
    }

    /// Returns the key with that number, or `None` if no manager can have given it out.
    pub fn of_number(number: u64, manager: ManagerNumber) -> Option<Self> {
        (number >> (INDEX_BITS + GENERATION_BITS) == 0).then(|| Self(manager.0 | number))
    }
}

impl ManagerNumber {
    /// Returns the key that the manager gives out for a place in a generation.
    pub fn key(self, generation: u16, place: u32) -> Key {
        Key(self.0 | u64::from(generation) << INDEX_BITS | u64::from(place))
    }

    /// Returns the key that is printed as that text.
    pub fn key_in(self, text: &str) -> Option<Key> {
        let (place, generation) = text.split_once('v')?;
        let key = self.key(generation.parse().ok()?, place.parse().ok()?);
        // `+3v1` is another text.
        (key.to_string() == text).then_some(key)
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}v{}", self.index(), self.short_generation())
    }
}

/// Hands out keys of one kind and takes them back. A key is live from `allocate` to `release`.
#[derive(Debug)]
pub struct Keys {
    pub manager: ManagerNumber,
    /// The number of places.
    pub places: u32,
    /// The generation each place is in, or will be in when it is handed out again. Of the places behind
    /// these none has come back yet: they are in their first generation, and take nothing here.
    pub generations: Vec<u16>,
    /// The places that are free. The last one is handed out first.
    pub free: Vec<u32>,
}

clone_by_field!(Keys {
    manager,
    places,
    generations,
    free
});

impl Keys {
    pub(crate) fn new(manager: ManagerNumber) -> Self {
        Self {
            manager,
            places: 0,
            generations: Vec::new(),
            free: Vec::new(),
        }
    }

    /// # Panics
    ///
    /// When 2^32 places are in use at once.
    #[inline]
    pub(crate) fn allocate(&mut self) -> Key {
        let place = self.free.pop().unwrap_or_else(|| {
            let place = self.places;
            self.places = place.checked_add(1).expect("more than 2^32 ids in use");
            place
        });
        self.manager.key(self.generation(place), place)
    }

    /// Returns the generation of a place.
    pub fn generation(&self, place: u32) -> u16 {
        let generation = self.generations.get(place as usize);
        generation.copied().unwrap_or_default()
    }

    /// Returns the key that a place in use has now.
    pub fn current(&self, place: u32) -> Option<Key> {
        let is_known = place < self.places;
        is_known.then(|| self.manager.key(self.generation(place), place))
    }

    /// Releases the key of a place in use. Returns it.
    #[inline]
    pub(crate) fn release(&mut self, place: u32) -> Key {
        let Some(generation) = self.generations.get_mut(place as usize) else {
            self.generations.resize(place as usize + 1, 0);
            return self.release(place);
        };
        let key = self.manager.key(*generation, place);
        if let Some(next) = generation.checked_add(1) {
            *generation = next;
            self.free.push(place);
        }
        key
    }

    /// Frees the memory that is not used.
    pub fn shrink_to_fit(&mut self) {
        self.generations.shrink_to_fit();
        self.free.shrink_to_fit();
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;

    fn manager() -> ManagerNumber {
        ManagerNumber::new(NonZeroU16::MIN)
    }

    // holds: messagees.stale-id
    #[test]
    fn a_place_whose_generations_are_used_up_is_never_handed_out_again() {
        let mut keys = Keys::new(manager());
        let mut key = keys.allocate();
        for _ in 0..u16::MAX {
            keys.release(key.place());
            let next = keys.allocate();
            assert_eq!(next.index(), key.index());
            assert_ne!(next, key);
            key = next;
        }
        keys.release(key.place());
        assert_ne!(keys.allocate().index(), key.index());
    }

    #[test]
    fn places_of_which_none_has_come_back_take_nothing() {
        let mut keys = Keys::new(manager());
        let given: Vec<Key> = (0..100).map(|_| keys.allocate()).collect();
        assert_eq!(keys.generations.capacity(), 0);
        keys.release(given[40].place());
        assert_eq!(keys.generations.len(), 41);
        let again = keys.allocate();
        assert_eq!((again.index(), again.short_generation()), (40, 1));
        let current = (0..).zip(&given).filter(|&(place, _)| place != 40);
        for (place, &key) in current {
            assert_eq!(keys.current(place), Some(key));
        }
        assert_eq!(
            [40, 100].map(|place| keys.current(place)),
            [Some(again), None]
        );
    }

    #[test]
    fn a_key_knows_its_manager_and_its_generation() {
        let mut keys = Keys::new(manager());
        let first = keys.allocate();
        assert_eq!((first.manager(), first.short_generation()), (manager(), 0));
        keys.release(first.place());
        let next = keys.allocate();
        assert_eq!(
            (next.to_string(), next.life_bits() == first.life_bits()),
            ("0v1".to_owned(), false)
        );
    }
}
