//! W3: a request to an id, from outside and from a handler.

use message_core::prelude::*;

use super::setting::Setting;
use super::world::World;
use crate::compare::{Size, Trial};
use crate::work::{
    self, Checksum, FindHp, GetHp, Health, Look, Position, Render, Sight, State, small,
};

#[handlers]
impl Health {
    #[on_receive]
    fn on_get_hp(&self, _: &GetHp) -> f32 {
        self.hp
    }

    #[on_receive]
    fn on_find_hp(&self, _: &FindHp) -> f32 {
        self.hp
    }
}

#[handlers]
impl Position {
    /// The component precedes [`Health`] in every messagee, so it is asked first.
    #[on_receive]
    fn on_find_hp(&self, _: &FindHp) -> Option<f32> {
        self.find_hp()
    }
}

/// The requests of W3-out or W3-two.
struct FromOutside<const TWO: bool> {
    world: World,
    order: Vec<MessageeId>,
    seen: Sight,
    passes: usize,
}

pub(super) fn prepare_from_outside(size: Size, setting: Setting) -> Box<dyn Trial> {
    prepare_for::<false>(size, setting)
}

pub(super) fn prepare_two(size: Size) -> Box<dyn Trial> {
    prepare_for::<true>(size, Setting::Plain)
}

fn prepare_for<const TWO: bool>(size: Size, setting: Setting) -> Box<dyn Trial> {
    let world = World::set(setting, size.objects);
    let order = work::walk(size.objects).into_iter();
    Box::new(FromOutside::<TWO> {
        order: order.map(|whom| world.ids[whom as usize]).collect(),
        world,
        seen: Sight::default(),
        passes: size.passes,
    })
}

impl<const TWO: bool> Trial for FromOutside<TWO> {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &whom in &self.order {
                let hp = if TWO {
                    self.world.manager.request(whom, FindHp)
                } else {
                    self.world.manager.request(whom, GetHp)
                };
                self.seen.see(hp.expect("everyone has health"));
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.world.checksum().wrapping_add(self.seen.bits())
    }
}

/// A component that asks the messagee it looks at.
#[derive(Default)]
struct Watcher {
    target: Option<MessageeId>,
    sight: Sight,
}

#[handlers]
impl Watcher {
    #[on_receive]
    fn look(&mut self, _: &Look, cx: &mut Context<'_>) -> Result<(), SendError> {
        if let Some(target) = self.target {
            let hp = cx.request(target, GetHp)?;
            self.sight.see(hp);
        }
        Ok(())
    }
}

struct FromInside {
    manager: MessageManager,
    ids: Vec<MessageeId>,
    order: Vec<MessageeId>,
    passes: usize,
}

pub(super) fn prepare_from_inside(size: Size) -> Box<dyn Trial> {
    let mut manager = MessageManager::new();
    let spawn = |seed| {
        manager.spawn((
            Position::new(seed),
            Health::new(seed),
            Watcher::default(),
            Render::new(seed),
        ))
    };
    let ids: Vec<MessageeId> = (0..small(size.objects)).map(spawn).collect();
    for (&id, target) in ids.iter().zip(work::targets(size.objects)) {
        let watcher = manager.get_mut::<Watcher>(id);
        watcher.expect("it was spawned with one").target = Some(ids[target as usize]);
    }
    let order = work::walk(size.objects).into_iter();
    Box::new(FromInside {
        order: order.map(|who| ids[who as usize]).collect(),
        manager,
        ids,
        passes: size.passes,
    })
}

impl Trial for FromInside {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &who in &self.order {
                let receipt = self.manager.send(who, Look).expect("it is alive");
                assert_eq!(receipt.received, 1);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        let there = "it was spawned with one";
        for (number, &id) in self.ids.iter().enumerate() {
            sum.add(number, &*self.manager.get::<Position>(id).expect(there));
            sum.add(number, &*self.manager.get::<Health>(id).expect(there));
            sum.add(number, &*self.manager.get::<Render>(id).expect(there));
            sum.add(number, &self.manager.get::<Watcher>(id).expect(there).sight);
        }
        sum.value()
    }
}
