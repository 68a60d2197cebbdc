//! W3: a request that is awaited, outside or through a future that a handler returns.

use actix::prelude::*;

use super::objects::{Actors, AddTo, Object, objects};
use super::running::Pending;
use crate::compare::{Size, Trial};
use crate::work::{self, GetHp, Health, Look, Position, Render, Sight, State};

struct FromOutside {
    objects: Actors<Object>,
    order: Vec<Addr<Object>>,
    seen: Sight,
    passes: usize,
}

pub(super) fn prepare_from_outside(size: Size) -> Box<dyn Trial> {
    let objects = objects(size.objects);
    let order = work::walk(size.objects).into_iter();
    let order = order.map(|whom| objects.addresses[whom as usize].clone());
    Box::new(FromOutside {
        order: order.collect(),
        objects,
        seen: Sight::default(),
        passes: size.passes,
    })
}

impl Trial for FromOutside {
    fn run(&mut self) {
        self.objects.system.block_on(async {
            for _ in 0..self.passes {
                for whom in &self.order {
                    let hp = whom.send(GetHp).await;
                    self.seen.see(hp.expect("it runs"));
                }
            }
        });
    }

    fn checksum(&mut self) -> u64 {
        self.objects.checksum().wrapping_add(self.seen.bits())
    }
}

/// An object that looks at another one, once it knows which.
struct Watcher {
    position: Position,
    health: Health,
    render: Render,
    target: Option<Addr<Watcher>>,
    sight: Sight,
    pending: Pending,
}

impl Actor for Watcher {
    type Context = Context<Self>;
}

struct LookAt(Addr<Watcher>);

impl Message for LookAt {
    type Result = ();
}

impl Handler<LookAt> for Watcher {
    type Result = ();

    fn handle(&mut self, message: LookAt, _: &mut Context<Self>) {
        self.target = Some(message.0);
        self.pending.handled();
    }
}

impl Handler<GetHp> for Watcher {
    type Result = f32;

    fn handle(&mut self, _: GetHp, _: &mut Context<Self>) -> f32 {
        self.health.hp
    }
}

impl Message for Look {
    type Result = ();
}

impl Handler<Look> for Watcher {
    type Result = ResponseActFuture<Self, ()>;

    fn handle(&mut self, _: Look, _: &mut Context<Self>) -> Self::Result {
        let target = self.target.as_ref().expect("the target was set");
        let request = target.send(GetHp).into_actor(self);
        Box::pin(request.map(|hp, this, _| {
            this.sight.see(hp.expect("it runs"));
            this.pending.handled();
        }))
    }
}

impl Handler<AddTo> for Watcher {
    type Result = MessageResult<AddTo>;

    fn handle(&mut self, message: AddTo, _: &mut Context<Self>) -> Self::Result {
        let AddTo(mut sum, number) = message;
        sum.add(number, &self.position);
        sum.add(number, &self.health);
        sum.add(number, &self.render);
        sum.add(number, &self.sight);
        MessageResult(sum)
    }
}

struct FromInside {
    watchers: Actors<Watcher>,
    order: Vec<Addr<Watcher>>,
    passes: usize,
}

pub(super) fn prepare_from_inside(size: Size) -> Box<dyn Trial> {
    let watchers = Actors::new(size.objects, |seed, pending| Watcher {
        position: Position::new(seed),
        health: Health::new(seed),
        render: Render::new(seed),
        target: None,
        sight: Sight::default(),
        pending: pending.clone(),
    });
    let all = &watchers.addresses;
    watchers.pending.sent(all.len());
    for (watcher, target) in all.iter().zip(work::targets(size.objects)) {
        watcher.do_send(LookAt(all[target as usize].clone()));
    }
    watchers.system.block_on(watchers.pending.none_left());
    let order = work::walk(size.objects).into_iter();
    Box::new(FromInside {
        order: order.map(|who| all[who as usize].clone()).collect(),
        watchers,
        passes: size.passes,
    })
}

impl Trial for FromInside {
    fn run(&mut self) {
        let pending = &self.watchers.pending;
        self.watchers.system.block_on(async {
            for _ in 0..self.passes {
                pending.sent(self.order.len());
                for who in &self.order {
                    who.do_send(Look);
                }
                pending.none_left().await;
            }
        });
    }

    fn checksum(&mut self) -> u64 {
        self.watchers.checksum()
    }
}
