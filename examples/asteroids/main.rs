//! Asteroids in text mode: two ships that play by themselves.
//!
//! This example shows:
//!
//! - each body publishes its position; the rules, the ships and the drawing read it in the next frame
//!   (`body.rs`, `game.rs`, `ship.rs`, `draw.rs`);
//! - a shot ends by a message that is posted when it is fired, and that nobody misses if the shot
//!   is gone before then (`shot.rs`);
//! - rocks split: a handler spawns two and despawns its own messagee (`rock.rs`);
//! - a subscriber keeps the score (`score.rs`); rocks, ships and shots are groups;
//! - frames, waves and new ships are posts that repeat, are delayed, or have a key (`game.rs`).
//!
//! The same seed always gives the same game. Run it with `cargo run --release --example asteroids`, or
//! watch more of it with `-- --every 50`. `tests.rs` plays 10 000 frames and asserts that nothing is left
//! over.

#![expect(
    unreachable_pub,
    reason = "nothing of a program can be reached from outside"
)]

#[path = "../common/arguments.rs"]
mod arguments;
mod body;
#[path = "../common/dice.rs"]
mod dice;
mod draw;
mod game;
mod rock;
mod score;
mod ship;
mod shot;
mod space;
#[cfg(test)]
mod tests;

use std::error::Error;
use std::process::ExitCode;

use arguments::{Given, Usage};
use game::World;

const USAGE: Usage = Usage {
    name: "asteroids",
    about: "Asteroids in text mode. Two ships play on their own.",
    options: &[
        ("--seed N", "The seed of the game. Default: 1."),
        ("--frames N", "The number of frames. Default: 10000."),
        ("--every N", "Draws every Nth frame. Default: 2500."),
    ],
    look: &[
        (
            "asteroids/body.rs",
            "positions are published, and read in the next frame",
        ),
        ("asteroids/shot.rs", "a delayed message ends a shot"),
        ("asteroids/rock.rs", "a rock spawns two and despawns itself"),
        ("asteroids/score.rs", "a subscriber keeps the score"),
    ],
};

fn main() -> ExitCode {
    match play(&USAGE.read()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("asteroids: {error}");
            ExitCode::FAILURE
        }
    }
}

fn play(given: &Given) -> Result<(), Box<dyn Error>> {
    let number = |option, or| USAGE.number(given, option, or);
    let every = number("--every", 2_500).max(1);
    let mut world = World::new(number("--seed", 1))?;
    for frame in 1..=number("--frames", 10_000) {
        world.tick();
        if frame % every == 0 {
            println!("frame {frame}\n{}", world.draw()?);
        }
    }
    Ok(())
}
