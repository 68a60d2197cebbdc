//! W9: a slab of whole objects with generations, so that a stale key finds nothing.

use crate::compare::{Size, Trial};
use crate::work::{self, Ai, Checksum, Health, Position, Render, small};

struct Whole {
    position: Position,
    health: Health,
    ai: Ai,
    render: Render,
}

impl Whole {
    fn new(seed: u32) -> Self {
        Self {
            position: Position::new(seed),
            health: Health::new(seed),
            ai: Ai::new(seed),
            render: Render::new(seed),
        }
    }
}

#[derive(Clone, Copy)]
struct Key {
    place: u32,
    generation: u32,
}

#[derive(Default)]
struct Slab {
    places: Vec<(u32, Option<Whole>)>,
    free: Vec<u32>,
}

impl Slab {
    fn insert(&mut self, whole: Whole) -> Key {
        if let Some(place) = self.free.pop() {
            let (generation, free) = &mut self.places[place as usize];
            *free = Some(whole);
            let generation = *generation;
            return Key { place, generation };
        }
        let place = small(self.places.len());
        self.places.push((0, Some(whole)));
        Key {
            place,
            generation: 0,
        }
    }

    fn remove(&mut self, key: Key) -> bool {
        let (generation, whole) = &mut self.places[key.place as usize];
        if *generation != key.generation || whole.take().is_none() {
            return false;
        }
        *generation += 1;
        self.free.push(key.place);
        true
    }

    fn get(&self, key: Key) -> Option<&Whole> {
        let (generation, whole) = &self.places[key.place as usize];
        whole.as_ref().filter(|_| *generation == key.generation)
    }
}

struct Turnover {
    slab: Slab,
    keys: Vec<Key>,
    /// The numbers, shuffled.
    order: Vec<u32>,
    /// The number of objects created so far.
    born: u32,
    passes: usize,
}

pub(super) fn prepare(size: Size) -> Box<dyn Trial> {
    let born = small(size.objects);
    let mut slab = Slab::default();
    Box::new(Turnover {
        keys: (0..born)
            .map(|seed| slab.insert(Whole::new(seed)))
            .collect(),
        slab,
        order: work::walk(size.objects),
        born,
        passes: size.passes,
    })
}

impl Trial for Turnover {
    fn run(&mut self) {
        for _ in 0..self.passes {
            for &number in &self.order {
                assert!(self.slab.remove(self.keys[number as usize]), "it is there");
            }
            for key in &mut self.keys {
                *key = self.slab.insert(Whole::new(self.born));
                self.born += 1;
            }
        }
    }

    fn checksum(&mut self) -> u64 {
        let mut sum = Checksum::new();
        for (number, &key) in self.keys.iter().enumerate() {
            let whole = self.slab.get(key).expect("it is there");
            sum.add(number, &whole.position);
            sum.add(number, &whole.health);
            sum.add(number, &whole.ai);
            sum.add(number, &whole.render);
        }
        sum.value()
    }
}
