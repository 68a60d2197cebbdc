//! A skirmish on a road: the typical scenes for explaining messages between game objects,
//! in one program.
//!
//! - A tank, a monster and a soldier react to explosions and traps, each in its own way
//!   (`tank.rs`, `monster.rs`, `soldier.rs`, `hazard.rs`).
//! - A shield reduces damage in the message itself before the health sees it (`shield.rs`,
//!   `health.rs`); a fire hooks itself to flammable things, and hurts them turn by turn (`fire.rs`).
//! - A mind asks for hit points before it attacks, and its patrol component is replaced by a chase
//!   component at run time (`patrol.rs`, `chase.rs`).
//! - A squad passes orders down to its members, and is notified of their deaths (`squad.rs`).
//! - The world, known by a mnemonic, removes the dead (`world.rs`); its ledger counts the messages
//!   that were sent and received (`ledger.rs`).
//! - A subscriber receives everything that is tagged `AI`, and keeps a log of it (`ai_log.rs`).
//! - A recorder keeps every message with its cause, and the battle can be viewed as a picture with
//!   a track for each fighter, an arrow for each message (`chronicle.rs`).
//!
//! - The positions of all, and the events of the battle, are defined in a world file (`skirmish.ron`): fire,
//!   orders and explosions from outside, and the effects of traps and barrels, are wires.
//!
//! - The battle can be saved and continued (`-- --turns 3 --save FILE`, `-- --load FILE`), and replayed
//!   from a log of all its inputs (`-- --record FILE`, `-- --replay FILE`). Such a log tells what happened in a turn, and
//!   who has hurt whom, each with its cause (`-- --replay FILE --frame 3`, `-- --replay FILE --who ogre`).
//!
//! - The battle can be watched in a browser while it is fought
//!   (`cargo run --release --features inspect --example skirmish -- --inspect`).
//!
//! Run it with `cargo run --release --example skirmish`, or with `-- --world path/to/a/world.ron`. With
//! `-- --ai-log`, the log of the minds is also printed at the end. With `-- --trace battle.json`, the battle is
//! written to that file, which can be opened in <https://ui.perfetto.dev>.

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
#[path = "../common/inspect.rs"]
mod inspect;
mod ledger;
mod messages;
mod monster;
mod options;
mod patrol;
mod shield;
mod soldier;
mod squad;
mod tank;
mod world;

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use chronicle::Chronicle;
use game::Game;
use message_data::WorldFile;
use messages::Verdict;
use options::{Options, USAGE};

/// The built-in world file.
const WORLD: &str = include_str!("skirmish.ron");

fn main() -> ExitCode {
    let options = Options::from(&USAGE.read());
    if let Some(log) = &options.replay
        && (options.frame.is_some() || options.who.is_some())
    {
        return done(look_back(log, &options));
    }
    let game = match begin(&options) {
        Ok(game) => game,
        Err(error) => {
            eprintln!("{error}");
            return ExitCode::from(2);
        }
    };
    let done = if options.inspect {
        look_at(game, &options)
    } else {
        play(game, &options)
    };
    self::done(done)
}

fn done(done: Result<(), Box<dyn Error>>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints what a log tells. The battle in it is fought again, and prints its own lines first.
fn look_back(log: &Path, options: &Options) -> Result<(), Box<dyn Error>> {
    if let Some(turn) = options.frame {
        let text = Game::describe_turn(log, turn)?;
        println!("\nin turn {turn}:\n{text}");
    }
    if let Some(name) = &options.who {
        let text = Game::who_hurt(log, name)?;
        println!("\nwho has hurt `{name}` last:\n{text}");
    }
    Ok(())
}

/// Returns the requested battle: a new one, a saved one, or a replayed one.
fn begin(options: &Options) -> Result<Game, Box<dyn Error>> {
    if let Some(log) = &options.replay {
        return Game::replay(log);
    }
    if let Some(file) = &options.load {
        let save = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        return Game::load(&save);
    }
    match &options.world {
        Some(file) => Game::new(&WorldFile::read(file)?),
        None => Game::new(&WorldFile::parse(WORLD)?),
    }
}

/// Plays turn by turn.
fn fight(game: &mut Game, options: &Options) -> Result<(), Box<dyn Error>> {
    let turns = game.turns()?;
    let turns = options.turns.unwrap_or(turns).min(turns).into();
    let mut verdict = Verdict::Open;
    while verdict == Verdict::Open && game.played() < turns {
        println!("turn {}", game.played() + 1);
        game.turn()?;
        verdict = game.verdict()?;
    }
    match verdict {
        Verdict::Open => println!("night falls"),
        Verdict::Won(side) => println!("the {side:?} has won"),
        Verdict::Nobody => println!("nobody is left"),
    }
    Ok(())
}

/// Fights one turn per second and shows it in a browser. The world continues after the battle is decided.
fn look_at(mut game: Game, options: &Options) -> Result<(), Box<dyn Error>> {
    // Record from the beginning, so that a page opened later also shows earlier events.
    game.record();
    if options.load.is_none() && options.replay.is_none() {
        game.begin()?;
    }
    let pace = Duration::from_secs(1);
    let seconds = options.inspect_for;
    let managers =
        |game: &mut Game, visit: &mut dyn FnMut(&str, &mut message_core::MessageManager)| {
            visit("skirmish", game.manager());
        };
    inspect::inspect(game, "skirmish", pace, seconds, managers, |game| {
        // Otherwise a turn would be played although time is paused.
        if !game.manager().clock().is_paused() {
            game.turn()?;
        }
        Ok(())
    })
}

/// Plays until one side is left or the turns are over, and reports.
fn play(mut game: Game, options: &Options) -> Result<(), Box<dyn Error>> {
    // Create the file before the battle, so that nobody fights for one that cannot be written.
    let chronicle = options
        .trace
        .as_deref()
        .map(Chronicle::create)
        .transpose()?;
    if chronicle.is_some() {
        game.record();
    }
    if let Some(log) = &options.record {
        let file = File::create(log).map_err(|error| format!("{}: {error}", log.display()))?;
        game.log_to(file)?;
    }
    if options.load.is_none() && options.replay.is_none() {
        game.begin()?;
    }
    if options.replay.is_some() {
        println!("replayed {} turns", game.played());
    } else {
        fight(&mut game, options)?;
    }
    game.end_log()?;
    if let Some(file) = &options.save {
        let save = game.save()?;
        fs::write(file, save).map_err(|error| format!("{}: {error}", file.display()))?;
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
