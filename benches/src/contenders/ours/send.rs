//! W1: a send to an id.

use message_core::prelude::*;

use super::world::World;
use crate::compare::{Size, Trial};
use crate::work::{self, Kind, with_kinds};

struct Sends {
    world: World,
    order: Vec<(MessageeId, Kind)>,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let world = World::new(size.objects);
    let order = work::errands(size.objects).into_iter();
    let order = order.map(|(to, kind)| (world.ids[to as usize], kind));
    Box::new(Sends {
        order: order.collect(),
        world,
        passes: size.passes,
    })
}

macro_rules! send {
    ($($kind:ident to $component:ident by $method:ident times $weight:literal,)*) => {
        #[inline]
        pub(super) fn send(manager: &mut MessageManager, to: MessageeId, kind: Kind) {
            let receipt = match kind {
                $(Kind::$kind => manager.send(to, work::$kind { amount: 1.0 }),)*
            };
            assert_eq!(receipt.expect("it is alive").received, 1);
        }
    };
}
with_kinds!(send);

impl Trial for Sends {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &(to, kind) in &self.order {
                send(&mut self.world.manager, to, kind);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.world.checksum()
    }
}
