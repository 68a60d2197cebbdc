//! Random life for as many frames as one likes, with all that was posted accounted for:
//! `cargo run --release -p message-tests --example soak -- --frames 1000000 [--seed 1]`.
//!
//! Prints the bytes that are allocated and resident in tenths of the run, the first tenth being the start, and
//! the fate of each kind of message. A run whose account does not balance panics.

#[path = "../tests/soak/life/mod.rs"]
mod life;

use std::process::ExitCode;
use std::time::Instant;

use life::Life;
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The frames and the seed.
fn arguments() -> Result<(u64, u64), String> {
    let (mut frames, mut seed) = (100_000, 1);
    let mut given = std::env::args().skip(1);
    while let Some(word) = given.next() {
        let number = given.next().and_then(|value| value.parse().ok());
        match (word.as_str(), number) {
            ("--frames", Some(number)) => frames = number,
            ("--seed", Some(number)) => seed = number,
            _ => {
                return Err(format!(
                    "{word}: expected --frames or --seed, each with a number"
                ));
            }
        }
    }
    Ok((frames, seed))
}

/// Bytes of memory that the process has resident; 0 where the system does not tell.
fn resident() -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

fn main() -> ExitCode {
    let (frames, seed) = match arguments() {
        Ok(given) => given,
        Err(mistake) => {
            eprintln!("{mistake}");
            return ExitCode::from(2);
        }
    };
    let begin = Instant::now();
    let mut life = Life::new(seed);
    println!("frames\tlive bytes\tresident bytes\tmost pending\tseconds");
    for tenth in 1..=10 {
        let until = frames * tenth / 10;
        let (mut sum, mut counted) = (0, 0);
        while life.sum().frames < until {
            life.frame();
            sum += ALLOCATOR.current_usage() as u64;
            counted += 1;
        }
        println!(
            "{until}\t{}\t{}\t{}\t{:.1}",
            sum / counted.max(1),
            resident(),
            life.sum().most_pending,
            begin.elapsed().as_secs_f64()
        );
    }
    println!("\nkind\tposted\tdelivered\tcancelled\tdead\tpassed over\tpending");
    for fate in life.fates() {
        println!(
            "{}\t{}\t{}\t{}\t{}\t{}\t{}",
            fate.kind,
            fate.posted,
            fate.delivered,
            fate.cancelled,
            fate.dead,
            fate.passed_over,
            fate.pending
        );
    }
    println!("\n{:#?}", life.sum());
    life.end();
    ExitCode::SUCCESS
}
