//! W7: a `Vec` of boxed closures.

use std::hint::black_box;

use crate::compare::{Size, Trial};
use crate::work::{Beat, Total};

type Listener = Box<dyn FnMut(&Beat)>;

struct Closures {
    listeners: Vec<Listener>,
    total: Total,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let total = Total::default();
    let closure = |number| -> Listener {
        let mut tally = total.tally(number);
        Box::new(move |beat| tally.hear(beat))
    };
    Box::new(Closures {
        listeners: (0..size.objects).map(closure).collect(),
        total,
        passes: size.passes,
    })
}

impl Trial for Closures {
    fn run(&mut self) {
        for _ in 0..self.passes {
            let beat = Beat(black_box(1));
            for closure in &mut self.listeners {
                closure(&beat);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        self.listeners.clear();
        self.total.checksum()
    }
}
