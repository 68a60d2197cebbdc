//! From a messagee to the positions of what belongs to it.
//!
//! The positions are sorted by messagee, those of one in ascending order: where a position stands
//! then is its rank. A bucket for each messagee tells which ranks are its own.
//!
//! It is sorted by counting, and the bucket stands at the index of the messagee's id: as long as
//! the ids lie close enough together, and no two lives of one place are among them. Else it is
//! sorted by comparison, and the buckets are searched.

use std::ops::Range;

use crate::address::MessageeId;
use crate::key::Life;
use crate::room::{Peak, Shrink};

#[derive(Default)]
pub(super) struct Index {
    /// The messagee of each bucket: by the index of its id whose life it is, or else in order.
    lives: Vec<Option<Life>>,
    owners: Vec<MessageeId>,
    /// Where the ranks of each bucket end; they begin where those of the bucket before end.
    ends: Vec<u32>,
    positions: Vec<u32>,
    /// `true` if a bucket stands at the index of its messagee's id.
    direct: bool,
    most_buckets: Peak,
    most_positions: Peak,
}

impl Index {
    /// Enters all of these, each at the next position. The index has to be empty.
    pub(super) fn fill<K>(&mut self, keys: K)
    where
        K: ExactSizeIterator<Item = Option<MessageeId>> + Clone,
    {
        if self.count(keys.clone()) {
            let mut positions = std::mem::take(&mut self.positions);
            positions.resize(keys.len(), 0);
            self.rank(keys, |at, rank| positions[rank] = at);
            self.positions = positions;
        } else {
            self.sort(keys);
        }
    }

    /// Gives a rank to each of these, that were counted, one after the other; `put` is told the
    /// position and the rank. What belongs to nobody comes last.
    pub(super) fn rank(
        &mut self,
        keys: impl Iterator<Item = Option<MessageeId>>,
        mut put: impl FnMut(u32, usize),
    ) {
        let mut behind = 0;
        for end in &mut self.ends {
            behind += std::mem::replace(end, behind);
        }
        for (at, id) in (0..).zip(keys) {
            let end = match id {
                Some(id) => &mut self.ends[id.0.index()],
                None => &mut behind,
            };
            put(at, *end as usize);
            *end += 1;
        }
    }

    /// The ranks of these, that were given out before, in order.
    pub(super) fn ranks<K>(&self, keys: K) -> Vec<u32>
    where
        K: Iterator<Item = Option<MessageeId>>,
    {
        let mut nexts = vec![0];
        nexts.extend(&self.ends);
        let nobodys = self.ends.len();
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
            (at, self.lives.get(at) == Some(&Some(id.0.life())))
        } else {
            let at = self.owners.partition_point(|owner| *owner < id);
            (at, self.owners.get(at) == Some(&id))
        };
        if !is_there {
            return 0..0;
        }
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[at]
    }

    pub(super) fn clear(&mut self) {
        self.most_buckets.note(self.ends.len());
        self.most_positions.note(self.positions.len());
        self.lives.clear();
        self.owners.clear();
        self.ends.clear();
        self.positions.clear();
    }

    /// Gives back memory.
    pub(super) fn shrink(&mut self, how: Shrink) {
        let buckets = self.most_buckets.take();
        how.room(&mut self.lives, buckets);
        how.room(&mut self.owners, buckets);
        how.room(&mut self.ends, buckets);
        how.room(&mut self.positions, self.most_positions.take());
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
            let at = id.0.index();
            if at >= self.lives.len() {
                if at >= most {
                    return false;
                }
                self.lives.resize(at + 1, None);
                self.ends.resize(at + 1, 0);
            }
            let life = id.0.life();
            if *self.lives[at].get_or_insert(life) != life {
                return false;
            }
            self.ends[at] += 1;
        }
        true
    }

    fn sort(&mut self, keys: impl Iterator<Item = Option<MessageeId>>) {
        let keyed = (0..).zip(keys).filter_map(|(at, id)| Some((id?, at)));
        let mut keyed: Vec<(MessageeId, u32)> = keyed.collect();
        keyed.sort_unstable();
        for (end, (id, at)) in (1..).zip(keyed) {
            self.positions.push(at);
            if self.owners.last() == Some(&id) {
                self.ends.pop();
            } else {
                self.owners.push(id);
            }
            self.ends.push(end);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::{Identity, KeyKind};
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
        let mut keys = Keys::new(
            &Identity::new().expect("few managers are alive"),
            KeyKind::Messagee,
        );
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
        let mut keys = Keys::new(
            &Identity::new().expect("few managers are alive"),
            KeyKind::Messagee,
        );
        let old = keys.allocate();
        let other = MessageeId(keys.allocate());
        keys.release(old);
        let ids = [MessageeId(old), other, MessageeId(keys.allocate())];
        let letters = [2, 0, 1, 0, 2, 1].map(|at| Some(ids[at]));
        check(&letters, &ids, false);
        check(&letters[1..4], &ids, true);
    }

    #[test]
    fn so_it_does_when_the_ids_lie_far_apart() {
        let mut keys = Keys::new(
            &Identity::new().expect("few managers are alive"),
            KeyKind::Messagee,
        );
        let ids: Vec<MessageeId> = (0..5_000).map(|_| MessageeId(keys.allocate())).collect();
        let letters = [4_999, 0, 3_000, 0].map(|at| Some(ids[at]));
        check(&letters, &ids, false);
    }
}
