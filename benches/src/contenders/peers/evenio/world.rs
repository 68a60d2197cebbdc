//! A world with entities of four components each.

use evenio::prelude::*;

use crate::work::{Ai, Checksum, Health, Position, Render, small};

pub(super) struct Entities {
    pub(super) world: World,
    /// The objects, by number.
    pub(super) ids: Vec<EntityId>,
}

impl Entities {
    pub(super) fn new(objects: usize) -> Self {
        let mut world = World::new();
        let spawn = |seed| {
            let id = world.spawn();
            world.insert(id, Position::new(seed));
            world.insert(id, Health::new(seed));
            world.insert(id, Ai::new(seed));
            world.insert(id, Render::new(seed));
            id
        };
        let ids = (0..small(objects)).map(spawn).collect();
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
