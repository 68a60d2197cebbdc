//! W2-dying: one `Vec` for each type of component, in which the last component moves into a place that becomes
//! free. Dead objects are removed at the end of the first loop, so the second one need not check for them.

use std::hint::black_box;
use std::time::{Duration, Instant};

use crate::compare::{Size, Trial};
use crate::work::{Age, Ai, Checksum, Mortal, small};

struct Columns {
    mortals: Vec<Mortal>,
    ais: Vec<Ai>,
    /// The places of the objects that die in this pass.
    dying: Vec<usize>,
    objects: usize,
    /// The number of objects made so far.
    born: u32,
    passes: usize,
    apart: Duration,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let born = small(size.objects);
    Box::new(Columns {
        mortals: (0..born).map(Mortal::first).collect(),
        ais: (0..born).map(Ai::new).collect(),
        dying: Vec::new(),
        objects: size.objects,
        born,
        passes: size.passes,
        apart: Duration::ZERO,
    })
}

impl Columns {
    fn age(&mut self, age: &Age) {
        for (place, mortal) in self.mortals.iter_mut().enumerate() {
            if mortal.age(age.dt) {
                self.dying.push(place);
            }
        }
        // From back to front, so that the last one is never one that is dying too.
        for place in self.dying.drain(..).rev() {
            self.mortals.swap_remove(place);
            self.ais.swap_remove(place);
        }
        for ai in &mut self.ais {
            ai.step();
        }
    }

    fn replace(&mut self) {
        for _ in self.mortals.len()..self.objects {
            self.mortals.push(Mortal::newborn(self.born));
            self.ais.push(Ai::new(self.born));
            self.born += 1;
        }
    }
}

impl Trial for Columns {
    fn run(&mut self) {
        self.apart = Duration::ZERO;
        for _ in 0..self.passes {
            self.age(&Age {
                dt: black_box(0.01),
            });
            let start = Instant::now();
            self.replace();
            self.apart += start.elapsed();
        }
    }

    fn apart(&self) -> Duration {
        self.apart
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        for (mortal, ai) in self.mortals.iter().zip(&self.ais) {
            let number = mortal.number as usize;
            sum.add(number, mortal);
            sum.add(number, ai);
        }
        sum.value()
    }
}
