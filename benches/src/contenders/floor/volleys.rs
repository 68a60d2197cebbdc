//! W5-batch: a `Vec` for each future frame, as in W5, to which each batch is appended.

use super::schedule::{checksum, healths};
use crate::compare::{Size, Trial};
use crate::work::{self, Health, Shot};

struct Volleys {
    healths: Vec<Health>,
    batches: Vec<(u32, u32, u32)>,
    in_each: u32,
    frames: Vec<Vec<(u32, Shot)>>,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let (volleys, in_each) = work::volleys(size.messages, size.objects, size.frames);
    Box::new(Volleys {
        healths: healths(size),
        batches: volleys,
        in_each,
        frames: vec![Vec::new(); size.frames + 1],
    })
}

impl Trial for Volleys {
    fn run(&mut self) {
        let (frames, healths) = (&mut self.frames[..], &mut self.healths[..]);
        for &(to, first, delay) in &self.batches {
            let numbers = first..first + self.in_each;
            frames[delay as usize].extend(numbers.map(|number| (to, Shot::new(number))));
        }
        for frame in frames {
            for (at, shot) in frame.drain(..) {
                healths[at as usize].hurt(shot.damage());
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        checksum(&self.healths)
    }
}
