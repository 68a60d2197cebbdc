//! What a subscriber of the row W7 keeps.

use std::sync::{Arc, Mutex, PoisonError};

use super::{Beat, Checksum};

/// What one subscriber has heard. When it goes, its sum goes into the [`Total`]: a closure cannot be
/// asked for what it holds.
#[derive(Debug)]
pub struct Tally {
    number: usize,
    sum: u64,
    total: Total,
}

/// What all subscribers that are gone have heard.
#[derive(Clone, Debug, Default)]
pub struct Total(Arc<Mutex<Checksum>>);

impl Total {
    /// The tally of the subscriber with this number.
    #[must_use]
    pub fn tally(&self, number: usize) -> Tally {
        Tally {
            number,
            sum: 0,
            total: self.clone(),
        }
    }

    /// The checksum over those who are gone.
    #[must_use]
    pub fn checksum(&self) -> u64 {
        let sum = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        sum.value()
    }
}

impl Tally {
    /// Adds up.
    #[inline]
    pub fn hear(&mut self, beat: &Beat) {
        self.sum += beat.0;
    }
}

impl Drop for Tally {
    fn drop(&mut self) {
        let mut total = self.total.0.lock().unwrap_or_else(PoisonError::into_inner);
        total.add(self.number, &self.sum);
    }
}
