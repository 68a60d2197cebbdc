//! Handlers behind a virtual interface, and components with a list of them.

use std::any::{Any, TypeId};
use std::cell::RefCell;

use super::world::World;
use crate::work::{Checksum, State};

/// A message, identified by its virtual id.
pub(super) trait Message: Any {
    fn id(&self) -> TypeId;
}

impl<M: Any> Message for M {
    fn id(&self) -> TypeId {
        TypeId::of::<M>()
    }
}

/// A handler of one component type.
trait Handler<C> {
    /// Returns the id of the messages that it handles.
    fn handled(&self) -> TypeId;
    fn handle(&self, component: &mut C, message: &dyn Message, world: &World);
}

/// A method used as a handler.
struct Method<C, M>(fn(&mut C, &M, &World));

impl<C, M: Any> Handler<C> for Method<C, M> {
    fn handled(&self) -> TypeId {
        TypeId::of::<M>()
    }

    fn handle(&self, component: &mut C, message: &dyn Message, world: &World) {
        let message: &dyn Any = message;
        let message = message.downcast_ref().expect("the ids are equal");
        (self.0)(component, message, world);
    }
}

/// A component with its handlers, each in a box of its own that was allocated with the component.
pub(super) struct Receiver<C> {
    component: RefCell<C>,
    handlers: Vec<Box<dyn Handler<C>>>,
}

impl<C: 'static> Receiver<C> {
    pub(super) fn new(component: C) -> Self {
        let component = RefCell::new(component);
        let handlers = Vec::new();
        Self {
            component,
            handlers,
        }
    }

    pub(super) fn handles<M: Any>(mut self, method: fn(&mut C, &M, &World)) -> Self {
        self.handlers.push(Box::new(Method(method)));
        self
    }
}

/// A component of any type.
pub(super) trait AnyReceiver {
    /// Walks the handlers; returns whether one of them was for this message.
    fn receive(&self, message: &dyn Message, world: &World) -> bool;
    fn add_to(&self, sum: &mut Checksum, number: usize);
}

impl<C: State> AnyReceiver for Receiver<C> {
    fn receive(&self, message: &dyn Message, world: &World) -> bool {
        let id = message.id();
        let handler = self.handlers.iter().find(|it| it.handled() == id);
        if let Some(handler) = handler {
            handler.handle(&mut self.component.borrow_mut(), message, world);
        }
        handler.is_some()
    }

    fn add_to(&self, sum: &mut Checksum, number: usize) {
        sum.add(number, &*self.component.borrow());
    }
}
