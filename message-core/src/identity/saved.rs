//! The identity of a manager that goes on where a save stops.

use std::sync::{Arc, Mutex};

use crate::identity::{Begin, End, GENERATIONS, Identity, KeyKind, MOST_PLACES, Used, numbers};

impl Identity {
    /// As [`new`](Self::new), of a manager that can hold these generations of messagees and hooks,
    /// counted from where it begins. Where too few are left, it begins with the first one, at a place
    /// that no manager before it has used.
    pub(crate) fn holding(highest: [u16; 2]) -> Option<Arc<Self>> {
        let (number, mut begin, serial) = numbers().take()?;
        for (used, highest) in begin.keys.iter_mut().zip(highest) {
            let Some(holding) = used.holding(highest) else {
                numbers().give_back(number, begin);
                return None;
            };
            *used = holding;
        }
        Some(Arc::new(Self {
            number,
            serial,
            begin,
            ends: Mutex::new(begin.keys.map(|used| used.end)),
            post: begin.post.into(),
        }))
    }

    /// A place of that kind, counted from where the manager began.
    pub(crate) fn place_since_start(&self, place: u32, kind: KeyKind) -> u32 {
        place - self.begin(kind).place
    }
}

impl Used {
    /// As it is, if it holds the generation, or behind all places that were used. `None` if there are no
    /// places left.
    fn holding(self, highest: u16) -> Option<Self> {
        if self.begin.generation + u32::from(highest) < GENERATIONS {
            return Some(self);
        }
        let (place, generation) = (self.end.place, 0);
        (place <= MOST_PLACES).then_some(Self {
            begin: Begin { place, generation },
            end: End { place, generation },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(generation: u32, place: u32) -> Used {
        Used {
            begin: Begin {
                place: 3,
                generation,
            },
            end: End { place, generation },
        }
    }

    #[test]
    fn a_manager_begins_behind_all_places_where_too_few_generations_are_left() {
        let early = used(16, 9);
        assert_eq!(early.holding(100), Some(early));
        assert_eq!(early.holding(u16::MAX - 16), Some(early));
        let behind = Begin {
            place: 9,
            generation: 0,
        };
        let moved = early.holding(u16::MAX - 15).map(|used| used.begin);
        assert_eq!(moved, Some(behind));
        assert_eq!(used(1, MOST_PLACES + 1).holding(u16::MAX), None);
    }
}
