//! A passenger: presses the button, boards and leaves, or takes the stairs.

use std::time::Duration;

use message_core::Recipient::Me;
use message_core::prelude::*;

use crate::building::GROUND;
use crate::controller::CONTROLLER;
use crate::messages::{Arrived, Call, DoorsOpen, Escaped, FireAlarm, HoldDoors, Left, MayBoard};

group! {
    /// All passengers that have not arrived yet.
    pub PASSENGERS,
}

const PATIENCE: Duration = Duration::from_secs(20);
const STAIRS: Duration = Duration::from_secs(6);

/// Presses the button, again if necessary. Posted by the passenger to itself.
#[derive(Message, Debug)]
pub struct Press;

/// The passenger has left the building by the stairs.
#[derive(Message, Debug)]
pub struct Outside;

#[derive(Debug)]
enum Place {
    Elsewhere,
    AtFloor,
    InCabin { flees: bool },
    OnTheStairs,
}

#[derive(Debug)]
pub struct Passenger {
    floor: usize,
    pub to: usize,
    /// The messagee of the floor: the parent of the passengers waiting there.
    hall: MessageeId,
    place: Place,
}

impl Passenger {
    pub fn new(floor: usize, to: usize, hall: MessageeId) -> Self {
        let place = Place::Elsewhere;
        Self {
            floor,
            to,
            hall,
            place,
        }
    }
}

#[handlers]
impl Passenger {
    /// Presses the button, and again if no cabin comes. During a fire, the call is consumed, and the
    /// passenger also tries again.
    #[on_receive]
    fn press(&mut self, _: &Press, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        self.place = Place::AtFloor;
        cx.set_parent(cx.me(), Some(self.hall))?;
        cx.post(Header::to(Me).after(PATIENCE).key("press"), Press)?;
        cx.send(CONTROLLER, Call { floor: self.floor })?;
        Ok(())
    }

    #[on_receive]
    fn doors_open(&mut self, doors: &DoorsOpen, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let Some(cabin) = cx.sender().id() else {
            return Ok(());
        };
        match self.place {
            Place::AtFloor if cx.request(cabin, MayBoard { to: self.to })? => {
                cx.cancel("press");
                self.place = Place::InCabin { flees: false };
                cx.set_parent(cx.me(), Some(cabin))?;
                cx.send(cabin, HoldDoors)?;
            }
            Place::InCabin { flees } if doors.floor == self.to => {
                cx.send(cabin, Left)?;
                if flees {
                    cx.send(Everyone, Escaped)?;
                } else {
                    cx.send(Everyone, Arrived { floor: doors.floor })?;
                }
                cx.despawn(cx.me())?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Makes the passenger flee. Passengers in a cabin stay in it; the others take the stairs.
    #[on_receive]
    fn fire(&mut self, _: &FireAlarm, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        match self.place {
            Place::InCabin { .. } => {
                self.place = Place::InCabin { flees: true };
                self.to = GROUND;
            }
            Place::AtFloor => {
                self.place = Place::OnTheStairs;
                cx.cancel("press");
                let floors = u32::try_from(self.floor)?;
                cx.post(Header::to(Me).after(STAIRS * floors), Outside)?;
            }
            Place::Elsewhere | Place::OnTheStairs => {}
        }
        Ok(())
    }

    #[on_receive]
    fn outside(&mut self, _: &Outside, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        cx.send(Everyone, Escaped)?;
        cx.despawn(cx.me())?;
        Ok(())
    }
}
