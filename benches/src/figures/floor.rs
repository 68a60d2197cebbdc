//! The best plain Rust for the same work.

use crate::crowd::{self, Ai, Health, Position, Render, Told};

/// Four boxed components that are told of messages by virtual calls.
pub(crate) type Object = [Box<dyn Told>; 4];

/// The object of that number.
pub(crate) fn object(number: usize) -> Object {
    let (health, position, ai, render) = crowd::components(number);
    [
        Box::new(health),
        Box::new(position),
        Box::new(ai),
        Box::new(render),
    ]
}

/// The same components side by side in one value.
#[derive(Debug)]
#[allow(dead_code, reason = "they are kept, and nobody looks at them")]
pub(crate) struct Whole {
    health: Health,
    position: Position,
    ai: Ai,
    render: Render,
}

/// The value of that number.
pub(crate) fn whole(number: usize) -> Whole {
    let (health, position, ai, render) = crowd::components(number);
    Whole {
        health,
        position,
        ai,
        render,
    }
}

/// One `Vec` for each component type that reacts to the broadcast.
#[derive(Debug)]
pub(crate) struct Columns {
    positions: Vec<Position>,
    ais: Vec<Ai>,
}

impl Columns {
    pub(crate) fn new(count: usize) -> Self {
        let components = || (0..count).map(crowd::components);
        Self {
            positions: components().map(|(_, position, ..)| position).collect(),
            ais: components().map(|(_, _, ai, _)| ai).collect(),
        }
    }

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

/// Where a value is, and the life it was given out for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    place: u32,
    generation: u32,
}

/// Values with generational keys: the least that tells a stale key from a good one.
#[derive(Debug)]
pub(crate) struct Slab<T> {
    places: Vec<(u32, Option<T>)>,
    free: Vec<u32>,
}

impl<T> Slab<T> {
    pub(crate) fn new() -> Self {
        Self {
            places: Vec::new(),
            free: Vec::new(),
        }
    }

    pub(crate) fn insert(&mut self, value: T) -> Key {
        if let Some(place) = self.free.pop() {
            let (generation, free) = &mut self.places[place as usize];
            *free = Some(value);
            let generation = *generation;
            Key { place, generation }
        } else {
            let place = u32::try_from(self.places.len()).expect("fewer than 2^32 values");
            self.places.push((0, Some(value)));
            Key {
                place,
                generation: 0,
            }
        }
    }

    /// Drops the value of a key that is good, and tells whether it was.
    pub(crate) fn remove(&mut self, key: Key) -> bool {
        match self.places.get_mut(key.place as usize) {
            Some((generation, value)) if *generation == key.generation => {
                *generation += 1;
                self.free.push(key.place);
                value.take().is_some()
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stale_key_of_the_slab_removes_nothing() {
        let mut slab = Slab::new();
        let first = slab.insert("first");
        assert!(slab.remove(first));
        let second = slab.insert("second");
        assert_eq!(second.place, first.place);
        assert!(!slab.remove(first));
        assert!(slab.remove(second));
    }
}
