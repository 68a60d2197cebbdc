//! Eight zones of one road, each a room of its own, and walkers that cross their borders.
//!
//! - Each zone has a manager. `Rooms` steps them together, on as many threads as you like. The digest that is printed at
//!   the end is the same for any number.
//! - A walker that crosses a border asks to be moved (`walker.rs`). It keeps its friend, wherever the two are: the id of
//!   the friend is translated, and becomes that of a proxy if the friend is in another zone.
//! - Walkers greet their friends and are greeted back. Greetings to another zone arrive when the next frame begins.
//! - Each crossing is reported to a group that spans the rooms. Its only member, in the first zone, counts (`census.rs`).
//!
//! Run it with `cargo run --release -p message-zones --example zones -- --threads 2`. With `--features inspect` and
//! `-- --inspect`, the zones are shown in a browser.

#![expect(
    unreachable_pub,
    reason = "nothing of a program can be reached from outside"
)]

#[path = "../common/arguments.rs"]
mod arguments;
mod census;
#[path = "../common/inspect.rs"]
mod inspect;
#[cfg(test)]
mod tests;
mod walker;

use std::error::Error;
use std::time::{Duration, Instant};

use arguments::Usage;
use census::{Census, Register};
use message_core::prelude::*;
use message_rooms::{RoomId, Rooms};
use walker::{Step, Walker};

/// The names of the zones, along the road, which is a circle.
const ZONES: [&str; 8] = [
    "harbor", "market", "temple", "garden", "palace", "quarry", "forest", "marsh",
];
const FRAME: Duration = Duration::from_millis(20);

const USAGE: Usage = Usage {
    name: "zones",
    about: "Walkers cross the borders of eight zones, on any number of threads.",
    options: &[
        ("--threads N", "the number of threads; 1 if not given"),
        ("--walkers N", "the number of walkers; 800 if not given"),
        ("--frames N", "the number of frames; 500 if not given"),
        (
            "--inspect",
            "Serves a page for the browser, with a choice of zones, and runs until it is killed",
        ),
    ],
    look: &[
        (
            "zones/walker.rs",
            "a walker asks to be moved, and keeps its friend",
        ),
        ("zones/census.rs", "a group that spans the rooms"),
        (
            "zones/main.rs",
            "`Rooms` steps all zones, on any number of threads",
        ),
    ],
};

fn main() -> Result<(), Box<dyn Error>> {
    let given = USAGE.read();
    let number = |option, or| USAGE.number(&given, option, or);
    let [threads, walkers, frames] = [
        number("--threads", 1),
        number("--walkers", 800),
        number("--frames", 500),
    ];
    let (mut rooms, counter) = road(threads as usize, walkers)?;
    if given.has("--inspect") {
        return inspect::inspect(rooms, "zones", FRAME, None, each_zone, |rooms| {
            rooms.frame(FRAME).map(drop).map_err(Into::into)
        });
    }
    let start = Instant::now();
    for _ in 0..frames {
        rooms.frame(FRAME)?;
    }
    let time = start.elapsed();
    for zone in rooms.ids() {
        let walkers = rooms.manager(zone).iter::<Walker>();
        let (mut here, mut greeted) = (0, 0);
        for (_, walker) in walkers {
            here += 1;
            greeted += walker.greeted();
        }
        println!(
            "{:>8}: {here:>4} walkers, greeted {greeted} times",
            rooms.name(zone)
        );
    }
    let register = rooms.manager(first(&rooms)).get::<Register>(counter)?;
    println!(
        "the counter has seen {} walkers cross a border",
        register.crossed
    );
    println!(
        "digest {:016x}, after {frames} frames",
        rooms.digest().total()
    );
    eprintln!(
        "{:.3} ms a frame on {threads} threads",
        time.as_secs_f64() * 1e3 / f64::from(frames.max(1))
    );
    Ok(())
}

/// Visits the managers of all zones.
fn each_zone(rooms: &mut Rooms, visit: &mut dyn FnMut(&str, &mut MessageManager)) {
    for zone in rooms.ids() {
        let name = rooms.name(zone).to_owned();
        visit(&name, rooms.manager_mut(zone));
    }
}

fn first(rooms: &Rooms) -> RoomId {
    rooms.ids().next().expect("there are eight zones")
}

/// Makes the zones and their walkers. Returns the messagee that counts crossings, which is in the first zone.
fn road(threads: usize, walkers: u32) -> Result<(Rooms, MessageeId), Box<dyn Error>> {
    let mut rooms = Rooms::with_threads(threads);
    for name in ZONES {
        let zone = rooms.add(name, MessageManager::new())?;
        let steps = Header::to(Everyone).stage(Stage::Update).every_pass();
        rooms.manager_mut(zone).post(steps, Step)?;
    }
    rooms.span(census::CENSUS);
    let harbor = rooms.manager_mut(first(&rooms));
    let counter = harbor.spawn((Register::default(),));
    harbor.join(census::CENSUS, counter)?;
    let mut all: Vec<(RoomId, MessageeId)> = Vec::new();
    for number in 0..walkers {
        let walker = Walker::new(number);
        let zone = walker.zone();
        let id = rooms.manager_mut(zone).spawn((walker, Census));
        // Each knows the one before.
        if let Some(&(friends_zone, friend)) = all.last() {
            let friend = rooms.proxy(zone, friends_zone, friend)?;
            rooms.manager_mut(zone).get_mut::<Walker>(id)?.meet(friend);
        }
        all.push((zone, id));
    }
    Ok((rooms, counter))
}
