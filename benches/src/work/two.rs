//! The fifteen kinds of message of the row W1-two: two components of an object handle each of them.
//!
//! They are drawn as [`Kind`](super::Kind)s, like those of W1, and have the same names.

use message_core::prelude::*;

/// Calls a macro with the table of kinds: `Kind to Component and Component by method times weight`.
macro_rules! with_twos {
    ($then:ident) => {
        $then! {
            Damage to Health and Ai by two_damage times 1.0,
            Heal to Health and Position by two_heal times 2.0,
            Poison to Health and Render by two_poison times 3.0,
            Bless to Health and Ai by two_bless times 4.0,
            Push to Position and Health by two_push times 5.0,
            Teleport to Position and Ai by two_teleport times 6.0,
            Turn to Position and Render by two_turn times 7.0,
            Stop to Position and Health by two_stop times 8.0,
            Alarm to Ai and Health by two_alarm times 9.0,
            Calm to Ai and Position by two_calm times 10.0,
            Hear to Ai and Render by two_hear times 11.0,
            See to Ai and Health by two_see times 12.0,
            Tint to Render and Position by two_tint times 13.0,
            Blink to Render and Ai by two_blink times 14.0,
            Fade to Render and Health by two_fade times 15.0,
        }
    };
}
pub(crate) use with_twos;

macro_rules! declare {
    ($($kind:ident to $one:ident and $other:ident by $method:ident times $weight:literal,)*) => {
        $(
            #[doc = concat!("Touches `", stringify!($one), "` and `", stringify!($other), "`.")]
            #[derive(Clone, Copy, Debug, Message)]
            pub struct $kind {
                /// The amount.
                pub amount: f32,
            }
        )*
    };
}
with_twos!(declare);
