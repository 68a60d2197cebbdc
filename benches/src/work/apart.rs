//! Kinds of message for rows that would change the code generated for W1 if they sent its messages. They are drawn as
//! [`Kind`](super::Kind)s, have the names of those of W1, and do the same work.

/// Calls a macro with the table of kinds: `Kind to Component by method and method times weight`. The first
/// method is for the kind in [`second`], the second one for the kind in [`named`].
macro_rules! with_kinds_apart {
    ($then:ident) => {
        $then! {
            Damage to Health by second_damage and named_damage times 1.0,
            Heal to Health by second_heal and named_heal times 2.0,
            Poison to Health by second_poison and named_poison times 3.0,
            Bless to Health by second_bless and named_bless times 4.0,
            Push to Position by second_push and named_push times 5.0,
            Teleport to Position by second_teleport and named_teleport times 6.0,
            Turn to Position by second_turn and named_turn times 7.0,
            Stop to Position by second_stop and named_stop times 8.0,
            Alarm to Ai by second_alarm and named_alarm times 9.0,
            Calm to Ai by second_calm and named_calm times 10.0,
            Hear to Ai by second_hear and named_hear times 11.0,
            See to Ai by second_see and named_see times 12.0,
            Tint to Render by second_tint and named_tint times 13.0,
            Blink to Render by second_blink and named_blink times 14.0,
            Fade to Render by second_fade and named_fade times 15.0,
        }
    };
}
pub(crate) use with_kinds_apart;

macro_rules! declare {
    ($($kind:ident to $component:ident by $second:ident and $named:ident times $weight:literal,)*) => {
        /// W1-second: each kind is also handled by a component type that no object has.
        pub mod second {
            use message_core::prelude::*;

            $(
                #[doc = concat!("Touches `", stringify!($component), "`.")]
                #[derive(Clone, Copy, Debug, Message)]
                pub struct $kind {
                    /// The amount.
                    pub amount: f32,
                }
            )*
        }

        /// W1-mnemonic, W1-group and W1-up.
        pub mod named {
            use message_core::prelude::*;

            $(
                #[doc = concat!("Touches `", stringify!($component), "`.")]
                #[derive(Clone, Copy, Debug, Message)]
                pub struct $kind {
                    /// The amount.
                    pub amount: f32,
                }
            )*
        }
    };
}
with_kinds_apart!(declare);
