//! W2: a global event, and a handler for each type of component that reacts.

use std::hint::black_box;

use evenio::prelude::*;

use super::events::ToAll;
use super::world::Entities;
use crate::compare::{Size, Trial};
use crate::work::{Ai, Position, Update};

fn integrate(update: Receiver<'_, ToAll<Update>>, positions: Fetcher<'_, &mut Position>) {
    for position in positions {
        position.integrate(update.event.0.dt);
    }
}

fn step(_: Receiver<'_, ToAll<Update>>, ais: Fetcher<'_, &mut Ai>) {
    for ai in ais {
        ai.step();
    }
}

struct Broadcasts {
    entities: Entities,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let mut entities = Entities::new(size.objects);
    entities.world.add_handler(integrate);
    entities.world.add_handler(step);
    Box::new(Broadcasts {
        entities,
        passes: size.passes,
    })
}

impl Trial for Broadcasts {
    fn run(&mut self) {
        for _ in 0..self.passes {
            let update = Update {
                dt: black_box(0.01),
            };
            self.entities.world.send(ToAll(update));
        }
    }

    fn checksum(&mut self) -> u64 {
        self.entities.checksum()
    }
}
