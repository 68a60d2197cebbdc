//! Ships: they aim at the nearest rock, turn, and fire.

use message_core::prelude::*;

use crate::body::{Body, Kind, Position};
use crate::game::{GAME, Launch, RELAUNCH};
use crate::shot::Shot;
use crate::space::Vector;

group! {
    /// The ships in flight.
    pub SHIPS,
}

const SHOT_SPEED: i32 = 400;

/// A ship has touched a rock. Sent to the ship.
#[derive(Message, Debug)]
pub struct Crash;

/// Asks all ships for their next move. Sent to the group, every few frames.
#[derive(Message, Debug)]
pub struct Think;

#[derive(Debug)]
pub struct Ship {
    pub team: usize,
}

#[handlers]
impl Ship {
    #[on_receive]
    fn think(&mut self, _: &Think, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let at = cx.get::<Body>(cx.me())?.at;
        let rocks = cx
            .inbox::<Position>()
            .iter()
            .filter(|it| it.kind == Kind::Rock);
        let ways = rocks.map(|rock| {
            let way = at.way_to(rock.at);
            let frames = way.length() / SHOT_SPEED;
            Vector {
                x: way.x + rock.speed.x * frames,
                y: way.y + rock.speed.y * frames,
            }
        });
        // Aim at where the nearest rock will be.
        let Some(way) = ways.min_by_key(|way| way.length()) else {
            return Ok(());
        };
        // Keep a distance.
        let thrust = if way.length() > 8_000 { 40 } else { -20 };
        cx.get_mut::<Body>(cx.me())?.speed = way.with_length(thrust);
        Shot::fire(cx, self.team, at, way.with_length(SHOT_SPEED))
    }

    #[on_receive]
    fn crash(&mut self, _: &Crash, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let team = self.team;
        cx.post(Header::to(GAME).after(RELAUNCH), Launch { team })?;
        cx.despawn(cx.me())?;
        Ok(())
    }
}

/// Returns the components of a ship of that team.
pub fn ship(team: usize, at: Vector) -> (Body, Ship) {
    let body = Body {
        kind: Kind::Ship,
        at,
        radius: 500,
        speed: Vector { x: 0, y: 0 },
    };
    (body, Ship { team })
}
