//! Space: a torus with integer coordinates, so that a run is the same on every machine.

/// A position, or a vector from one position to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Vector {
    pub x: i32,
    pub y: i32,
}

pub const WIDTH: i32 = 64_000;
pub const HEIGHT: i32 = 24_000;

impl Vector {
    /// Returns the position at the end of a vector. Anything that leaves space on one side reappears on the other.
    pub fn plus(self, way: Self) -> Self {
        Self {
            x: (self.x + way.x).rem_euclid(WIDTH),
            y: (self.y + way.y).rem_euclid(HEIGHT),
        }
    }

    /// Returns the shortest vector to another position.
    pub fn way_to(self, other: Self) -> Self {
        let shortest =
            |from: i32, to: i32, size: i32| (to - from + size / 2).rem_euclid(size) - size / 2;
        Self {
            x: shortest(self.x, other.x, WIDTH),
            y: shortest(self.y, other.y, HEIGHT),
        }
    }

    pub fn dot(self, other: Self) -> i64 {
        i64::from(self.x) * i64::from(other.x) + i64::from(self.y) * i64::from(other.y)
    }

    pub fn length(self) -> i32 {
        i32::try_from(self.dot(self).isqrt()).unwrap_or(i32::MAX)
    }

    /// Returns a vector of this length in the same direction.
    pub fn with_length(self, length: i32) -> Self {
        let long = i64::from(self.length().max(1));
        let scaled = |part: i32| i64::from(part) * i64::from(length) / long;
        Self {
            x: i32::try_from(scaled(self.x)).unwrap_or(0),
            y: i32::try_from(scaled(self.y)).unwrap_or(0),
        }
    }
}
