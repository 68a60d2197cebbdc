//! The four components of an object, and two that only one row needs each.

use super::checksum::{State, fold};

/// How much an object can take.
#[derive(Clone, Copy, Debug, Default)]
pub struct Health {
    /// What is left.
    pub hp: f32,
    /// How often something was taken.
    pub hits: u64,
}

impl Health {
    /// That of the object with this number.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        Self {
            hp: low(seed),
            hits: 0,
        }
    }

    /// Takes something, and counts.
    #[inline]
    pub fn hurt(&mut self, amount: f32) {
        self.hp -= amount;
        self.hits += 1;
    }

    /// The work of a kind of message that is for this component.
    #[inline]
    pub fn touch(&mut self, amount: f32) {
        self.hurt(amount);
    }
}

impl State for Health {
    fn bits(&self) -> u64 {
        fold([self.hp.bits(), self.hits])
    }
}

/// Where an object is and how it moves.
#[derive(Clone, Copy, Debug, Default)]
#[allow(missing_docs, reason = "they are what they are called")]
pub struct Position {
    pub x: f32,
    pub y: f32,
    pub z: f32,
    pub vx: f32,
    pub vy: f32,
    pub vz: f32,
}

impl Position {
    /// That of the object with this number.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        Self {
            vx: low(seed),
            vy: 1.0,
            vz: 2.0,
            ..Self::default()
        }
    }

    /// Moves for that long.
    #[inline]
    pub fn integrate(&mut self, dt: f32) {
        self.x += self.vx * dt;
        self.y += self.vy * dt;
        self.z += self.vz * dt;
    }

    /// The work of a kind of message that is for this component.
    #[inline]
    pub fn touch(&mut self, amount: f32) {
        self.x += amount;
    }
}

impl State for Position {
    fn bits(&self) -> u64 {
        let Self {
            x,
            y,
            z,
            vx,
            vy,
            vz,
        } = self;
        fold([x, y, z, vx, vy, vz].map(State::bits))
    }
}

/// What an object thinks of.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ai {
    /// What it has thought.
    pub memory: [u32; 8],
    /// What it is after.
    pub target: u32,
}

impl Ai {
    /// That of the object with this number.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        Self {
            memory: [seed; 8],
            target: seed,
        }
    }

    /// Thinks.
    #[inline]
    pub fn step(&mut self) {
        let target = self.target;
        for thought in &mut self.memory {
            *thought = thought.wrapping_mul(31).wrapping_add(target);
        }
    }

    /// The work of a kind of message that is for this component.
    #[inline]
    pub fn touch(&mut self, amount: f32) {
        self.target = self.target.wrapping_add(amount.to_bits());
    }
}

impl State for Ai {
    fn bits(&self) -> u64 {
        let thoughts = self.memory.iter().chain([&self.target]);
        fold(thoughts.map(|&thought| u64::from(thought)))
    }
}

/// How an object looks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Render {
    /// Red, green, blue, alpha.
    pub colour: [f32; 4],
}

impl Render {
    /// That of the object with this number.
    #[must_use]
    pub fn new(seed: u32) -> Self {
        Self {
            colour: [low(seed); 4],
        }
    }

    /// The work of a kind of message that is for this component.
    #[inline]
    pub fn touch(&mut self, amount: f32) {
        self.colour[0] += amount;
    }
}

impl State for Render {
    fn bits(&self) -> u64 {
        fold(self.colour.map(|part| part.bits()))
    }
}

/// What somebody has seen of somebody else's hit points. In the row W3-in a component that holds
/// this and whom it looks at takes the place of [`Ai`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Sight {
    /// The bits of all that was seen, added up. Were the numbers themselves added, the rows would wait
    /// for one addition after the other and hide what a request costs.
    pub sum: u64,
    /// How often.
    pub looks: u64,
}

impl Sight {
    /// Keeps what was seen.
    #[inline]
    pub fn see(&mut self, hp: f32) {
        self.sum = self.sum.wrapping_add(hp.bits());
        self.looks += 1;
    }
}

impl State for Sight {
    fn bits(&self) -> u64 {
        fold([self.sum, self.looks])
    }
}

/// What has passed an object of a chain. A contender adds what it needs to reach the next one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Relay {
    /// All hops, added up.
    pub passed: u64,
}

impl Relay {
    /// Keeps how far a message has come, and tells with what it goes on.
    #[inline]
    pub fn pass(&mut self, hops: u64) -> u64 {
        self.passed += hops;
        hops + 1
    }
}

impl State for Relay {
    fn bits(&self) -> u64 {
        self.passed
    }
}

fn low(seed: u32) -> f32 {
    f32::from(seed.to_le_bytes()[0])
}
