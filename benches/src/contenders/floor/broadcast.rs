//! W2: one `Vec` for each type of component, and a loop over each that reacts.

use std::hint::black_box;

use crate::compare::{Size, Trial};
use crate::work::{Ai, Checksum, Health, Position, Render, Update, small};

struct Columns {
    positions: Vec<Position>,
    healths: Vec<Health>,
    ais: Vec<Ai>,
    renders: Vec<Render>,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let seeds = 0..small(size.objects);
    Box::new(Columns {
        positions: seeds.clone().map(Position::new).collect(),
        healths: seeds.clone().map(Health::new).collect(),
        ais: seeds.clone().map(Ai::new).collect(),
        renders: seeds.map(Render::new).collect(),
        passes: size.passes,
    })
}

impl Trial for Columns {
    fn run(&mut self) {
        for _ in 0..self.passes {
            let update = Update {
                dt: black_box(0.01),
            };
            for position in &mut self.positions {
                position.integrate(update.dt);
            }
            for ai in &mut self.ais {
                ai.step();
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        for number in 0..self.positions.len() {
            sum.add(number, &self.positions[number]);
            sum.add(number, &self.healths[number]);
            sum.add(number, &self.ais[number]);
            sum.add(number, &self.renders[number]);
        }
        sum.value()
    }
}
