//! W1-mnemonic, W1-group and W1-up: a table with the objects of each address.

use super::objects::{self, Object};
use crate::compare::{Size, Trial};
use crate::work::{self, Kind};

/// Sends to addresses of `N` objects each.
struct Addressed<const N: usize> {
    objects: Vec<Object>,
    audiences: Vec<[u32; N]>,
    order: Vec<(u32, Kind)>,
    passes: usize,
}

pub(super) fn prepare<const N: usize>(size: Size) -> Box<dyn Trial> {
    let audiences = work::audiences::<N>(size.objects);
    Box::new(Addressed {
        objects: objects::objects(size.objects),
        order: work::errands(audiences.len()),
        audiences,
        passes: size.passes,
    })
}

impl<const N: usize> Trial for Addressed<N> {
    fn run(&mut self) {
        let (objects, audiences) = (self.objects.as_mut_slice(), self.audiences.as_slice());
        for _ in 0..self.passes {
            for &(to, kind) in &self.order {
                for &member in &audiences[to as usize] {
                    objects::send(&mut objects[member as usize], kind);
                }
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        objects::checksum(&self.objects)
    }
}
