//! W8: a handler that sends on. All chains of a pass are started, and then run hop by hop.

use actix::prelude::*;

use super::objects::{Actors, AddTo};
use super::running::Pending;
use crate::compare::{HOPS, Size, Trial};
use crate::work::{Pass, Relay};

struct Hop {
    relay: Relay,
    next: Option<Addr<Hop>>,
    pending: Pending,
}

impl Actor for Hop {
    type Context = Context<Self>;
}

impl Message for Pass {
    type Result = ();
}

impl Handler<Pass> for Hop {
    type Result = ();

    fn handle(&mut self, pass: Pass, _: &mut Context<Self>) {
        let hops = self.relay.pass(pass.hops);
        match &self.next {
            Some(next) => next.do_send(Pass { hops }),
            None => self.pending.handled(),
        }
    }
}

/// Tells a hop its successor.
struct Follow(Addr<Hop>);

impl Message for Follow {
    type Result = ();
}

impl Handler<Follow> for Hop {
    type Result = ();

    fn handle(&mut self, message: Follow, _: &mut Context<Self>) {
        self.next = Some(message.0);
        self.pending.handled();
    }
}

impl Handler<AddTo> for Hop {
    type Result = MessageResult<AddTo>;

    fn handle(&mut self, message: AddTo, _: &mut Context<Self>) -> Self::Result {
        let AddTo(mut sum, number) = message;
        sum.add(number, &self.relay);
        MessageResult(sum)
    }
}

struct Chains {
    /// All hops, chain by chain.
    hops: Actors<Hop>,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let hops = Actors::new(size.objects * HOPS, |_, pending| Hop {
        relay: Relay::default(),
        next: None,
        pending: pending.clone(),
    });
    for chain in hops.addresses.chunks(HOPS) {
        for pair in chain.windows(2) {
            hops.pending.sent(1);
            pair[0].do_send(Follow(pair[1].clone()));
        }
    }
    hops.system.block_on(hops.pending.none_left());
    Box::new(Chains {
        hops,
        passes: size.passes,
    })
}

impl Trial for Chains {
    fn run(&mut self) {
        let Actors {
            system,
            addresses,
            pending,
        } = &self.hops;
        system.block_on(async {
            for _ in 0..self.passes {
                for head in addresses.iter().step_by(HOPS) {
                    pending.sent(1);
                    head.do_send(Pass { hops: 1 });
                }
                pending.none_left().await;
            }
        });
    }

    fn checksum(&mut self) -> u64 {
        self.hops.checksum()
    }
}
