//! The handlers of the shared components.

use message_core::prelude::*;

use crate::work::{Ai, Health, Position, Render, with_kinds};
use crate::work::{
    Alarm, Bless, Blink, Calm, Damage, Fade, Heal, Hear, Poison, Push, See, Stop, Teleport, Tint,
    Turn,
};

macro_rules! handlers {
    ($($kind:ident to $component:ident by $method:ident times $weight:literal,)*) => {
        $(
            #[handlers]
            impl $component {
                #[on_receive]
                fn $method(&mut self, message: &$kind) {
                    self.touch(message.amount * $weight);
                }
            }
        )*
    };
}
with_kinds!(handlers);
