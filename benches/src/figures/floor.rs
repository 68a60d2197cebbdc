//! The best plain Rust for the same work.

use std::any::Any;

use message_benches::work::{Ai, Health, Position, Render};

use crate::spawning::components;

/// Four boxed components.
pub(crate) type Object = [Box<dyn Any>; 4];

/// Returns the object of that number.
pub(crate) fn object(number: usize) -> Object {
    let (position, health, ai, render) = components(number);
    [
        Box::new(position),
        Box::new(health),
        Box::new(ai),
        Box::new(render),
    ]
}

/// The same components side by side in one value.
pub(crate) type Whole = (Position, Health, Ai, Render);

/// The place of a value, and the generation for which the key was issued.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    place: u32,
    generation: u32,
}

/// Values with generational keys: the minimum that distinguishes a stale key from a valid one.
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

    /// Drops the value of a valid key, and returns whether the key was valid.
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
