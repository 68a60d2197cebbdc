//! The referee: in each step, everyone thinks, everyone moves, and whatever touches is notified.

use std::time::Duration;

use message_core::Recipient::Me;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::{Advance, Body, Kind};
use crate::hull::{Damage, Died, Mend};
use crate::keys::{Button, Pressed};
use crate::radio::{Call, call};
use crate::ship::{SHIP, Ship};
use crate::space::Vector;

mnemonic! {
    /// The headquarters: referee, waves, score, and the log of the radio.
    pub HQ = "arena.Headquarters",
}

/// For how long time can be slowed down, in real time.
const SLOW: Duration = Duration::from_millis(2_500);
/// The time scale while it is slowed down.
const SLOWNESS: f64 = 0.3;

/// A game begins.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct Begin;

/// A step of the game. A single message that repeats in each pass of the fixed stage.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct Step;

/// Everyone decides where to fly. Sent to everyone.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Think {
    /// The position of the ship, if there is one.
    pub ship: Option<Vector>,
}

/// Time runs at normal speed again.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct SlowEnds;

/// The component that enforces the rules.
#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[data(exact)]
pub struct Referee {
    /// Whether the ship is lost and nobody has asked for another one yet.
    pub is_over: bool,
}

/// Returns everything that is currently in the arena.
fn bodies(cx: &Context<'_>) -> Vec<(MessageeId, Body)> {
    cx.iter::<Body>().map(|(id, body)| (id, *body)).collect()
}

fn damage(cx: &mut Context<'_>, id: MessageeId, amount: i32, at: Vector) -> Result<(), SendError> {
    cx.send_mut(id, &mut Damage { amount, at })?;
    Ok(())
}

#[handlers]
impl Referee {
    /// Removes everything, and launches a new ship.
    #[on_receive]
    fn begin(&mut self, _: &Begin, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        self.is_over = false;
        for (id, _) in bodies(cx) {
            cx.despawn(id)?;
        }
        Ship::launch(cx)?;
        Ok(())
    }

    #[on_receive]
    fn pressed(&mut self, key: &Pressed, cx: &mut Context<'_>) -> Result<bool, HandlerError> {
        match key.button {
            Button::Pause => cx.set_paused(!cx.clock().is_paused()),
            Button::Slow => {
                cx.set_time_scale(SLOWNESS)?;
                let header = Header::to(Me).after(SLOW).unscaled();
                cx.post(header.key("slow"), SlowEnds)?;
            }
            Button::Restart => {
                // The referee is running, so it begins when this handler has returned.
                cx.send(HQ, Begin)?;
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    #[on_receive]
    fn slow_ends(&mut self, _: &SlowEnds, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        cx.set_time_scale(1.0)?;
        Ok(())
    }

    #[on_receive]
    fn died(&mut self, died: &Died, cx: &mut Context<'_>) -> Result<bool, SendError> {
        if died.kind != Kind::Ship {
            return Ok(false);
        }
        self.is_over = true;
        call(cx, Call::ShipLost)?;
        Ok(true)
    }

    #[on_receive]
    fn step(&mut self, _: &Step, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let ship = cx.bound(SHIP).and_then(|ship| cx.get::<Body>(ship).ok());
        let ship = ship.map(|body| body.at);
        cx.send(Everyone, Think { ship })?;
        let seconds = cx.clock().fixed_step().as_secs_f32();
        cx.send(Everyone, Advance { seconds })?;
        let all = bodies(cx);
        for &(shot, ref body) in &all {
            if matches!(body.kind, Kind::Shot | Kind::Bolt) {
                let target = all.iter().find(|(_, target)| {
                    let is_foe = match body.kind {
                        Kind::Shot => target.kind.is_enemy(),
                        _ => target.kind == Kind::Ship,
                    };
                    is_foe && target.touches(body)
                });
                if let Some(&(target, _)) = target {
                    damage(cx, target, 1, body.at)?;
                }
                if target.is_some() || body.is_out() {
                    cx.despawn(shot)?;
                }
            }
        }
        let Some((ship, hull)) = all.iter().find(|(_, body)| body.kind == Kind::Ship) else {
            return Ok(());
        };
        for &(other, ref body) in all.iter().filter(|(_, body)| body.touches(hull)) {
            let between = hull.at.towards(body.at, 0.5);
            if body.kind.is_enemy() {
                damage(cx, *ship, 1, between)?;
                damage(cx, other, 2, between)?;
            } else if body.kind == Kind::Repair {
                cx.send(*ship, Mend)?;
                cx.despawn(other)?;
            }
        }
        Ok(())
    }
}
