//! W8: handlers that send on.

use super::handler::Receiver;
use super::world::World;
use crate::compare::{HOPS, Size, Trial};
use crate::work::{Pass, Relay, State};

struct Hop {
    relay: Relay,
    next: Option<u32>,
}

impl Hop {
    fn pass(&mut self, pass: &Pass, world: &World) {
        let hops = self.relay.pass(pass.hops);
        if let Some(next) = self.next {
            assert_eq!(world.send(next, &Pass { hops }), 1);
        }
    }
}

impl State for Hop {
    fn bits(&self) -> u64 {
        self.relay.bits()
    }
}

struct Chains {
    world: World,
    heads: Vec<u32>,
    passes: usize,
}

/// Prepares chains whose objects are stored one after another, head first.
pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let mut world = World::default();
    let mut heads = Vec::new();
    for _ in 0..size.objects {
        for hop in 0..HOPS {
            let object = world.spawn();
            if hop == 0 {
                heads.push(object);
            }
            let next = (hop + 1 < HOPS).then_some(object + 1);
            let relay = Relay::default();
            world.hook(
                object,
                Receiver::new(Hop { relay, next }).handles(Hop::pass),
            );
        }
    }
    Box::new(Chains {
        world,
        heads,
        passes: size.passes,
    })
}

impl Trial for Chains {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &head in &self.heads {
                assert_eq!(self.world.send(head, &Pass { hops: 1 }), 1);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.world.checksum()
    }
}
