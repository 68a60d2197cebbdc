//! W8: boxes, each of which owns the next one, and virtual calls from one to the next.

use crate::compare::{HOPS, Size, Trial};
use crate::work::{Checksum, Pass, Relay};

trait Link {
    fn pass(&mut self, pass: &Pass);
    /// Adds the states from here to the end of the chain.
    fn add_to(&self, sum: &mut Checksum, number: usize);
}

struct Hop {
    relay: Relay,
    next: Option<Box<dyn Link>>,
}

impl Link for Hop {
    fn pass(&mut self, pass: &Pass) {
        let hops = self.relay.pass(pass.hops);
        if let Some(next) = &mut self.next {
            next.pass(&Pass { hops });
        }
    }

    fn add_to(&self, sum: &mut Checksum, number: usize) {
        sum.add(number, &self.relay);
        if let Some(next) = &self.next {
            next.add_to(sum, number + 1);
        }
    }
}

struct Chains {
    heads: Vec<Box<dyn Link>>,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let chain = |_| -> Box<dyn Link> {
        let relay = Relay::default();
        let mut head = Box::new(Hop { relay, next: None });
        for _ in 1..HOPS {
            let next: Option<Box<dyn Link>> = Some(head);
            head = Box::new(Hop { relay, next });
        }
        head
    };
    Box::new(Chains {
        heads: (0..size.objects).map(chain).collect(),
        passes: size.passes,
    })
}

impl Trial for Chains {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for head in &mut self.heads {
                head.pass(&Pass { hops: 1 });
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        for (chain, head) in self.heads.iter().enumerate() {
            head.add_to(&mut sum, chain * HOPS);
        }
        sum.value()
    }
}
