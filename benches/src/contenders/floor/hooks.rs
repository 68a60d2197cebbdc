//! W9-fifth: whole objects with room for the fifth component.

use crate::compare::{Size, Trial};
use crate::work::{self, Ai, Checksum, Health, Position, Render, Sight, State, small};

struct Whole {
    position: Position,
    health: Health,
    ai: Ai,
    render: Render,
    fifth: Option<Sight>,
}

struct Fifths {
    objects: Vec<Whole>,
    /// The numbers, shuffled.
    order: Vec<u32>,
    /// The contents of the components when they were unhooked.
    kept: Sight,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let whole = |seed| Whole {
        position: Position::new(seed),
        health: Health::new(seed),
        ai: Ai::new(seed),
        render: Render::new(seed),
        fifth: None,
    };
    Box::new(Fifths {
        objects: (0..small(size.objects)).map(whole).collect(),
        order: work::walk(size.objects),
        kept: Sight::default(),
        passes: size.passes,
    })
}

impl Trial for Fifths {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &number in &self.order {
                self.objects[number as usize].fifth = Some(Sight::of(number));
            }
            for &number in &self.order {
                let fifth = self.objects[number as usize].fifth.take();
                self.kept.join(fifth.expect("it was hooked"));
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        for (number, whole) in self.objects.iter().enumerate() {
            sum.add(number, &whole.position);
            sum.add(number, &whole.health);
            sum.add(number, &whole.ai);
            sum.add(number, &whole.render);
        }
        sum.value().wrapping_add(self.kept.bits())
    }
}
