//! W2: a send to everyone.

use std::hint::black_box;

use message_core::prelude::*;

use super::world::World;
use crate::compare::{Size, Trial};
use crate::work::{Ai, Position, Update};

#[handlers]
impl Position {
    #[on_receive]
    fn on_update(&mut self, update: &Update) {
        self.integrate(update.dt);
    }
}

#[handlers]
impl Ai {
    #[on_receive]
    fn on_update(&mut self, _: &Update) {
        self.step();
    }
}

struct Broadcasts {
    world: World,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    Box::new(Broadcasts {
        world: World::new(size.objects),
        passes: size.passes,
    })
}

impl Trial for Broadcasts {
    fn run(&mut self) {
        for _ in 0..self.passes {
            let update = Update {
                dt: black_box(0.01),
            };
            let receipt = self.world.manager.send(Everyone, update);
            let received = receipt.expect("everyone is there").received;
            assert_eq!(received, 2 * self.world.ids.len());
        }
    }

    fn checksum(&mut self) -> u64 {
        self.world.checksum()
    }
}
