//! The cost of an inspector in frames of 100 000 deliveries: attached while nobody looks, and attached while
//! somebody looks, compared with the same frames without it.
//!
//! ```sh
//! cargo run --release -p message-benches --features inspector --bin inspector_cost
//! ```
//!
//! The same manager runs blocks of frames in turns: not attached, attached, and watched by a client that
//! reads the stream and asks a page's queries once a second. Each ratio is the median of the ratios of the
//! rounds. On Linux the time is the processor time of the simulation's thread; elsewhere it is wall-clock time,
//! which also depends on other running programs.
//! `-- --child WORKLOAD plain|idle FRAMES` runs frames of one kind only, to count their instructions.

mod looking;
mod worlds;

use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs};

use message_core::MessageManager;
use message_inspector::Inspector;

use looking::Looking;
use worlds::{WORKLOADS, Workload};

type Failure = Box<dyn std::error::Error>;

/// The number of rounds that are counted.
const ROUNDS: usize = 15;
/// The approximate duration of a block of frames.
const BLOCK: Duration = Duration::from_millis(1_500);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The manager is not attached.
    Plain,
    /// The manager is attached, and nobody looks.
    Idle,
    /// The manager is attached, and somebody looks.
    Looked,
}

/// Returns how long this thread has run, in seconds.
fn running(begun: Instant) -> f64 {
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|told| told.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| begun.elapsed().as_secs_f64(), |it| it / 1e9)
}

/// Runs frames and returns their average duration in seconds.
#[inline(never)]
fn frames(
    manager: &mut MessageManager,
    workload: &Workload,
    count: u32,
    inspector: Option<&mut Inspector>,
) -> f64 {
    let begun = Instant::now();
    let before = running(begun);
    match inspector {
        None => {
            for _ in 0..count {
                (workload.frame)(manager);
            }
        }
        Some(inspector) => {
            for _ in 0..count {
                (workload.frame)(manager);
                inspector.update(manager);
            }
        }
    }
    (running(begun) - before) / f64::from(count)
}

fn block(
    manager: &mut MessageManager,
    inspector: &mut Inspector,
    workload: &Workload,
    count: u32,
    kind: Kind,
) -> Result<f64, Failure> {
    if kind == Kind::Plain {
        frames(manager, workload, count / 10 + 1, None);
        return Ok(frames(manager, workload, count, None));
    }
    inspector.attach(manager, "bench");
    let looking = match kind {
        Kind::Looked => Some(Looking::at_the_newest_world(inspector.address())?),
        _ => None,
    };
    frames(manager, workload, count / 10 + 1, Some(inspector));
    let took = frames(manager, workload, count, Some(inspector));
    inspector.detach(manager);
    if let Some(looking) = looking {
        looking.end()?;
    }
    Ok(took)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn measure(workload: &Workload, rounds: usize) -> Result<(), Failure> {
    let mut manager = (workload.world)()?;
    let mut inspector = Inspector::builder().without_token().serve("127.0.0.1:0")?;
    let once = frames(&mut manager, workload, 20, None);
    let count = (BLOCK.as_secs_f64() / once).clamp(200.0, 20_000.0);
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is between 200 and 20 000"
    )]
    let count = count as u32;
    let (mut plain, mut idle, mut looked) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..rounds {
        let mut kinds = [Kind::Plain, Kind::Idle, Kind::Looked];
        kinds.rotate_left(round % 3);
        for kind in kinds {
            let took = block(&mut manager, &mut inspector, workload, count, kind)?;
            match kind {
                Kind::Plain => plain.push(took),
                Kind::Idle => idle.push(took),
                Kind::Looked => looked.push(took),
            }
        }
    }
    let ratio = |with: &[f64]| median(with.iter().zip(&plain).map(|(a, b)| a / b).collect());
    println!(
        "{:<11} {:>8.3} ms a frame; nobody looks × {:.3}; somebody looks × {:.3} (medians of {rounds} rounds of {count} frames)",
        workload.name,
        median(plain.clone()) * 1000.0,
        ratio(&idle),
        ratio(&looked),
    );
    Ok(())
}

/// Runs frames of one kind only.
fn child(name: &str, kind: &str, count: &str) -> Result<(), Failure> {
    let workload = WORKLOADS.iter().find(|it| it.name == name);
    let workload = workload.ok_or("there is no such workload")?;
    let mut manager = (workload.world)()?;
    let mut inspector = Inspector::builder().without_token().serve("127.0.0.1:0")?;
    let inspector = match kind {
        "plain" => None,
        _ => {
            inspector.attach(&mut manager, "bench");
            Some(&mut inspector)
        }
    };
    // `valgrind --tool=callgrind --toggle-collect='*inspector_cost::frames*'` counts only this call.
    frames(&mut manager, workload, count.parse()?, inspector);
    Ok(())
}

fn run() -> Result<(), Failure> {
    let given: Vec<String> = env::args().skip(1).collect();
    let given: Vec<&str> = given.iter().map(String::as_str).collect();
    match given[..] {
        ["--child", name, kind @ ("plain" | "idle"), count] => return child(name, kind, count),
        ["--rounds", rounds] => {
            let rounds = rounds.parse()?;
            return WORKLOADS.iter().try_for_each(|it| measure(it, rounds));
        }
        [] => {}
        _ => return Err("expected nothing, `--rounds N` or `--child WORKLOAD KIND FRAMES`".into()),
    }
    WORKLOADS.iter().try_for_each(|it| measure(it, ROUNDS))
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("inspector_cost: {error}");
            ExitCode::FAILURE
        }
    }
}
