//! The building: floors, cabins, passengers, and the log.

use std::error::Error;
use std::ops::ControlFlow;
use std::sync::mpsc;
use std::time::Duration;

use message_core::prelude::*;

use crate::cabin::{CABINS, Cabin};
use crate::controller::{ALARM, Alarm, CONTROLLER, Controller};
use crate::dice::Dice;
use crate::doors::Doors;
use crate::messages::{AllClear, STORY, Smoke};
use crate::passenger::{PASSENGERS, Passenger, Press};

pub const GROUND: usize = 0;
const FLOORS: usize = 8;
const FRAME: Duration = Duration::from_millis(100);

/// The building: its manager, and the lines that were logged.
pub struct Building {
    pub manager: MessageManager,
    log: mpsc::Receiver<String>,
}

impl Building {
    /// Creates a building whose passengers come to its lifts within two minutes.
    pub fn new(seed: u32, cabins: u32, passengers: u32) -> Result<Self, Box<dyn Error>> {
        let mut manager = MessageManager::new();
        let (lines, log) = mpsc::channel();
        // An interceptor gets a message before its receivers do, so causes come before effects.
        let story = Filter::all().tagged(STORY).before().hidden();
        manager.subscribe(story, move |message, cx| {
            let now = cx.clock().now().as_secs_f64();
            let name = cx.sender().id().and_then(|id| cx.name(id));
            let from = name.map_or_else(|| cx.sender().to_string(), |name| name.to_string());
            let _ = lines.send(format!(
                "{now:6.1} s  {from}: {message:?} to {}",
                cx.recipient()
            ));
            ControlFlow::Continue(())
        });

        let controller = manager.spawn_named("controller", (Controller, Alarm::default()));
        manager.bind(CONTROLLER, controller)?;
        manager.bind(ALARM, controller)?;
        let floors: Vec<_> = (0..FLOORS)
            .map(|floor| manager.spawn_named(format!("floor {floor}"), ()))
            .collect();
        for number in 1..=cabins {
            let doors = Doors {
                floors: floors.clone(),
                is_open: false,
            };
            let cabin = manager.spawn_named(format!("cabin {number}"), (Cabin::new(), doors));
            manager.join(CABINS, cabin)?;
        }
        let mut dice = Dice::new(seed.into());
        for number in 1..=passengers {
            let every: Vec<_> = (0..FLOORS).collect();
            let floor = dice.pick(&every).ok_or("a building has floors")?;
            let others: Vec<_> = every.into_iter().filter(|&other| other != floor).collect();
            let to = dice.pick(&others).ok_or("a building has several floors")?;
            let seconds = u64::from(dice.below(120));
            let passenger = Passenger::new(floor, to, floors[floor]);
            let id = manager.spawn_named(format!("passenger {number}"), (passenger,));
            manager.join(PASSENGERS, id)?;
            manager.post(Header::to(id).after(Duration::from_secs(seconds)), Press)?;
        }
        Ok(Self { manager, log })
    }

    /// Starts a fire after that time. It burns for a minute.
    pub fn set_fire(&mut self, after: Duration) -> Result<(), SendError> {
        self.manager.post(Header::to(ALARM).after(after), Smoke)?;
        let over = after + Duration::from_secs(60);
        self.manager
            .post(Header::to(Everyone).after(over), AllClear)?;
        Ok(())
    }

    /// Runs until nobody is on the way any more, but for at most an hour.
    pub fn run(&mut self) {
        while self.on_the_way() > 0 && self.manager.clock().now() < Duration::from_secs(3600) {
            self.manager.tick(FRAME);
        }
    }

    /// Returns the number of passengers that have not arrived yet.
    pub fn on_the_way(&self) -> usize {
        self.manager.members(PASSENGERS).count()
    }

    /// Returns the lines logged since the log was last read.
    pub fn log(&self) -> impl Iterator<Item = String> {
        self.log.try_iter()
    }
}
