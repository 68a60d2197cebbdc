//! The keys of a manager: places and generations.

use serde::{Deserialize, Serialize};

use crate::key::Keys;

/// All that decides which keys are handed out next.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SavedKeys {
    /// The generation that each place is in, or will be in when it is handed out again.
    pub(super) generations: Vec<u16>,
    /// The places that are handed out again, the last one first.
    pub(super) free: Vec<u32>,
}

impl SavedKeys {
    /// Checks the places and returns which of them are free.
    ///
    /// # Errors
    ///
    /// Returns an error if a place does not exist, is free twice, or was never in use.
    pub(super) fn check(&self, what: &str) -> Result<Vec<bool>, String> {
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
    pub(super) fn release(&mut self, place: u32) {
        let generation = &mut self.generations[place as usize];
        if let Some(next) = generation.checked_add(1) {
            *generation = next;
            self.free.push(place);
        }
    }

    pub(super) fn of(keys: &Keys) -> Self {
        Self {
            generations: (0..keys.places).map(|at| keys.generation(at)).collect(),
            free: keys.free.clone(),
        }
    }

    /// Lets keys go on where the manager that was saved stopped. They have handed out nothing yet.
    pub(super) fn restore(&self, keys: &mut Keys) {
        let places = u32::try_from(self.generations.len());
        keys.places = places.expect("more than 2^32 ids in use");
        // Those that have never come back take nothing.
        let used = self.generations.iter().rposition(|&it| it > 0);
        keys.generations = self.generations[..used.map_or(0, |last| last + 1)].to_vec();
        keys.free.clone_from(&self.free);
    }
}
