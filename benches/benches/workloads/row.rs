//! One row: message-core beside the floor.
//!
//! Criterion times each on its own and keeps the history. The ratio is taken apart from that, in
//! turns, so that what disturbs the machine disturbs both; it is a median of many rounds.

use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};
use message_benches::compare::Trial;

const ROUND: Duration = Duration::from_millis(5);

/// Two who do the same.
pub(crate) struct Row<'t> {
    pub(crate) name: String,
    /// How many sends, deliveries, requests, messages or hops they do at a time.
    pub(crate) operations: usize,
    /// How many rounds the ratio is the median of.
    pub(crate) rounds: usize,
    pub(crate) floor: &'t mut dyn Trial,
    pub(crate) ours: &'t mut dyn Trial,
}

impl Row<'_> {
    /// Times both, then prints the ratio.
    pub(crate) fn compare(&mut self, criterion: &mut Criterion) {
        let mut group = criterion.benchmark_group(&self.name);
        let operations = u64::try_from(self.operations).unwrap_or(u64::MAX);
        group.throughput(Throughput::Elements(operations));
        for (name, trial) in [
            ("floor", &mut *self.floor),
            ("message-core", &mut *self.ours),
        ] {
            group.bench_function(name, |bencher| {
                bencher.iter_custom(|runs| (0..runs).map(|_| timed(trial)).sum());
            });
        }
        group.finish();
        // Under `--test` everything has run once by now, and that is all it is for.
        let asked = |name: &str| std::env::args().any(|argument| argument == name);
        if asked("--bench") && !asked("--test") {
            self.print_ratio();
        }
    }

    fn print_ratio(&mut self) {
        let (mut floor, mut ours) = (Vec::new(), Vec::new());
        for _ in 0..self.rounds {
            floor.push(nanoseconds(self.floor, self.operations));
            ours.push(nanoseconds(self.ours, self.operations));
        }
        let rounds = ours.iter().zip(&floor);
        let ratio = median(rounds.map(|(ours, floor)| ours / floor).collect());
        println!(
            "ratio: {:<17} {ratio:>5.2} × the floor ({:.2} ns against {:.2} ns, median of {} \
             interleaved rounds)\n",
            self.name,
            median(ours),
            median(floor),
            self.rounds
        );
    }
}

/// What one operation takes, over a short round.
#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn nanoseconds(trial: &mut dyn Trial, operations: usize) -> f64 {
    let start = Instant::now();
    let mut taken = Duration::ZERO;
    let mut runs = 0;
    while start.elapsed() < ROUND {
        taken += timed(trial);
        runs += 1;
    }
    taken.as_nanos() as f64 / (f64::from(runs) * operations as f64)
}

/// What one repetition takes, less what is counted apart.
fn timed(trial: &mut dyn Trial) -> Duration {
    let start = Instant::now();
    trial.run();
    start.elapsed().saturating_sub(trial.apart())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
