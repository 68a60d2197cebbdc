//! W1: the sender knows the object's place and calls the right component, or both.

use super::objects::{self, Object};
use super::way::{Direct, Way};
use crate::compare::{Size, Trial};
use crate::work::{self, Kind};

/// The sends of W1 or W1-two.
struct Sends<W, const TWO: bool> {
    way: W,
    objects: Vec<Object>,
    order: Vec<(u32, Kind)>,
    passes: usize,
}

pub(super) fn prepare<W: Way>(size: Size) -> Box<dyn Trial> {
    prepare_for::<W, false>(size)
}

pub(super) fn prepare_two(size: Size) -> Box<dyn Trial> {
    prepare_for::<Direct, true>(size)
}

fn prepare_for<W: Way, const TWO: bool>(size: Size) -> Box<dyn Trial> {
    Box::new(Sends::<W, TWO> {
        way: W::default(),
        objects: objects::objects(size.objects),
        order: work::errands(size.objects),
        passes: size.passes,
    })
}

impl<W: Way, const TWO: bool> Trial for Sends<W, TWO> {
    fn run(&mut self) {
        // Slices held in local variables need not be loaded again after each call.
        let (objects, way) = (self.objects.as_mut_slice(), &mut self.way);
        for _ in 0..self.passes {
            for &(to, kind) in &self.order {
                let object = &mut objects[to as usize];
                if TWO {
                    way.call(|_| objects::send_to_two(object, kind));
                } else {
                    way.call(|_| objects::send(object, kind));
                }
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        objects::checksum(&self.objects).wrapping_add(self.way.checksum())
    }
}
