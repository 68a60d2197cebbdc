//! The cost of the tracing code for a targeted send while nothing is traced, compared with a build without
//! that code.
//!
//! ```sh
//! cargo run --release -p message-benches --bin trace_cost
//! ```
//!
//! Builds `send_probe` twice, with and without the feature `trace`, and runs both in turns. Each run
//! reports its fastest round; the ratio is the median over many pairs of runs. If `valgrind` is
//! installed, the instructions of a send are counted too: that count is exactly reproducible,
//! while the time also depends on the compiler's code layout.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

const PAIRS: usize = 41;
const ROUNDS: &str = "15";
/// The number of sends in a round of the probe.
const SENDS: f64 = 100_000.0;

fn main() -> Result<(), Box<dyn Error>> {
    let with = build("with", &["--features", "trace"])?;
    let without = build("without", &[])?;
    let mut times = (Vec::new(), Vec::new());
    for pair in 0..PAIRS {
        // Each build goes first equally often.
        if pair % 2 == 0 {
            times.0.push(time(&with)?);
            times.1.push(time(&without)?);
        } else {
            times.1.push(time(&without)?);
            times.0.push(time(&with)?);
        }
    }
    let pairs = times.0.iter().zip(&times.1);
    let ratio = median(pairs.map(|(with, without)| with / without).collect());
    println!(
        "time: {ratio:.3} × the build without tracing ({:.2} ns against {:.2} ns a send, median of \
         {PAIRS} interleaved pairs)",
        median(times.0),
        median(times.1)
    );
    match (instructions(&with)?, instructions(&without)?) {
        (Some(with), Some(without)) => println!(
            "instructions: {:.3} × the build without tracing ({with:.1} against {without:.1} a send)",
            with / without
        ),
        _ => println!("instructions: not counted, since valgrind is not installed"),
    }
    Ok(())
}

/// Builds the probe and returns its path.
fn build(name: &str, features: &[&str]) -> Result<PathBuf, Box<dyn Error>> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let target = match std::env::var_os("CARGO_TARGET_DIR") {
        Some(target) => PathBuf::from(target),
        None => workspace.join("target"),
    };
    let target = target.join("trace-cost").join(name);
    let built = Command::new(env!("CARGO"))
        .current_dir(&workspace)
        .args(["build", "--release", "--quiet", "-p", "message-benches"])
        .args(["--bin", "send_probe", "--no-default-features"])
        .args(features)
        .arg("--target-dir")
        .arg(&target)
        .status()?;
    if !built.success() {
        return Err(format!("the probe {name} tracing does not build: {built}").into());
    }
    let file = format!("send_probe{}", std::env::consts::EXE_SUFFIX);
    Ok(target.join("release").join(file))
}

/// Returns the nanoseconds per send in the fastest round.
fn time(probe: &Path) -> Result<f64, Box<dyn Error>> {
    let output = Command::new(probe).arg(ROUNDS).output()?;
    let text = String::from_utf8(output.stdout)?;
    let time = text.trim().parse();
    time.map_err(|_| format!("expected nanoseconds from the probe, found {text:?}").into())
}

/// Returns the instructions per send without start-up: the difference between a run of three rounds and a run
/// of one. Returns `None` if they cannot be counted.
fn instructions(probe: &Path) -> Result<Option<f64>, Box<dyn Error>> {
    let (Some(many), Some(one)) = (count(probe, "3")?, count(probe, "1")?) else {
        return Ok(None);
    };
    Ok(Some((many - one) / (2.0 * SENDS)))
}

fn count(probe: &Path, rounds: &str) -> Result<Option<f64>, Box<dyn Error>> {
    let counted = Command::new("valgrind")
        .args(["--tool=none", "--log-file=/dev/null", "--version"])
        .output();
    if counted.is_err() {
        return Ok(None);
    }
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(probe)
        .arg(rounds)
        .output()?;
    let log = String::from_utf8(output.stderr)?;
    let refs = log.lines().find_map(|line| line.split("refs:").nth(1));
    let digits: Option<String> =
        refs.map(|refs| refs.chars().filter(char::is_ascii_digit).collect());
    let count = digits.and_then(|digits| digits.parse().ok());
    let count = count.ok_or_else(|| format!("expected a count from valgrind, found {log:?}"))?;
    Ok(Some(count))
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
