//! Hulls: they take damage, and report to the headquarters when nothing is left.

use std::ops::ControlFlow;
use std::time::Duration;

use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::{Body, Kind};
use crate::flash::{Look, flash};
use crate::radio::{Call, call};
use crate::referee::HQ;
use crate::space::Vector;

/// How long the ship is invulnerable after a hit.
const GRACE: Duration = Duration::from_millis(1_100);

/// Hurts the receiver. In–out: a shield reduces it before the hull sees it.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Damage {
    /// The remaining damage.
    pub amount: i32,
    /// The place of the hit.
    pub at: Vector,
}

/// Mends the receiver.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct Mend;

/// The grace after a hit is over.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct GraceEnds;

/// The sender is destroyed. Sent to the headquarters.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Died {
    /// The kind of the sender.
    pub kind: Kind,
    /// The place.
    pub at: Vector,
}

/// A hull.
#[derive(Data, Serialize, Deserialize, Clone, Copy, Debug)]
#[data(exact)]
pub struct Hull {
    /// The remaining strength.
    pub left: i32,
    /// The strength of a new hull.
    pub full: i32,
}

impl Hull {
    /// Returns the hull of that kind.
    pub fn of(kind: Kind) -> Self {
        let full = match kind {
            Kind::Ship | Kind::Brute => 6,
            Kind::Gunner => 3,
            _ => 1,
        };
        Self { left: full, full }
    }
}

#[handlers]
impl Hull {
    #[on_receive]
    fn hurt(&mut self, damage: &Damage, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let body = *cx.get::<Body>(cx.me())?;
        self.left -= damage.amount;
        flash(cx, Look::Spark(body.kind), damage.at)?;
        if self.left > 0 {
            call(cx, Call::Hit { left: self.left })?;
            if body.kind == Kind::Ship {
                cx.hook(cx.me(), Grace)?;
            }
            return Ok(());
        }
        let Body { kind, at, .. } = body;
        flash(cx, Look::Burst(kind), at)?;
        cx.send(HQ, Died { kind, at })?;
        cx.despawn(cx.me())?;
        Ok(())
    }

    #[on_receive]
    fn mend(&mut self, _: &Mend, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        self.left = (self.left + 2).min(self.full);
        let at = cx.get::<Body>(cx.me())?.at;
        flash(cx, Look::Repaired, at)?;
        call(cx, Call::Mended)?;
        Ok(())
    }
}

/// Blocks all damage for a moment, then unhooks itself. Hooked to a ship that was hit.
#[derive(Data, Serialize, Deserialize, Debug)]
#[data(exact)]
pub struct Grace;

#[handlers]
impl Grace {
    #[on_receive]
    fn begin(
        &mut self,
        hooked: &message_core::lifecycle::Hooked,
        cx: &mut Context<'_>,
    ) -> Result<bool, SendError> {
        if hooked.hook != cx.my_hook() {
            return Ok(false);
        }
        let header = Header::to(cx.my_hook()).stage(Stage::FixedUpdate);
        cx.post(header.after(GRACE).if_alive(), GraceEnds)?;
        Ok(true)
    }

    /// Runs before shield and hull.
    #[on_receive(priority = 20)]
    fn hurt(&mut self, damage: &mut Damage) -> ControlFlow<()> {
        damage.amount = 0;
        ControlFlow::Break(())
    }

    #[on_receive]
    fn end(&mut self, _: &GraceEnds, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        cx.unhook(cx.my_hook())
    }
}
