//! One row: the floor and message-core doing the same work.
//!
//! Criterion times each on its own and keeps the history. The ratio is taken apart from that, in
//! turns, so that what disturbs the machine disturbs both; it is a median of many rounds.

use std::time::{Duration, Instant};

use criterion::{Criterion, Throughput};

const ROUNDS: usize = 61;
const ROUND: Duration = Duration::from_millis(5);

pub(crate) struct Row<'c> {
    criterion: &'c mut Criterion,
    name: &'static str,
    deliveries: usize,
}

impl<'c> Row<'c> {
    pub(crate) fn new(criterion: &'c mut Criterion, name: &'static str, deliveries: usize) -> Self {
        Self {
            criterion,
            name,
            deliveries,
        }
    }

    /// Times both, then prints the ratio.
    pub(crate) fn compare(self, mut floor: impl FnMut(), mut ours: impl FnMut()) {
        let mut group = self.criterion.benchmark_group(self.name);
        let deliveries = u64::try_from(self.deliveries).expect("a small number");
        group.throughput(Throughput::Elements(deliveries));
        group.bench_function("floor", |bencher| bencher.iter(&mut floor));
        group.bench_function("message-core", |bencher| bencher.iter(&mut ours));
        group.finish();
        // Under `--test` everything has run once by now, and that is all it is for.
        let asked = |name: &str| std::env::args().any(|argument| argument == name);
        if asked("--bench") && !asked("--test") {
            self.print_ratio(&mut floor, &mut ours);
        }
    }

    fn print_ratio(&self, floor: &mut impl FnMut(), ours: &mut impl FnMut()) {
        let mut rounds: Vec<(f64, f64)> = (0..ROUNDS)
            .map(|_| (self.nanoseconds(floor), self.nanoseconds(ours)))
            .collect();
        let ratio = median(rounds.iter().map(|(floor, ours)| ours / floor));
        let floor = median(rounds.iter().map(|(floor, _)| *floor));
        let ours = median(rounds.drain(..).map(|(_, ours)| ours));
        println!(
            "ratio: {:<14} {ratio:>5.2} × the floor ({ours:.2} ns against {floor:.2} ns a \
             delivery, median of {ROUNDS} interleaved rounds)\n",
            self.name
        );
    }

    /// What one delivery takes, over a short round.
    #[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
    fn nanoseconds(&self, run: &mut impl FnMut()) -> f64 {
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
