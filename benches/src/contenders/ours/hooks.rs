//! W9-fifth: an additional component for messagees that have four.

use message_core::HookId;
use message_core::prelude::*;

use super::world::World;
use crate::compare::{Size, Trial};
use crate::work::{self, Sight, State};

/// The fifth component.
struct Fifth(Sight);

#[derive(Message)]
struct Glance;

#[handlers]
impl Fifth {
    #[on_receive]
    fn on_glance(&mut self, _: &Glance) {
        self.0.looks += 1;
    }
}

struct Fifths {
    world: World,
    /// The numbers, shuffled.
    order: Vec<u32>,
    hooks: Vec<HookId>,
    /// The contents of the components when they were unhooked.
    kept: Sight,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    Box::new(Fifths {
        world: World::new(size.objects),
        order: work::walk(size.objects),
        hooks: Vec::with_capacity(size.objects),
        kept: Sight::default(),
        passes: size.passes,
    })
}

impl Trial for Fifths {
    fn run(&mut self) {
        let World { manager, ids, .. } = &mut self.world;
        for _ in 0..self.passes {
            for &number in &self.order {
                let hook = manager.hook(ids[number as usize], Fifth(Sight::of(number)));
                self.hooks.push(hook.expect("it is alive"));
            }
            for hook in self.hooks.drain(..) {
                let Fifth(sight) = manager.unhook(hook).expect("it was hooked");
                self.kept.join(sight);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.world.checksum().wrapping_add(self.kept.bits())
    }
}
