//! A minefield that robots cross, in pull style: everybody looks, nobody is called.
//!
//! There is no handler and no subscription here. Each frame is computed from the messages of the
//! frame before, and publishes those that the next frame is computed from:
//!
//! - A system is a plain function that works at a desk. While it reads its inboxes it changes its
//!   own components and publishes what others will want to know (`game.rs` has the list).
//! - Robots publish their steps to everyone. A mine looks for steps near it, and for blasts that
//!   reach it: so one mine sets off the next, a frame later (`walker.rs`, `mine.rs`).
//! - Two robots that come near a mine in one frame set it off once: it asks what it has `pending`.
//! - The wounded publish to a mnemonic and get up when the medic says so. They hear the sergeant
//!   too, but they look for what is *from* the medic (`medic.rs`, `sergeant.rs`).
//! - The scribe sleeps through most frames. A cursor gives it what is kept of them, and counts the
//!   rest (`scribe.rs`). The log looks at the messages of all types (`log.rs`).
//!
//! What that gives:
//!
//! - **All see the same past.** What is published in a frame is found in the next, by everybody, as
//!   a whole. Nobody sees a frame that is half done.
//! - **The order of the systems does not matter**, as long as each one changes only what is its
//!   own, asks what is `pending` only of its own, and asks whether something was published and not
//!   what was first. Who is there changes between the frames. Any order tells this story; only the
//!   log shows, within a frame, which system was first (`tests/orders.rs` tries).
//! - **Nothing is re-entrant.** No system runs within another one, so nobody is ever busy, and a
//!   chain of mines is a loop over frames and not a stack of calls.
//!
//! The price is time: that a step sets off a mine is known to the mine one frame later, and to the
//! robot two.
//!
//! Run it with `cargo run --release --example minefield`.

#![expect(
    unreachable_pub,
    reason = "nothing of a program can be reached from outside"
)]
#![expect(
    clippy::unnecessary_wraps,
    reason = "a system may fail, also those that never do"
)]

#[path = "../common/arguments.rs"]
mod arguments;
mod game;
mod log;
mod map;
mod medic;
mod messages;
mod mine;
mod scribe;
mod sergeant;
mod spot;
mod story;
#[cfg(test)]
mod tests;
mod walker;

use std::error::Error;

use game::{Game, SYSTEMS, System};
use spot::Spot;
use story::Story;

/// What a system comes to.
type Done = Result<(), Box<dyn Error>>;

/// Where the robots start, at the left.
const ROBOTS: &[(&str, Spot)] = &[
    ("Ada", Spot::new(4, 0)),
    ("Bix", Spot::new(1, 2)),
    ("Cog", Spot::new(1, 3)),
    ("Dot", Spot::new(0, 5)),
];

/// The mines, and how far the blast of each one reaches.
const MINES: &[(Spot, u32)] = &[
    (Spot::new(7, 2), 2),
    (Spot::new(8, 4), 1),
    (Spot::new(9, 5), 1),
    (Spot::new(14, 1), 2),
    (Spot::new(16, 3), 1),
    (Spot::new(18, 5), 1),
];

const USAGE: arguments::Usage = arguments::Usage {
    name: "minefield",
    about: "Robots cross a minefield: pull style, without handlers and subscribers.",
    options: &[],
};

fn main() -> Result<(), Box<dyn Error>> {
    USAGE.read();
    let mut game = Game::new(ROBOTS, MINES)?;
    cross(&mut game, SYSTEMS)?;
    print!("{}", Story::of(&game)?);
    Ok(())
}

/// Runs the frames of a game with these systems, until nobody is on the field any more.
fn cross(game: &mut Game, systems: &[System]) -> Done {
    while !game.is_over() {
        game.run_frame(systems)?;
    }
    Ok(())
}
