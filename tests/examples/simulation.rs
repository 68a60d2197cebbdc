//! The simulation of networks, for as many seeds as one likes:
//! `cargo run --release -p message-tests --example simulation -- --seeds 10000 [--from 0] [--worlds 20]`.
//! With `--small 1` they are as small as in the test command.
//!
//! Each seed is run twice, and must come out the same. For a seed that fails, the command is printed that
//! repeats it alone.

#[path = "../tests/net/simulated/mod.rs"]
mod simulated;

use std::process::ExitCode;
use std::time::Instant;

use simulated::{Outcome, Size, repeat, run};

struct Arguments {
    seeds: u64,
    from: u64,
    size: Size,
}

fn arguments() -> Result<Arguments, String> {
    let mut all = Arguments {
        seeds: 1000,
        from: 0,
        size: Size::Any,
    };
    let mut given = std::env::args().skip(1);
    while let Some(word) = given.next() {
        let mut number = || -> Result<u64, String> {
            let value = given.next().ok_or(format!("{word} needs a number"))?;
            value
                .parse()
                .map_err(|_| format!("{word} {value}: expected a number"))
        };
        match word.as_str() {
            "--seeds" => all.seeds = number()?,
            "--from" => all.from = number()?,
            "--small" => {
                number()?;
                all.size = Size::Small;
            }
            "--worlds" => {
                let worlds = usize::try_from(number()?).map_err(|error| error.to_string())?;
                if worlds < 2 {
                    return Err(format!("--worlds {worlds}: expected at least 2"));
                }
                all.size = Size::Worlds(worlds);
            }
            _ => {
                return Err(format!(
                    "{word}: expected --seeds, --from, --worlds or --small, each with a number"
                ));
            }
        }
    }
    Ok(all)
}

fn main() -> ExitCode {
    let all = match arguments() {
        Ok(all) => all,
        Err(what) => {
            eprintln!("{what}");
            return ExitCode::from(2);
        }
    };
    let begin = Instant::now();
    let mut total = Total::default();
    for seed in all.from..all.from + all.seeds {
        let mut first = run(seed, all.size);
        let second = run(seed, all.size);
        if first != second {
            first
                .wrong
                .push("the second run differs from the first".to_owned());
        }
        if !first.wrong.is_empty() {
            total.failed += 1;
            println!("seed {seed}, {} worlds:", first.worlds);
            for what in &first.wrong {
                println!("  {what}");
            }
            println!("  repeat it: {}", repeat(seed, all.size));
        }
        total.add(&first);
        if total.seeds.is_multiple_of(500) {
            let seconds = begin.elapsed().as_secs();
            println!(
                "{} seeds, {} failed, {seconds} s",
                total.seeds, total.failed
            );
        }
    }
    println!("{total:#?}\n{:.1} s", begin.elapsed().as_secs_f64());
    ExitCode::from(u8::from(total.failed > 0))
}

/// Sums over all seeds, of the first run of each.
#[derive(Debug, Default)]
#[allow(dead_code, reason = "they are printed")]
struct Total {
    seeds: u64,
    failed: u64,
    most_worlds: usize,
    worlds: u64,
    frames: u64,
    link_events: u64,
    cuts: u64,
    kills: u64,
    leaves: u64,
    forgets: u64,
    ended_proxies: u64,
    replayed_inputs: u64,
    sent_to_one: u64,
    heard: u64,
    dead_letters: u64,
    told_lost: u64,
    refused: u64,
    asks: u64,
    answers: u64,
    told_to_watchers: u64,
    pairs_exact: u64,
    pairs_bounded: u64,
}

impl Total {
    fn add(&mut self, one: &Outcome) {
        self.seeds += 1;
        self.most_worlds = self.most_worlds.max(one.worlds);
        self.worlds += one.worlds as u64;
        self.frames += u64::from(one.frames);
        self.link_events += one.trace.1;
        self.cuts += one.cuts;
        self.kills += one.kills;
        self.leaves += one.leaves;
        self.forgets += one.forgets;
        self.ended_proxies += one.ended;
        self.replayed_inputs += one.replayed;
        self.sent_to_one += one.sums.sent;
        self.heard += one.sums.heard;
        self.dead_letters += one.sums.dead;
        self.told_lost += one.sums.lost;
        self.refused += one.sums.refused;
        self.asks += one.sums.asks;
        self.answers += one.sums.answers;
        self.told_to_watchers += one.sums.watched;
        self.pairs_exact += one.sums.exact;
        self.pairs_bounded += one.sums.bounded;
    }
}
