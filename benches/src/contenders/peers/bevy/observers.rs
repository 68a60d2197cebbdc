//! W7: observers of one event.

use std::hint::black_box;

use bevy_ecs::prelude::*;

use super::events::ToAll;
use crate::compare::{Size, Trial};
use crate::work::{Beat, Total};

struct Observers {
    world: World,
    total: Total,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let total = Total::default();
    let mut world = World::new();
    for number in 0..size.objects {
        let mut tally = total.tally(number);
        world.add_observer(move |beat: On<'_, '_, ToAll<Beat>>| tally.hear(&beat.0));
    }
    Box::new(Observers {
        world,
        total,
        passes: size.passes,
    })
}

impl Trial for Observers {
    fn run(&mut self) {
        for _ in 0..self.passes {
            self.world.trigger(ToAll(Beat(black_box(1))));
        }
    }

    fn checksum(&mut self) -> u64 {
        // Dropping the world drops the observers.
        self.world = World::new();
        self.total.checksum()
    }
}
