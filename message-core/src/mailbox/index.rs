//! From a messagee to the positions of what belongs to it.
//!
//! The positions are sorted by messagee, those of one in ascending order: where a position stands
//! then is its rank. A bucket for each messagee tells which ranks are its own.
//!
//! It is sorted by counting, and the bucket stands at the index of the messagee's id: as long as
//! the ids lie close enough together, and no two lives of one place are among them. Else it is
//! sorted by comparison, and the buckets are searched.

use std::cell::{Cell, OnceCell};
use std::iter::Rev;
use std::ops::Range;

use crate::address::MessageeId;

#[derive(Default)]
pub(super) struct Index {
    /// By the index of the messagee's id, or else in the order of the owners.
    buckets: Vec<Bucket>,
    /// The messagee of each bucket, if that does not stand at its index.
    owners: Vec<MessageeId>,
    /// Where the ranks of the last bucket end.
    end: u32,
    positions: Vec<u32>,
    /// `true` if a bucket stands at the index of its messagee's id.
    direct: bool,
}

/// What belongs to one messagee.
#[derive(Clone, Copy, Default)]
struct Bucket {
    /// The life of its messagee, if it stands at the index of the id; zero if it has none.
    life: u32,
    /// Where its ranks begin; they end where those of the bucket behind begin. While it is filled, how
    /// many there are, and then where those that are left end.
    start: u32,
}

/// The ranks of what was counted, from the last to the first.
pub(crate) struct Ranks<'a, K> {
    buckets: &'a mut [Bucket],
    keys: Rev<K>,
    /// Where those that belong to nobody, and are left, end.
    behind: u32,
}

impl<K: DoubleEndedIterator<Item = Option<MessageeId>>> Iterator for Ranks<'_, K> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        let end = match self.keys.next()? {
            Some(id) => &mut self.buckets[id.0.index()].start,
            None => &mut self.behind,
        };
        *end -= 1;
        Some(*end)
    }
}

impl Index {
    /// Enters all of these, each at the next position. The index has to be empty.
    pub(super) fn fill<K>(&mut self, keys: K)
    where
        K: DoubleEndedIterator<Item = Option<MessageeId>> + ExactSizeIterator + Clone,
    {
        if self.count(keys.clone()) {
            let mut positions = std::mem::take(&mut self.positions);
            let count = keys.len();
            positions.resize(count, 0);
            for (rank, at) in self.rank(keys).zip((0..small(count)).rev()) {
                positions[rank as usize] = at;
            }
            self.positions = positions;
        } else {
            self.sort(keys);
        }
    }

    /// Gives a rank to each of these, that were counted, from the last to the first. What belongs to
    /// nobody comes behind the rest. All of them have to be taken.
    pub(super) fn rank<K>(&mut self, keys: K) -> Ranks<'_, K>
    where
        K: DoubleEndedIterator + ExactSizeIterator,
    {
        let mut end = 0;
        for bucket in &mut self.buckets {
            end += bucket.start;
            bucket.start = end;
        }
        self.end = end;
        Ranks {
            buckets: &mut self.buckets,
            behind: small(keys.len()),
            keys: keys.rev(),
        }
    }

    /// The ranks of these, that were given out before, in order.
    pub(super) fn ranks<K>(&self, keys: K) -> Vec<u32>
    where
        K: Iterator<Item = Option<MessageeId>>,
    {
        let mut nexts: Vec<u32> = self.buckets.iter().map(|bucket| bucket.start).collect();
        let nobodys = nexts.len();
        nexts.push(self.end);
        let ranks = keys.map(|id| {
            let bucket = id.map_or(nobodys, |id| id.0.index());
            let next = &mut nexts[bucket];
            *next += 1;
            *next - 1
        });
        ranks.collect()
    }

    /// All positions, in the order of their ranks, if it was filled.
    #[inline]
    pub(super) fn positions(&self) -> &[u32] {
        &self.positions
    }

    /// The ranks of what belongs to a messagee.
    #[inline]
    pub(super) fn of(&self, id: MessageeId) -> Range<u32> {
        let (at, is_there) = if self.direct {
            let at = id.0.index();
            let bucket = self.buckets.get(at);
            (at, bucket.is_some_and(|it| it.life == id.0.life_bits()))
        } else {
            let at = self.owners.partition_point(|owner| *owner < id);
            (at, self.owners.get(at) == Some(&id))
        };
        if !is_there {
            return 0..0;
        }
        let end = self.buckets.get(at + 1);
        self.buckets[at].start..end.map_or(self.end, |behind| behind.start)
    }

    pub(super) fn clear(&mut self) {
        self.buckets.clear();
        self.owners.clear();
        self.positions.clear();
    }

    fn shrink_to_fit(&mut self) {
        self.buckets.shrink_to_fit();
        self.owners.shrink_to_fit();
        self.positions.shrink_to_fit();
    }

    /// Counts how many belong to each messagee. Returns `true` if that can be done with a bucket at
    /// the index of each id; if not, nothing is entered.
    pub(super) fn count<K>(&mut self, keys: K) -> bool
    where
        K: ExactSizeIterator<Item = Option<MessageeId>>,
    {
        self.direct = self.count_directly(keys);
        if !self.direct {
            self.clear();
        }
        self.direct
    }

