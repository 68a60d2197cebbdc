//! The best plain Rust for each row.

use crate::components::{self, Ai, Health, Kind, Object, Position, Render};

/// Objects with four boxed components each, and the same components in one vector a type.
pub(crate) struct Floor {
    objects: Vec<[Box<dyn Object>; 4]>,
    positions: Vec<Position>,
    ais: Vec<Ai>,
}

impl Floor {
    pub(crate) fn new(count: usize) -> Self {
        let seeds = 0..u32::try_from(count).expect("a small number");
        let object = |seed| -> [Box<dyn Object>; 4] {
            [
                Box::new(Position::new(seed)),
                Box::new(Health::new(seed)),
                Box::new(Ai::new(seed)),
                Box::new(Render::new(seed)),
            ]
        };
        Self {
            objects: seeds.clone().map(object).collect(),
            positions: seeds.clone().map(Position::new).collect(),
            ais: seeds.map(Ai::new).collect(),
        }
    }

    /// A virtual call on the right component.
    #[inline]
    pub(crate) fn send(&mut self, to: usize, kind: Kind) {
        components::send_to_floor(&mut self.objects[to], kind);
    }

    /// A virtual call that returns the field.
    #[inline]
    pub(crate) fn hp(&self, of: usize) -> f32 {
        let health = &self.objects[of][Health::PLACE];
        health.hp().expect("it is a health component")
    }

    /// A loop over one vector for each reacting component.
    #[inline(never)]
    pub(crate) fn update(&mut self, dt: f32) {
        for position in &mut self.positions {
            position.integrate(dt);
        }
        for ai in &mut self.ais {
            ai.step();
        }
    }
}

/// Chains of objects that hand a message on by a virtual call each.
pub(crate) struct Chains(Vec<Box<dyn Link>>);

trait Link {
    fn pass(&mut self, hops: u64);
}

struct Relay {
    next: Option<Box<dyn Link>>,
    passed: u64,
}

impl Link for Relay {
    fn pass(&mut self, hops: u64) {
        self.passed += hops;
        if let Some(next) = &mut self.next {
            next.pass(hops + 1);
        }
    }
}

impl Chains {
    pub(crate) fn new(chains: usize, hops: usize) -> Self {
        let chain = |_| {
            let mut head: Option<Box<dyn Link>> = None;
            for _ in 0..hops {
                head = Some(Box::new(Relay {
                    next: head,
                    passed: 0,
                }));
            }
            head.expect("a chain has hops")
        };
        Self((0..chains).map(chain).collect())
    }

    pub(crate) fn run(&mut self) {
        for head in &mut self.0 {
            head.pass(1);
        }
    }
}
