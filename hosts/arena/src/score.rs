//! The score and the streak: quick hits score more. A streak is ended by a message that each hit
//! replaces by a later one.

use std::time::Duration;

use message_core::Recipient::Me;
use message_core::prelude::*;
use message_data::Data;
use serde::{Deserialize, Serialize};

use crate::body::Kind;
use crate::flash::{Look, flash};
use crate::hull::Died;
use crate::radio::{Call, call};
use crate::referee::Begin;

/// How long a streak waits for the next hit.
pub const PATIENCE: Duration = Duration::from_millis(1_800);

/// The streak is over.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
pub struct StreakEnds;

/// The points and the streak.
#[derive(Data, Serialize, Deserialize, Debug, Default)]
#[data(exact)]
pub struct Score {
    /// The points in this game.
    pub points: u32,
    /// The number of enemies in a row.
    pub streak: u32,
    /// The highest score of any game.
    pub best: u32,
}

#[handlers]
impl Score {
    #[on_receive]
    fn begin(&mut self, _: &Begin, cx: &mut Context<'_>) {
        self.points = 0;
        self.streak = 0;
        cx.cancel("streak");
    }

    #[on_receive]
    fn count(&mut self, died: &Died, cx: &mut Context<'_>) -> Result<bool, SendError> {
        let worth = match died.kind {
            Kind::Drone => 10,
            Kind::Gunner => 25,
            Kind::Brute => 60,
            _ => return Ok(false),
        };
        self.streak += 1;
        let points = worth * self.streak.min(10);
        self.points += points;
        self.best = self.best.max(self.points);
        flash(cx, Look::Points(points), died.at)?;
        if self.streak.is_multiple_of(10) {
            let length = self.streak;
            call(cx, Call::Streak { length })?;
        }
        cx.post(Header::to(Me).after(PATIENCE).key("streak"), StreakEnds)?;
        Ok(true)
    }

    #[on_receive]
    fn streak_ends(&mut self, _: &StreakEnds) {
        self.streak = 0;
    }
}