    fn count_directly<K>(&mut self, keys: K) -> bool
    where
        K: ExactSizeIterator<Item = Option<MessageeId>>,
    {
        let most = 8 * keys.len() + 1024;
        for id in keys.flatten() {
            let (at, life) = (id.0.index(), id.0.life_bits());
            if at >= self.buckets.len() {
                if at >= most {
                    return false;
                }
                self.reach(at);
            }
            let bucket = &mut self.buckets[at];
            if bucket.life != life {
                if bucket.life != 0 {
                    return false;
                }
                bucket.life = life;
            }
            bucket.start += 1;
        }
        true
    }

    #[cold]
    fn reach(&mut self, at: usize) {
        self.buckets.resize(at + 1, Bucket::default());
    }

    fn sort(&mut self, keys: impl Iterator<Item = Option<MessageeId>>) {
        let keyed = (0..).zip(keys).filter_map(|(at, id)| Some((id?, at)));
        let mut keyed: Vec<(MessageeId, u32)> = keyed.collect();
        keyed.sort_unstable();
        self.end = small(keyed.len());
        for (start, (id, at)) in (0..).zip(keyed) {
            self.positions.push(at);
            if self.owners.last() != Some(&id) {
                self.owners.push(id);
                self.buckets.push(Bucket { life: 0, start });
            }
        }
    }
}

fn small(count: usize) -> u32 {
    let count = u32::try_from(count);
    count.expect("fewer than 2^32 messages are published in a frame")
}

/// An index that is made when it is first asked for, in the room of an earlier one.
#[derive(Default)]
pub(super) struct Lazy {
    index: OnceCell<Index>,
    /// An empty one.
    room: Cell<Index>,
}

impl Lazy {
    #[inline]
    pub(super) fn get<K>(&self, keys: impl FnOnce() -> K) -> &Index
    where
        K: DoubleEndedIterator<Item = Option<MessageeId>> + ExactSizeIterator + Clone,
    {
        self.index.get_or_init(|| {
            let mut index = self.room.take();
            index.fill(keys());
            index
        })
    }

    /// The index, if it was made.
    pub(super) fn made(&self) -> Option<&Index> {
        self.index.get()
    }

    /// An empty index, to [make](Self::make) the index of.
    pub(super) fn room(&mut self) -> &mut Index {
        self.room.get_mut()
    }

    /// What was put into the room is the index.
    pub(super) fn make(&mut self) {
        self.index = self.room.take().into();
    }

    pub(super) fn clear(&mut self) {
        if let Some(mut index) = self.index.take() {
            index.clear();
            self.room.set(index);
        }
    }

    pub(super) fn take_room_of(&mut self, cleared: &mut Self) {
        self.room.set(cleared.room.take());
    }

    pub(super) fn shrink_to_fit(&mut self) {
        if let Some(index) = self.index.get_mut() {
            index.shrink_to_fit();
        }
        self.room.take();
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU16;

    use super::*;
    use crate::identity::ManagerNumber;
    use crate::key::Keys;

    /// What an index says has to be what a look at every key says.
    fn check(keys: &[Option<MessageeId>], ids: &[MessageeId], direct: bool) {
        let mut index = Index::default();
        for _ in 0..2 {
            index.fill(keys.iter().copied());
            assert_eq!(index.direct, direct);
            for &id in ids {
                let own = (0..).zip(keys).filter(|(_, key)| **key == Some(id));
                let own: Vec<u32> = own.map(|(at, _)| at).collect();
                let found = index.of(id).map(|rank| index.positions()[rank as usize]);
                assert_eq!(found.collect::<Vec<u32>>(), own);
            }
            index.clear();
        }
    }

    #[test]
    fn an_index_finds_what_belongs_to_each_messagee() {
        let mut keys = Keys::new(ManagerNumber(NonZeroU16::MIN));
        let mut next = || MessageeId(keys.allocate());
        let ids: Vec<MessageeId> = (0..50).map(|_| next()).collect();
        let some = |at: usize| (!at.is_multiple_of(7)).then(|| ids[at * 31 % 40]);
        let letters: Vec<Option<MessageeId>> = (0..200).map(some).collect();
        check(&letters, &ids, true);
        check(&[None; 5], &ids, true);
        check(&[], &ids, true);
    }

    #[test]
    fn so_it_does_when_two_lives_of_one_place_have_letters() {
        let mut keys = Keys::new(ManagerNumber(NonZeroU16::MIN));
        let old = keys.allocate();
        let other = MessageeId(keys.allocate());
        keys.release(old.place());
        let ids = [MessageeId(old), other, MessageeId(keys.allocate())];
        let letters = [2, 0, 1, 0, 2, 1].map(|at| Some(ids[at]));
        check(&letters, &ids, false);
        check(&letters[1..4], &ids, true);
    }

    #[test]
    fn so_it_does_when_the_ids_lie_far_apart() {
        let mut keys = Keys::new(ManagerNumber(NonZeroU16::MIN));
        let ids: Vec<MessageeId> = (0..5_000).map(|_| MessageeId(keys.allocate())).collect();
        let letters = [4_999, 0, 3_000, 0].map(|at| Some(ids[at]));
        check(&letters, &ids, false);
    }
}
