//! W3: from outside, the event carries the place for its reply; from a handler, which cannot send
//! immediately, the reply is an event to the requester.

use evenio::prelude::*;

use super::events::ToOne;
use super::world::Entities;
use crate::compare::{Size, Trial};
use crate::work::{self, Checksum, Health, Look, Position, Render, Sight, State, small};

#[derive(TargetedEvent)]
struct GetHp<'a> {
    reply: &'a mut Option<f32>,
}

fn on_get_hp(request: ReceiverMut<'_, GetHp<'_>, &Health>) {
    let mut event = request.event;
    *event.reply = Some(request.query.hp);
}

struct FromOutside {
    entities: Entities,
    order: Vec<EntityId>,
    seen: Sight,
    passes: usize,
}

pub(super) fn prepare_from_outside(size: Size) -> Box<dyn Trial> {
    let mut entities = Entities::new(size.objects);
    entities.world.add_handler(on_get_hp);
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
            for &whom in &self.order {
                let mut hp = None;
                let request = GetHp { reply: &mut hp };
                self.entities.world.send_to(whom, request);
                self.seen.see(hp.expect("everyone has health"));
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.entities.checksum().wrapping_add(self.seen.bits())
    }
}

#[derive(Component)]
struct Watcher {
    target: EntityId,
    sight: Sight,
}

#[derive(TargetedEvent)]
struct AskHp {
    asker: EntityId,
}

#[derive(TargetedEvent)]
struct TellHp {
    hp: f32,
}

fn look(look: Receiver<'_, ToOne<Look>, (EntityId, &Watcher)>, mut sender: Sender<'_, AskHp>) {
    let (asker, watcher) = look.query;
    sender.send_to(watcher.target, AskHp { asker });
}

fn answer(request: Receiver<'_, AskHp, &Health>, mut sender: Sender<'_, TellHp>) {
    let hp = request.query.hp;
    sender.send_to(request.event.asker, TellHp { hp });
}

fn see(reply: Receiver<'_, TellHp, &mut Watcher>) {
    reply.query.sight.see(reply.event.hp);
}

struct FromInside {
    world: World,
    ids: Vec<EntityId>,
    order: Vec<EntityId>,
    passes: usize,
}

pub(super) fn prepare_from_inside(size: Size) -> Box<dyn Trial> {
    let mut world = World::new();
    world.add_handler(look);
    world.add_handler(answer);
    world.add_handler(see);
    let ids: Vec<EntityId> = (0..size.objects).map(|_| world.spawn()).collect();
    let targets = work::targets(size.objects);
    for ((seed, &id), target) in (0..small(size.objects)).zip(&ids).zip(targets) {
        world.insert(id, Position::new(seed));
        world.insert(id, Health::new(seed));
        world.insert(id, Render::new(seed));
        let watcher = Watcher {
            target: ids[target as usize],
            sight: Sight::default(),
        };
        world.insert(id, watcher);
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
            for &who in &self.order {
                self.world.send_to(who, ToOne(Look));
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
