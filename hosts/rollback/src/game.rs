//! The game: two ships that shoot at each other. Everything that a frame depends on is in the manager or an input.

use std::time::Duration;

use message_core::Recipient::Me;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

/// The time of a frame.
pub const FRAME: Duration = Duration::from_nanos(16_666_667);

/// The number of frames that a shot flies, and that a ship cannot shoot after a shot.
const RANGE: u64 = 50;
const COOLDOWN: u64 = 6;

/// The size of the space, in which ships and shots come in again on the other side.
const SPACE: i32 = 2_000;

/// The keys that a player holds down in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Keys {
    /// To the left.
    pub left: bool,
    /// To the right.
    pub right: bool,
    /// Shoot.
    pub fire: bool,
}

/// Tells a ship the keys of its player.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Steer(Keys);

/// Everything moves.
#[derive(Message, Clone, Debug)]
pub struct Step;

/// A ship can shoot again.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Reloaded;

/// A shot has flown far enough.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Fade;

/// A shot has hit a ship.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Hit;

/// A ship was destroyed. It is published.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Destroyed {
    /// The ship.
    pub ship: MessageeId,
}

/// A ship.
#[derive(Data, Serialize, Deserialize, Clone, Debug, Default)]
#[serde(default)]
pub struct Ship {
    /// Where it is.
    pub at: i32,
    /// How fast it is.
    pub speed: i32,
    /// How many hits it can take.
    pub hp: u32,
    /// How often it was destroyed.
    pub lost: u32,
    is_loaded: bool,
    enemy: Option<MessageeId>,
}

/// A shot.
#[derive(Data, Serialize, Deserialize, Clone, Debug, Default)]
#[serde(default)]
pub struct Shot {
    at: i32,
    speed: i32,
    target: Option<MessageeId>,
}

/// The dice of the game: random numbers that are the same for both players.
#[derive(Data, Serialize, Deserialize, Clone, Debug, Default)]
#[serde(default)]
pub struct Dice(u64);

/// Asks the dice for a number.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(reply = i32)]
#[data(exact)]
pub struct Roll;

mnemonic!(DICE = "rollback.dice");

#[handlers]
impl Dice {
    #[on_receive]
    fn roll(&mut self, _: &Roll) -> i32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        i32::try_from((self.0 >> 33) % 2_000).unwrap_or(0)
    }
}

#[handlers]
impl Ship {
    #[on_receive]
    fn steer(&mut self, steer: &Steer, cx: &mut Context<'_>) -> Result<(), SendError> {
        let Keys { left, right, fire } = steer.0;
        self.speed += i32::from(right) - i32::from(left);
        if fire && self.is_loaded {
            self.is_loaded = false;
            cx.post(Header::to(Me).after_frames(COOLDOWN), Reloaded)?;
            let shot = cx.spawn((Shot {
                at: self.at,
                speed: self.speed + 40,
                target: self.enemy,
            },));
            cx.post(Header::to(shot).after_frames(RANGE).if_alive(), Fade)?;
        }
        Ok(())
    }

    #[on_receive]
    fn step(&mut self, _: &Step) {
        self.at = (self.at + self.speed).rem_euclid(SPACE);
    }

    #[on_receive]
    fn reloaded(&mut self, _: &Reloaded) {
        self.is_loaded = true;
    }

    #[on_receive]
    fn hit(&mut self, _: &Hit, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.hp = self.hp.saturating_sub(1);
        if self.hp == 0 {
            self.hp = 3;
            self.lost += 1;
            self.at = cx.request(DICE, Roll)?;
            self.speed = 0;
            cx.publish(Everyone, Destroyed { ship: cx.me() })?;
        }
        Ok(())
    }
}

#[handlers]
impl Shot {
    #[on_receive]
    fn step(&mut self, _: &Step, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        self.at = (self.at + self.speed).rem_euclid(SPACE);
        let Some(target) = self.target else {
            return Ok(());
        };
        let distance = (cx.get::<Ship>(target)?.at - self.at).abs();
        if distance < 40 {
            cx.send(target, Hit)?;
            cx.despawn(cx.me())?;
        }
        Ok(())
    }

    #[on_receive]
    fn fade(&mut self, _: &Fade, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        cx.despawn(cx.me())
    }
}

/// The world, with a ship for each player.
#[derive(Debug)]
pub struct World {
    /// The manager.
    pub manager: MessageManager,
    /// The ships of the players.
    pub ships: [MessageeId; 2],
}

impl World {
    /// Creates the world, the same for each player.
    ///
    /// # Errors
    ///
    /// None, unless the game has a mistake.
    pub fn new() -> Result<Self, MessageeError> {
        let mut manager = MessageManager::new();
        let dice = manager.spawn((Dice(1),));
        manager.bind(DICE, dice)?;
        let ships = ["left", "right"].map(|name| manager.spawn_named(name, ()));
        for (at, ship) in [500, 1_500].into_iter().zip(ships) {
            let enemy = ships.into_iter().find(|other| *other != ship);
            let ship_itself = Ship {
                at,
                hp: 3,
                is_loaded: true,
                enemy,
                ..Ship::default()
            };
            manager.hook(ship, ship_itself)?;
        }
        Ok(Self { manager, ships })
    }

    /// Runs a frame with the keys of both players.
    ///
    /// # Errors
    ///
    /// None, unless the game has a mistake.
    pub fn advance(&mut self, keys: [Keys; 2]) -> Result<(), SendError> {
        for (ship, keys) in self.ships.into_iter().zip(keys) {
            self.manager.send(ship, Steer(keys))?;
        }
        self.manager.send(Everyone, Step)?;
        self.manager.tick(FRAME);
        Ok(())
    }
}
