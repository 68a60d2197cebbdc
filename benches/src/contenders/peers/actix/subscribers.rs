//! W7: a list of recipients of one message type, regardless of their actor types.

use std::hint::black_box;

use actix::prelude::*;

use super::running::Pending;
use crate::compare::{Size, Trial};
use crate::work::{Beat, Tally, Total};

struct Subscriber {
    tally: Tally,
    pending: Pending,
}

impl Actor for Subscriber {
    type Context = Context<Self>;
}

impl Message for Beat {
    type Result = ();
}

impl Handler<Beat> for Subscriber {
    type Result = ();

    fn handle(&mut self, beat: Beat, _: &mut Context<Self>) {
        self.tally.hear(&beat);
        self.pending.handled();
    }
}

struct Publisher {
    system: SystemRunner,
    recipients: Vec<Recipient<Beat>>,
    pending: Pending,
    total: Total,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let system = System::new();
    let pending = Pending::default();
    let total = Total::default();
    let subscriber = |number| {
        let subscriber = Subscriber {
            tally: total.tally(number),
            pending: pending.clone(),
        };
        subscriber.start().recipient()
    };
    let recipients = system.block_on(async { (0..size.objects).map(subscriber).collect() });
    Box::new(Publisher {
        system,
        recipients,
        pending,
        total,
        passes: size.passes,
    })
}

impl Trial for Publisher {
    fn run(&mut self) {
        self.system.block_on(async {
            for _ in 0..self.passes {
                self.pending.sent(self.recipients.len());
                for recipient in &self.recipients {
                    recipient.do_send(Beat(black_box(1)));
                }
                self.pending.none_left().await;
            }
        });
    }

    fn checksum(&mut self) -> u64 {
        // Dropping the system drops the subscribers that run in it.
        self.system = System::new();
        self.total.checksum()
    }
}
