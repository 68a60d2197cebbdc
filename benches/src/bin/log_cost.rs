//! The cost of an input log: bytes per input, the time of a logged run compared with an unlogged one, what an input costs
//! in a log and in a journal, and a digest of 100 000 components.
//!
//! ```sh
//! cargo run --release -p message-benches --features data --bin log_cost
//! ```
//!
//! The runs take turns, and medians are reported, or the least times for single inputs. The log goes to memory that is thrown away. The journal writes to the
//! folder for temporary files, once per frame, and syncs on its own thread: what it takes longer than the log is the cost
//! of writing on the thread of the manager.

use std::hint::black_box;
use std::io;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use message_core::prelude::*;
use message_data::journal::{Journal, JournalConfig};
use message_data::{self as data, Data, Digest, Log, LogOptions, SaveOptions};
use serde::{Deserialize, Serialize};

const COUNT: u32 = 100_000;
const ROUNDS: usize = 15;
const FRAMES: u32 = 100;
/// The number of inputs from a player and a network in a frame.
const INPUTS: u32 = 100;
/// The frames of small inputs, and their number in each.
const SMALL_FRAMES: u32 = 200;
const SMALL_INPUTS: u32 = 1_000;
/// The number of sends that each input causes.
const NESTED: u32 = 100;

type Failure = Box<dyn std::error::Error>;

#[derive(Message, Data, Serialize, Deserialize, Clone)]
#[data(exact, name = "log_cost.Push")]
struct Push {
    by: i32,
}

#[derive(Message, Clone)]
struct Moved;

#[derive(Data, Serialize, Deserialize, Clone, Default)]
#[data(name = "log_cost.Body")]
#[serde(default)]
struct Body {
    x: f32,
    y: f32,
    hp: u32,
    moves: u32,
}

#[handlers]
impl Body {
    #[on_receive]
    fn push(&mut self, push: &Push) {
        self.hp = self.hp.wrapping_add_signed(push.by);
    }

    #[on_receive]
    fn moved(&mut self, _: &Moved) {
        self.moves += 1;
    }
}

/// Receives the inputs and reacts to them like a game.
#[derive(Data, Serialize, Deserialize)]
#[data(exact, name = "log_cost.Game")]
struct Game {
    next: u32,
}

#[handlers]
impl Game {
    #[on_receive]
    fn push(&mut self, _: &Push, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        for _ in 0..NESTED {
            self.next = self
                .next
                .wrapping_mul(1_664_525)
                .wrapping_add(1_013_904_223);
            if let Some(body) = cx.bound(BODY) {
                cx.send(body, Moved)?;
            }
        }
        Ok(())
    }
}

mnemonic!(BODY = "log_cost.body");

fn world() -> Result<(MessageManager, MessageeId), Failure> {
    let mut manager = MessageManager::new();
    let body = manager.spawn((Body::default(),));
    manager.bind(BODY, body)?;
    let game = manager.spawn((Game { next: 1 },));
    Ok((manager, game))
}

/// Runs once; returns the duration, and the number of inputs and bytes in the log.
fn run(is_logged: bool) -> Result<(Duration, u64, u64), Failure> {
    let (mut manager, game) = world()?;
    let mut head = 0;
    if is_logged {
        head = data::save(&mut manager, &SaveOptions::new())?.len() as u64;
        Log::start(&mut manager, io::sink(), LogOptions::new().digest_every(0))?;
    }
    let begun = Instant::now();
    for frame in 0..FRAMES {
        for input in 0..INPUTS {
            let by = i32::try_from(frame + input)?;
            manager.send(game, Push { by })?;
        }
        manager.tick(Duration::from_millis(16));
    }
    let took = begun.elapsed();
    let report = Log::stop(&mut manager)?;
    let (inputs, bytes) = report.map_or((0, 0), |report| (report.inputs, report.bytes));
    Ok((took, inputs, bytes.saturating_sub(head)))
}

fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1000.0
}

/// Where the inputs of a run go.
#[derive(Clone, Copy)]
enum To {
    Nowhere,
    Log,
    Journal,
}

/// Sends small messages in frames, which nobody reacts to. Returns the nanoseconds for each.
fn small_inputs(to: To) -> Result<f64, Failure> {
    let folder = std::env::temp_dir().join(format!("log-cost-{}", std::process::id()));
    let mut manager = match to {
        To::Journal => Journal::open(&folder, &JournalConfig::new().digest_every(0))?.manager,
        _ => MessageManager::new(),
    };
    let body = manager.spawn((Body::default(),));
    if let To::Log = to {
        Log::start(&mut manager, io::sink(), LogOptions::new().digest_every(0))?;
    }
    let begun = Instant::now();
    for _ in 0..SMALL_FRAMES {
        for _ in 0..SMALL_INPUTS {
            manager.send(body, black_box(Push { by: 1 }))?;
        }
        manager.tick(Duration::from_millis(16));
    }
    let took = begun.elapsed();
    drop(manager);
    if let To::Journal = to {
        std::fs::remove_dir_all(&folder)?;
    }
    let inputs = f64::from(SMALL_FRAMES * (SMALL_INPUTS + 1));
    Ok(took.as_secs_f64() * 1e9 / inputs)
}

fn measure_small_inputs() -> Result<(), Failure> {
    let mut times = [(); 3].map(|()| Vec::new());
    for _ in 0..ROUNDS {
        for (to, times) in [To::Nowhere, To::Log, To::Journal]
            .into_iter()
            .zip(&mut times)
        {
            times.push(small_inputs(to)?);
        }
    }
    // Other work of the machine only adds to them.
    let [plain, log, journal] =
        times.map(|times: Vec<f64>| times.into_iter().fold(f64::INFINITY, f64::min));
    println!(
        "{SMALL_FRAMES} frames of {SMALL_INPUTS} small inputs: {plain:.0} ns each, {log:.0} ns with a log, {journal:.0} ns \
         with a journal, which is {:.0} ns for writing",
        journal - log
    );
    Ok(())
}

fn measure() -> Result<(), Failure> {
    measure_small_inputs()?;
    let (mut plain, mut logged) = (Vec::new(), Vec::new());
    let (mut inputs, mut bytes) = (0, 0);
    for _ in 0..ROUNDS {
        plain.push(run(false)?.0);
        let (took, of_log, in_log) = run(true)?;
        logged.push(took);
        (inputs, bytes) = (of_log, in_log);
    }
    let (plain, logged) = (median(plain), median(logged));
    #[allow(clippy::cast_precision_loss, reason = "counts of a bench")]
    let each = bytes as f64 / inputs as f64;
    println!(
        "{FRAMES} frames of {INPUTS} inputs, each with {NESTED} nested sends, medians of {ROUNDS} in turns"
    );
    println!(
        "not logged {plain:.2} ms, logged {logged:.2} ms: {:.3} times",
        logged / plain
    );
    println!("{inputs} inputs, {each:.1} bytes each");

    let mut manager = MessageManager::new();
    for at in 0..COUNT {
        let body = Body {
            hp: at,
            ..Body::default()
        };
        manager.spawn((body,));
    }
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        black_box(Digest::of(&manager));
        times.push(begun.elapsed());
    }
    println!("a digest of {COUNT} components: {:.1} ms", median(times));
    Ok(())
}

fn main() -> ExitCode {
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("log_cost: {error}");
            ExitCode::FAILURE
        }
    }
}
