//! The identity of a manager that goes on where a save stops.

use std::sync::{Arc, Mutex};

use crate::identity::{Begin, End, GENERATIONS, Identity, MOST_PLACES, Used, numbers};

impl Identity {
    /// As [`new`](Self::new), of a manager that can hold these generations of messagees and hooks,
    /// counted from where it begins. Where too few are left, it begins with the first one, at a place
    /// that no manager before it has used.
    pub(crate) fn holding(highest: [u16; 2]) -> Option<Arc<Self>> {
        let (number, mut begin, serial) = numbers().take()?;
        for (used, highest) in begin.keys.iter_mut().zip(highest) {
            if used.begin.generation + u32::from(highest) >= GENERATIONS {
                let place = used.end.place;
                *used = Used {
                    begin: Begin {
                        place,
                        generation: 0,
                    },
                    end: End {
                        place,
                        generation: 0,
                    },
                };
            }
            if used.begin.place > MOST_PLACES {
                numbers().give_back(number, begin);
                return None;
            }
        }
        Some(Arc::new(Self {
            number,
            serial,
            begin,
            ends: Mutex::new(begin.keys.map(|used| used.end)),
            post: begin.post.into(),
        }))
    }
}
