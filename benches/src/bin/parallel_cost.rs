//! The cost of a broadcast to a parallel handler, compared with the same handler without `parallel`.
//!
//! ```sh
//! cargo run --release -p message-benches --features rayon --bin parallel_cost
//! ```
//!
//! The handlers are as cheap as those of W2, or take a microsecond; the number of components ranges from
//! few to many. Each row measures a broadcast in one thread, one that always runs in parallel
//! (`parallel = 0`), one with the library's own threshold, and one on a thread of the pool. The ratios are
//! those of the fastest of interleaved rounds. The second column determines the choice of the threshold.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the numbers are small, and only printed"
)]

use std::error::Error;
use std::hint::black_box;
use std::time::{Duration, Instant};

use message_benches::work::{Position, Update};
use message_core::Component;
use message_core::prelude::*;

/// The time for which each row is measured.
const BUDGET: Duration = Duration::from_secs(2);
const SIZES: [usize; 11] = [
    16, 256, 1_000, 4_000, 8_192, 16_384, 32_768, 65_536, 131_072, 200_000, 1_000_000,
];

/// A component whose handler takes a microsecond.
#[derive(Message)]
struct Ponder {
    turns: u32,
}

macro_rules! body {
    ($name:ident $(, $word:ident $(= $least:literal)?)?) => {
        struct $name {
            position: Position,
            thought: u64,
        }

        impl Default for $name {
            fn default() -> Self {
                let position = Position::new(3);
                Self { position, thought: 1 }
            }
        }

        #[handlers]
        impl $name {
            #[on_receive($($word $(= $least)?)?)]
            fn update(&mut self, update: &Update) {
                self.position.integrate(update.dt);
            }

            #[on_receive($($word $(= $least)?)?)]
            fn ponder(&mut self, ponder: &Ponder) {
                for _ in 0..ponder.turns {
                    self.thought = self.thought.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(7) ^ 1;
                }
            }
        }
    };
}

body!(Sequential);
body!(Parallel, parallel);
body!(Always, parallel = 0);

type Send = fn(&mut MessageManager, u32) -> Result<Receipt, SendError>;

fn main() -> Result<(), Box<dyn Error>> {
    let pool = rayon::ThreadPoolBuilder::new().build()?;
    let turns = turns_of_a_microsecond();
    println!(
        "{} threads; a microsecond is {turns} turns",
        pool.current_num_threads()
    );
    let cheap: Send = |manager, _| {
        manager.send(
            Everyone,
            Update {
                dt: black_box(0.01),
            },
        )
    };
    let dear: Send = |manager, turns| manager.send(Everyone, Ponder { turns });
    for (name, most, batch, send) in [
        ("W2", usize::MAX, 20_000, cheap),
        ("1 µs", 16_384, 200, dear),
    ] {
        println!(
            "\n{name:>5} | components | sequential, ns each | always | as marked | always, in the pool | as marked, in the pool"
        );
        for size in SIZES.into_iter().filter(|&size| size <= most) {
            let crowds: [fn(usize) -> MessageManager; 5] = [
                crowd::<Sequential>,
                crowd::<Always>,
                crowd::<Parallel>,
                crowd::<Always>,
                crowd::<Parallel>,
            ];
            let mut managers: Vec<_> = crowds.iter().map(|crowd| crowd(size)).collect();
            let mut times: [Vec<f64>; 5] = Default::default();
            let start = Instant::now();
            while start.elapsed() < BUDGET {
                for (way, (manager, times)) in managers.iter_mut().zip(&mut times).enumerate() {
                    let mut run = || time(manager, (batch / size).max(1), turns, send);
                    let time = if way >= 3 { pool.install(run) } else { run() };
                    times.push(time?);
                }
            }
            // Only the fastest rounds count; the others reflect other activity on the machine.
            let [sequential, always, marked, in_the_pool, marked_there] = times.map(fastest);
            println!(
                "{name:>5} | {size:>10} | {:>19.2} | {:>6.2} | {:>9.2} | {:>19.2} | {:>22.2}",
                sequential,
                always / sequential,
                marked / sequential,
                in_the_pool / sequential,
                marked_there / sequential,
            );
        }
    }
    Ok(())
}

fn crowd<C: Component + Default>(size: usize) -> MessageManager {
    let mut manager = MessageManager::new();
    for _ in 0..size {
        manager.spawn((C::default(),));
    }
    manager
}

/// Returns the nanoseconds per component, over enough broadcasts to be measurable.
fn time(
    manager: &mut MessageManager,
    broadcasts: usize,
    turns: u32,
    send: Send,
) -> Result<f64, SendError> {
    let mut calls = 0;
    let start = Instant::now();
    for _ in 0..broadcasts {
        calls += send(manager, turns)?.received;
    }
    Ok(start.elapsed().as_secs_f64() * 1e9 / calls as f64)
}

/// Returns the number of iterations that a pondering handler needs to take a microsecond.
fn turns_of_a_microsecond() -> u32 {
    const TURNS: u32 = 100_000;
    let mut thinker = Sequential::default();
    let tries = (0..200).map(|_| {
        let start = Instant::now();
        thinker.ponder(&Ponder { turns: TURNS });
        black_box(thinker.thought);
        start.elapsed().as_secs_f64() * 1e6
    });
    let turns = f64::from(TURNS) / fastest(tries.collect());
    turns as u32
}

fn fastest(times: Vec<f64>) -> f64 {
    times.into_iter().fold(f64::INFINITY, f64::min)
}
