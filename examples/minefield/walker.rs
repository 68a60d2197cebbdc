//! A walker: a robot on its way across the field.

use message_core::prelude::*;

use crate::Done;
use crate::medic::MEDIC;
use crate::messages::{Blast, Leave, Order, Step, Wounded};
use crate::spot::Spot;

/// The column after the end of the field.
pub const GOAL: u32 = 20;

/// The number of blasts that destroy a robot.
const PLATES: usize = 2;

/// A robot.
pub struct Walker {
    /// The current position.
    pub at: Spot,
    /// The current activity.
    pub pace: Pace,
    plates: usize,
}

/// The activity of a robot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// It is waiting for an order.
    Halted,
    /// It is walking.
    Walking,
    /// It is on the ground and waiting for the medic.
    Down,
    /// It has left the field.
    Gone,
}

impl Walker {
    /// Creates a robot that is waiting at a spot.
    pub fn new(at: Spot) -> Self {
        Self {
            at,
            pace: Pace::Halted,
            plates: PLATES,
        }
    }

    /// Runs a frame of a robot, at its own desk.
    fn live(&mut self, own: Desk<'_>) -> Result<(), SendError> {
        if self.pace == Pace::Gone {
            return Ok(());
        }
        let at = self.at;
        let blasts = own.inbox::<Blast>();
        let hits = blasts.iter().filter(|blast| blast.reaches(at)).count();
        if hits > 0 {
            return self.bear(hits, own);
        }
        self.obey(own);
        match self.pace {
            Pace::Walking => self.walk(own),
            _ => Ok(()),
        }
    }

    fn bear(&mut self, hits: usize, own: Desk<'_>) -> Result<(), SendError> {
        self.plates = self.plates.saturating_sub(hits);
        if self.plates == 0 {
            self.pace = Pace::Gone;
            own.publish(Everyone, Leave::Lost)
        } else {
            self.pace = Pace::Down;
            own.publish(MEDIC, Wounded)
        }
    }

    /// Checks whether there is an order, but not which one is the first: that depends on the order
    /// of the systems.
    fn obey(&mut self, own: Desk<'_>) {
        let orders = own.inbox::<Order>().to(Me);
        let mut halts = orders.iter().filter(|order| **order == Order::Halt);
        let mut advances = orders.iter().filter(|order| **order == Order::Advance);
        match self.pace {
            Pace::Down => {
                let medic = own.bound(MEDIC);
                if medic.is_some_and(|medic| {
                    advances.any(|order| order.sender() == Sender::from(medic))
                }) {
                    self.plates = PLATES;
                    self.pace = Pace::Walking;
                }
            }
            Pace::Halted if advances.next().is_some() => self.pace = Pace::Walking,
            Pace::Walking if halts.next().is_some() => self.pace = Pace::Halted,
            _ => {}
        }
    }

    fn walk(&mut self, own: Desk<'_>) -> Result<(), SendError> {
        self.at = self.at.ahead();
        if self.at.column < GOAL {
            own.publish(Everyone, Step { to: self.at })
        } else {
            self.pace = Pace::Gone;
            own.publish(Everyone, Leave::Across)
        }
    }
}

/// Runs the system of the robots.
pub fn walk(desk: Desk<'_>) -> Done {
    for (id, mut walker) in desk.iter_mut::<Walker>() {
        walker.live(desk.speak_for(id)?)?;
    }
    Ok(())
}

/// Returns `true` if a robot has announced that it leaves.
pub fn has_left(desk: Desk<'_>, id: MessageeId) -> bool {
    !desk.inbox::<Leave>().from(id).is_empty()
}
