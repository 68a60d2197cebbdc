//! W1 and W4: a targeted event for each kind.

use evenio::prelude::*;

use super::events::ToOne;
use super::world::Entities;
use crate::compare::{Size, Trial};
use crate::work::{self, Ai, Health, Kind, Position, Render, with_kinds};

macro_rules! handlers {
    ($($kind:ident to $component:ident by $method:ident times $weight:literal,)*) => {
        $(
            fn $method(message: Receiver<'_, ToOne<work::$kind>, &mut $component>) {
                message.query.touch(message.event.0.amount * $weight);
            }
        )*

        fn add_handlers(world: &mut World) {
            $(world.add_handler($method);)*
        }

        #[inline]
        fn send(world: &mut World, to: EntityId, kind: Kind) {
            match kind {
                $(Kind::$kind => world.send_to(to, ToOne(work::$kind { amount: 1.0 })),)*
            }
        }
    };
}
with_kinds!(handlers);

struct Sends {
    entities: Entities,
    order: Vec<(EntityId, Kind)>,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let mut entities = Entities::new(size.objects);
    add_handlers(&mut entities.world);
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
    add_handlers(&mut entities.world);
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
