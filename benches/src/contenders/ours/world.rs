//! A manager with messagees of four components each.

use message_core::prelude::*;

use crate::work::{Ai, Checksum, Health, Position, Render, small};

pub(super) struct World {
    pub(super) manager: MessageManager,
    /// The objects, by number.
    pub(super) ids: Vec<MessageeId>,
}

impl World {
    pub(super) fn new(objects: usize) -> Self {
        let mut manager = MessageManager::new();
        let spawn = |seed| {
            manager.spawn((
                Position::new(seed),
                Health::new(seed),
                Ai::new(seed),
                Render::new(seed),
            ))
        };
        let ids = (0..small(objects)).map(spawn).collect();
        Self { manager, ids }
    }

    /// Adds the states of all components.
    pub(super) fn checksum(&self) -> u64 {
        let mut sum = Checksum::new();
        let there = "it was spawned with one";
        for (number, &id) in self.ids.iter().enumerate() {
            sum.add(number, &*self.manager.get::<Position>(id).expect(there));
            sum.add(number, &*self.manager.get::<Health>(id).expect(there));
            sum.add(number, &*self.manager.get::<Ai>(id).expect(there));
            sum.add(number, &*self.manager.get::<Render>(id).expect(there));
        }
        sum.value()
    }
}
