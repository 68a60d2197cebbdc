//! A world with entities of four components each.

use bevy_ecs::prelude::*;

use crate::work::{Ai, Checksum, Health, Position, Render, small};

pub(super) struct Entities {
    pub(super) world: World,
    /// The objects, by number.
    pub(super) ids: Vec<Entity>,
}

impl Entities {
    pub(super) fn new(objects: usize) -> Self {
        let mut world = World::new();
        let parts = |seed| {
            (
                Position::new(seed),
                Health::new(seed),
                Ai::new(seed),
                Render::new(seed),
            )
        };
        let ids = world.spawn_batch((0..small(objects)).map(parts)).collect();
        Self { world, ids }
    }

    /// Returns the checksum of all components.
    pub(super) fn checksum(&self) -> u64 {
        let mut sum = Checksum::new();
        let there = "it was spawned with one";
        for (number, &id) in self.ids.iter().enumerate() {
            sum.add(number, self.world.get::<Position>(id).expect(there));
            sum.add(number, self.world.get::<Health>(id).expect(there));
            sum.add(number, self.world.get::<Ai>(id).expect(there));
            sum.add(number, self.world.get::<Render>(id).expect(there));
        }
        sum.value()
    }
}
