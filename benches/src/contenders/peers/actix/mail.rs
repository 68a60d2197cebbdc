//! W6: an actor with a mailbox for each recipient.

use actix::prelude::*;

use super::objects::{Actors, AddTo};
use super::running::Pending;
use crate::compare::{Size, Trial};
use crate::work::{self, Hit};

/// An actor that reads its mail.
struct Reader {
    sum: u64,
    pending: Pending,
}

impl Actor for Reader {
    type Context = Context<Self>;
}

impl Message for Hit {
    type Result = ();
}

impl Handler<Hit> for Reader {
    type Result = ();

    fn handle(&mut self, hit: Hit, _: &mut Context<Self>) {
        self.sum = hit.read(self.sum);
        self.pending.handled();
    }
}

impl Handler<AddTo> for Reader {
    type Result = MessageResult<AddTo>;

    fn handle(&mut self, message: AddTo, _: &mut Context<Self>) -> Self::Result {
        let AddTo(mut sum, number) = message;
        sum.add(number, &self.sum);
        MessageResult(sum)
    }
}

struct Mail {
    readers: Actors<Reader>,
    to: Vec<u32>,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let reader = |_, pending: &Pending| Reader {
        sum: 0,
        pending: pending.clone(),
    };
    Box::new(Mail {
        readers: Actors::new(size.objects, reader),
        to: work::deliveries(size.messages, size.objects),
    })
}

impl Trial for Mail {
    fn run(&mut self) {
        let Actors {
            system,
            addresses,
            pending,
        } = &self.readers;
        system.block_on(async {
            pending.sent(self.to.len());
            for (number, &to) in (0..).zip(&self.to) {
                addresses[to as usize].do_send(Hit::new(number));
            }
            pending.none_left().await;
        });
    }

    fn checksum(&mut self) -> u64 {
        self.readers.checksum()
    }
}
