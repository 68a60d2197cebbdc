//! The keys of a manager: places and generations.

use message_core::MessageeId;
use message_core::internals::{IdKeys, Key, Keyed as _, Keys, ManagerNumber};
use serde::{Deserialize, Serialize};

/// The state of the keys of one kind.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct SavedKeys {
    /// The generation of each place.
    pub(super) generations: Vec<u16>,
    /// The places that are free. The last one is handed out first.
    free: Vec<u32>,
}

impl SavedKeys {
    pub(super) fn of(keys: &Keys) -> Self {
        let generations = (0..keys.places).map(|place| keys.generation(place));
        Self {
            generations: generations.collect(),
            free: keys.free.clone(),
        }
    }

    /// Lets others have the same keys again: those of places in use, in this order.
    pub(super) fn offer(&mut self, places: impl DoubleEndedIterator<Item = u32>) {
        self.free.extend(places.rev());
        // A place that was never used before is offered next anyway.
        let is_fresh = |(at, &place): (usize, &u32)| {
            let from_last = self.generations.len() - self.free.len();
            place as usize == from_last + at && self.generations[place as usize] == 0
        };
        if self.free.iter().rev().enumerate().all(is_fresh) {
            let used = self.generations.len() - self.free.len();
            self.generations.truncate(used);
            self.free.clear();
        }
    }

    /// Adds a place in use.
    pub(super) fn add(&mut self) -> u32 {
        self.generations.push(0);
        u32::try_from(self.generations.len() - 1).expect("a save has less than 2^32 listeners")
    }

    /// Returns the key of a place in use, which must have been [checked](Self::check).
    pub(super) fn key(&self, manager: ManagerNumber, place: u32) -> Key {
        manager.key(self.generations[place as usize], place)
    }

    /// Replaces the state of keys. The places must have been [checked](Self::check).
    pub(super) fn restore(self, keys: &mut Keys) {
        let places = u32::try_from(self.generations.len());
        keys.places = places.expect("the places of keys are checked");
        (keys.generations, keys.free) = (self.generations, self.free);
        // Places that were never freed need no generation.
        let used = keys.generations.iter().rposition(|&it| it > 0);
        keys.generations.truncate(used.map_or(0, |last| last + 1));
        keys.shrink_to_fit();
    }

    /// Checks the places and returns which of them are free.
    ///
    /// # Errors
    ///
    /// Returns an error if a place does not exist, or is free twice.
    pub(super) fn check(&self, what: &str) -> Result<Vec<bool>, String> {
        if u32::try_from(self.generations.len()).is_err() {
            return Err(format!("there are more than 2^32 slots of {what}"));
        }
        let mut is_free = vec![false; self.generations.len()];
        for &place in &self.free {
            let at = place as usize;
            let Some(free) = is_free.get_mut(at) else {
                return Err(format!(
                    "slot {place} of {what} is free, but does not exist"
                ));
            };
            if std::mem::replace(free, true) {
                return Err(format!("slot {place} of {what} is free twice"));
            }
        }
        Ok(is_free)
    }

    /// Gives back a place that is in use, as if its owner had gone.
    pub(super) fn release(&mut self, place: u32) {
        let generation = &mut self.generations[place as usize];
        if let Some(next) = generation.checked_add(1) {
            *generation = next;
            self.free.push(place);
        }
    }
}

/// Returns the messagee that was given out last of a place, if there was one.
pub(super) fn messagee_at(keys: &IdKeys, place: u32) -> Option<MessageeId> {
    let current = keys.messagees.borrow().current(place);
    current.map(MessageeId::of_key)
}
