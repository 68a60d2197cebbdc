//! W4: the sender knows the kind only at run time, and looks up what to send.

use message_core::prelude::*;

use super::send::send;
use super::world::World;
use crate::compare::{Size, Trial};
use crate::work::{self, Kind};

struct OneObject {
    world: World,
    id: MessageeId,
    order: Vec<Kind>,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let world = World::new(1);
    Box::new(OneObject {
        id: world.ids[0],
        world,
        order: work::kinds(size.messages),
        passes: size.passes,
    })
}

impl Trial for OneObject {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &kind in &self.order {
                send(&mut self.world.manager, self.id, kind);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.world.checksum()
    }
}
