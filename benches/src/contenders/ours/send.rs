//! W1: a send to an id; the message is for one of its components, for two, or for one and a type that nobody has.

use message_core::prelude::*;

use super::setting::Setting;
use super::world::World;
use crate::compare::{Size, Trial};
use crate::work::apart::{named, second};
use crate::work::{self, Ai, Health, Kind, Position, Render, two};
use crate::work::{with_kinds, with_kinds_apart, with_twos};

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

/// A component that handles all kinds of W1-second and that no messagee has.
struct Nobody;

macro_rules! handlers_apart {
    ($($kind:ident to $component:ident by $second:ident and $named:ident times $weight:literal,)*) => {
        $(
            #[handlers]
            impl $component {
                #[on_receive]
                fn $second(&mut self, message: &second::$kind) {
                    self.touch(message.amount * $weight);
                }

                #[on_receive]
                fn $named(&mut self, message: &named::$kind) {
                    self.touch(message.amount * $weight);
                }
            }

            #[handlers]
            impl Nobody {
                #[on_receive]
                fn $second(&mut self, _: &second::$kind) {
                    unreachable!("nobody has it");
                }
            }
        )*
    };
}
with_kinds_apart!(handlers_apart);

/// The sends of W1 in one of its forms: to addresses of type `A`, by a function that checks how many received it.
pub(super) struct Sends<A, S> {
    pub(super) world: World,
    pub(super) order: Vec<(A, Kind)>,
    pub(super) send: S,
    pub(super) passes: usize,
}

fn prepare_for<S>(size: Size, setting: Setting, send: S) -> Box<dyn Trial>
where
    S: Fn(&mut MessageManager, MessageeId, Kind) + 'static,
{
    let world = World::set(setting, size.objects);
    let order = work::errands(size.objects).into_iter();
    let order = order.map(|(to, kind)| (world.ids[to as usize], kind));
    Box::new(Sends {
        order: order.collect(),
        world,
        send,
        passes: size.passes,
    })
}

pub(super) fn prepare(size: Size, setting: Setting) -> Box<dyn Trial> {
    prepare_for(size, setting, send)
}

pub(super) fn prepare_two(size: Size) -> Box<dyn Trial> {
    prepare_for(size, Setting::Plain, send_to_two)
}

pub(super) fn prepare_second(size: Size) -> Box<dyn Trial> {
    prepare_for(size, Setting::Plain, send_past_second)
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

macro_rules! send_past_second {
    ($($kind:ident to $component:ident by $second:ident and $named:ident times $weight:literal,)*) => {
        #[inline]
        fn send_past_second(manager: &mut MessageManager, to: MessageeId, kind: Kind) {
            let receipt = match kind {
                $(Kind::$kind => manager.send(to, second::$kind { amount: 1.0 }),)*
            };
            assert_eq!(receipt.expect("it is alive").received, 1);
        }
    };
}
with_kinds_apart!(send_past_second);

impl<A: Copy, S: Fn(&mut MessageManager, A, Kind)> Trial for Sends<A, S> {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &(to, kind) in &self.order {
                (self.send)(&mut self.world.manager, to, kind);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.world.checksum()
    }
}
