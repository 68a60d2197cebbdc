//! The keys of a manager in a save: places and generations, counted from where the manager began.

use serde::{Deserialize, Serialize};

use crate::key::{Key, Keys};

/// All that decides which keys are handed out next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SavedKeys {
    /// The generation that each place is in, or will be in when it is handed out again.
    pub(crate) generations: Vec<u16>,
    /// The places that are handed out again, the last one first.
    pub(crate) free: Vec<u32>,
}

impl SavedKeys {
    /// The highest generation.
    pub(crate) fn highest(&self) -> u16 {
        self.generations.iter().copied().max().unwrap_or(0)
    }

    /// Which places are free.
    ///
    /// # Errors
    ///
    /// A place that is not there, or is free twice, or was never in use.
    pub(crate) fn check(&self, what: &str) -> Result<Vec<bool>, String> {
        if u32::try_from(self.generations.len()).is_err() {
            return Err(format!("there are more than 2^32 places of {what}"));
        }
        let mut is_free = vec![false; self.generations.len()];
        for &place in &self.free {
            let at = place as usize;
            let Some(free) = is_free.get_mut(at) else {
                return Err(format!("there is no place {place} of {what} to be free"));
            };
            if std::mem::replace(free, true) {
                return Err(format!("place {place} of {what} is free twice"));
            }
            if self.generations[at] == 0 {
                return Err(format!(
                    "place {place} of {what} is free and was never in use"
                ));
            }
        }
        Ok(is_free)
    }

    /// Gives back a place that is in use, as if its owner had gone.
    pub(crate) fn release(&mut self, place: u32) {
        let generation = &mut self.generations[place as usize];
        if let Some(next) = generation.checked_add(1) {
            *generation = next;
            self.free.push(place);
        }
    }
}

impl Keys {
    pub(crate) fn saved(&self) -> SavedKeys {
        let begin = self.identity.begin(self.kind).place;
        let own = begin..self.places;
        SavedKeys {
            generations: own
                .map(|place| self.generation(place) - self.first)
                .collect(),
            free: self.free.iter().map(|place| place - begin).collect(),
        }
    }

    /// Goes on where the manager that was saved stopped. It has handed out nothing yet, and its
    /// identity can hold the highest generation.
    pub(crate) fn restore(&mut self, saved: &SavedKeys) {
        let begin = self.identity.begin(self.kind).place;
        let first = self.first;
        let places = u32::try_from(saved.generations.len()).ok();
        let places = places.and_then(|places| begin.checked_add(places));
        self.places = places.expect("more than 2^32 ids in use");
        // Those that have never come back take nothing.
        let last = saved
            .generations
            .iter()
            .rposition(|&generation| generation > 0);
        if let Some(last) = last {
            let generations = saved.generations[..=last].iter();
            self.generations.resize(begin as usize, first);
            self.generations
                .extend(generations.map(|generation| first.saturating_add(*generation)));
        }
        self.free = saved.free.iter().map(|place| place + begin).collect();
    }

    /// The key of a place that is in use, counted from where the manager began.
    pub(crate) fn at(&self, place: u32) -> Option<Key> {
        self.current(self.identity.begin(self.kind).place.checked_add(place)?)
    }
}
