//! W1, W2 and W4: messages are put into mailboxes, and the actors run until these are empty.

use std::hint::black_box;

use actix::Addr;

use super::objects::{Actors, Object, objects};
use crate::compare::{Size, Trial};
use crate::work::{self, Kind, Update, with_kinds};

macro_rules! send {
    ($($kind:ident to $component:ident by $method:ident times $weight:literal,)*) => {
        #[inline]
        fn send(to: &Addr<Object>, kind: Kind) {
            match kind {
                $(Kind::$kind => to.do_send(work::$kind { amount: 1.0 }),)*
            }
        }
    };
}
with_kinds!(send);

struct Sends {
    objects: Actors<Object>,
    order: Vec<(Addr<Object>, Kind)>,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let objects = objects(size.objects);
    let order = work::errands(size.objects).into_iter();
    let order = order.map(|(to, kind)| (objects.addresses[to as usize].clone(), kind));
    Box::new(Sends {
        order: order.collect(),
        objects,
        passes: size.passes,
    })
}

pub(super) fn prepare_one_object(size: Size) -> Box<dyn Trial> {
    let objects = objects(1);
    let order = work::kinds(size.messages).into_iter();
    let order = order.map(|kind| (objects.addresses[0].clone(), kind));
    Box::new(Sends {
        order: order.collect(),
        objects,
        passes: size.passes,
    })
}

impl Trial for Sends {
    fn run(&mut self) {
        let pending = &self.objects.pending;
        self.objects.system.block_on(async {
            for _ in 0..self.passes {
                pending.sent(self.order.len());
                for (to, kind) in &self.order {
                    send(to, *kind);
                }
                pending.none_left().await;
            }
        });
    }

    fn checksum(&mut self) -> u64 {
        self.objects.checksum()
    }
}

struct Broadcasts {
    objects: Actors<Object>,
    passes: usize,
}

pub(super) fn prepare_broadcast(size: Size) -> Box<dyn Trial> {
    Box::new(Broadcasts {
        objects: objects(size.objects),
        passes: size.passes,
    })
}

impl Trial for Broadcasts {
    fn run(&mut self) {
        let Actors {
            system,
            addresses,
            pending,
        } = &self.objects;
        system.block_on(async {
            for _ in 0..self.passes {
                let update = Update {
                    dt: black_box(0.01),
                };
                pending.sent(addresses.len());
                for address in addresses {
                    address.do_send(update.clone());
                }
                pending.none_left().await;
            }
        });
    }

    fn checksum(&mut self) -> u64 {
        self.objects.checksum()
    }
}
