//! W2: a global event, and an observer for each type of component that reacts.

use std::hint::black_box;

use bevy_ecs::prelude::*;

use super::events::ToAll;
use super::world::Entities;
use crate::compare::{Size, Trial};
use crate::work::{Ai, Position, Update};

fn integrate(update: On<'_, '_, ToAll<Update>>, mut positions: Query<'_, '_, &mut Position>) {
    for mut position in &mut positions {
        position.integrate(update.0.dt);
    }
}

fn step(_: On<'_, '_, ToAll<Update>>, mut ais: Query<'_, '_, &mut Ai>) {
    for mut ai in &mut ais {
        ai.step();
    }
}

struct Broadcasts {
    entities: Entities,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let mut entities = Entities::new(size.objects);
    entities.world.add_observer(integrate);
    entities.world.add_observer(step);
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
            self.entities.world.trigger(ToAll(update));
        }
    }

    fn checksum(&mut self) -> u64 {
        self.entities.checksum()
    }
}
