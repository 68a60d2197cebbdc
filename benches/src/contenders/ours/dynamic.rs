//! W4: the sender knows the kind only at run time, and makes a boxed message through a table.

use message_core::AnyMessage;
use message_core::prelude::*;

use super::world::World;
use crate::compare::{Size, Trial};
use crate::work::{self, Kind, with_kinds};

struct Dynamic {
    world: World,
    id: MessageeId,
    order: Vec<Kind>,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let world = World::new(1);
    Box::new(Dynamic {
        id: world.ids[0],
        world,
        order: work::kinds(size.messages),
        passes: size.passes,
    })
}

macro_rules! table {
    ($($kind:ident to $component:ident by $method:ident times $weight:literal,)*) => {
        /// Functions that make a message of each kind, in the order of their numbers.
        const MAKE: [fn() -> Box<dyn AnyMessage>; Kind::ALL.len()] =
            [$(|| Box::new(work::$kind { amount: 1.0 })),*];
    };
}
with_kinds!(table);

impl Trial for Dynamic {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &kind in &self.order {
                let receipt = self.world.manager.send_any(self.id, MAKE[kind as usize]());
                assert_eq!(receipt.expect("it is alive").received, 1);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.world.checksum()
    }
}
