//! W1 and W4: an event for each kind, and an observer for each.

use bevy_ecs::prelude::*;

use super::events::ToOne;
use super::world::Entities;
use crate::compare::{Size, Trial};
use crate::work::{self, Ai, Health, Kind, Position, Render, with_kinds};

macro_rules! observers {
    ($($kind:ident to $component:ident by $method:ident times $weight:literal,)*) => {
        $(
            fn $method(
                event: On<'_, '_, ToOne<work::$kind>>,
                mut components: Query<'_, '_, &mut $component>,
            ) {
                let component = components.get_mut(event.entity);
                component.expect("it is alive").touch(event.message.amount * $weight);
            }
        )*

        fn add_observers(world: &mut World) {
            $(world.add_observer($method);)*
        }

        #[inline]
        fn send(world: &mut World, entity: Entity, kind: Kind) {
            match kind {
                $(Kind::$kind => {
                    let message = work::$kind { amount: 1.0 };
                    world.trigger(ToOne { entity, message });
                })*
            }
        }
    };
}
with_kinds!(observers);

struct Sends {
    entities: Entities,
    order: Vec<(Entity, Kind)>,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let mut entities = Entities::new(size.objects);
    add_observers(&mut entities.world);
    let order = work::errands(size.objects).into_iter();
    let order = order.map(|(to, kind)| (entities.ids[to as usize], kind));
    Box::new(Sends {
        order: order.collect(),
        entities,
        passes: size.passes,
    })
}

pub(super) fn prepare_one_object(size: Size) -> Box<dyn Trial> {
    let mut entities = Entities::new(1);
    add_observers(&mut entities.world);
    let order = work::kinds(size.messages).into_iter();
    Box::new(Sends {
        order: order.map(|kind| (entities.ids[0], kind)).collect(),
        entities,
        passes: size.passes,
    })
}

impl Trial for Sends {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &(to, kind) in &self.order {
                send(&mut self.entities.world, to, kind);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.entities.checksum()
    }
}
