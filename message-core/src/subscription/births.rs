//! Records which messagees came alive after which retained messages.
//!
//! A message to everyone reaches all messagees that are alive. Listing them with each such message would cost time
//! proportional to their number. Instead, the messagees that come alive later are noted, as long as a message to
//! everyone is retained.

use crate::address::MessageeId;

/// For each messagee's place, how many messages had been retained when the messagee came alive. Zero if it came
/// alive before all messages that matter.
#[derive(Default)]
pub(super) struct Births {
    by_place: Vec<u64>,
}

impl Births {
    pub(super) fn note(&mut self, id: MessageeId, retained: u64) {
        let place = id.0.index();
        if place >= self.by_place.len() {
            self.by_place.resize(place + 1, 0);
        }
        self.by_place[place] = retained;
    }

    /// Returns how many messages had been retained when a living messagee came alive.
    pub(super) fn of(&self, id: MessageeId) -> u64 {
        self.by_place.get(id.0.index()).copied().unwrap_or_default()
    }

    /// Forgets everything, once no message to everyone is retained any more.
    pub(super) fn clear(&mut self) {
        self.by_place.clear();
    }

    pub(super) fn shrink_to_fit(&mut self) {
        self.by_place.shrink_to_fit();
    }
}
