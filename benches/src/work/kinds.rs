//! The fifteen kinds of message of the rows W1 and W4.
//!
//! Each is for one component and multiplies its amount by a different weight, so that a message that
//! reaches the wrong handler changes the checksum. All have the same size and nearly the same work: the
//! measurement shows how the handler is found.

use message_core::prelude::*;

/// Calls a macro with the table of kinds: `Kind to Component by method times weight`.
///
/// ```text
/// macro_rules! handlers {
///     ($($kind:ident to $component:ident by $method:ident times $weight:literal,)*) => { … };
/// }
/// with_kinds!(handlers);
/// ```
macro_rules! with_kinds {
    ($then:ident) => {
        $then! {
            Damage to Health by on_damage times 1.0,
            Heal to Health by on_heal times 2.0,
            Poison to Health by on_poison times 3.0,
            Bless to Health by on_bless times 4.0,
            Push to Position by on_push times 5.0,
            Teleport to Position by on_teleport times 6.0,
            Turn to Position by on_turn times 7.0,
            Stop to Position by on_stop times 8.0,
            Alarm to Ai by on_alarm times 9.0,
            Calm to Ai by on_calm times 10.0,
            Hear to Ai by on_hear times 11.0,
            See to Ai by on_see times 12.0,
            Tint to Render by on_tint times 13.0,
            Blink to Render by on_blink times 14.0,
            Fade to Render by on_fade times 15.0,
        }
    };
}
pub(crate) use with_kinds;

macro_rules! declare {
    ($($kind:ident to $component:ident by $method:ident times $weight:literal,)*) => {
        /// A kind of message that is only known at run time.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Kind {
            $(
                #[doc = concat!("[`", stringify!($kind), "`], for `", stringify!($component), "`.")]
                $kind,
            )*
        }

        impl Kind {
            /// All kinds, in the order of their numbers.
            pub const ALL: [Self; 15] = [$(Self::$kind),*];
        }

        $(
            #[doc = concat!("Touches `", stringify!($component), "`.")]
            #[derive(Clone, Copy, Debug, Message)]
            pub struct $kind {
                /// The amount.
                pub amount: f32,
            }
        )*
    };
}
with_kinds!(declare);
