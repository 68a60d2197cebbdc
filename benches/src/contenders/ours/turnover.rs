//! W9: all messagees are despawned in shuffled order, and spawned again.

use super::world::World;
use crate::compare::{Size, Trial};
use crate::work::{self, Ai, Health, Position, Render, small};

struct Turnover {
    world: World,
    /// The numbers, shuffled.
    order: Vec<u32>,
    /// The number of objects created so far.
    born: u32,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    Box::new(Turnover {
        world: World::new(size.objects),
        order: work::walk(size.objects),
        born: small(size.objects),
        passes: size.passes,
    })
}

impl Trial for Turnover {
    fn run(&mut self) {
        let World { manager, ids, .. } = &mut self.world;
        for _ in 0..self.passes {
            for &number in &self.order {
                let despawned = manager.despawn(ids[number as usize]);
                despawned.expect("it is alive");
            }
            for id in &mut *ids {
                let seed = self.born;
                *id = manager.spawn((
                    Position::new(seed),
                    Health::new(seed),
                    Ai::new(seed),
                    Render::new(seed),
                ));
                self.born += 1;
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.world.checksum()
    }
}
