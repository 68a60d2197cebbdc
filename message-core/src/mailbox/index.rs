//! An index from messagees to numbers: the positions of the letters for each, or the runs of each sender.
//!
//! The numbers are sorted by counting, with a bucket for each index of an id. Ids whose indices are far apart share
//! buckets, and so do two lives in one place. A reader then compares each candidate, so neither needs a second kind
//! of index.

use std::cell::{Cell, OnceCell};

use crate::address::MessageeId;

#[derive(Default)]
pub(super) struct Index {
    /// A power of two of them, up to the last that is used.
    buckets: Vec<Bucket>,
    /// The bits of the index of an id that choose its bucket.
    mask: usize,
    /// The numbers by bucket, each in ascending order.
    numbers: Vec<u32>,
}

#[derive(Clone, Copy, Default)]
struct Bucket {
    /// The messagee of all numbers. `None` if they belong to several or there are none.
    owner: Option<MessageeId>,
    /// The end of its numbers, which begin where the previous bucket ends. While the index is built, how many there
    /// are and then where the next one goes.
    end: u32,
}

/// The numbers found for a messagee, in ascending order.
#[derive(Clone, Copy, Default)]
pub(super) struct Found<'a> {
    pub(super) candidates: &'a [u32],
    /// `true` if each of them belongs to the messagee.
    pub(super) is_exact: bool,
}

impl Index {
    /// Sorts at most that many numbers by messagee. They have to come in ascending order. There must be no buckets yet.
    fn fill(&mut self, most: usize, keys: impl Iterator<Item = (MessageeId, u32)> + Clone) {
        self.mask = (4 * most).next_power_of_two() - 1;
        let (buckets, mask) = (&mut self.buckets, self.mask);
        keys.clone().for_each(|(id, _)| {
            let at = id.0.index() & mask;
            if at >= buckets.len() {
                grow(buckets, at + 1);
            }
            let bucket = &mut buckets[at];
            if bucket.end == 0 {
                bucket.owner = Some(id);
            } else if bucket.owner != Some(id) {
                bucket.owner = None;
            }
            bucket.end += 1;
        });
        let mut start = 0;
        for bucket in &mut *buckets {
            start += std::mem::replace(&mut bucket.end, start);
        }
        // Earlier numbers are overwritten.
        self.numbers.resize(start as usize, 0);
        let (buckets, numbers) = (&mut buckets[..], &mut self.numbers[..]);
        keys.for_each(|(id, number)| {
            let next = &mut buckets[id.0.index() & mask].end;
            numbers[*next as usize] = number;
            *next += 1;
        });
    }

    pub(super) fn find(&self, id: MessageeId) -> Found<'_> {
        let at = id.0.index() & self.mask;
        let Some(bucket) = self.buckets.get(at) else {
            return Found::default();
        };
        if bucket.owner.is_some_and(|owner| owner != id) {
            return Found::default();
        }
        let before = at.checked_sub(1).map(|before| self.buckets[before].end);
        let start = before.unwrap_or(0);
        Found {
            candidates: &self.numbers[start as usize..bucket.end as usize],
            is_exact: bucket.owner.is_some(),
        }
    }
}

/// Adds buckets. Their number at least doubles, so this is rare.
#[cold]
fn grow(buckets: &mut Vec<Bucket>, least: usize) {
    buckets.resize(least.next_power_of_two(), Bucket::default());
}

/// An index that is built when it is first asked for, in the memory of an earlier one.
#[derive(Default)]
pub(super) struct Lazy {
    index: OnceCell<Index>,
    /// An empty one.
    room: Cell<Index>,
}

impl Lazy {
    pub(super) fn get<K>(&self, most: usize, keys: impl FnOnce() -> K) -> &Index
    where
        K: Iterator<Item = (MessageeId, u32)> + Clone,
    {
        self.index.get_or_init(|| {
            let mut index = self.room.take();
            index.fill(most, keys());
            index
        })
    }

    pub(super) fn clear(&mut self) {
        if let Some(mut index) = self.index.take() {
            index.buckets.clear();
            self.room.set(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;
    use crate::identity::ManagerNumber;
    use crate::key::Keys;

    /// An index finds the same as a look at every key.
    fn check(keys: &[MessageeId], ids: &[MessageeId], exact: bool) {
        let lazy = Lazy::default();
        let index = lazy.get(keys.len(), || keys.iter().copied().zip(0..));
        for &id in ids {
            let own = (0..).zip(keys).filter(|(_, key)| **key == id);
            let own: Vec<u32> = own.map(|(at, _)| at).collect();
            let Found {
                candidates,
                is_exact,
            } = index.find(id);
            let found = candidates.iter().copied();
            let found: Vec<u32> = found
                .filter(|&at| is_exact || keys[at as usize] == id)
                .collect();
            assert_eq!(found, own);
            assert!(is_exact || own.is_empty() || !exact);
        }
    }

    #[test]
    fn an_index_finds_what_belongs_to_each_messagee() {
        let mut keys = Keys::new(ManagerNumber::new(NonZeroU16::MIN));
        let mut next = || MessageeId(keys.allocate());
        let ids: Vec<MessageeId> = (0..50).map(|_| next()).collect();
        let letters: Vec<MessageeId> = (0..200).map(|at| ids[at * 31 % 40]).collect();
        check(&letters, &ids, true);
        check(&[], &ids, true);
    }

    #[test]
    fn so_it_does_when_two_lives_of_one_place_have_letters() {
        let mut keys = Keys::new(ManagerNumber::new(NonZeroU16::MIN));
        let old = keys.allocate();
        let other = MessageeId(keys.allocate());
        keys.release(old.place());
        let ids = [MessageeId(old), other, MessageeId(keys.allocate())];
        let letters = [2, 0, 1, 0, 2, 1].map(|at| ids[at]);
        check(&letters, &ids, false);
        check(&letters[1..4], &ids, true);
    }

    #[test]
    fn so_it_does_when_the_ids_lie_far_apart() {
        let mut keys = Keys::new(ManagerNumber::new(NonZeroU16::MIN));
        let ids: Vec<MessageeId> = (0..5_000).map(|_| MessageeId(keys.allocate())).collect();
        let letters = [4_999, 0, 3_000, 0].map(|at| ids[at]);
        check(&letters, &ids, false);
    }
}
