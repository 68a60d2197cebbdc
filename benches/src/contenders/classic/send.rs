//! W1: asks every handler of the object. W2: asks every handler of all objects.

use std::hint::black_box;

use super::handlers;
use super::world::World;
use crate::compare::{Size, Trial};
use crate::work::{self, Kind, Update};

struct Sends {
    world: World,
    order: Vec<(u32, Kind)>,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    Box::new(Sends {
        world: World::new(size.objects),
        order: work::errands(size.objects),
        passes: size.passes,
    })
}

impl Trial for Sends {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &(to, kind) in &self.order {
                assert_eq!(handlers::send(&self.world, to, kind), 1);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.world.checksum()
    }
}

struct Broadcasts {
    world: World,
    objects: usize,
    passes: usize,
}

pub(super) fn prepare_broadcast(size: Size) -> Box<dyn Trial> {
    Box::new(Broadcasts {
        world: World::new(size.objects),
        objects: size.objects,
        passes: size.passes,
    })
}

impl Trial for Broadcasts {
    fn run(&mut self) {
        for _ in 0..self.passes {
            let update = Update {
                dt: black_box(0.01),
            };
            assert_eq!(self.world.broadcast(&update), 2 * self.objects);
        }
    }

    fn checksum(&mut self) -> u64 {
        self.world.checksum()
    }
}
