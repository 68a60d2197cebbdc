//! A dogfight: messages that take time, can be called back, and may find nobody.
//!
//! Two squadrons fire at each other. A pilot who is hit shouts "under attack" over the radio. The
//! shout arrives 0.2 s later, and much can happen until then:
//!
//! - The way a shout travels is defined once, in a reusable header: delay, stage, tag, key, the
//!   messagee it is bound to, and the required number of receivers (`radio.rs`).
//! - Guns that fire twice per second use one repeating message, until its ticket cancels it
//!   (`guns.rs`).
//! - A squadron is a group, a base a mnemonic: addresses that do not need a list (`squadron.rs`).
//! - One subscriber receives everything with the tag `RADIO` (`radio_log.rs`), another one
//!   the dead letters, each with the reason why it did not arrive (`dead_letters.rs`).
//! - A base is bombed by a message that is posted at the start (`sky.rs`, `base.rs`).
//!
//! Each line of the output has a time and says what happened then: a pilot is hit or goes down,
//! a shout arrives over the `radio`, or one is `lost`. Time is simulated in frames of 16 ms, and
//! the dice are always the same, so every run prints the same text. `tests.rs` asserts what the
//! text only shows.
//!
//! Run it with `cargo run --release --example dogfight`. With `--features inspect --example dogfight -- --inspect`,
//! the fight is shown in a browser and does not end.

#![expect(
    unreachable_pub,
    reason = "nothing of a program can be reached from outside"
)]

#[path = "../common/arguments.rs"]
mod arguments;
mod base;
mod dead_letters;
#[path = "../common/dice.rs"]
mod dice;
mod guns;
#[path = "../common/inspect.rs"]
mod inspect;
mod logbook;
mod messages;
mod pilot;
mod radio;
mod radio_log;
mod sky;
mod squadron;
#[cfg(test)]
mod tests;

use std::error::Error;
use std::time::Duration;

use dice::Dice;
use messages::OpenFire;
use sky::{FRAME, Sky};
use squadron::Squadron;

/// The seed. With this one, every kind of shout meets every kind of end.
const SEED: u64 = 2808;

/// The pilots of the Hawks.
const HAWKS: &[&str] = &["Kestrel", "Falcon", "Osprey"];
/// The pilots of the Crows.
const CROWS: &[&str] = &["Magpie", "Raven", "Rook"];

const USAGE: arguments::Usage = arguments::Usage {
    name: "dogfight",
    about: "Two squadrons fight: delays, repetition, cancelling and dead letters.",
    options: &[
        (
            "--inspect",
            "Serves a page for the browser, and runs slowly and forever.",
        ),
        (
            "--inspect-for SECONDS",
            "Like --inspect, but ends after this time.",
        ),
    ],
    look: &[
        (
            "dogfight/radio.rs",
            "one header says how a shout travels: delay, tag, key, and who must hear it",
        ),
        (
            "dogfight/guns.rs",
            "a gun is one message that repeats until it is cancelled",
        ),
        (
            "dogfight/dead_letters.rs",
            "shouts that find nobody, and why",
        ),
    ],
};

fn main() -> Result<(), Box<dyn Error>> {
    let given = USAGE.read();
    if given.has("--inspect") || given.has("--inspect-for") {
        let seconds = given.has("--inspect-for");
        return look_at(seconds.then(|| USAGE.number(&given, "--inspect-for", 0)));
    }
    let sky = fight(SEED)?;
    println!("{}", sky.logbook()?);
    println!("{sky}");
    Ok(())
}

/// Shows a fight in a browser. When a squadron has nobody left, new pilots take off.
fn look_at(seconds: Option<u32>) -> Result<(), Box<dyn Error>> {
    let mut dice = Dice::new(SEED);
    let mut sky = Sky::new()?;
    sky.take_off(Squadron::Hawks, HAWKS, &mut dice)?;
    sky.take_off(Squadron::Crows, CROWS, &mut dice)?;
    sky.open_fire()?;
    let pace = 4 * FRAME;
    let managers =
        |sky: &mut Sky, visit: &mut dyn FnMut(&str, &mut message_core::MessageManager)| {
            visit("dogfight", sky.manager());
        };
    inspect::inspect(sky, "dogfight", pace, seconds, managers, |sky| {
        for (squadron, pilots) in [(Squadron::Hawks, HAWKS), (Squadron::Crows, CROWS)] {
            if sky.manager.members(squadron.group()).next().is_none() {
                for pilot in sky.take_off(squadron, pilots, &mut dice)? {
                    sky.manager.send(pilot, OpenFire)?;
                }
            }
        }
        sky.manager.tick(FRAME);
        Ok(())
    })
}

/// Runs a fight until one squadron has nobody left, and waits for the last shouts.
fn fight(seed: u64) -> Result<Sky, Box<dyn Error>> {
    let mut dice = Dice::new(seed);
    let mut sky = Sky::new()?;
    sky.take_off(Squadron::Hawks, HAWKS, &mut dice)?;
    sky.take_off(Squadron::Crows, CROWS, &mut dice)?;
    sky.send_bombers(Squadron::Crows, Duration::from_secs(2))?;
    sky.open_fire()?;
    while !sky.is_decided() {
        sky.fly(FRAME);
    }
    sky.fly(Duration::from_millis(400));
    Ok(sky)
}
