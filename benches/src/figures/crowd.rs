//! Who is spawned and written to: four components, fifteen message types that each are for one of
//! them, and one that two of them react to.
//!
//! The work is a method of the component, so that a handler and the floor do the very same.

use message_core::prelude::*;

use crate::floor::Object;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Health {
    hp: f32,
    hits: u64,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Position {
    at: [f32; 3],
    speed: [f32; 3],
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Ai {
    memory: [u32; 8],
    target: u32,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Render {
    colour: [f32; 4],
}

/// The components of one messagee, or of one object of the floor.
pub(crate) fn components(number: usize) -> (Health, Position, Ai, Render) {
    let seed = u32::try_from(number % 1000).expect("a small number");
    let small = f32::from(seed.to_le_bytes()[0]);
    (
        Health { hp: small, hits: 0 },
        Position {
            at: [0.0; 3],
            speed: [small, 1.0, 2.0],
        },
        Ai {
            memory: [seed; 8],
            target: seed,
        },
        Render { colour: [small; 4] },
    )
}

impl Health {
    fn touch(&mut self, amount: f32) {
        self.hp -= amount;
        self.hits += 1;
    }
}

impl Position {
    pub(crate) fn integrate(&mut self, dt: f32) {
        for (at, speed) in self.at.iter_mut().zip(self.speed) {
            *at += speed * dt;
        }
    }

    fn touch(&mut self, amount: f32) {
        self.at[0] += amount;
    }
}

impl Ai {
    pub(crate) fn step(&mut self) {
        let target = self.target;
        for thought in &mut self.memory {
            *thought = thought.wrapping_mul(31).wrapping_add(target);
        }
    }

    fn touch(&mut self, amount: f32) {
        self.target = self.target.wrapping_add(amount.to_bits());
    }
}

impl Render {
    fn touch(&mut self, amount: f32) {
        self.colour[0] += amount;
    }
}

#[cfg(feature = "peers")]
macro_rules! bevy_components {
    ($($component:ident)*) => {
        $(
            impl bevy_ecs::component::Component for $component {
                const STORAGE_TYPE: bevy_ecs::component::StorageType =
                    bevy_ecs::component::StorageType::Table;
                type Mutability = bevy_ecs::component::Mutable;
            }
        )*
    };
}
#[cfg(feature = "peers")]
bevy_components!(Health Position Ai Render);

#[derive(Message)]
pub(crate) struct Update {
    pub(crate) dt: f32,
}

#[handlers]
impl Position {
    #[on_receive]
    fn on_update(&mut self, update: &Update) {
        self.integrate(update.dt);
    }
}

#[handlers]
impl Ai {
    #[on_receive]
    fn on_update(&mut self, _: &Update) {
        self.step();
    }
}

/// Declares the message types: for each component those that it handles, once with our handler and
/// once as a method of the floor's virtual interface.
macro_rules! kinds {
    ($($component:ident at $place:literal { $($kind:ident as $method:ident),* })*) => {
        #[derive(Clone, Copy, Debug)]
        pub(crate) enum Kind { $($($kind),*),* }

        impl Kind {
            pub(crate) const ALL: [Self; 15] = [$($(Self::$kind),*),*];
        }

        $($(
            #[derive(Message)]
            pub(crate) struct $kind { amount: f32 }

            #[handlers]
            impl $component {
                #[on_receive]
                fn $method(&mut self, message: &$kind) { self.touch(message.amount); }
            }
        )*)*

        /// What the floor's objects can be told: one virtual method for each message type.
        pub(crate) trait Told {
            $($(fn $method(&mut self, _: &$kind) {})*)*
        }

        $(
            impl Told for $component {
                $(fn $method(&mut self, message: &$kind) { self.touch(message.amount); })*
            }
        )*

        #[inline]
        pub(crate) fn send(manager: &mut MessageManager, to: MessageeId, kind: Kind) {
            match kind {
                $($(Kind::$kind => {
                    let receipt = manager.send(to, $kind { amount: 1.0 }).expect("it is alive");
                    debug_assert_eq!(receipt.received, 1);
                })*)*
            }
        }

        #[inline]
        pub(crate) fn tell(object: &mut Object, kind: Kind) {
            match kind {
                $($(Kind::$kind => object[$place].$method(&$kind { amount: 1.0 }),)*)*
            }
        }
    };
}

kinds! {
    Health at 0 { Damage as on_damage, Heal as on_heal, Poison as on_poison, Bless as on_bless }
    Position at 1 { Push as on_push, Teleport as on_teleport, Turn as on_turn, Stop as on_stop }
    Ai at 2 { Alarm as on_alarm, Calm as on_calm, Hear as on_hear, See as on_see }
    Render at 3 { Tint as on_tint, Blink as on_blink, Fade as on_fade }
}
