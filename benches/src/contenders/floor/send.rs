//! W1: who sends knows the object by its place, and calls the right component.

use super::objects::{self, Object};
use crate::compare::{Size, Trial};
use crate::work::{self, Kind};

struct Sends {
    objects: Vec<Object>,
    order: Vec<(u32, Kind)>,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    Box::new(Sends {
        objects: objects::objects(size.objects),
        order: work::errands(size.objects),
        passes: size.passes,
    })
}

impl Trial for Sends {
    fn run(&mut self) {
        // Held here, a slice need not be looked up again after each call.
        let objects = self.objects.as_mut_slice();
        for _ in 0..self.passes {
            for &(to, kind) in &self.order {
                objects::send(&mut objects[to as usize], kind);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        objects::checksum(&self.objects)
    }
}
