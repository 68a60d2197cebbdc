//! Which messagees came alive behind which retained messages.
//!
//! Who is alive when a message is sent to everyone is reached by it. To list them all with each such
//! message would cost as much as there are messagees; so those are noted that come alive later, as long as
//! a message is retained that was sent to everyone.

use crate::address::MessageeId;
use crate::room::Shrink;

/// For each place of a messagee, how many messages had been retained when it came alive: zero if that was
/// before all that count.
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

    /// How many messages had been retained when a messagee that is alive came alive.
    pub(super) fn of(&self, id: MessageeId) -> u64 {
        self.by_place.get(id.0.index()).copied().unwrap_or_default()
    }

    /// Nothing is retained any more that was sent to everyone.
    pub(super) fn clear(&mut self) {
        self.by_place.clear();
    }

    /// Gives back memory.
    pub(super) fn shrink(&mut self, how: Shrink) {
        how.room(&mut self.by_place, 0);
    }
}
