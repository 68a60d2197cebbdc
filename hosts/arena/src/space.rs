//! Positions in the arena, and the vectors between them.

use std::ops::{Add, AddAssign, Mul, Sub};

use serde::{Deserialize, Serialize};

/// The width of the arena.
pub const WIDTH: f32 = 1200.0;
/// The height of the arena.
pub const HEIGHT: f32 = 640.0;

/// A position in the arena, or a vector from one position to another. The origin is at the upper left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Vector {
    /// The component to the right.
    pub x: f32,
    /// The component downwards.
    pub y: f32,
}

impl Vector {
    /// The zero vector.
    pub const ZERO: Self = Self { x: 0.0, y: 0.0 };
    /// The centre of the arena.
    pub const CENTRE: Self = Self {
        x: WIDTH / 2.0,
        y: HEIGHT / 2.0,
    };

    /// Creates a vector from its components.
    pub const fn new(x: f32, y: f32) -> Self {
        Self { x, y }
    }

    /// Returns the square of the length, which does not need a square root.
    pub fn length_squared(self) -> f32 {
        self.x * self.x + self.y * self.y
    }

    /// Returns the length.
    pub fn length(self) -> f32 {
        self.length_squared().sqrt()
    }

    /// Returns the vector from `self` to another position.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        other - self
    }

    /// Returns the vector of this length in the same direction, or zero if `self` is zero.
    #[must_use]
    pub fn with_length(self, length: f32) -> Self {
        let own = self.length();
        if own > f32::EPSILON {
            self * (length / own)
        } else {
            Self::ZERO
        }
    }

    /// Returns the vector rotated clockwise by 90 degrees.
    #[must_use]
    pub fn turned(self) -> Self {
        Self::new(-self.y, self.x)
    }

    /// Returns the nearest position inside the arena that has at least this distance from its walls.
    #[must_use]
    pub fn inside(self, margin: f32) -> Self {
        Self {
            x: self.x.clamp(margin, WIDTH - margin),
            y: self.y.clamp(margin, HEIGHT - margin),
        }
    }

    /// Interpolates between `self` at 0 and another vector at 1.
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
