//! W8: a handler that sends on. Its sends are queued, and delivered after it has returned.

use evenio::prelude::*;

use super::events::ToOne;
use crate::compare::{HOPS, Size, Trial};
use crate::work::{Checksum, Pass, Relay};

#[derive(Component)]
struct Hop {
    relay: Relay,
    next: Option<EntityId>,
}

fn pass(pass: Receiver<'_, ToOne<Pass>, &mut Hop>, mut sender: Sender<'_, ToOne<Pass>>) {
    let hops = pass.query.relay.pass(pass.event.0.hops);
    if let Some(next) = pass.query.next {
        sender.send_to(next, ToOne(Pass { hops }));
    }
}

struct Chains {
    world: World,
    heads: Vec<EntityId>,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let mut world = World::new();
    world.add_handler(pass);
    let mut spawn = |next| {
        let id = world.spawn();
        let relay = Relay::default();
        world.insert(id, Hop { relay, next });
        id
    };
    let chain = |_| {
        let end = spawn(None);
        (1..HOPS).fold(end, |next, _| spawn(Some(next)))
    };
    let heads = (0..size.objects).map(chain).collect();
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
                self.world.send_to(head, ToOne(Pass { hops: 1 }));
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        for (chain, &head) in self.heads.iter().enumerate() {
            let mut next = Some(head);
            for hop in 0..HOPS {
                let at = next.expect("a chain has that many hops");
                let here = self.world.get::<Hop>(at).expect("it is alive");
                sum.add(chain * HOPS + hop, &here.relay);
                next = here.next;
            }
        }
        sum.value()
    }
}
