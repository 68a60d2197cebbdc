//! Bombs: a fuse is a delayed message with a key. A bomb that is caught in a blast posts a shorter fuse
//! with the same key, which replaces the first one.

use std::time::Duration;

use message_core::Recipient::Me;
use message_core::lifecycle::Hooked;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::{Body, Kind};
use crate::flash::{Look, flash};
use crate::hull::Damage;
use crate::keys::{Button, Pressed};
use crate::radio::{Call, call};

/// How long a fuse burns.
pub const FUSE: Duration = Duration::from_millis(1_200);
/// How long the fuse of a bomb burns after another bomb has lit it.
const CHAIN: Duration = Duration::from_millis(140);
/// How far a blast reaches.
const REACH: f32 = 165.0;
/// The damage to everyone in reach.
const FORCE: i32 = 5;
/// How many bombs a ship has when it takes off.
const BOMBS: u32 = 3;

/// The fuse has burnt down.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct Detonate;

/// Gives the receiver another bomb.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct Resupply;

/// A ship's bombs.
#[derive(Data, Serialize, Deserialize, Debug)]
#[data(exact)]
pub struct Bay {
    /// How many bombs are left.
    pub bombs: u32,
}

impl Default for Bay {
    fn default() -> Self {
        Self { bombs: BOMBS }
    }
}

#[handlers]
impl Bay {
    #[on_receive]
    fn pressed(&mut self, key: &Pressed, cx: &mut Context<'_>) -> Result<bool, HandlerError> {
        if key.button != Button::Bomb || self.bombs == 0 {
            return Ok(false);
        }
        self.bombs -= 1;
        let at = cx.get::<Body>(cx.me())?.at;
        let goes_off = cx.clock().now() + FUSE;
        cx.spawn_named("bomb", (Body::new(Kind::Bomb, at), Fuse { goes_off }));
        call(cx, Call::BombAway)?;
        Ok(true)
    }

    #[on_receive]
    fn resupply(&mut self, _: &Resupply) {
        self.bombs += 1;
    }
}

/// A burning fuse.
#[derive(Data, Serialize, Deserialize, Debug)]
#[data(exact)]
pub struct Fuse {
    /// When the fuse has burnt down.
    pub goes_off: Duration,
}

impl Fuse {
    fn burn(&mut self, cx: &mut Context<'_>, time: Duration) -> Result<(), SendError> {
        self.goes_off = cx.clock().now() + time;
        let fuse = Header::to(Me).stage(Stage::FixedUpdate).after(time);
        cx.post(fuse.key("fuse"), Detonate)?;
        Ok(())
    }
}

#[handlers]
impl Fuse {
    #[on_receive]
    fn light(&mut self, hooked: &Hooked, cx: &mut Context<'_>) -> Result<bool, SendError> {
        if hooked.hook != cx.my_hook() {
            return Ok(false);
        }
        self.burn(cx, FUSE)?;
        Ok(true)
    }

    /// Shortens the fuse when another bomb has gone off nearby.
    #[on_receive]
    fn shake(&mut self, _: &Damage, cx: &mut Context<'_>) -> Result<bool, SendError> {
        if self.goes_off <= cx.clock().now() + CHAIN {
            return Ok(false);
        }
        self.burn(cx, CHAIN)?;
        Ok(true)
    }

    #[on_receive]
    fn detonate(&mut self, _: &Detonate, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let me = cx.me();
        let centre = cx.get::<Body>(me)?.at;
        flash(cx, Look::Blast { radius: REACH }, centre)?;
        let reached: Vec<_> = cx
            .iter::<Body>()
            .filter(|(id, body)| *id != me && body.at.to(centre).length() < REACH)
            .map(|(id, body)| (id, *body))
            .collect();
        for (id, body) in reached {
            match body.kind {
                Kind::Bolt => cx.despawn(id)?,
                Kind::Portal | Kind::Shot | Kind::Repair => {}
                Kind::Ship => {
                    let (amount, at) = (1, body.at);
                    cx.send_mut(id, &mut Damage { amount, at })?;
                }
                _ => {
                    let (amount, at) = (FORCE, body.at);
                    cx.send_mut(id, &mut Damage { amount, at })?;
                }
            }
        }
        cx.despawn(me)?;
        Ok(())
    }
}
