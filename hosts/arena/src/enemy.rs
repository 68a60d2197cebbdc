//! Enemies: drones fly at the ship, gunners keep their distance and fire, brutes are slow and have a
//! shield.

use std::time::Duration;

use message_core::Recipient::Me;
use message_core::lifecycle::Hooked;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::{Body, Kind};
use crate::dice::Dice;
use crate::gun::shoot;
use crate::hull::Hull;
use crate::radio::{Call, call};
use crate::referee::Think;
use crate::shield::Shield;
use crate::ship::SHIP;
use crate::space::Vector;

group! {
    /// All enemies in the arena.
    pub ENEMIES = "arena.Enemies",
}

/// The time from one bolt of a gunner to the next.
const RELOAD: Duration = Duration::from_millis(1_500);
/// How long a bolt flies.
const FLIGHT: Duration = Duration::from_secs(4);
/// How far a bolt flies in a second.
const BOLT_SPEED: f32 = 230.0;
/// The distance that gunners keep.
const DISTANCE: f32 = 270.0;

/// It is time to fire. A gunner posts it to itself repeatedly.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct TakeAim;

/// The component that flies an enemy.
#[derive(Data, Serialize, Deserialize, Debug)]
#[data(exact)]
pub struct Enemy {
    kind: Kind,
    /// The maximum speed, per second.
    speed: f32,
    /// The direction in which it circles the ship.
    turn: f32,
    dice: Dice,
}

impl Enemy {
    /// Spawns an enemy of that kind. Enemies of later waves are faster.
    pub fn appear(
        cx: &mut Context<'_>,
        kind: Kind,
        at: Vector,
        wave: u32,
        number: u32,
    ) -> Result<MessageeId, HandlerError> {
        let mut dice = Dice::new(u64::from(number));
        let (call_sign, speed) = match kind {
            Kind::Gunner => ("Viper", 115.0),
            Kind::Brute => ("Ox", 62.0),
            _ => ("Wasp", 150.0),
        };
        let haste = 1.0 + 0.05 * f32::from(wave.min(12) as u16);
        let enemy = Self {
            kind,
            speed: speed * haste * dice.between(0.9, 1.1),
            turn: if dice.below(2) == 0 { 1.0 } else { -1.0 },
            dice,
        };
        let parts = (Body::new(kind, at), enemy, Hull::of(kind));
        let id = cx.spawn_named(format!("{call_sign} {number}"), parts);
        if kind == Kind::Brute {
            cx.hook(id, Shield::of_brute())?;
        }
        cx.join(ENEMIES, id)?;
        Ok(id)
    }

    /// Returns the velocity that it would like to have.
    fn wish(&mut self, me: &Body, ship: Option<Vector>) -> Vector {
        let Some(ship) = ship else {
            return me.facing.with_length(self.speed * 0.4);
        };
        let way = me.at.to(ship);
        let round = way.turned().with_length(self.turn);
        let wish = match self.kind {
            Kind::Gunner => {
                let off = (way.length() - DISTANCE) / 80.0;
                way.with_length(off.clamp(-1.0, 1.0)) + round
            }
            Kind::Brute => way.with_length(1.0),
            _ => way.with_length(1.0) + round * 0.45 * self.dice.part(),
        };
        wish.with_length(self.speed)
    }
}

#[handlers]
impl Enemy {
    #[on_receive]
    fn appeared(&mut self, hooked: &Hooked, cx: &mut Context<'_>) -> Result<bool, SendError> {
        if hooked.hook != cx.my_hook() {
            return Ok(false);
        }
        if self.kind != Kind::Drone {
            call(cx, Call::Contact)?;
        }
        if self.kind == Kind::Gunner {
            let first = RELOAD.mul_f32(self.dice.between(0.3, 1.0));
            let aim = Header::to(Me).stage(Stage::FixedUpdate).after(first);
            cx.post(aim.every(RELOAD).if_alive(), TakeAim)?;
        }
        Ok(true)
    }

    #[on_receive]
    fn think(&mut self, think: &Think, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        let me = cx.me();
        let body = *cx.get::<Body>(me)?;
        let mut wish = self.wish(&body, think.ship);
        // Enemies keep away from each other.
        for (id, other) in cx.iter::<Body>() {
            if id != me && other.kind.is_enemy() && body.touches(&other) {
                wish += other.at.to(body.at).with_length(self.speed);
            }
        }
        let mut body = cx.get_mut::<Body>(me)?;
        body.speed = body.speed.towards(wish, 0.08);
        let look = think.ship.map_or(body.speed, |ship| body.at.to(ship));
        let facing = body.facing.towards(look.with_length(1.0), 0.15);
        body.facing = facing.with_length(1.0);
        Ok(())
    }

    #[on_receive]
    fn take_aim(&mut self, _: &TakeAim, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let Some(ship) = cx.bound(SHIP) else {
            return Ok(());
        };
        // A ship that takes off at this very moment has no body yet.
        let Ok(target) = cx.get::<Body>(ship).map(|body| body.at) else {
            return Ok(());
        };
        let from = cx.get::<Body>(cx.me())?.at;
        let way = from.to(target).with_length(1.0);
        shoot(cx, Kind::Bolt, from + way * 18.0, way * BOLT_SPEED, FLIGHT)
    }
}
