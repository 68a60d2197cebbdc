//! The rules: collisions, the next wave, and new ships.

use std::error::Error;
use std::time::Duration;

use message_core::FrameReport;
use message_core::Recipient::Me;
use message_core::prelude::*;

use crate::body::{Fly, Kind, Position};
use crate::dice::Dice;
use crate::rock::{ROCKS, rock};
use crate::ship::{Crash, SHIPS, Think, ship};
use crate::shot::Struck;
use crate::space::{HEIGHT, Vector, WIDTH};
use crate::{draw, score};

mnemonic! {
    /// The messagee that enforces the rules.
    pub GAME,
}

pub const RELAUNCH: Duration = Duration::from_secs(2);
pub const FRAME: Duration = Duration::from_millis(16);
const TEAMS: [&str; 2] = ["Red", "Blue"];

/// Looks for collisions. Sent to the game, once per frame.
#[derive(Message, Debug)]
pub struct Judge;

/// Spawns new rocks.
#[derive(Message, Debug)]
pub struct Wave;

/// Launches a new ship for a team.
#[derive(Message, Debug)]
pub struct Launch {
    pub team: usize,
}

struct Game {
    dice: Dice,
}

impl Game {
    fn place(&mut self) -> Vector {
        let mut below = |size: i32| self.dice.below(size.unsigned_abs()).cast_signed();
        Vector {
            x: below(WIDTH),
            y: below(HEIGHT),
        }
    }
}

#[handlers]
impl Game {
    /// Reads the positions of the last frame. Anything that is gone meanwhile is skipped.
    #[on_receive]
    fn judge(&mut self, _: &Judge, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let inbox = cx.inbox::<Position>();
        let of = |kind| inbox.iter().filter(move |it| it.kind == kind);
        for rock in of(Kind::Rock) {
            let touches = |it: &Position| {
                let (way, reach) = (it.at.way_to(rock.at), i64::from(it.radius + rock.radius));
                way.dot(way) < reach * reach
            };
            let Some(target) = rock.sender().id().filter(|&id| cx.is_alive(id)) else {
                continue;
            };
            for shot in of(Kind::Shot).filter(|it| touches(it)) {
                if let Some(shot) = shot.sender().id() {
                    hit(cx, shot, Struck { target })?;
                }
            }
            for ship in of(Kind::Ship).filter(|it| touches(it)) {
                if let Some(ship) = ship.sender().id() {
                    hit(cx, ship, Crash)?;
                }
            }
        }
        if cx.members(ROCKS).next().is_none() && !cx.has_pending("wave") {
            cx.post(Header::to(Me).after(RELAUNCH).key("wave"), Wave)?;
        }
        Ok(())
    }

    #[on_receive]
    fn wave(&mut self, _: &Wave, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        for _ in 0..5 {
            let at = self.place();
            let rock = cx.spawn(rock(3, at, &mut self.dice));
            cx.join(ROCKS, rock)?;
        }
        Ok(())
    }

    #[on_receive]
    fn launch(&mut self, launch: &Launch, cx: &mut Context<'_>) -> Result<(), MessageeError> {
        let at = self.place();
        let ship = cx.spawn_named(TEAMS[launch.team], ship(launch.team, at));
        cx.join(SHIPS, ship)?;
        Ok(())
    }
}

/// Sends to a messagee that may be gone since the last frame, or may have been destroyed in this one.
fn hit<M: Message>(cx: &mut Context<'_>, id: MessageeId, message: M) -> Result<(), SendError> {
    match cx.send(id, message) {
        Err(error)
            if matches!(
                error.kind(),
                SendErrorKind::Absent(Absence::Gone | Absence::Leaving)
            ) =>
        {
            Ok(())
        }
        sent => sent.map(drop),
    }
}

/// A world that plays by itself.
pub struct World {
    pub manager: MessageManager,
    board: MessageeId,
}

impl World {
    pub fn new(seed: u32) -> Result<Self, Box<dyn Error>> {
        let mut manager = MessageManager::new();
        let dice = Dice::new(seed.into());
        let game = manager.spawn_named("game", (Game { dice },));
        manager.bind(GAME, game)?;
        let board = score::put_up(&mut manager)?;
        manager.post(Header::to(SHIPS).every_frames(12), Think)?;
        manager.post(Header::to(Everyone).every_frames(1), Fly)?;
        manager.post(
            Header::to(GAME).stage(Stage::LateUpdate).every_frames(1),
            Judge,
        )?;
        for team in 0..TEAMS.len() {
            manager.send(GAME, Launch { team })?;
        }
        Ok(Self { manager, board })
    }

    pub fn tick(&mut self) -> FrameReport {
        self.manager.tick(FRAME)
    }

    pub fn board(&self) -> Result<score::Board, MessageeError> {
        Ok(self.manager.get::<score::Board>(self.board)?.clone())
    }

    /// Returns the picture of the frame, with the score below it.
    pub fn draw(&self) -> Result<String, MessageeError> {
        let points = TEAMS.iter().zip(self.board()?.points);
        let score: Vec<_> = points
            .map(|(team, points)| format!("{team} {points}"))
            .collect();
        Ok(format!(
            "{}\n{}",
            draw::draw(&self.manager),
            score.join("  ")
        ))
    }
}
