//! The sky: the manager with all pilots and bases, and its frames.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use message_core::prelude::*;

use crate::base::Base;
use crate::dead_letters;
use crate::dice::Dice;
use crate::guns::Guns;
use crate::logbook::Logbook;
use crate::messages::{Bombed, OpenFire};
use crate::pilot::Pilot;
use crate::radio::Radio;
use crate::radio_log;
use crate::squadron::Squadron;

/// The time from one frame to the next.
pub const FRAME: Duration = Duration::from_millis(16);

/// A manager with two squadrons and their bases in it.
pub struct Sky {
    /// The manager.
    pub manager: MessageManager,
    logbook: MessageeId,
    delivered: usize,
    lost: u64,
}

impl Sky {
    /// Returns the manager, for viewing.
    pub fn manager(&mut self) -> &mut MessageManager {
        &mut self.manager
    }

    /// Spawns the bases and opens the logbook. Nobody is in the air yet.
    pub fn new() -> Result<Self, MessageeError> {
        let mut manager = MessageManager::new();
        let logbook = Logbook::open(&mut manager)?;
        radio_log::listen(&mut manager);
        dead_letters::collect(&mut manager);
        let mut sky = Self {
            manager,
            logbook,
            delivered: 0,
            lost: 0,
        };
        for squadron in Squadron::ALL {
            let name = squadron.base().name();
            let base = sky.manager.spawn_named(name, (Base::default(),));
            sky.manager.bind(squadron.base(), base)?;
        }
        Ok(sky)
    }

    /// Lets a squadron take off. The wingman of each pilot is the next one, and that of the last one is
    /// the first. A radio needs both ids for its headers, so it is hooked when all are known.
    pub fn take_off(
        &mut self,
        squadron: Squadron,
        call_signs: &[&'static str],
        dice: &mut Dice,
    ) -> Result<Vec<MessageeId>, Box<dyn Error>> {
        let mut pilots = Vec::new();
        for &call_sign in call_signs {
            let guns = Guns::new(squadron, dice.split());
            let pilot = (Pilot::new(), guns);
            let pilot = self.manager.spawn_named(call_sign, pilot);
            self.manager.join(squadron.group(), pilot)?;
            pilots.push(pilot);
        }
        let wingmen = pilots.iter().cycle().skip(1);
        for (&pilot, &wingman) in pilots.iter().zip(wingmen) {
            let radio = Radio::new(wingman, squadron)?;
            self.manager.hook(pilot, radio)?;
        }
        Ok(pilots)
    }

    /// Begins the fight.
    pub fn open_fire(&mut self) -> Result<(), SendError> {
        self.manager.send(Everyone, OpenFire)?;
        Ok(())
    }

    /// Sends bombers to the base of a squadron. They arrive after that time.
    pub fn send_bombers(
        &mut self,
        squadron: Squadron,
        after: Duration,
    ) -> Result<(), Box<dyn Error>> {
        let raid = Header::to(squadron.base()).after(after).build()?;
        self.manager.post(&raid, Bombed)?;
        Ok(())
    }

    /// Runs frames for that time.
    pub fn fly(&mut self, time: Duration) {
        let until = self.manager.clock().now() + time;
        while self.manager.clock().now() < until {
            let frame = self.manager.tick(FRAME);
            self.delivered += frame.delivered;
            self.lost += frame.dead_letters;
        }
    }

    /// Returns `true` if one squadron has nobody left in the air.
    pub fn is_decided(&self) -> bool {
        let mut squadrons = Squadron::ALL.into_iter();
        squadrons.any(|squadron| self.manager.members(squadron.group()).next().is_none())
    }

    /// Returns the logbook.
    pub fn logbook(&self) -> Result<impl fmt::Display, MessageeError> {
        self.manager.get::<Logbook>(self.logbook)
    }
}

/// Prints the result of the fight.
impl fmt::Display for Sky {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clock = self.manager.clock();
        let (frames, time) = (clock.frame(), clock.now().as_secs_f64());
        writeln!(f, "{frames} frames, {time:.3} s")?;
        for squadron in Squadron::ALL {
            let left = self.manager.members(squadron.group()).count();
            writeln!(f, "{}: {left} in the air", squadron.group().name())?;
        }
        let Self {
            delivered, lost, ..
        } = self;
        write!(f, "{delivered} posted messages fell due, {lost} were lost")
    }
}
