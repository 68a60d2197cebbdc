//! A walker: a robot on its way across the field.

use message_core::prelude::*;

use crate::Done;
use crate::medic::MEDIC;
use crate::messages::{Blast, Leave, Order, Step, Wounded};
use crate::spot::Spot;

/// The column behind the field.
pub const GOAL: u32 = 20;

/// How many blasts it takes until nothing of a robot is left.
const PLATES: usize = 2;

/// A robot. It is copied, changed and put back.
#[derive(Clone, Copy)]
pub struct Walker {
    /// Where it is.
    pub at: Spot,
    /// What it is doing.
    pub pace: Pace,
    plates: usize,
}

/// What a robot is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// It stands and waits for an order.
    Halted,
    /// It walks.
    Walking,
    /// It lies on the ground and waits for the medic.
    Down,
    /// It has left the field.
    Gone,
}

/// What a robot lets others know.
enum Deed {
    Step(Step),
    Wounded,
    Leave(Leave),
}

impl Walker {
    /// A robot that stands there.
    pub fn new(at: Spot) -> Self {
        Self {
            at,
            pace: Pace::Halted,
            plates: PLATES,
        }
    }

    fn live(&mut self, me: MessageeId, manager: &MessageManager) -> Option<Deed> {
        if self.pace == Pace::Gone {
            return None;
        }
        let at = self.at;
        let blasts = manager.inbox::<Blast>();
        match blasts.matching(|blast| blast.reaches(at)).count() {
            0 => self.obey(me, manager),
            hits => return Some(self.bear(hits)),
        }
        (self.pace == Pace::Walking).then(|| self.walk())
    }

    fn bear(&mut self, hits: usize) -> Deed {
        self.plates = self.plates.saturating_sub(hits);
        if self.plates == 0 {
            self.pace = Pace::Gone;
            Deed::Leave(Leave::Lost)
        } else {
            self.pace = Pace::Down;
            Deed::Wounded
        }
    }

    /// Asks whether there is an order, and not which one is the first: that depends on who has
    /// been quicker.
    fn obey(&mut self, me: MessageeId, manager: &MessageManager) {
        let orders = manager.inbox::<Order>().to(me);
        let halt = orders.matching(|order| *order == Order::Halt);
        let advance = orders.matching(|order| *order == Order::Advance);
        match self.pace {
            Pace::Down => {
                let medic = manager.bound(MEDIC);
                if medic.is_some_and(|medic| !advance.from(medic).is_empty()) {
                    self.plates = PLATES;
                    self.pace = Pace::Walking;
                }
            }
            Pace::Halted if !advance.is_empty() => self.pace = Pace::Walking,
            Pace::Walking if !halt.is_empty() => self.pace = Pace::Halted,
            _ => {}
        }
    }

    fn walk(&mut self) -> Deed {
        self.at = self.at.ahead();
        if self.at.column < GOAL {
            Deed::Step(Step { to: self.at })
        } else {
            self.pace = Pace::Gone;
            Deed::Leave(Leave::Across)
        }
    }
}

/// The system of the robots.
pub fn walk(manager: &mut MessageManager) -> Done {
    let walkers = manager.iter::<Walker>().map(|(id, walker)| (id, *walker));
    for (id, mut walker) in walkers.collect::<Vec<_>>() {
        let deed = walker.live(id, manager);
        *manager.get_mut::<Walker>(id)? = walker;
        let mut robot = manager.as_messagee(id)?;
        match deed {
            Some(Deed::Step(step)) => robot.publish(Everyone, step)?,
            Some(Deed::Wounded) => robot.publish(MEDIC, Wounded)?,
            Some(Deed::Leave(leave)) => robot.publish(Everyone, leave)?,
            None => {}
        }
    }
    Ok(())
}

/// Whether a robot was heard to leave.
pub fn has_left(manager: &MessageManager, id: MessageeId) -> bool {
    !manager.inbox::<Leave>().from(id).is_empty()
}
