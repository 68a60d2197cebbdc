//! The other messages, one or two for each row.

use message_core::prelude::*;

/// W2: moves [`Position`](super::Position) and makes [`Ai`](super::Ai) think.
#[derive(Clone, Debug, Message)]
pub struct Update {
    /// The time step in seconds.
    pub dt: f32,
}

/// W2-context: like [`Update`], but for handlers that take a context.
#[derive(Clone, Debug, Message)]
pub struct Advance {
    /// The time step in seconds.
    pub dt: f32,
}

/// W2-dying: like [`Advance`], but for [`Mortal`](super::Mortal)s and [`Ai`](super::Ai).
#[derive(Clone, Debug, Message)]
pub struct Age {
    /// The time step in seconds.
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

/// W3-in: asks an object to request the hit points of the object it looks at, and to keep them in its
/// [`Sight`](super::Sight).
#[derive(Clone, Debug, Message)]
pub struct Look;

/// W5: a message that is delivered later, and hurts.
#[derive(Clone, Copy, Debug, Message)]
pub struct Shot {
    /// The amount.
    pub amount: f32,
    /// The point of impact.
    pub at: [f32; 3],
}

impl Shot {
    /// Returns the shot that is posted under this number. The amounts are chosen so that the order of two shots on
    /// one object affects its hit points, because additions are rounded.
    #[inline]
    #[must_use]
    pub fn new(number: u32) -> Self {
        Self {
            amount: 0.1 * f32::from(number.to_le_bytes()[0]),
            at: [0.5; 3],
        }
    }

    /// Returns the damage to [`Health`](super::Health).
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
                /// The damage that it does.
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
    /// Returns the damage to [`Health`](super::Health).
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

/// W6: a message that is put into a mailbox.
#[derive(Clone, Copy, Debug, Message)]
pub struct Hit {
    /// The amount of damage.
    pub damage: u64,
    /// The kind of damage.
    pub kind: u64,
}

impl Hit {
    /// Returns the hit that is published under this number.
    #[inline]
    #[must_use]
    pub fn new(number: u32) -> Self {
        Self {
            damage: u64::from(number),
            kind: 3,
        }
    }

    /// Adds this hit to a reader's sum of the hits read so far; another order results in another sum.
    #[inline]
    #[must_use]
    pub fn read(&self, sum: u64) -> u64 {
        sum.rotate_left(1).wrapping_add(self.damage ^ self.kind)
    }
}

/// W6-pass: a message that is written and read in one pass.
#[derive(Clone, Copy, Debug, Message)]
pub struct Written(
    /// The content that the reader reads.
    pub Hit,
);

/// W7: a message that every subscriber hears.
#[derive(Clone, Debug, Message)]
pub struct Beat(
    /// The number that subscribers add up.
    pub u64,
);

/// W8: a message that goes along a chain of [`Relay`](super::Relay)s.
#[derive(Clone, Debug, Message)]
pub struct Pass {
    /// The number of hops so far.
    pub hops: u64,
}

/// W8-two: like [`Pass`], but for objects of which two components handle it.
#[derive(Clone, Debug, Message)]
pub struct PassTwo {
    /// The number of hops so far.
    pub hops: u64,
}
