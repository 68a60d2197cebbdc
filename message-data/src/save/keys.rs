//! The keys of a manager: places and generations.

use message_core::internals::KeysState;
use serde::{Deserialize, Serialize};

/// The form of the state of keys.
#[derive(Serialize, Deserialize)]
#[serde(remote = "KeysState")]
pub(super) struct SavedKeys {
    generations: Vec<u16>,
    free: Vec<u32>,
}

/// Checks the places and returns which of them are free.
///
/// # Errors
///
/// Returns an error if a place does not exist, is free twice, or was never in use.
pub(super) fn check(keys: &KeysState, what: &str) -> Result<Vec<bool>, String> {
    if u32::try_from(keys.generations.len()).is_err() {
        return Err(format!("there are more than 2^32 places of {what}"));
    }
    let mut is_free = vec![false; keys.generations.len()];
    for &place in &keys.free {
        let at = place as usize;
        let Some(free) = is_free.get_mut(at) else {
            return Err(format!("there is no place {place} of {what} to be free"));
        };
        if std::mem::replace(free, true) {
            return Err(format!("place {place} of {what} is free twice"));
        }
        if keys.generations[at] == 0 {
            return Err(format!(
                "place {place} of {what} is free and was never in use"
            ));
        }
    }
    Ok(is_free)
}

/// Gives back a place that is in use, as if its owner had gone.
pub(super) fn release(keys: &mut KeysState, place: u32) {
    let generation = &mut keys.generations[place as usize];
    if let Some(next) = generation.checked_add(1) {
        *generation = next;
        keys.free.push(place);
    }
}
