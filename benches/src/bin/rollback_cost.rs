//! The cost of rollback: a snapshot of 10 000 messagees with two components and a thousand posts, going back to it, and
//! eight frames back and again. The floor clones plain vectors of the same components and messages.
//!
//! ```sh
//! cargo run --release -p message-benches --bin rollback_cost
//! ```
//!
//! The contenders take turns, and medians are reported. `rollback_cost --once WORK` runs one of them once, to count its
//! instructions: `snapshot`, `rewind`, `frames`, `clone`, or `none` for the preparation alone.

#![allow(
    clippy::trivially_copy_pass_by_ref,
    reason = "a handler takes its message so"
)]

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use message_core::Snapshot;
use message_core::prelude::*;

const COUNT: u16 = 10_000;
const POSTS: u16 = 1_000;
const ROUNDS: usize = 101;
const FRAME: Duration = Duration::from_millis(16);

/// How many frames the manager goes back.
const BACK: usize = 8;

#[derive(Clone, Copy)]
struct Body {
    at: [f32; 2],
    speed: [f32; 2],
}

#[derive(Clone, Copy)]
struct Health {
    hp: u32,
    team: u32,
}

#[derive(Message, Clone, Copy)]
struct Step;

#[derive(Message, Clone, Copy)]
struct Heal {
    hp: u32,
    team: u32,
}

#[handlers]
impl Body {
    #[on_receive]
    fn step(&mut self, _: &Step) {
        for (at, speed) in self.at.iter_mut().zip(self.speed) {
            *at += speed;
        }
    }
}

#[handlers]
impl Health {
    #[on_receive]
    fn heal(&mut self, heal: &Heal) {
        self.hp += heal.hp * u32::from(self.team == heal.team);
    }
}

type Failure = Box<dyn std::error::Error>;

/// A post of the floor.
#[derive(Clone, Copy)]
#[expect(dead_code, reason = "it is there to be cloned")]
struct Post {
    to: u16,
    due: u64,
    heal: Heal,
}

#[derive(Clone, Default)]
struct Plain {
    bodies: Vec<Body>,
    healths: Vec<Health>,
    posts: Vec<Post>,
}

struct Both {
    manager: MessageManager,
    /// The last frames. The one before the next frame is the oldest.
    ring: [Snapshot; BACK],
    plain: Plain,
}

impl Both {
    fn new() -> Result<Self, Failure> {
        let mut manager = MessageManager::new();
        let mut plain = Plain::default();
        let mut ids = Vec::new();
        for at in 0..COUNT {
            let body = Body {
                at: [at.into(), 1.0],
                speed: [0.5, -0.5],
            };
            let health = Health {
                hp: 10,
                team: u32::from(at % 4),
            };
            ids.push(manager.spawn((body, health)));
            plain.bodies.push(body);
            plain.healths.push(health);
        }
        for (at, &id) in (0..POSTS).zip(ids.iter().step_by(10)) {
            let heal = Heal {
                hp: 1,
                team: u32::from(at % 4),
            };
            // One frame in eight has each of them.
            let first = 1 + u64::from(at) % BACK as u64;
            let header = Header::to(id).after_frames(first).every_frames(BACK as u64);
            manager.post(header, heal)?;
            plain.posts.push(Post {
                to: at,
                due: first,
                heal,
            });
        }
        let mut both = Self {
            manager,
            ring: [const { Snapshot::new() }; BACK],
            plain,
        };
        (0..2 * BACK).try_for_each(|_| both.frame())?;
        Ok(both)
    }

    fn place(&self) -> usize {
        usize::try_from(self.manager.clock().frame()).unwrap_or(0) % BACK
    }

    fn frame(&mut self) -> Result<(), Failure> {
        let place = self.place();
        self.manager.snapshot_into(&mut self.ring[place])?;
        self.manager.send(Everyone, Step)?;
        self.manager.tick(FRAME);
        Ok(())
    }

    fn run(&mut self, work: &str) -> Result<Duration, Failure> {
        let place = self.place();
        let begun = Instant::now();
        match work {
            // It replaces the one of the same frame.
            "snapshot" => self.manager.snapshot_into(&mut self.ring[place])?,
            "rewind" => self.manager.rewind(&self.ring[place])?,
            "frames" => {
                self.manager.rewind(&self.ring[place])?;
                (0..BACK).try_for_each(|_| self.frame())?;
            }
            "clone" => drop(black_box(self.plain.clone())),
            "none" => {}
            other => return Err(format!("there is no work `{other}`").into()),
        }
        Ok(begun.elapsed())
    }
}

const WORKS: [&str; 4] = ["snapshot", "rewind", "frames", "clone"];

fn measure() -> Result<(), Failure> {
    let mut both = Both::new()?;
    let mut times = WORKS.map(|_| Vec::new());
    for _ in 0..ROUNDS {
        for (work, times) in WORKS.iter().zip(&mut times) {
            times.push(both.run(work)?);
        }
    }
    let [snapshot, rewind, frames, clone] = times.map(|mut times| {
        times.sort_unstable();
        times[ROUNDS / 2].as_secs_f64() * 1e6
    });
    println!("{COUNT} messagees with two components, {POSTS} posts, medians of {ROUNDS} in turns");
    println!("a clone of the plain vectors: {clone:.1} µs");
    for (what, own) in [("snapshot", snapshot), ("rewind", rewind)] {
        let times = own / clone;
        println!("{what}: {own:.1} µs, {times:.2} times that (goal 10)");
    }
    println!(
        "{BACK} frames back and again: {:.3} ms (goal 4)",
        frames / 1e3
    );
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let done = match &*arguments {
        [] => measure(),
        [once, work] if once == "--once" => {
            Both::new().and_then(|mut both| both.run(work).map(drop))
        }
        _ => Err("expected nothing, or --once WORK".into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
