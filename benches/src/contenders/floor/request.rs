//! W3: a virtual call that returns the field, from outside and from inside a virtual call.

use super::objects::{self, Component, Object, Place};
use super::way::{Direct, Way};
use crate::compare::{Size, Trial};
use crate::work::{self, Checksum, Health, Position, Render, Sight, State, small};

/// The requests of W3-out or W3-two.
struct FromOutside<W, const TWO: bool> {
    way: W,
    objects: Vec<Object>,
    order: Vec<u32>,
    seen: Sight,
    passes: usize,
}

pub(super) fn prepare_from_outside<W: Way>(size: Size) -> Box<dyn Trial> {
    prepare_for::<W, false>(size)
}

pub(super) fn prepare_two(size: Size) -> Box<dyn Trial> {
    prepare_for::<Direct, true>(size)
}

fn prepare_for<W: Way, const TWO: bool>(size: Size) -> Box<dyn Trial> {
    Box::new(FromOutside::<W, TWO> {
        way: W::default(),
        objects: objects::objects(size.objects),
        order: work::walk(size.objects),
        seen: Sight::default(),
        passes: size.passes,
    })
}

impl<W: Way, const TWO: bool> Trial for FromOutside<W, TWO> {
    fn run(&mut self) {
        let (objects, way) = (self.objects.as_slice(), &mut self.way);
        let mut seen = self.seen;
        for _ in 0..self.passes {
            for &whom in &self.order {
                let object = &objects[whom as usize];
                let hp = if TWO {
                    let asked = way.call(|_| {
                        let other = || object[Health::PLACE].find_hp();
                        object[Position::PLACE].find_hp().or_else(other)
                    });
                    asked.flatten()
                } else {
                    way.call(|_| object[Health::PLACE].hp())
                };
                seen.see(hp.expect("everyone has health"));
            }
        }
        self.seen = seen;
    }

    fn checksum(&mut self) -> u64 {
        let heard = self.way.checksum();
        let states = objects::checksum(&self.objects);
        states.wrapping_add(self.seen.bits()).wrapping_add(heard)
    }
}

/// An object without the component that looks. Those components are stored separately, so that one
/// can be changed while it asks others.
type Body = [Box<dyn Component>; 3];

trait Look {
    fn look(&mut self, others: &[Body]);
    fn sight(&self) -> &Sight;
}

struct Watcher {
    target: u32,
    sight: Sight,
}

impl Look for Watcher {
    fn look(&mut self, others: &[Body]) {
        let health = &others[self.target as usize][Health::PLACE];
        self.sight.see(health.hp());
    }

    fn sight(&self) -> &Sight {
        &self.sight
    }
}

struct FromInside {
    bodies: Vec<Body>,
    watchers: Vec<Box<dyn Look>>,
    order: Vec<u32>,
    passes: usize,
}

pub(super) fn prepare_from_inside(size: Size) -> Box<dyn Trial> {
    let targets = work::targets(size.objects).into_iter();
    // Allocated box by box and object by object, as everywhere.
    let object = |(seed, target)| -> (Body, Box<dyn Look>) {
        let body: Body = [
            Box::new(Position::new(seed)),
            Box::new(Health::new(seed)),
            Box::new(Render::new(seed)),
        ];
        let sight = Sight::default();
        (body, Box::new(Watcher { target, sight }))
    };
    let (bodies, watchers) = (0..small(size.objects)).zip(targets).map(object).unzip();
    Box::new(FromInside {
        bodies,
        watchers,
        order: work::walk(size.objects),
        passes: size.passes,
    })
}

impl Trial for FromInside {
    fn run(&mut self) {
        let (watchers, bodies) = (self.watchers.as_mut_slice(), self.bodies.as_slice());
        for _ in 0..self.passes {
            for &who in &self.order {
                watchers[who as usize].look(bodies);
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        for (number, body) in self.bodies.iter().enumerate() {
            for component in body {
                sum.add(number, &component.state());
            }
            sum.add(number, self.watchers[number].sight());
        }
        sum.value()
    }
}
