//! W9: entities are despawned in shuffled order, and spawned again with a bundle of four components.

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
                assert!(world.despawn(ids[number as usize]), "it is alive");
            }
            for id in &mut *ids {
                let seed = self.born;
                let bundle = (
                    Position::new(seed),
                    Health::new(seed),
                    Ai::new(seed),
                    Render::new(seed),
                );
                *id = world.spawn(bundle).id();
                self.born += 1;
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.entities.checksum()
    }
}
