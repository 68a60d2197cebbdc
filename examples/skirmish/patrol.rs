//! A fighter that has not found an enemy yet: walks to and fro, and looks around.

use message_core::Recipient::{EveryoneElse, Me};
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::{Body, name_of, say, walk};
use crate::chase::Chase;
use crate::ledger::{ask, tell};
use crate::messages::{Alarm, GetHp, Order, Update, Wounded};

/// The abilities of a fighter, regardless of its activity.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Mind {
    /// How far it can see.
    pub sight: u32,
    /// How hard it hits.
    pub strength: u32,
}

/// Walks to and fro until there is somebody to chase.
#[derive(Data, Serialize, Deserialize)]
#[data(exact)]
pub struct Patrol {
    mind: Mind,
    /// The next step; the one after it goes back.
    #[serde(default = "forwards")]
    step: i32,
}

fn forwards() -> i32 {
    1
}

impl Patrol {
    /// Creates a patrol that sets out in one direction.
    pub fn new(mind: Mind, step: i32) -> Self {
        Self { mind, step }
    }

    /// Replaces this component by a chase.
    fn chase(&self, prey: MessageeId, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        let prey_name = name_of(cx, prey);
        say(cx, &format!("goes after the {prey_name}"));
        cx.unhook(cx.my_hook())?;
        cx.hook(cx.me(), Chase::new(self.mind, prey))?;
        Ok(())
    }
}

#[handlers]
impl Patrol {
    #[on_receive]
    fn update(&mut self, _: &Update, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let me = Body::mine(cx)?;
        let enemy = me.nearest_enemy(cx);
        let Some((enemy, _)) = enemy.filter(|&(_, distance)| distance <= self.mind.sight) else {
            walk(cx, me.at + self.step)?;
            self.step = -self.step;
            return Ok(());
        };
        let (Some(mine), Some(theirs)) = (ask(cx, Me, GetHp)?, ask(cx, enemy, GetHp)?) else {
            return Ok(());
        };
        if theirs > 2 * mine {
            let name = name_of(cx, enemy);
            say(
                cx,
                &format!("keeps away from the {name}: {theirs} against {mine}"),
            );
            return Ok(());
        }
        self.chase(enemy, cx)?;
        let side = me.side;
        tell(cx, EveryoneElse, Alarm { side, enemy })?;
        Ok(())
    }

    /// Helps its own side. Alarms of the other side, and those too far away, are not received.
    #[on_receive]
    fn alarm(&mut self, alarm: &Alarm, cx: &mut Context<'_>) -> Result<bool, HandlerError> {
        let me = Body::mine(cx)?;
        let there = cx.get::<Body>(alarm.enemy)?.at;
        if me.side != alarm.side || me.at.abs_diff(there) > 2 * self.mind.sight {
            return Ok(false);
        }
        self.chase(alarm.enemy, cx)?;
        Ok(true)
    }

    #[on_receive]
    fn wounded(&mut self, wounded: &Wounded, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        self.chase(wounded.by, cx)
    }

    #[on_receive]
    fn order(&mut self, order: &Order, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        match order {
            Order::Charge => match Body::mine(cx)?.nearest_enemy(cx) {
                Some((enemy, _)) => self.chase(enemy, cx),
                None => Ok(()),
            },
            Order::Regroup => Ok(()),
        }
    }
}
