//! W8: handlers that send on.

use message_core::prelude::*;

use crate::compare::{HOPS, Size, Trial};
use crate::work::{Checksum, Pass, Relay};

struct Hop {
    relay: Relay,
    next: Option<MessageeId>,
}

#[handlers]
impl Hop {
    #[on_receive]
    fn pass(&mut self, pass: &Pass, cx: &mut Context<'_>) -> Result<(), SendError> {
        let hops = self.relay.pass(pass.hops);
        if let Some(next) = self.next {
            cx.send(next, Pass { hops })?;
        }
        Ok(())
    }
}

struct Chains {
    manager: MessageManager,
    heads: Vec<MessageeId>,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let mut manager = MessageManager::new();
    let chain = |_| {
        let relay = Relay::default();
        let mut head = manager.spawn((Hop { relay, next: None },));
        for _ in 1..HOPS {
            let next = Some(head);
            head = manager.spawn((Hop { relay, next },));
        }
        head
    };
    Box::new(Chains {
        heads: (0..size.objects).map(chain).collect(),
        manager,
        passes: size.passes,
    })
}

impl Trial for Chains {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &head in &self.heads {
                let receipt = self.manager.send(head, Pass { hops: 1 });
                assert_eq!(receipt.expect("it is alive").received, 1);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        for (chain, &head) in self.heads.iter().enumerate() {
            let mut next = Some(head);
            for hop in 0..HOPS {
                let at = next.expect("a chain has that many hops");
                let here = self.manager.get::<Hop>(at).expect("it is alive");
                sum.add(chain * HOPS + hop, &here.relay);
                next = here.next;
            }
        }
        sum.value()
    }
}
