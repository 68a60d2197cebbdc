//! The things in the arena: their kind, place and speed.

use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::space::{HEIGHT, Vector, WIDTH};

/// The kind of a thing in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// The player's ship.
    Ship,
    /// An enemy that flies at the ship.
    Drone,
    /// An enemy that keeps its distance and fires.
    Gunner,
    /// A slow enemy with a shield.
    Brute,
    /// A place where an enemy is about to arrive.
    Portal,
    /// A shot of the ship.
    Shot,
    /// A shot of an enemy.
    Bolt,
    /// A bomb with a burning fuse.
    Bomb,
    /// A repair kit, which mends the ship that takes it.
    Repair,
}

impl Kind {
    /// Returns the radius.
    pub fn radius(self) -> f32 {
        match self {
            Self::Ship => 14.0,
            Self::Drone => 13.0,
            Self::Gunner => 15.0,
            Self::Brute => 24.0,
            Self::Portal => 22.0,
            Self::Shot | Self::Bolt => 5.0,
            Self::Bomb => 11.0,
            Self::Repair => 12.0,
        }
    }

    /// Returns `true` for the ship's enemies.
    pub fn is_enemy(self) -> bool {
        matches!(self, Self::Drone | Self::Gunner | Self::Brute)
    }

    /// Returns `true` for kinds that walls hold back; the others fly out and disappear.
    fn stays_inside(self) -> bool {
        !matches!(self, Self::Shot | Self::Bolt)
    }
}

/// Everyone moves by one step. Sent to everyone.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Advance {
    /// The duration of a step, in seconds.
    pub seconds: f32,
}

/// A body in the arena.
#[derive(Data, Serialize, Deserialize, Clone, Copy, Debug)]
#[data(exact)]
pub struct Body {
    /// The kind.
    pub kind: Kind,
    /// The current position.
    pub at: Vector,
    /// The distance it moves in a second if nothing happens.
    pub speed: Vector,
    /// The direction in which it looks.
    pub facing: Vector,
}

impl Body {
    /// Creates a body that does not move.
    pub fn new(kind: Kind, at: Vector) -> Self {
        Self {
            kind,
            at,
            speed: Vector::ZERO,
            facing: Vector::new(0.0, -1.0),
        }
    }

    /// Returns the same body in motion, looking in the direction in which it flies.
    #[must_use]
    pub fn moving(self, speed: Vector) -> Self {
        Self {
            speed,
            facing: speed.with_length(1.0),
            ..self
        }
    }

    /// Returns `true` if two bodies touch.
    pub fn touches(&self, other: &Self) -> bool {
        let reach = self.kind.radius() + other.kind.radius();
        self.at.to(other.at).length_squared() < reach * reach
    }

    /// Returns `true` if it has left the arena.
    pub fn is_out(&self) -> bool {
        let Vector { x, y } = self.at;
        x < 0.0 || y < 0.0 || x > WIDTH || y > HEIGHT
    }
}

#[handlers]
impl Body {
    #[on_receive]
    fn advance(&mut self, step: &Advance) {
        self.at += self.speed * step.seconds;
        if self.kind.stays_inside() {
            self.at = self.at.inside(self.kind.radius());
        }
    }
}
