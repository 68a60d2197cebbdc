//! W4: the walk is the same no matter when the kind is known.

use super::handlers;
use super::world::World;
use crate::compare::{Size, Trial};
use crate::work::{self, Kind};

struct OneObject {
    world: World,
    order: Vec<Kind>,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    Box::new(OneObject {
        world: World::new(1),
        order: work::kinds(size.messages),
        passes: size.passes,
    })
}

impl Trial for OneObject {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &kind in &self.order {
                assert_eq!(handlers::send(&self.world, 0, kind), 1);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.world.checksum()
    }
}
