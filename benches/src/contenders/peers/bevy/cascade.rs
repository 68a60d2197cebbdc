//! W8: an observer that triggers on. Its triggers are commands, which run after it has returned.

use bevy_ecs::prelude::*;

use super::events::ToOne;
use crate::compare::{HOPS, Size, Trial};
use crate::work::{Checksum, Pass, Relay};

#[derive(Component)]
struct Hop {
    relay: Relay,
    next: Option<Entity>,
}

fn pass(
    pass: On<'_, '_, ToOne<Pass>>,
    mut relays: Query<'_, '_, &mut Hop>,
    mut commands: Commands<'_, '_>,
) {
    let mut here = relays.get_mut(pass.entity).expect("it is alive");
    let hops = here.relay.pass(pass.message.hops);
    if let Some(entity) = here.next {
        let message = Pass { hops };
        commands.trigger(ToOne { entity, message });
    }
}

struct Chains {
    world: World,
    heads: Vec<Entity>,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let mut world = World::new();
    world.add_observer(pass);
    let mut spawn = |next| {
        let relay = Relay::default();
        world.spawn(Hop { relay, next }).id()
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
            for &entity in &self.heads {
                let message = Pass { hops: 1 };
                self.world.trigger(ToOne { entity, message });
                // Runs the observers' triggers, and all triggers that these cause.
                self.world.flush();
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
