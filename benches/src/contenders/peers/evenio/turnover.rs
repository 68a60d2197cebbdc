//! W9: entities are despawned in shuffled order, and spawned again; components are inserted one by
//! one, because there are no bundles.

use super::world::Entities;
use crate::compare::{Size, Trial};
use crate::work::{self, Ai, Health, Position, Render, small};

struct Turnover {
    entities: Entities,
    /// The numbers, shuffled.
    order: Vec<u32>,
    /// The number of objects created so far.
    born: u32,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    Box::new(Turnover {
        entities: Entities::new(size.objects),
        order: work::walk(size.objects),
        born: small(size.objects),
        passes: size.passes,
    })
}

impl Trial for Turnover {
    fn run(&mut self) {
        let Entities { world, ids } = &mut self.entities;
        for _ in 0..self.passes {
            for &number in &self.order {
                world.despawn(ids[number as usize]);
            }
            for id in &mut *ids {
                let seed = self.born;
                *id = world.spawn();
                world.insert(*id, Position::new(seed));
                world.insert(*id, Health::new(seed));
                world.insert(*id, Ai::new(seed));
                world.insert(*id, Render::new(seed));
                self.born += 1;
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.entities.checksum()
    }
}
