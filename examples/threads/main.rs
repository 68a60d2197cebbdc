//! Three threads and two managers: a world is loaded behind a loading bar, and then played.
//!
//! A manager belongs to one thread at a time. Other threads post messages through its
//! inlet, which are delivered when the manager's next frame begins.
//!
//! - A loader thread builds the whole world, which is a manager of its own. It posts its progress through
//!   the inlet of the user interface, and finally the world itself: a manager is `Send`, so a message
//!   can contain one (`loader.rs`).
//! - A keyboard thread posts keys through the inlet of the world. It addresses the player by a mnemonic
//!   and does not need an id. When nobody receives its keys any more, a post returns an error with the key,
//!   and the thread ends (`keyboard.rs`).
//! - The main thread runs the frames of both managers. The rooms of the world also send what is visible
//!   to the screen through the inlet of the user interface: communication between managers works
//!   just like communication between threads (`world.rs`, `screen.rs`).
//!
//! The number of frames that this takes depends on the machine, but the printed text does not:
//! everything from a thread arrives in the order in which it was posted. `tests.rs` asserts what
//! the text only shows.
//!
//! Run it with `cargo run --release --example threads`.

#![expect(
    unreachable_pub,
    reason = "nothing of a program can be reached from outside"
)]

#[path = "../common/arguments.rs"]
mod arguments;
mod keyboard;
mod loader;
mod messages;
mod screen;
#[cfg(test)]
mod tests;
mod world;

use std::error::Error;
use std::panic::resume_unwind;
use std::thread::{self, JoinHandle};
use std::time::Duration;

use message_core::prelude::*;

use keyboard::Key;
use screen::Screen;
use world::PLAYER;

/// The duration of a frame, as the managers count it.
const FRAME: Duration = Duration::from_millis(16);

/// The way from the cellar to the garden, back for something forgotten, and out.
const KEYS: &[Key] = &[
    Key::Forward,
    Key::Forward,
    Key::Back,
    Key::Forward,
    Key::Forward,
];

const USAGE: arguments::Usage = arguments::Usage {
    name: "threads",
    about: "A world built on one thread and controlled from another.",
    options: &[],
    look: &[
        (
            "threads/loader.rs",
            "another thread builds a manager and sends it",
        ),
        (
            "threads/keyboard.rs",
            "keys through an inlet, until nobody receives them",
        ),
        (
            "threads/world.rs",
            "a world posts to the manager of the screen",
        ),
    ],
};

fn main() -> Result<(), Box<dyn Error>> {
    USAGE.read();
    for line in play()? {
        println!("{line}");
    }
    Ok(())
}

/// Loads the world and plays in it until the player has left. Returns the lines that were shown.
fn play() -> Result<Vec<String>, Box<dyn Error>> {
    let mut ui = screen::user_interface()?;
    let mut world = load_world(&mut ui)?;

    let typing = keyboard::start(world.inlet(), KEYS);
    while world.bound(PLAYER).is_some() {
        world.tick(FRAME);
        ui.tick(FRAME);
        wait_for_display();
    }
    // The world posts to the screen, which receives it in the frame after.
    ui.tick(FRAME);
    drop(world);

    let key = join(typing)?;
    let shown = Screen::of(&mut ui).map(Screen::take_lines);
    let mut lines = shown.unwrap_or_default();
    lines.push(format!(
        "keyboard: nobody is there for the key {key} any more"
    ));
    Ok(lines)
}

/// Starts a loader, and runs the frames of the user interface until it has handed the world over.
fn load_world(ui: &mut MessageManager) -> Result<MessageManager, Box<dyn Error>> {
    let loading = loader::start(ui.inlet());
    loop {
        // Check before the frame: the frame then drains everything that the loader has posted.
        let finished = loading.is_finished();
        ui.tick(FRAME);
        if let Some(world) = Screen::of(ui).and_then(Screen::take_world) {
            return Ok(world);
        }
        if finished {
            let ended = join(loading).err();
            return Err(ended.unwrap_or_else(|| "the loader has ended without a world".into()));
        }
        wait_for_display();
    }
}

/// Waits as a real program would until a frame is shown. Nothing depends on how long that takes.
fn wait_for_display() {
    thread::sleep(Duration::from_millis(1));
}

/// Returns the result of a thread. If it panicked, resumes the panic.
fn join<T>(thread: JoinHandle<T>) -> T {
    thread.join().unwrap_or_else(|panic| resume_unwind(panic))
}
