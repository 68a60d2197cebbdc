//! hecs: it has no messages, so it is a bound rather than a peer.
//!
//! A sender calls the component's method. It reaches the component with `query_one_mut` where the world is
//! not shared, as the documentation recommends, and with `get` where one component is read while another
//! one is changed.
//!
//! Nothing can be delayed, kept, or heard by many, so there is no W5, W6 or W7. In W9 it does the same as
//! the others.

use std::hint::black_box;

use hecs::{Entity, World};

use crate::compare::{Contender, HOPS, Size, Trial, Workload};
use crate::work::{self, Ai, Checksum, Health, Kind, Pass, Position, Relay, Render, Sight, State};
use crate::work::{Update, small, with_kinds};

pub(super) fn contenders() -> Vec<Contender> {
    let one = Contender::new;
    let mut all = vec![
        one(
            Workload::W1,
            "peer hecs: query_one_mut, a bound",
            prepare_sends,
        ),
        one(
            Workload::W3Out,
            "peer hecs: get, a bound",
            prepare_from_outside,
        ),
        one(
            Workload::W3In,
            "peer hecs: get, a bound",
            prepare_from_inside,
        ),
        one(
            Workload::W4,
            "peer hecs: query_one_mut, a bound",
            prepare_one_object,
        ),
        one(
            Workload::W8,
            "peer hecs: query_one_mut, a bound",
            prepare_chains,
        ),
        one(
            Workload::W9,
            "peer hecs: despawn and spawn of a bundle",
            prepare_turnover,
        ),
    ];
    let broadcast = |workload| one(workload, "peer hecs: query_mut, a bound", prepare_loops);
    all.extend(Workload::W2.map(broadcast));
    all
}

/// Returns a world with a number of objects, and the objects by number.
fn world(objects: usize) -> (World, Vec<Entity>) {
    let mut world = World::new();
    let parts = |seed| {
        (
            Position::new(seed),
            Health::new(seed),
            Ai::new(seed),
            Render::new(seed),
        )
    };
    let entities = world.spawn_batch((0..small(objects)).map(parts)).collect();
    (world, entities)
}

/// Returns the checksum of all components.
fn checksum(world: &mut World, entities: &[Entity]) -> u64 {
    let mut sum = Checksum::new();
    for (number, &entity) in entities.iter().enumerate() {
        let all = world.query_one_mut::<(&Position, &Health, &Ai, &Render)>(entity);
        let (position, health, ai, render) = all.expect("it was spawned with them");
        sum.add(number, position);
        sum.add(number, health);
        sum.add(number, ai);
        sum.add(number, render);
    }
    sum.value()
}

macro_rules! touch {
    ($($kind:ident to $component:ident by $method:ident times $weight:literal,)*) => {
        #[inline]
        fn touch(world: &mut World, entity: Entity, kind: Kind) {
            match kind {
                $(Kind::$kind => {
                    let message = work::$kind { amount: 1.0 };
                    let component = world.query_one_mut::<&mut $component>(entity);
                    component.expect("it is alive").touch(message.amount * $weight);
                })*
            }
        }
    };
}
with_kinds!(touch);

struct Sends {
    world: World,
    entities: Vec<Entity>,
    order: Vec<(Entity, Kind)>,
    passes: usize,
}

fn prepare_sends(size: Size) -> Box<dyn Trial> {
    let (world, entities) = world(size.objects);
    let order = work::errands(size.objects).into_iter();
    let order = order.map(|(to, kind)| (entities[to as usize], kind));
    Box::new(Sends {
        world,
        order: order.collect(),
        entities,
        passes: size.passes,
    })
}

fn prepare_one_object(size: Size) -> Box<dyn Trial> {
    let (world, entities) = world(1);
    let order = work::kinds(size.messages).into_iter();
    Box::new(Sends {
        world,
        order: order.map(|kind| (entities[0], kind)).collect(),
        entities,
        passes: size.passes,
    })
}

impl Trial for Sends {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &(to, kind) in &self.order {
                touch(&mut self.world, to, kind);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        checksum(&mut self.world, &self.entities)
    }
}

struct Loops {
    world: World,
    entities: Vec<Entity>,
    passes: usize,
}

fn prepare_loops(size: Size) -> Box<dyn Trial> {
    let (world, entities) = world(size.objects);
    Box::new(Loops {
        world,
        entities,
        passes: size.passes,
    })
}

