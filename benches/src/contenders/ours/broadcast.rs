//! W2: a send to everyone, with handlers that take no context or a context.

use std::hint::black_box;

use message_core::Component;
use message_core::prelude::*;

use super::in_context::{Thinker, Walker};
use super::layouts;
use super::world::World;
use crate::compare::{Size, Trial};
use crate::work::{Advance, Ai, Position, State, Update};

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

/// Broadcasts to the two components that react, generic over their types.
struct Broadcasts<P, A, M> {
    world: World<P, A>,
    message: fn(f32) -> M,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    Box::new(Broadcasts::<Position, Ai, Update> {
        world: World::new(size.objects),
        message: |dt| Update { dt },
        passes: size.passes,
    })
}

pub(super) fn prepare_among_layouts(size: Size) -> Box<dyn Trial> {
    let mut world = World::new(size.objects);
    layouts::spawn_bystanders(&mut world.manager);
    Box::new(Broadcasts::<Position, Ai, Update> {
        world,
        message: |dt| Update { dt },
        passes: size.passes,
    })
}

pub(super) fn prepare_with_context(size: Size) -> Box<dyn Trial> {
    Box::new(Broadcasts::<Walker, Thinker, Advance> {
        world: World::new(size.objects),
        message: |dt| Advance { dt },
        passes: size.passes,
    })
}

impl<P, A, M> Trial for Broadcasts<P, A, M>
where
    P: Component + State + From<Position>,
    A: Component + State + From<Ai>,
    M: Message,
{
    fn run(&mut self) {
        for _ in 0..self.passes {
            let message = (self.message)(black_box(0.01));
            let receipt = self.world.manager.send(Everyone, message);
            let received = receipt.expect("everyone is there").received;
            assert_eq!(received as usize, 2 * self.world.ids.len());
        }
    }

    fn checksum(&mut self) -> u64 {
        self.world.checksum()
    }
}
