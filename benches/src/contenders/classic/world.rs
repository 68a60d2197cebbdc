//! The objects, by number.

use super::handler::{AnyReceiver, Message, Receiver};
use super::handlers;
use crate::work::{Checksum, State, small};

type Object = Vec<Box<dyn AnyReceiver>>;

/// All objects. Each handler gets it as an argument, to reach the others.
#[derive(Default)]
pub(super) struct World {
    objects: Vec<Object>,
}

impl World {
    /// Creates a number of objects with the four components.
    pub(super) fn new(objects: usize) -> Self {
        let mut world = Self::default();
        for seed in 0..small(objects) {
            let object = world.spawn();
            world.hook(object, handlers::position(seed));
            world.hook(object, handlers::health(seed));
            world.hook(object, handlers::ai(seed));
            world.hook(object, handlers::render(seed));
        }
        world
    }

    pub(super) fn spawn(&mut self) -> u32 {
        self.objects.push(Vec::new());
        small(self.objects.len() - 1)
    }

    pub(super) fn hook<C: State + 'static>(&mut self, object: u32, component: Receiver<C>) {
        self.objects[object as usize].push(Box::new(component));
    }

    /// Sends a message to one object; returns the number of components that received it.
    pub(super) fn send(&self, to: u32, message: &dyn Message) -> usize {
        self.send_to(&self.objects[to as usize], message)
    }

    /// Sends a message to all objects, one after another.
    pub(super) fn broadcast(&self, message: &dyn Message) -> usize {
        let objects = self.objects.iter();
        objects.map(|object| self.send_to(object, message)).sum()
    }

    fn send_to(&self, object: &Object, message: &dyn Message) -> usize {
        let received = object.iter().map(|it| it.receive(message, self));
        received.map(usize::from).sum()
    }

    pub(super) fn checksum(&self) -> u64 {
        let mut sum = Checksum::new();
        for (number, object) in self.objects.iter().enumerate() {
            for component in object {
                component.add_to(&mut sum, number);
            }
        }
        sum.value()
    }
}
