//! Lifts in a building: doors with a timer, calls that are assigned, and a fire alarm.
//!
//! This example shows:
//!
//! - a place is a messagee, and the people in it are its children: when doors open, everyone in
//!   the cabin and then everyone at the floor is notified, `Down` (`doors.rs`, `passenger.rs`);
//! - a component posts a message to itself for anything that takes time; posting with the same key restarts it
//!   (`doors.rs`), and a key cancels it (`passenger.rs`, `cabin.rs`);
//! - a controller asks all cabins with one request, and sends the nearest one (`controller.rs`);
//! - a fire alarm goes to everyone, and an interceptor consumes every call until the all-clear
//!   (`controller.rs`);
//! - the log gets each message before its receivers do, so it is in causal order
//!   (`building.rs`).
//!
//! The same seed always gives the same story. Run it with `cargo run --release --example elevator`. With
//! `-- --fire 60`, a fire starts after a minute. `tests.rs` asserts what the log only shows.

#![expect(
    unreachable_pub,
    reason = "nothing of a program can be reached from outside"
)]

#[path = "../common/arguments.rs"]
mod arguments;
mod building;
mod cabin;
mod controller;
#[path = "../common/dice.rs"]
mod dice;
mod doors;
mod messages;
mod passenger;
#[cfg(test)]
mod tests;

use std::error::Error;
use std::process::ExitCode;
use std::time::Duration;

use arguments::{Given, Usage};
use building::Building;

const USAGE: Usage = Usage {
    name: "elevator",
    about: "Lifts in a building, with a log of all messages.",
    options: &[
        ("--seed N", "The seed for the passengers. Default: 1."),
        ("--cabins N", "The number of lifts. Default: 2."),
        ("--passengers N", "The number of passengers. Default: 12."),
        ("--fire SECONDS", "Starts a fire after this time."),
    ],
    look: &[
        (
            "elevator/doors.rs",
            "a timer is a message to itself, with a key",
        ),
        (
            "elevator/controller.rs",
            "one request to all cabins; a fire alarm intercepts every call",
        ),
    ],
};

fn main() -> ExitCode {
    match play(&USAGE.read()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("elevator: {error}");
            ExitCode::FAILURE
        }
    }
}

fn play(given: &Given) -> Result<(), Box<dyn Error>> {
    let number = |option, or| USAGE.number(given, option, or);
    let (cabins, passengers) = (number("--cabins", 2), number("--passengers", 12));
    let mut building = Building::new(number("--seed", 1), cabins, passengers)?;
    if given.has("--fire") {
        building.set_fire(Duration::from_secs(number("--fire", 0).into()))?;
    }
    building.run();
    for line in building.log() {
        println!("{line}");
    }
    println!("{} are still on the way", building.on_the_way());
    Ok(())
}
