//! A skirmish on a road: the scenes in which messages between game objects are usually explained,
//! in one program.
//!
//! - A tank, a monster and a soldier react to explosions and traps, each in its own way
//!   (`tank.rs`, `monster.rs`, `soldier.rs`, `hazard.rs`).
//! - A shield lessens damage in the message itself before the health sees it (`shield.rs`,
//!   `health.rs`); a fire hooks itself to what can burn, and hurts it turn by turn (`fire.rs`).
//! - A mind asks for hit points before it attacks, and its patrol component makes way for a chase
//!   component at run time (`patrol.rs`, `chase.rs`).
//! - A squad passes orders down to its members, and hears up from them who died (`squad.rs`).
//! - The world, known by a mnemonic, removes the dead (`world.rs`); a ledger beside it counts what
//!   was sent and what was received (`ledger.rs`).
//! - A subscriber hears everything that is tagged `AI`, and keeps a log of it (`ai_log.rs`).
//!
//! Run it with `cargo run --release --example skirmish`, or with `-- path/to/a/scenario.ron`. The
//! scenario that it comes with is `skirmish.ron`. With `-- --ai-log` the log of the minds is
//! printed too, at the end.

#![expect(
    unreachable_pub,
    reason = "nothing of a program can be reached from outside"
)]

mod ai_log;
mod body;
mod chase;
mod fire;
mod game;
mod hazard;
mod health;
mod ledger;
mod messages;
mod monster;
mod patrol;
mod scenario;
mod shield;
mod soldier;
mod squad;
mod tank;
mod world;

use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

use game::Game;
use messages::Verdict;
use scenario::Scenario;

/// The scenario that the program comes with.
const SCENARIO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/skirmish/skirmish.ron");

fn main() -> ExitCode {
    let (options, files): (Vec<_>, Vec<_>) =
        std::env::args_os().skip(1).partition(|it| it == "--ai-log");
    let file = files.first().map_or(Path::new(SCENARIO), Path::new);
    let scenario = match Scenario::load(file) {
        Ok(scenario) => scenario,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    match play(&scenario, !options.is_empty()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Plays until one side is left or the turns are over.
fn play(scenario: &Scenario, with_ai_log: bool) -> Result<(), Box<dyn Error>> {
    let mut game = Game::new(scenario)?;
    for turn in 1..=scenario.turns {
        println!("turn {turn}");
        game.begin_turn();
        let due = scenario.events.iter().filter(|event| event.turn == turn);
        for event in due {
            game.happen(&event.happens)?;
        }
        game.update()?;
        if game.verdict()? != Verdict::Open {
            break;
        }
    }
    match game.verdict()? {
        Verdict::Open => println!("night falls"),
        Verdict::Won(side) => println!("the {side:?} has won"),
        Verdict::Nobody => println!("nobody is left"),
    }
    game.report()?;
    if with_ai_log {
        println!("\n{}", game.ai_log()?);
    }
    Ok(())
}
