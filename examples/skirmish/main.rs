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
//! - A recorder keeps every message with its cause, and the battle can be looked at as a picture:
//!   a track for each fighter, an arrow for each message (`chronicle.rs`).
//!
//! Run it with `cargo run --release --example skirmish`, or with `-- path/to/a/scenario.ron`. The
//! scenario that it comes with is `skirmish.ron`. With `-- --ai-log` the log of the minds is
//! printed too, at the end. With `-- --trace battle.json` the battle is written to that file, to be
//! opened in <https://ui.perfetto.dev>.

#![expect(
    unreachable_pub,
    reason = "nothing of a program can be reached from outside"
)]

mod ai_log;
#[path = "../common/arguments.rs"]
mod arguments;
mod body;
mod chase;
mod chronicle;
mod fire;
mod game;
mod hazard;
mod health;
mod ledger;
mod messages;
mod monster;
mod options;
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

use chronicle::Chronicle;
use game::Game;
use messages::Verdict;
use options::{Options, USAGE};
use scenario::Scenario;

/// The scenario that the program comes with.
const SCENARIO: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/skirmish/skirmish.ron");

fn main() -> ExitCode {
    let options = Options::from(&USAGE.read());
    let file = options.scenario.as_deref().unwrap_or(Path::new(SCENARIO));
    let scenario = match Scenario::load(file) {
        Ok(scenario) => scenario,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    match play(&scenario, &options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Plays until one side is left or the turns are over.
fn play(scenario: &Scenario, options: &Options) -> Result<(), Box<dyn Error>> {
    // Before the battle, so that nobody fights for a file that cannot be written.
    let chronicle = options
        .trace
        .as_deref()
        .map(Chronicle::create)
        .transpose()?;
    let mut game = Game::new(scenario)?;
    if chronicle.is_some() {
        game.record();
    }
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
    if options.ai_log {
        println!("\n{}", game.ai_log()?);
    }
    if let (Some(chronicle), Some(recorder)) = (chronicle, game.stop_recording()) {
        println!("\n{}", chronicle.write(&recorder)?);
    }
    Ok(())
}
