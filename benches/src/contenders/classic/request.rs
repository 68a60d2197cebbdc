//! W3: a message that carries the place for its answer.

use super::handler::Receiver;
use super::handlers::{self, AskHp};
use super::world::World;
use crate::compare::{Size, Trial};
use crate::work::{self, Look, Sight, State, small};

/// Asks one object.
#[inline]
fn ask(world: &World, whom: u32) -> f32 {
    let ask = AskHp::default();
    assert_eq!(world.send(whom, &ask), 1);
    ask.answer.get().expect("somebody has received it")
}

struct FromOutside {
    world: World,
    order: Vec<u32>,
    seen: Sight,
    passes: usize,
}

pub(super) fn prepare_from_outside(size: Size) -> Box<dyn Trial> {
    Box::new(FromOutside {
        world: World::new(size.objects),
        order: work::walk(size.objects),
        seen: Sight::default(),
        passes: size.passes,
    })
}

impl Trial for FromOutside {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &whom in &self.order {
                self.seen.see(ask(&self.world, whom));
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.world.checksum().wrapping_add(self.seen.bits())
    }
}

/// A component that asks the object it looks at.
struct Watcher {
    target: u32,
    sight: Sight,
}

impl State for Watcher {
    fn bits(&self) -> u64 {
        self.sight.bits()
    }
}

struct FromInside {
    world: World,
    order: Vec<u32>,
    passes: usize,
}

pub(super) fn prepare_from_inside(size: Size) -> Box<dyn Trial> {
    let look = |it: &mut Watcher, _: &Look, world: &World| it.sight.see(ask(world, it.target));
    let mut world = World::default();
    for (seed, target) in (0..small(size.objects)).zip(work::targets(size.objects)) {
        let sight = Sight::default();
        let object = world.spawn();
        world.hook(object, handlers::position(seed));
        world.hook(object, handlers::health(seed));
        world.hook(
            object,
            Receiver::new(Watcher { target, sight }).handles(look),
        );
        world.hook(object, handlers::render(seed));
    }
    Box::new(FromInside {
        world,
        order: work::walk(size.objects),
        passes: size.passes,
    })
}

impl Trial for FromInside {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &who in &self.order {
                assert_eq!(self.world.send(who, &Look), 1);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.world.checksum()
    }
}
