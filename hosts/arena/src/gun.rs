//! The ship's gun. While it fires, there is one message, which repeats until it is cancelled.

use std::collections::BTreeSet;
use std::time::Duration;

use message_core::Recipient::Me;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::{Body, Kind};
use crate::expiry::{Expiring, expire};
use crate::keys::{Aimed, Button, Pressed, Released};
use crate::space::Vector;

/// The time from one shot to the next.
const RELOAD: Duration = Duration::from_millis(110);
/// How long a shot flies.
const FLIGHT: Duration = Duration::from_millis(900);
/// How far a shot flies in a second.
const SPEED: f32 = 760.0;
/// The key of the repeating message.
const FIRE: &str = "fire";

/// Fires a shot. Posted once when the trigger is pulled, and repeated until it is released.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct Fire;

/// A gun and its target.
#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[data(exact)]
pub struct Gun {
    held: BTreeSet<Button>,
    aim: Vector,
    /// How many shots it has fired, because they alternate between two muzzles.
    fired: u32,
}

impl Gun {
    fn direction(&self, from: Vector) -> Vector {
        use Button::{FireDown, FireLeft, FireRight, FireUp, Trigger};
        if self.held.contains(&Trigger) {
            return from.to(self.aim);
        }
        let of = |button, x, y| {
            if self.held.contains(&button) {
                Vector::new(x, y)
            } else {
                Vector::ZERO
            }
        };
        of(FireUp, 0.0, -1.0)
            + of(FireDown, 0.0, 1.0)
            + of(FireLeft, -1.0, 0.0)
            + of(FireRight, 1.0, 0.0)
    }
}

/// Returns `true` for the keys that fire.
fn fires(button: Button) -> bool {
    use Button::{FireDown, FireLeft, FireRight, FireUp, Trigger};
    matches!(button, FireUp | FireDown | FireLeft | FireRight | Trigger)
}

#[handlers]
impl Gun {
    #[on_receive]
    fn pressed(&mut self, key: &Pressed, cx: &mut Context<'_>) -> Result<bool, SendError> {
        if !fires(key.button) || !self.held.insert(key.button) {
            return Ok(false);
        }
        if self.held.len() == 1 {
            let burst = Header::to(Me).stage(Stage::FixedUpdate);
            let burst = burst.after(Duration::ZERO).every(RELOAD);
            cx.post(burst.key(FIRE), Fire)?;
        }
        Ok(true)
    }

    #[on_receive]
    fn released(&mut self, key: &Released, cx: &mut Context<'_>) -> bool {
        let was_held = self.held.remove(&key.button);
        if was_held && self.held.is_empty() {
            cx.cancel(FIRE);
        }
        was_held
    }

    #[on_receive]
    fn aimed(&mut self, aimed: &Aimed) {
        self.aim = aimed.at;
    }

    #[on_receive]
    fn fire(&mut self, _: &Fire, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let from = cx.get::<Body>(cx.me())?.at;
        let way = self.direction(from).with_length(1.0);
        if way == Vector::ZERO {
            return Ok(());
        }
        self.fired += 1;
        let side = if self.fired.is_multiple_of(2) {
            5.0
        } else {
            -5.0
        };
        let muzzle = from + way * Kind::Ship.radius() + way.turned() * side;
        cx.get_mut::<Body>(cx.me())?.facing = way;
        shoot(cx, Kind::Shot, muzzle, way * SPEED, FLIGHT)
    }
}

/// Fires a shot that expires by itself.
pub fn shoot(
    cx: &mut Context<'_>,
    kind: Kind,
    from: Vector,
    speed: Vector,
    flight: Duration,
) -> Result<(), HandlerError> {
    let body = Body::new(kind, from).moving(speed);
    let name = if kind == Kind::Bolt { "bolt" } else { "shot" };
    let shot = cx.spawn_named(name, (body, Expiring));
    expire(cx, shot, flight)?;
    Ok(())
}
