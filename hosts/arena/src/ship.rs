//! The player's ship, which is steered by keys.

use std::collections::BTreeSet;

use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::{Body, Kind};
use crate::bomb::Bay;
use crate::gun::Gun;
use crate::hull::Hull;
use crate::keys::{Button, PLAYERS, Pressed, Released};
use crate::referee::Think;
use crate::shield::Shield;
use crate::space::Vector;

mnemonic! {
    /// The ship, as long as there is one.
    pub SHIP = "arena.Ship",
}

/// The maximum speed of the ship, per second.
const SPEED: f32 = 340.0;
/// The share by which the speed approaches the desired speed in a step.
const GRIP: f32 = 0.16;

/// The component that flies a ship.
#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[data(exact)]
pub struct Ship {
    held: BTreeSet<Button>,
}

impl Ship {
    /// Launches a ship in the middle of the arena.
    pub fn launch(cx: &mut Context<'_>) -> Result<MessageeId, MessageeError> {
        let ship = cx.spawn_named(
            "Falcon",
            (
                Body::new(Kind::Ship, Vector::CENTRE),
                Self::default(),
                Gun::default(),
                Bay::default(),
                Shield::of_ship(),
                Hull::of(Kind::Ship),
            ),
        );
        cx.bind(SHIP, ship)?;
        cx.join(PLAYERS, ship)?;
        Ok(ship)
    }

    fn wish(&self) -> Vector {
        let of = |button, way| {
            if self.held.contains(&button) {
                way
            } else {
                Vector::ZERO
            }
        };
        let wish = of(Button::Up, Vector::new(0.0, -1.0))
            + of(Button::Down, Vector::new(0.0, 1.0))
            + of(Button::Left, Vector::new(-1.0, 0.0))
            + of(Button::Right, Vector::new(1.0, 0.0));
        wish.with_length(SPEED)
    }
}

/// Returns `true` for the keys that steer.
fn steers(button: Button) -> bool {
    use Button::{Down, Left, Right, Up};
    matches!(button, Up | Down | Left | Right)
}

#[handlers]
impl Ship {
    /// Returns `false`, "not received", if the key is for another component.
    #[on_receive]
    fn pressed(&mut self, key: &Pressed) -> bool {
        steers(key.button) && self.held.insert(key.button)
    }

    #[on_receive]
    fn released(&mut self, key: &Released) -> bool {
        self.held.remove(&key.button)
    }

    #[on_receive]
    fn think(&mut self, _: &Think, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        let wish = self.wish();
        let mut body = cx.get_mut::<Body>(cx.me())?;
        body.speed = body.speed.towards(wish, GRIP);
        if wish != Vector::ZERO {
            let facing = body.facing.towards(wish.with_length(1.0), GRIP * 2.0);
            body.facing = facing.with_length(1.0);
        }
        Ok(())
    }
}
