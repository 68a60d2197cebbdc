//! Waves: each enemy is a delayed message. First a portal opens, then the enemy comes out.

use std::time::Duration;

use message_core::Recipient::Me;
use message_core::lifecycle::Hooked;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::{Body, Kind};
use crate::bomb::Resupply;
use crate::dice::Dice;
use crate::enemy::Enemy;
use crate::expiry::{Expiring, expire};
use crate::flash::{Look, flash};
use crate::hull::Died;
use crate::radio::{Call, call};
use crate::referee::Begin;
use crate::ship::SHIP;
use crate::space::{HEIGHT, Vector, WIDTH};

/// The pause between two waves.
const PAUSE: Duration = Duration::from_millis(2_200);
/// How long a portal is visible before an enemy comes out.
pub const OPENING: Duration = Duration::from_millis(900);
/// How long a repair waits for the ship.
const REPAIR: Duration = Duration::from_secs(8);

/// The next wave begins.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct NextWave;

/// A portal appears.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Arrive {
    /// The kind of the enemy.
    pub kind: Kind,
    /// The place.
    pub at: Vector,
    /// The number in the enemy's name.
    pub number: u32,
}

/// The portal opens.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct Open;

/// The component that sends the waves.
#[derive(Data, Serialize, Deserialize, Debug)]
#[data(exact)]
pub struct Waves {
    /// The number of the wave, starting with 1.
    pub wave: u32,
    /// How many enemies of it are left, including those that are still to come.
    pub left: u32,
    /// How many enemies arrived in all waves.
    arrived: u32,
    dice: Dice,
}

impl Waves {
    /// Creates waves with that seed.
    pub fn new(seed: u64) -> Self {
        Self {
            wave: 0,
            left: 0,
            arrived: 0,
            dice: Dice::new(seed),
        }
    }

    /// Returns a place at one of the walls.
    fn place(&mut self) -> Vector {
        let (x, y) = (
            self.dice.between(40.0, WIDTH - 40.0),
            self.dice.between(40.0, HEIGHT - 40.0),
        );
        match self.dice.below(4) {
            0 => Vector::new(x, 40.0),
            1 => Vector::new(x, HEIGHT - 40.0),
            2 => Vector::new(40.0, y),
            _ => Vector::new(WIDTH - 40.0, y),
        }
    }

    fn kind(&mut self) -> Kind {
        let wave = self.wave;
        match self.dice.below(10) {
            0 | 1 if wave > 2 => Kind::Brute,
            2..=4 if wave > 1 => Kind::Gunner,
            _ => Kind::Drone,
        }
    }
}

#[handlers]
impl Waves {
    #[on_receive]
    fn begin(&mut self, _: &Begin, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.wave = 0;
        self.left = 0;
        cx.cancel(Posts::of::<Arrive>());
        cx.cancel(Posts::of::<NextWave>());
        cx.post(Header::to(Me).after(PAUSE / 2), NextWave)?;
        Ok(())
    }

    /// Posts all enemies at once. They are due one after the other.
    #[on_receive]
    fn next_wave(&mut self, _: &NextWave, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        self.wave += 1;
        self.left = 3 + 2 * self.wave;
        let (number, enemies) = (self.wave, self.left);
        call(cx, Call::Wave { number, enemies })?;
        flash(cx, Look::Wave(number), Vector::CENTRE)?;
        for nth in 0..enemies {
            self.arrived += 1;
            let (kind, at, number) = (self.kind(), self.place(), self.arrived);
            let after = Duration::from_millis(380) * (nth + 1);
            let later = Header::to(Me).stage(Stage::FixedUpdate).after(after);
            cx.post(later, Arrive { kind, at, number })?;
        }
        if self.wave > 1 && cx.bound(SHIP).is_some() {
            cx.send(SHIP, Resupply)?;
        }
        Ok(())
    }

    #[on_receive]
    fn arrive(&mut self, arrive: &Arrive, cx: &mut Context<'_>) {
        let &Arrive { kind, at, number } = arrive;
        let portal = Portal {
            kind,
            wave: self.wave,
            number,
            opens: cx.clock().now() + OPENING,
        };
        cx.spawn_named("portal", (Body::new(Kind::Portal, at), portal));
    }

    /// Drops a repair sometimes. The last enemy of a wave is followed by the next wave.
    #[on_receive]
    fn died(&mut self, died: &Died, cx: &mut Context<'_>) -> Result<bool, HandlerError> {
        if !died.kind.is_enemy() {
            return Ok(false);
        }
        if self.dice.below(9) == 0 {
            let at = died.at.inside(30.0);
            let repair = cx.spawn_named("repair", (Body::new(Kind::Repair, at), Expiring));
            expire(cx, repair, REPAIR)?;
        }
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            let number = self.wave;
            call(cx, Call::Cleared { number })?;
            cx.post(Header::to(Me).after(PAUSE), NextWave)?;
        }
        Ok(true)
    }
}

/// A place where an enemy is about to arrive.
#[derive(Data, Serialize, Deserialize, Debug)]
#[data(exact)]
pub struct Portal {
    kind: Kind,
    wave: u32,
    number: u32,
    /// When the portal opens.
    pub opens: Duration,
}

#[handlers]
impl Portal {
    #[on_receive]
    fn appeared(&mut self, hooked: &Hooked, cx: &mut Context<'_>) -> Result<bool, SendError> {
        // The body is also hooked.
        if hooked.hook != cx.my_hook() {
            return Ok(false);
        }
        let header = Header::to(Me).stage(Stage::FixedUpdate).after(OPENING);
        cx.post(header.if_alive(), Open)?;
        Ok(true)
    }

    #[on_receive]
    fn open(&mut self, _: &Open, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let at = cx.get::<Body>(cx.me())?.at;
        Enemy::appear(cx, self.kind, at, self.wave, self.number)?;
        flash(cx, Look::Arrival(self.kind), at)?;
        cx.despawn(cx.me())?;
        Ok(())
    }
}
