//! The actor that represents an object, and a system that runs a number of actors.

use actix::prelude::*;

use super::running::Pending;
use crate::work::{self, Ai, Checksum, GetHp, Health, Position, Render, Update, small, with_kinds};

/// An object with all its components.
pub(super) struct Object {
    position: Position,
    health: Health,
    ai: Ai,
    render: Render,
    pending: Pending,
}

impl Actor for Object {
    type Context = Context<Self>;
}

/// Access to a component by its type.
trait Part<C> {
    fn part(&mut self) -> &mut C;
}

macro_rules! parts {
    ($($component:ident in $field:ident,)*) => {
        $(
            impl Part<$component> for Object {
                fn part(&mut self) -> &mut $component {
                    &mut self.$field
                }
            }
        )*
    };
}
parts! {
    Position in position,
    Health in health,
    Ai in ai,
    Render in render,
}

macro_rules! handlers {
    ($($kind:ident to $component:ident by $method:ident times $weight:literal,)*) => {
        $(
            impl Message for work::$kind {
                type Result = ();
            }

            impl Handler<work::$kind> for Object {
                type Result = ();

                fn handle(&mut self, message: work::$kind, _: &mut Context<Self>) {
                    Part::<$component>::part(self).touch(message.amount * $weight);
                    self.pending.handled();
                }
            }
        )*
    };
}
with_kinds!(handlers);

impl Message for Update {
    type Result = ();
}

impl Handler<Update> for Object {
    type Result = ();

    fn handle(&mut self, update: Update, _: &mut Context<Self>) {
        self.position.integrate(update.dt);
        self.ai.step();
        self.pending.handled();
    }
}

impl Message for GetHp {
    type Result = f32;
}

impl Handler<GetHp> for Object {
    type Result = f32;

    fn handle(&mut self, _: GetHp, _: &mut Context<Self>) -> f32 {
        self.health.hp
    }
}

/// Adds the states of an actor with this number, and returns the sum.
pub(super) struct AddTo(pub(super) Checksum, pub(super) usize);

impl Message for AddTo {
    type Result = Checksum;
}

impl Handler<AddTo> for Object {
    type Result = MessageResult<AddTo>;

    fn handle(&mut self, message: AddTo, _: &mut Context<Self>) -> Self::Result {
        let AddTo(mut sum, number) = message;
        sum.add(number, &self.position);
        sum.add(number, &self.health);
        sum.add(number, &self.ai);
        sum.add(number, &self.render);
        MessageResult(sum)
    }
}

/// Actors that run on this thread.
pub(super) struct Actors<A: Actor> {
    pub(super) system: SystemRunner,
    /// The addresses, by number.
    pub(super) addresses: Vec<Addr<A>>,
    pub(super) pending: Pending,
}

impl<A: Actor<Context = Context<A>>> Actors<A> {
    /// Starts a number of actors, each created from its number.
    pub(super) fn new(count: usize, actor: impl Fn(u32, &Pending) -> A) -> Self {
        let system = System::new();
        let pending = Pending::default();
        let addresses = system.block_on(async {
            let numbers = 0..small(count);
            numbers
                .map(|number| actor(number, &pending).start())
                .collect()
        });
        Self {
            system,
            addresses,
            pending,
        }
    }

    /// Returns the checksum of the states of all actors.
    pub(super) fn checksum(&self) -> u64
    where
        A: Handler<AddTo>,
    {
        let sum = self.system.block_on(async {
            let mut sum = Checksum::new();
            for (number, address) in self.addresses.iter().enumerate() {
                let added = address.send(AddTo(sum, number)).await;
                sum = added.expect("it runs");
            }
            sum
        });
        sum.value()
    }
}

/// Starts a number of objects.
pub(super) fn objects(count: usize) -> Actors<Object> {
    Actors::new(count, |seed, pending| Object {
        position: Position::new(seed),
        health: Health::new(seed),
        ai: Ai::new(seed),
        render: Render::new(seed),
        pending: pending.clone(),
    })
}
