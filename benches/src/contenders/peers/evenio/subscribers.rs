//! W7: handlers of one global event. They are closures of one type, which a world accepts only once
//! unless its check of the type is disabled.

use std::hint::black_box;

use evenio::prelude::*;

use super::events::ToAll;
use crate::compare::{Size, Trial};
use crate::work::{Beat, Total};

struct Handlers {
    world: World,
    total: Total,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let total = Total::default();
    let mut world = World::new();
    for number in 0..size.objects {
        let mut tally = total.tally(number);
        let hear = move |beat: Receiver<'_, ToAll<Beat>>| tally.hear(&beat.event.0);
        world.add_handler(hear.no_type_id());
    }
    Box::new(Handlers {
        world,
        total,
        passes: size.passes,
    })
}

impl Trial for Handlers {
    fn run(&mut self) {
        for _ in 0..self.passes {
            self.world.send(ToAll(Beat(black_box(1))));
        }
    }

    fn checksum(&mut self) -> u64 {
        // Dropping the world drops the handlers.
        self.world = World::new();
        self.total.checksum()
    }
}
