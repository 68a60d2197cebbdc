//! Objects of four boxed components, and the virtual interface of a component.

#![allow(
    clippy::inline_always,
    reason = "several rows share a send, and no floor is slowed down by that"
)]

use crate::work::{Ai, Checksum, Health, Kind, Position, Render, State, small, two};
use crate::work::{
    Alarm, Bless, Blink, Calm, Damage, Fade, Heal, Hear, Poison, Push, See, Stop, Teleport, Tint,
    Turn, with_kinds, with_twos,
};

/// Four components, each at the place assigned to its type.
pub(super) type Object = [Box<dyn Component>; 4];

/// The place of a component type among an object's four components.
pub(super) trait Place {
    const PLACE: usize;
}

macro_rules! places {
    ($($component:ident at $place:literal,)*) => {
        $(
            impl Place for $component {
                const PLACE: usize = $place;
            }
        )*
    };
}
places! {
    Position at 0,
    Health at 1,
    Ai at 2,
    Render at 3,
}

/// Creates a number of objects, allocating their boxes object by object.
pub(super) fn objects(count: usize) -> Vec<Object> {
    let object = |seed| -> Object {
        [
            Box::new(Position::new(seed)),
            Box::new(Health::new(seed)),
            Box::new(Ai::new(seed)),
            Box::new(Render::new(seed)),
        ]
    };
    (0..small(count)).map(object).collect()
}

/// Returns the checksum of the states of all components.
pub(super) fn checksum(objects: &[Object]) -> u64 {
    let mut sum = Checksum::new();
    for (number, object) in objects.iter().enumerate() {
        for component in object {
            sum.add(number, &component.state());
        }
    }
    sum.value()
}

macro_rules! virtual_methods {
    ($($kind:ident to $component:ident by $method:ident times $weight:literal,)*) => {
        /// A component with one virtual method per kind of message. Components override those that they handle.
        pub(super) trait Component: HandlesTwo {
            $(fn $method(&mut self, _: &$kind) {})*

            /// Returns its hit points, or NaN if it has none.
            fn hp(&self) -> f32 {
                f32::NAN
            }

            /// Returns its hit points, if it has any.
            fn find_hp(&self) -> Option<f32> {
                None
            }

            /// Returns all its bits, for the checksum.
            fn state(&self) -> u64;
        }

        /// Calls the right method of the right component.
        #[inline(always)]
        pub(super) fn send(object: &mut Object, kind: Kind) {
            match kind {
                $(Kind::$kind => {
                    let message = $kind { amount: 1.0 };
                    object[$component::PLACE].$method(&message);
                })*
            }
        }
    };
}
with_kinds!(virtual_methods);

macro_rules! virtual_methods_of_two {
    ($($kind:ident to $one:ident and $other:ident by $method:ident times $weight:literal,)*) => {
        /// A component with one virtual method for each kind that two components handle.
        pub(super) trait HandlesTwo {
            fn touch_by(&mut self, amount: f32);

            $(
                #[inline]
                fn $method(&mut self, message: &two::$kind) {
                    self.touch_by(message.amount * $weight);
                }
            )*
        }

        /// Calls the right methods of the right components.
        #[inline(always)]
        pub(super) fn send_to_two(object: &mut Object, kind: Kind) {
            match kind {
                $(Kind::$kind => {
                    let message = two::$kind { amount: 1.0 };
                    object[$one::PLACE].$method(&message);
                    object[$other::PLACE].$method(&message);
                })*
            }
        }
    };
}
with_twos!(virtual_methods_of_two);

macro_rules! handle_two {
    ($($component:ident)*) => {
        $(
            impl HandlesTwo for $component {
                #[inline]
                fn touch_by(&mut self, amount: f32) {
                    self.touch(amount);
                }
            }
        )*
    };
}
handle_two!(Position Health Ai Render);

/// Overrides the methods of the kinds that are for this component.
macro_rules! overrides {
    ($($kind:ident by $method:ident times $weight:literal,)*) => {
        $(
            #[inline]
            fn $method(&mut self, message: &$kind) {
                self.touch(message.amount * $weight);
            }
        )*

        fn state(&self) -> u64 {
            self.bits()
        }
    };
}

impl Component for Position {
    overrides! {
        Push by on_push times 5.0,
        Teleport by on_teleport times 6.0,
        Turn by on_turn times 7.0,
        Stop by on_stop times 8.0,
    }

    fn find_hp(&self) -> Option<f32> {
        self.find_hp()
    }
}

impl Component for Health {
    overrides! {
        Damage by on_damage times 1.0,
        Heal by on_heal times 2.0,
        Poison by on_poison times 3.0,
        Bless by on_bless times 4.0,
    }

    fn hp(&self) -> f32 {
        self.hp
    }

    fn find_hp(&self) -> Option<f32> {
        Some(self.hp)
    }
}

impl Component for Ai {
    overrides! {
        Alarm by on_alarm times 9.0,
        Calm by on_calm times 10.0,
        Hear by on_hear times 11.0,
        See by on_see times 12.0,
    }
}

impl Component for Render {
    overrides! {
        Tint by on_tint times 13.0,
        Blink by on_blink times 14.0,
        Fade by on_fade times 15.0,
    }
}
