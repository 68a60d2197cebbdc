//! A walker.

use message_core::prelude::*;
use message_data::Data;
use message_rooms::{MoveTo, Moved, ROOMS, RoomId};
use serde::{Deserialize, Serialize};

use crate::ZONES;
use crate::census::Crossed;

/// The length of a zone, in steps.
const LENGTH: u32 = 100;
/// The number of steps from one greeting to the next.
const STEPS: u32 = 10;

/// Time for a step.
#[derive(Message, Data, Serialize, Deserialize)]
#[data(name = "zones.Step", exact)]
pub struct Step;

/// A greeting. It has no ids, so it is cloned into other zones.
#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(name = "zones.Hello", exact)]
struct Hello {
    /// The sender wants to be greeted back.
    is_first: bool,
}

message_rooms::carried!(Hello);

/// Walks along the road, and greets a friend now and then.
#[derive(Data, Serialize, Deserialize)]
#[data(name = "zones.Walker", exact)]
pub struct Walker {
    place: u32,
    speed: u32,
    friend: Option<MessageeId>,
    greeted: u32,
}

impl Walker {
    pub fn new(number: u32) -> Self {
        Self {
            place: number * 37 % road(),
            speed: 1 + number % 5,
            friend: None,
            greeted: 0,
        }
    }

    /// Returns the zone in which the walker is.
    pub fn zone(&self) -> RoomId {
        RoomId::new(self.place / LENGTH)
    }

    pub fn meet(&mut self, friend: MessageeId) {
        self.friend = Some(friend);
    }

    /// Returns how often others have greeted it.
    pub fn greeted(&self) -> u32 {
        self.greeted
    }
}

/// Returns the length of the road.
fn road() -> u32 {
    LENGTH * u32::try_from(ZONES.len()).expect("there are eight")
}

#[handlers]
impl Walker {
    #[on_receive]
    fn step(&mut self, _: &Step, cx: &mut Context<'_>) -> Result<(), SendError> {
        let before = self.zone();
        self.place = (self.place + self.speed) % road();
        let (who, room) = (cx.me(), self.zone());
        if room != before {
            cx.send(ROOMS, MoveTo { who, room })?;
            cx.send(who, Crossed)?;
        }
        if let Some(friend) = self.friend
            && self.place % STEPS < self.speed
        {
            cx.send(friend, Hello { is_first: true })?;
        }
        Ok(())
    }

    #[on_receive]
    fn hello(&mut self, hello: &Hello, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.greeted += 1;
        if hello.is_first {
            cx.reply(Hello { is_first: false })?;
        }
        Ok(())
    }

    /// A friend has left the zone: from now on, its proxy is known.
    #[on_receive]
    fn moved(&mut self, moved: &Moved) {
        if self.friend == Some(moved.from) {
            self.friend = Some(moved.to);
        }
    }
}
