//! The cost of a save: writing and restoring 100 000 messagees with a component of four fields. The floor is
//! `rmp-serde` on a vector of the same components.
//!
//! ```sh
//! cargo run --release -p message-benches --features data --bin save_cost
//! ```
//!
//! The contenders take turns, and medians are reported. `save_cost --once WORK` runs one of them once, to
//! count its instructions: `write`, `read`, `floor-write`, `floor-read`, or `none` for the preparation alone.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use message_core::prelude::*;
use message_data::{self as data, Data, SaveOptions};
use serde::{Deserialize, Serialize};

const COUNT: u32 = 100_000;
const ROUNDS: usize = 15;

#[derive(Data, Serialize, Deserialize, Clone, Default, Debug, PartialEq)]
#[data(name = "save_cost.Body")]
#[serde(default)]
struct Body {
    x: f32,
    y: f32,
    hp: u32,
    team: u8,
}

fn body(at: u32) -> Body {
    let [low, ..] = at.to_le_bytes();
    Body {
        x: f32::from(low) / 3.0,
        y: 7.5,
        hp: at,
        team: low % 4,
    }
}

type Failure = Box<dyn std::error::Error>;

/// The world and the vector, and both as bytes.
struct Both {
    manager: MessageManager,
    bodies: Vec<Body>,
    save: Vec<u8>,
    floor: Vec<u8>,
}

impl Both {
    fn new() -> Result<Self, Failure> {
        let mut manager = MessageManager::new();
        let bodies: Vec<Body> = (0..COUNT).map(body).collect();
        for body in &bodies {
            manager.spawn((body.clone(),));
        }
        let save = data::save(&mut manager, &SaveOptions::new())?;
        let floor = rmp_serde::to_vec_named(&bodies)?;
        Ok(Self {
            manager,
            bodies,
            save,
            floor,
        })
    }

    fn run(&mut self, work: &str) -> Result<Duration, Failure> {
        let begun = Instant::now();
        match work {
            "write" => {
                let bytes = data::save(&mut self.manager, &SaveOptions::new())?;
                assert_eq!(bytes.len(), self.save.len());
            }
            "read" => {
                let restored = data::restore(&self.save, ManagerConfig::new())?;
                let took = begun.elapsed();
                assert!(restored.notes.is_empty());
                return Ok(took);
            }
            "floor-write" => {
                let bytes = rmp_serde::to_vec_named(&self.bodies)?;
                assert_eq!(bytes.len(), self.floor.len());
            }
            "floor-read" => {
                let bodies: Vec<Body> = rmp_serde::from_slice(&self.floor)?;
                assert_eq!(black_box(bodies).len(), self.bodies.len());
            }
            "none" => {}
            other => return Err(format!("there is no work `{other}`").into()),
        }
        Ok(begun.elapsed())
    }
}

const WORKS: [&str; 4] = ["write", "floor-write", "read", "floor-read"];

fn measure() -> Result<(), Failure> {
    let mut both = Both::new()?;
    let mut times = WORKS.map(|_| Vec::new());
    for _ in 0..ROUNDS {
        for (work, times) in WORKS.iter().zip(&mut times) {
            times.push(both.run(work)?);
        }
    }
    let medians = times.map(|mut times| {
        times.sort_unstable();
        times[ROUNDS / 2].as_secs_f64() * 1000.0
    });
    println!("{COUNT} messagees with a component of four fields, medians of {ROUNDS} in turns");
    println!(
        "save: {} bytes, the floor: {} bytes",
        both.save.len(),
        both.floor.len()
    );
    for (at, what) in [(0, "write"), (2, "read")] {
        let (own, floor) = (medians[at], medians[at + 1]);
        println!(
            "{what}: {own:.1} ms, the floor {floor:.1} ms: {:.2} times",
            own / floor
        );
    }
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
