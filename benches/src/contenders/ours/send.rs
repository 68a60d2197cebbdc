//! W1: a send to an id, of messages for one of its components or for two.

use message_core::prelude::*;

use super::setting::Setting;
use super::world::World;
use crate::compare::{Size, Trial};
use crate::work::{self, Ai, Health, Kind, Position, Render, two, with_kinds, with_twos};

macro_rules! handlers_of_two {
    ($($kind:ident to $one:ident and $other:ident by $method:ident times $weight:literal,)*) => {
        $(
            #[handlers]
            impl $one {
                #[on_receive]
                fn $method(&mut self, message: &two::$kind) {
                    self.touch(message.amount * $weight);
                }
            }

            #[handlers]
            impl $other {
                #[on_receive]
                fn $method(&mut self, message: &two::$kind) {
                    self.touch(message.amount * $weight);
                }
            }
        )*
    };
}
with_twos!(handlers_of_two);

struct Sends {
    world: World,
    order: Vec<(MessageeId, Kind)>,
    passes: usize,
}

impl Sends {
    fn new(size: Size, setting: Setting) -> Self {
        let world = World::set(setting, size.objects);
        let order = work::errands(size.objects).into_iter();
        let order = order.map(|(to, kind)| (world.ids[to as usize], kind));
        Self {
            order: order.collect(),
            world,
            passes: size.passes,
        }
    }
}

pub(super) fn prepare(size: Size, setting: Setting) -> Box<dyn Trial> {
    Box::new(Sends::new(size, setting))
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

/// The same with kinds for two components.
struct SendsToTwo(Sends);

pub(super) fn prepare_two(size: Size) -> Box<dyn Trial> {
    Box::new(SendsToTwo(Sends::new(size, Setting::Plain)))
}

macro_rules! send_to_two {
    ($($kind:ident to $one:ident and $other:ident by $method:ident times $weight:literal,)*) => {
        #[inline]
        fn send_to_two(manager: &mut MessageManager, to: MessageeId, kind: Kind) {
            let receipt = match kind {
                $(Kind::$kind => manager.send(to, two::$kind { amount: 1.0 }),)*
            };
            assert_eq!(receipt.expect("it is alive").received, 2);
        }
    };
}
with_twos!(send_to_two);

impl Trial for SendsToTwo {
    fn run(&mut self) {
        let it = &mut self.0;
        for _ in 0..it.passes {
            for &(to, kind) in &it.order {
                send_to_two(&mut it.world.manager, to, kind);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.0.checksum()
    }
}
