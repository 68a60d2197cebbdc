//! W3: from outside, the event has a place for its reply, which is read after its observers have run.
//! From an observer, which can only trigger later, the reply is an event to the requester.

use bevy_ecs::prelude::*;

use super::events::ToOne;
use super::world::Entities;
use crate::compare::{Size, Trial};
use crate::work::{self, Checksum, Health, Look, Position, Render, Sight, State, small};

#[derive(EntityEvent)]
struct GetHp {
    entity: Entity,
    reply: Option<f32>,
}

fn on_get_hp(mut request: On<'_, '_, GetHp>, healths: Query<'_, '_, &Health>) {
    let health = healths.get(request.entity);
    request.reply = health.ok().map(|health| health.hp);
}

struct FromOutside {
    entities: Entities,
    order: Vec<Entity>,
    seen: Sight,
    passes: usize,
}

pub(super) fn prepare_from_outside(size: Size) -> Box<dyn Trial> {
    let mut entities = Entities::new(size.objects);
    entities.world.add_observer(on_get_hp);
    let order = work::walk(size.objects).into_iter();
    Box::new(FromOutside {
        order: order.map(|whom| entities.ids[whom as usize]).collect(),
        entities,
        seen: Sight::default(),
        passes: size.passes,
    })
}

impl Trial for FromOutside {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &entity in &self.order {
                let mut request = GetHp {
                    entity,
                    reply: None,
                };
                self.entities.world.trigger_ref(&mut request);
                self.seen.see(request.reply.expect("everyone has health"));
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.entities.checksum().wrapping_add(self.seen.bits())
    }
}

#[derive(Component)]
struct Watcher {
    target: Entity,
    sight: Sight,
}

#[derive(EntityEvent)]
struct AskHp {
    entity: Entity,
    asker: Entity,
}

#[derive(EntityEvent)]
struct TellHp {
    entity: Entity,
    hp: f32,
}

fn look(
    look: On<'_, '_, ToOne<Look>>,
    watchers: Query<'_, '_, &Watcher>,
    mut commands: Commands<'_, '_>,
) {
    let asker = look.entity;
    let entity = watchers.get(asker).expect("it is alive").target;
    commands.trigger(AskHp { entity, asker });
}

fn answer(
    request: On<'_, '_, AskHp>,
    healths: Query<'_, '_, &Health>,
    mut commands: Commands<'_, '_>,
) {
    let entity = request.asker;
    let hp = healths.get(request.entity).expect("it is alive").hp;
    commands.trigger(TellHp { entity, hp });
}

fn see(reply: On<'_, '_, TellHp>, mut watchers: Query<'_, '_, &mut Watcher>) {
    let watcher = watchers.get_mut(reply.entity);
    watcher.expect("it is alive").sight.see(reply.hp);
}

struct FromInside {
    world: World,
    ids: Vec<Entity>,
    order: Vec<Entity>,
    passes: usize,
}

pub(super) fn prepare_from_inside(size: Size) -> Box<dyn Trial> {
    let mut world = World::new();
    world.add_observer(look);
    world.add_observer(answer);
    world.add_observer(see);
    let parts = |seed| (Position::new(seed), Health::new(seed), Render::new(seed));
    let bodies = world.spawn_batch((0..small(size.objects)).map(parts));
    let ids: Vec<Entity> = bodies.collect();
    for (&id, target) in ids.iter().zip(work::targets(size.objects)) {
        world.entity_mut(id).insert(Watcher {
            target: ids[target as usize],
            sight: Sight::default(),
        });
    }
    let order = work::walk(size.objects).into_iter();
    Box::new(FromInside {
        world,
        order: order.map(|who| ids[who as usize]).collect(),
        ids,
        passes: size.passes,
    })
}

impl Trial for FromInside {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &entity in &self.order {
                let message = Look;
                self.world.trigger(ToOne { entity, message });
                // Runs the observers' triggers.
                self.world.flush();
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        let there = "it was spawned with one";
        for (number, &id) in self.ids.iter().enumerate() {
            sum.add(number, self.world.get::<Position>(id).expect(there));
            sum.add(number, self.world.get::<Health>(id).expect(there));
            sum.add(number, self.world.get::<Render>(id).expect(there));
            let watcher = self.world.get::<Watcher>(id).expect(there);
            sum.add(number, &watcher.sight);
        }
        sum.value()
    }
}
