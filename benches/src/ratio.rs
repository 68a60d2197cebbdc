//! One row: message-core beside others that do the same work.
//!
//! Criterion times each on its own and keeps the history. The ratios are taken apart from that, in
//! turns, so that what disturbs the machine disturbs all; each is a median of many rounds.

use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};

const ROUND: Duration = Duration::from_millis(5);

/// One contender of a row: its name, and the work.
type Contender<'w> = (&'static str, &'w mut dyn FnMut());

/// One row of a comparison.
#[allow(
    missing_debug_implementations,
    reason = "criterion's own state is not `Debug`"
)]
pub struct Row<'c> {
    criterion: &'c mut Criterion,
    name: &'static str,
    deliveries: usize,
    rounds: usize,
}

impl<'c> Row<'c> {
    /// A row of that name, whose work is so many deliveries.
    pub fn new(criterion: &'c mut Criterion, name: &'static str, deliveries: usize) -> Self {
        Self {
            criterion,
            name,
            deliveries,
            rounds: 61,
        }
    }

    /// How many rounds the ratio is the median of; 61 without this.
    #[must_use]
    pub fn rounds(mut self, rounds: usize) -> Self {
        self.rounds = rounds;
        self
    }

    /// Times plain Rust and message-core, then prints the ratio.
    pub fn compare(self, mut floor: impl FnMut(), mut ours: impl FnMut()) {
        self.compare_all(&mut [("floor", &mut floor)], &mut ours);
    }

    /// Times each of the others and message-core, then prints the ratio to each of them.
    ///
    /// # Panics
    ///
    /// When the work does.
    pub fn compare_all(self, others: &mut [Contender<'_>], ours: &mut dyn FnMut()) {
        let mut group = self.criterion.benchmark_group(self.name);
        let deliveries = u64::try_from(self.deliveries).unwrap_or(u64::MAX);
        group.throughput(Throughput::Elements(deliveries));
        for (name, run) in &mut *others {
            group.bench_function(*name, |bencher| bencher.iter(&mut *run));
        }
        group.bench_function("message-core", |bencher| bencher.iter(&mut *ours));
        group.finish();
        // Under `--test` everything has run once by now, and that is all it is for.
        let asked = |name: &str| std::env::args().any(|argument| argument == name);
        if asked("--bench") && !asked("--test") {
            self.print_ratios(others, ours);
        }
    }

    fn print_ratios(&self, others: &mut [Contender<'_>], ours: &mut dyn FnMut()) {
        let mut our_times = Vec::new();
        let mut their_times: Vec<Vec<f64>> = vec![Vec::new(); others.len()];
        for _ in 0..self.rounds {
            for ((_, run), times) in others.iter_mut().zip(&mut their_times) {
                times.push(self.nanoseconds(run));
            }
            our_times.push(self.nanoseconds(ours));
        }
        for ((name, _), theirs) in others.iter().zip(&their_times) {
            let ratio = median(
                our_times
                    .iter()
                    .zip(theirs)
                    .map(|(ours, theirs)| ours / theirs),
            );
            let ours = median(our_times.iter().copied());
            let theirs = median(theirs.iter().copied());
            println!(
                "ratio: {:<22} {ratio:>5.2} × the {name} ({ours:.2} ns against {theirs:.2} ns a \
                 delivery, median of {} interleaved rounds)",
                self.name, self.rounds
            );
        }
        println!();
    }

    /// What one delivery takes, over a short round.
    #[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
    fn nanoseconds(&self, run: &mut dyn FnMut()) -> f64 {
        let start = Instant::now();
        let mut runs = 0;
        while start.elapsed() < ROUND {
            run();
            runs += 1;
        }
        let nanoseconds = start.elapsed().as_nanos() as f64;
        nanoseconds / (f64::from(runs) * self.deliveries as f64)
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
