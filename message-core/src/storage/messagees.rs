//! The messagees of a manager, by index.
//!
//! A record holds the life that its place is in, or zero; an id is good when it has that life, so
//! one comparison tells stale, foreign and free apart from alive. Next to it, in the order of
//! hooking, where each of the messagee's components is stored.

use std::cell::Cell;

use smallvec::SmallVec;

use crate::address::MessageeId;
use crate::key::{Key, Life};
use crate::room::{Peak, Shrink};
use crate::storage::paged::Paged;

/// Where one component of a messagee is: component type and slot in that type's pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HookRef {
    pub(crate) component: u32,
    pub(crate) slot: u32,
}

#[derive(Debug, Default)]
pub(crate) struct Record {
    life: u32,
    /// Set when its despawning waits for the end of the outermost send.
    pub(crate) leaving: Cell<bool>,
    pub(crate) hooks: SmallVec<[HookRef; 4]>,
}

#[derive(Debug, Default)]
pub(crate) struct Messagees {
    records: Paged<Record>,
    /// The lives of the records once more, close together: for questions that no delivery follows.
    lives: Vec<Option<Life>>,
    alive: usize,
    most_alive: Peak,
    /// Where the highest place is that was taken since memory was given back.
    reach: Peak,
}

impl Messagees {
    #[inline]
    pub(crate) fn get(&self, id: MessageeId) -> Option<&Record> {
        match self.records.get(id.0.index()) {
            Some(record) if record.life == id.0.life_bits() => Some(record),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn is_alive(&self, id: MessageeId) -> bool {
        let life = self.lives.get(id.0.index()).copied().flatten();
        life.map_or(0, Life::bits) == id.0.life_bits()
    }

    pub(crate) fn get_mut(&mut self, id: MessageeId) -> Option<&mut Record> {
        let record = self.records.get_mut(id.0.index())?;
        (record.life == id.0.life_bits()).then_some(record)
    }

    /// The components of the messagee that is alive in that place.
    pub(super) fn hooks_at(&self, place: u32) -> Option<&[HookRef]> {
        let record = self.records.get(place as usize)?;
        Some(&record.hooks)
    }

    pub(super) fn hooks_at_mut(&mut self, place: u32) -> Option<&mut SmallVec<[HookRef; 4]>> {
        let record = self.records.get_mut(place as usize)?;
        Some(&mut record.hooks)
    }

    pub(crate) fn insert(&mut self, id: MessageeId) {
        let index = id.0.index();
        if index >= self.lives.len() {
            self.lives.resize(index + 1, None);
        }
        self.reach.note(index + 1);
        self.records.put(index).life = id.0.life_bits();
        self.lives[index] = Some(id.0.life());
        self.alive += 1;
    }

    pub(crate) fn remove(&mut self, id: MessageeId) {
        if let Some(record) = self.get_mut(id) {
            *record = Record::default();
            self.lives[id.0.index()] = None;
            self.most_alive.note(self.alive);
            self.alive -= 1;
        }
    }

    /// Gives back memory. How many were alive at once since the last time.
    pub(crate) fn shrink(&mut self, how: Shrink) -> usize {
        let needed = self.most_alive.take().max(self.alive);
        if self.records.is_due(how, needed) {
            self.records.give_back(how, |record| record.life != 0);
        }
        let reach = match how {
            Shrink::ToFit => 0,
            Shrink::Spikes => self.reach.take(),
        };
        if how.is_due(self.lives.capacity(), reach, size_of::<Option<Life>>()) {
            let last = self.lives.iter().rposition(Option::is_some);
            self.lives.truncate(last.map_or(0, |last| last + 1));
            how.room(&mut self.lives, reach);
        }
        needed
    }

    pub(crate) fn len(&self) -> usize {
        self.alive
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = MessageeId> {
        let lives = (0..).zip(&self.lives);
        lives.filter_map(|(place, life)| Some(MessageeId(Key::from_parts(place, (*life)?))))
    }
}
