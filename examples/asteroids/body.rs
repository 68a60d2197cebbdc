//! The component of everything in space: a position and a speed. Each body publishes its position.

use message_core::prelude::*;

use crate::space::Vector;

/// Moves everything. Sent to everyone, once per frame.
#[derive(Message, Debug)]
pub struct Fly;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    Ship,
    Rock,
    Shot,
}

/// The position of a body. Published in each frame, and read in the next one.
#[derive(Message, Debug, Hash)]
pub struct Position {
    pub kind: Kind,
    pub at: Vector,
    pub radius: i32,
    pub speed: Vector,
}

#[derive(Debug)]
pub struct Body {
    pub kind: Kind,
    pub at: Vector,
    pub radius: i32,
    /// How far it moves in a frame.
    pub speed: Vector,
}

#[handlers]
impl Body {
    #[on_receive]
    fn fly(&mut self, _: &Fly, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.at = self.at.plus(self.speed);
        let position = Position {
            kind: self.kind,
            at: self.at,
            radius: self.radius,
            speed: self.speed,
        };
        cx.publish(Everyone, position)
    }
}