impl Trial for Loops {
    fn run(&mut self) {
        for _ in 0..self.passes {
            let update = Update {
                dt: black_box(0.01),
            };
            for position in self.world.query_mut::<&mut Position>() {
                position.integrate(update.dt);
            }
            for ai in self.world.query_mut::<&mut Ai>() {
                ai.step();
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        checksum(&mut self.world, &self.entities)
    }
}

struct FromOutside {
    world: World,
    entities: Vec<Entity>,
    order: Vec<Entity>,
    seen: Sight,
    passes: usize,
}

fn prepare_from_outside(size: Size) -> Box<dyn Trial> {
    let (world, entities) = world(size.objects);
    let order = work::walk(size.objects).into_iter();
    Box::new(FromOutside {
        world,
        order: order.map(|whom| entities[whom as usize]).collect(),
        entities,
        seen: Sight::default(),
        passes: size.passes,
    })
}

impl Trial for FromOutside {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &whom in &self.order {
                let health = self.world.get::<&Health>(whom);
                self.seen.see(health.expect("everyone has health").hp);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        checksum(&mut self.world, &self.entities).wrapping_add(self.seen.bits())
    }
}

struct Watcher {
    target: Entity,
    sight: Sight,
}

struct FromInside {
    world: World,
    entities: Vec<Entity>,
    order: Vec<Entity>,
    passes: usize,
}

fn prepare_from_inside(size: Size) -> Box<dyn Trial> {
    let mut world = World::new();
    let parts = |seed| (Position::new(seed), Health::new(seed), Render::new(seed));
    let bodies = world.spawn_batch((0..small(size.objects)).map(parts));
    let entities: Vec<Entity> = bodies.collect();
    for (&who, target) in entities.iter().zip(work::targets(size.objects)) {
        let watcher = Watcher {
            target: entities[target as usize],
            sight: Sight::default(),
        };
        let inserted = world.insert_one(who, watcher);
        inserted.expect("it was just spawned");
    }
    let order = work::walk(size.objects).into_iter();
    Box::new(FromInside {
        world,
        order: order.map(|who| entities[who as usize]).collect(),
        entities,
        passes: size.passes,
    })
}

impl Trial for FromInside {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &who in &self.order {
                let watcher = self.world.get::<&mut Watcher>(who);
                let mut watcher = watcher.expect("it was spawned with one");
                let health = self.world.get::<&Health>(watcher.target);
                watcher.sight.see(health.expect("everyone has health").hp);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        for (number, &entity) in self.entities.iter().enumerate() {
            let all = self
                .world
                .query_one_mut::<(&Position, &Health, &Render, &Watcher)>(entity);
            let (position, health, render, watcher) = all.expect("it was spawned with them");
            sum.add(number, position);
            sum.add(number, health);
            sum.add(number, render);
            sum.add(number, &watcher.sight);
        }
        sum.value()
    }
}

struct Hop {
    relay: Relay,
    next: Option<Entity>,
}

/// Releases this component before reaching the next one: a world lends out a component type only once.
fn pass(world: &mut World, to: Entity, message: &Pass) {
    let hop = world.query_one_mut::<&mut Hop>(to).expect("it is alive");
    let hops = hop.relay.pass(message.hops);
    if let Some(next) = hop.next {
        pass(world, next, &Pass { hops });
    }
}

struct Chains {
    world: World,
    heads: Vec<Entity>,
    passes: usize,
}

fn prepare_chains(size: Size) -> Box<dyn Trial> {
    let mut world = World::new();
    let chain = |_| {
        let relay = Relay::default();
        let mut head = world.spawn((Hop { relay, next: None },));
        for _ in 1..HOPS {
            let next = Some(head);
            head = world.spawn((Hop { relay, next },));
        }
        head
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
                pass(&mut self.world, head, &Pass { hops: 1 });
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        for (chain, &head) in self.heads.iter().enumerate() {
            let mut next = Some(head);
            for hop in 0..HOPS {
                let at = next.expect("a chain has that many hops");
                let here = self.world.get::<&Hop>(at).expect("it is alive");
                sum.add(chain * HOPS + hop, &here.relay);
                next = here.next;
            }
        }
        sum.value()
    }
}

struct Turnover {
    world: World,
    entities: Vec<Entity>,
    /// The numbers, shuffled.
    order: Vec<u32>,
    /// The number of objects created so far.
    born: u32,
    passes: usize,
}

fn prepare_turnover(size: Size) -> Box<dyn Trial> {
    let (world, entities) = world(size.objects);
    Box::new(Turnover {
        world,
        entities,
        order: work::walk(size.objects),
        born: small(size.objects),
        passes: size.passes,
    })
}

impl Trial for Turnover {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &number in &self.order {
                let despawned = self.world.despawn(self.entities[number as usize]);
                despawned.expect("it is alive");
            }
            for entity in &mut self.entities {
                let seed = self.born;
                *entity = self.world.spawn((
                    Position::new(seed),
                    Health::new(seed),
                    Ai::new(seed),
                    Render::new(seed),
                ));
                self.born += 1;
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        checksum(&mut self.world, &self.entities)
    }
}
