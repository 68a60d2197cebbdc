//! The game: the manager with all robots, mines and observers, and its frames.

use std::ops::Deref;
use std::time::Duration;

use message_core::Component;
use message_core::prelude::*;

use crate::Done;
use crate::log::{self, Log};
use crate::map::{self, Map};
use crate::medic::{self, MEDIC, Medic};
use crate::messages::{Order, Step};
use crate::mine::{self, Mine};
use crate::scribe::{self, KEPT, Scribe};
use crate::sergeant::{self, SERGEANT, Sergeant};
use crate::spot::Spot;
use crate::walker::{self, Walker};

/// A part of the work of a frame. It works at a desk.
pub type System = fn(Desk<'_>) -> Done;

/// All systems, in one order out of 5040.
pub const SYSTEMS: &[System] = &[
    walker::walk,
    mine::lurk,
    medic::mend,
    sergeant::command,
    map::draw,
    scribe::count,
    log::write,
];

/// A manager with robots, mines and observers.
pub struct Game {
    /// The manager.
    pub manager: MessageManager,
    /// The observers.
    tower: MessageeId,
}

impl Game {
    /// Creates a game in which nothing has happened yet.
    pub fn new(robots: &[(&str, Spot)], mines: &[(Spot, u32)]) -> Result<Self, MessageeError> {
        let mut manager = MessageManager::new();
        manager.set_mail_retention::<Step>(KEPT);
        let scribe = Scribe::new(manager.desk());
        let tower = manager.spawn((Map::default(), scribe, Log::default()));
        let medic = manager.spawn_named("Medic", (Medic::default(),));
        manager.bind(MEDIC, medic)?;
        let last = Order::Halt;
        let sergeant = manager.spawn_named("Sergeant", (Sergeant { last },));
        manager.bind(SERGEANT, sergeant)?;
        for &(name, at) in robots {
            manager.spawn_named(name, (Walker::new(at),));
        }
        for (number, &(at, power)) in (1..).zip(mines) {
            manager.spawn_named(format!("Mine {number}"), (Mine { at, power },));
        }
        Ok(Self { manager, tower })
    }

    /// Runs one frame: messages published in the last frame become readable, then the systems run.
    /// Messagees only come and go after all of them.
    pub fn run_frame(&mut self, systems: &[System]) -> Done {
        self.manager.tick(Duration::from_millis(100));
        for system in systems {
            system(self.manager.desk())?;
        }
        Ok(self.clear_away()?)
    }

    /// Despawns the messagees whose last message has been readable by everyone.
    fn clear_away(&mut self) -> Result<(), MessageeError> {
        let desk = self.manager.desk();
        let walkers = desk.iter::<Walker>().map(|(id, _)| id);
        let mines = desk.iter::<Mine>().map(|(id, _)| id);
        let mut gone: Vec<_> = walkers.filter(|&id| walker::has_left(desk, id)).collect();
        gone.extend(mines.filter(|&id| mine::is_spent(desk, id)));
        gone.into_iter().try_for_each(|id| self.manager.despawn(id))
    }

    /// Returns `true` if there are no robots left on the field.
    pub fn is_over(&self) -> bool {
        self.manager.iter::<Walker>().next().is_none()
    }

    /// Returns an observer.
    pub fn watcher<C: Component>(&self) -> Result<impl Deref<Target = C>, MessageeError> {
        self.manager.get::<C>(self.tower)
    }
}
