//! Places, and ways from one to another.

use std::ops::{Add, AddAssign, Mul, Sub};

use serde::{Deserialize, Serialize};

/// How wide the arena is.
pub const WIDTH: f32 = 1200.0;
/// How high the arena is.
pub const HEIGHT: f32 = 640.0;

/// A place in the arena, or a way from one place to another. The origin is on the upper left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Vector {
    /// To the right.
    pub x: f32,
    /// Downwards.
    pub y: f32,
}

impl Vector {
    /// No way at all.
    pub const ZERO: Self = Self { x: 0.0, y: 0.0 };
    /// The middle of the arena.
    pub const CENTRE: Self = Self {
        x: WIDTH / 2.0,
        y: HEIGHT / 2.0,
    };

    /// The vector of these parts.
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    /// The square of the length, which needs no root.
    pub fn length_squared(self) -> f32 {
        self.x * self.x + self.y * self.y
    }

    /// The length.
    pub fn length(self) -> f32 {
        self.length_squared().sqrt()
    }

    /// The way from here to there.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        other - self
    }

    /// A way of this length in the same direction. Of no way, no way.
    #[must_use]
    pub fn with_length(self, length: f32) -> Self {
        let own = self.length();
        if own > f32::EPSILON {
            self * (length / own)
        } else {
            Self::ZERO
        }
    }

    /// The same way, turned to the right by a quarter.
    #[must_use]
    pub fn turned(self) -> Self {
        Self::new(-self.y, self.x)
    }

    /// The nearest place inside the arena that is so far from its walls.
    #[must_use]
    pub fn inside(self, margin: f32) -> Self {
        Self {
            x: self.x.clamp(margin, WIDTH - margin),
            y: self.y.clamp(margin, HEIGHT - margin),
        }
    }

    /// The point on the way to another vector, where 0 is here and 1 is there.
    #[must_use]
    pub fn towards(self, other: Self, part: f32) -> Self {
        self + (other - self) * part
    }
}

impl Add for Vector {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.x + other.x, self.y + other.y)
    }
}

impl AddAssign for Vector {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl Sub for Vector {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f32> for Vector {
    type Output = Self;

    fn mul(self, by: f32) -> Self {
        Self::new(self.x * by, self.y * by)
    }
}
