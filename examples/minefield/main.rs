//! Robots that cross a minefield, in pull style: everybody looks, nobody is called.
//!
//! There are no handlers and no subscriptions here. Each frame is computed from the messages of the
//! previous frame, and publishes the messages for the next one:
//!
//! - A system is a plain function that works at a desk. It reads its inboxes, changes its
//!   own components and publishes what others need to know (`game.rs` has the list).
//! - Robots publish their steps to everyone. A mine looks for steps near it, and for blasts that
//!   reach it, so one mine sets off the next, a frame later (`walker.rs`, `mine.rs`).
//! - Two robots that come near a mine in the same frame set it off once: it checks what is `pending`.
//! - The wounded publish to a mnemonic and get up when the medic says so. They also receive orders from
//!   the sergeant, but they look for those *from* the medic (`medic.rs`, `sergeant.rs`).
//! - The scribe sleeps through most frames. A cursor returns the messages that were kept, and counts the
//!   others (`scribe.rs`). The log looks at the messages of all types (`log.rs`).
//!
//! The benefits:
//!
//! - **Everyone sees the same past.** Messages published in a frame are readable in the next one, by
//!   everyone and all at once. Nobody sees a half-finished frame.
//! - **The order of the systems does not matter**, provided that each one changes only its own state,
//!   checks what is `pending` only for its own, and checks whether something was published, but not
//!   in which order. Messagees come and go only between frames. Any order tells this story; only the
//!   log shows which system ran first within a frame (`tests/orders.rs` tests this).
//! - **Nothing is re-entrant.** No system runs within another one, so nothing is ever busy, and a
//!   chain of mines is a loop over frames instead of a stack of calls.
//!
//! The price is latency: the mine learns of a step one frame later, and the robot learns of the blast
//! two frames later.
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

/// The result of a system.
type Done = Result<(), Box<dyn Error>>;

/// The starting positions of the robots, at the left.
const ROBOTS: &[(&str, Spot)] = &[
    ("Ada", Spot::new(4, 0)),
    ("Bix", Spot::new(1, 2)),
    ("Cog", Spot::new(1, 3)),
    ("Dot", Spot::new(0, 5)),
];

/// The mines, and the range of each one's blast.
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
    look: &[
        (
            "minefield/game.rs",
            "the list of systems, which need no order",
        ),
        (
            "minefield/mine.rs",
            "a mine looks for steps and blasts of the last frame",
        ),
        ("minefield/scribe.rs", "a cursor reads what was missed"),
    ],
};

fn main() -> Result<(), Box<dyn Error>> {
    USAGE.read();
    let mut game = Game::new(ROBOTS, MINES)?;
    cross(&mut game, SYSTEMS)?;
    print!("{}", Story::of(&game)?);
    Ok(())
}

/// Runs the frames of a game with these systems until there are no robots left on the field.
fn cross(game: &mut Game, systems: &[System]) -> Done {
    while !game.is_over() {
        game.run_frame(systems)?;
    }
    Ok(())
}
