//! Shots, which live for a second.

use std::time::Duration;

use message_core::prelude::*;

use crate::body::{Body, Kind};
use crate::space::Vector;

group! {
    /// All shots in flight.
    pub SHOTS,
}

const LIFETIME: Duration = Duration::from_secs(1);

/// The shot has hit this target. Sent to the shot.
#[derive(Message, Debug)]
pub struct Struck {
    pub target: MessageeId,
}

/// A rock is hit by a shot of this team.
#[derive(Message, Debug)]
pub struct Hit {
    pub by: usize,
}

/// The shot has flown long enough.
#[derive(Message, Debug)]
pub struct Expire;

#[derive(Debug)]
pub struct Shot {
    team: usize,
}

impl Shot {
    /// Fires a shot that expires by itself. If it hits something, it is gone before it expires; the
    /// message is then dropped, and does not become a dead letter.
    pub fn fire(
        cx: &mut Context<'_>,
        team: usize,
        at: Vector,
        speed: Vector,
    ) -> Result<(), HandlerError> {
        let body = Body {
            kind: Kind::Shot,
            at,
            radius: 200,
            speed,
        };
        let shot = cx.spawn((body, Self { team }));
        cx.join(SHOTS, shot)?;
        cx.post(Header::to(shot).after(LIFETIME).if_alive(), Expire)?;
        Ok(())
    }
}

#[handlers]
impl Shot {
    /// Despawns the shot, unless another one has hit the target just before.
    #[on_receive]
    fn struck(&mut self, struck: &Struck, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        if cx.send(struck.target, Hit { by: self.team })?.received > 0 {
            cx.despawn(cx.me())?;
        }
        Ok(())
    }

    #[on_receive]
    fn expire(&mut self, _: &Expire, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        cx.despawn(cx.me())
    }
}
