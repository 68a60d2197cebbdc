//! A shield: it subtracts its part from the message itself, before the hull sees it.

use std::ops::ControlFlow;
use std::time::Duration;

use message_core::Recipient::Me;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::flash::{Look, flash};
use crate::hull::Damage;
use crate::keys::{Button, Pressed, Released};
use crate::radio::{Call, call};

/// The charge of a full shield.
pub const FULL: i32 = 100;
/// The charge that is used to stop a point of damage.
const COST: i32 = 18;
/// The time from one change of the charge to the next.
const PULSE: Duration = Duration::from_millis(50);
/// The key of the message that charges or drains.
const CHARGE: &str = "charge";

/// Changes the charge. Repeats until the shield is full or empty.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[data(exact)]
pub struct Charge {
    /// The change.
    pub by: i32,
}

/// A shield.
#[derive(Data, Serialize, Deserialize, Debug)]
#[data(exact)]
pub struct Shield {
    /// The remaining charge, at most [`FULL`].
    pub charge: i32,
    /// Whether the shield is raised. It stops hits only while it is.
    pub is_raised: bool,
    /// Whether the shield recharges.
    recharges: bool,
}

impl Shield {
    /// Returns a ship's shield, which is raised by a key.
    pub fn of_ship() -> Self {
        Self {
            charge: FULL,
            is_raised: false,
            recharges: true,
        }
    }

    /// Returns a brute's shield, which is always raised, and stops three points.
    pub fn of_brute() -> Self {
        Self {
            charge: 3 * COST,
            is_raised: true,
            recharges: false,
        }
    }

    /// Raises or lowers the shield. One message changes the charge: a new one with its key replaces it.
    fn set_raised(&mut self, raised: bool, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.is_raised = raised;
        if self.recharges {
            let pulse = Header::to(Me).stage(Stage::FixedUpdate).every(PULSE);
            let by = if raised { -2 } else { 1 };
            cx.post(pulse.key(CHARGE), Charge { by })?;
        }
        Ok(())
    }
}

#[handlers]
impl Shield {
    /// Runs before the hull because of its priority, and reduces the damage. If nothing is left of it, the
    /// message is consumed, and the hull does not receive it.
    #[on_receive(priority = 10)]
    fn stop(
        &mut self,
        damage: &mut Damage,
        cx: &mut Context<'_>,
    ) -> Result<ControlFlow<()>, HandlerError> {
        if !self.is_raised || self.charge <= 0 {
            return Ok(ControlFlow::Continue(()));
        }
        let stopped = damage.amount.min((self.charge + COST - 1) / COST);
        damage.amount -= stopped;
        self.charge = (self.charge - stopped * COST).max(0);
        flash(cx, Look::Stopped, damage.at)?;
        if self.charge == 0 {
            call(cx, Call::ShieldDown)?;
            if self.recharges {
                self.set_raised(false, cx)?;
            } else {
                cx.unhook(cx.my_hook())?;
            }
        }
        Ok(match damage.amount {
            0 => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        })
    }

    #[on_receive]
    fn pressed(&mut self, key: &Pressed, cx: &mut Context<'_>) -> Result<bool, SendError> {
        if key.button != Button::Shield || self.charge <= 0 || self.is_raised {
            return Ok(false);
        }
        self.set_raised(true, cx)?;
        Ok(true)
    }

    #[on_receive]
    fn released(&mut self, key: &Released, cx: &mut Context<'_>) -> Result<bool, SendError> {
        if key.button != Button::Shield || !self.is_raised {
            return Ok(false);
        }
        self.set_raised(false, cx)?;
        Ok(true)
    }

    #[on_receive]
    fn charge(&mut self, charge: &Charge, cx: &mut Context<'_>) -> Result<(), SendError> {
        self.charge = (self.charge + charge.by).clamp(0, FULL);
        if self.charge == FULL {
            cx.cancel(CHARGE);
        } else if self.charge == 0 && self.is_raised {
            self.set_raised(false, cx)?;
        }
        Ok(())
    }
}
