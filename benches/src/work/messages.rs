//! The other messages, one or two for each row.

use message_core::prelude::*;

/// W2: moves [`Position`](super::Position) and makes [`Ai`](super::Ai) think.
#[derive(Clone, Debug, Message)]
pub struct Update {
    /// Seconds.
    pub dt: f32,
}

/// W2-context: as [`Update`], for handlers that take a context.
#[derive(Clone, Debug, Message)]
pub struct Advance {
    /// Seconds.
    pub dt: f32,
}

/// W2-dying: as [`Advance`], for [`Mortal`](super::Mortal)s and [`Ai`](super::Ai).
#[derive(Clone, Debug, Message)]
pub struct Age {
    /// Seconds.
    pub dt: f32,
}

/// W3: asks [`Health`](super::Health) for its hit points.
#[derive(Clone, Debug, Message)]
#[message(reply = f32)]
pub struct GetHp;

/// W3-two: asks [`Position`](super::Position), which has no hit points and declines, and then
/// [`Health`](super::Health).
#[derive(Clone, Debug, Message)]
#[message(reply = f32)]
pub struct FindHp;

/// W3-in: tells somebody to ask whom it looks at for its hit points, and to keep them in its
/// [`Sight`](super::Sight).
#[derive(Clone, Debug, Message)]
pub struct Look;

/// W5: what is delivered later, and hurts.
#[derive(Clone, Copy, Debug, Message)]
pub struct Shot {
    /// By how much.
    pub amount: f32,
    /// Where.
    pub at: [f32; 3],
}

impl Shot {
    /// The one that is posted as number so many. The amounts are such that two shots on one object
    /// in another order leave other hit points, as the additions are rounded.
    #[inline]
    #[must_use]
    pub fn new(number: u32) -> Self {
        Self {
            amount: 0.1 * f32::from(number.to_le_bytes()[0]),
            at: [0.5; 3],
        }
    }

    /// What it takes from [`Health`](super::Health).
    #[inline]
    #[must_use]
    pub fn damage(&self) -> f32 {
        self.amount * self.at[1]
    }
}

macro_rules! shots {
    ($($(#[$meta:meta])* $name:ident,)*) => {
        $(
            $(#[$meta])*
            #[derive(Clone, Copy, Debug, Message)]
            pub struct $name(
                /// How it hurts.
                pub Shot,
            );

            impl From<Shot> for $name {
                #[inline]
                fn from(shot: Shot) -> Self {
                    Self(shot)
                }
            }
        )*
    };
}
shots! {
    /// W5-context: a [`Shot`] for a handler that takes a context.
    Arrow,
    /// W5-mixed: a [`Shot`] of the first of four types.
    Bolt,
    /// W5-mixed: the second, which hurts twice as much.
    Stone,
    /// W5-mixed: the third, which hurts three times as much.
    Spear,
    /// W5-mixed: the fourth, which hurts four times as much.
    Flame,
    /// W5-two: a [`Shot`] that hurts two components.
    Dart,
}

/// W5-word: the amount of a [`Shot`] in one integer field.
#[derive(Clone, Debug, Message)]
pub struct Word(
    /// The bits of the amount.
    pub u64,
);

impl Word {
    /// What it takes from [`Health`](super::Health).
    #[inline]
    #[must_use]
    #[allow(clippy::cast_possible_truncation, reason = "it was made of 32 bits")]
    pub fn damage(&self) -> f32 {
        0.5 * f32::from_bits(self.0 as u32)
    }
}

impl From<Shot> for Word {
    #[inline]
    fn from(shot: Shot) -> Self {
        Self(shot.amount.to_bits().into())
    }
}

/// W6: what is put into a mailbox.
#[derive(Clone, Copy, Debug, Message)]
pub struct Hit {
    /// How much.
    pub damage: u64,
    /// Of what.
    pub kind: u64,
}

impl Hit {
    /// The one that is published as number so many.
    #[inline]
    #[must_use]
    pub fn new(number: u32) -> Self {
        Self {
            damage: u64::from(number),
            kind: 3,
        }
    }

    /// What its reader adds to the others it has read: another sum in another order.
    #[inline]
    #[must_use]
    pub fn read(&self, sum: u64) -> u64 {
        sum.rotate_left(1).wrapping_add(self.damage ^ self.kind)
    }
}

/// W6-pass: what is written and read in one pass.
#[derive(Clone, Copy, Debug, Message)]
pub struct Written(
    /// What the reader reads.
    pub Hit,
);

/// W7: what every subscriber hears.
#[derive(Clone, Debug, Message)]
pub struct Beat(
    /// What it adds up.
    pub u64,
);

/// W8: what goes along a chain of [`Relay`](super::Relay)s.
#[derive(Clone, Debug, Message)]
pub struct Pass {
    /// How far it has come.
    pub hops: u64,
}

/// W8-two: as [`Pass`], for objects of which two components handle it.
#[derive(Clone, Debug, Message)]
pub struct PassTwo {
    /// How far it has come.
    pub hops: u64,
}
