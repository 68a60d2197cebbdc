//! W1 to W8 as a regression suite: the rows of the comparison that have a goal relative to the floor, for every
//! contender that implements them.
//!
//! `compare` runs each one in its own process and reports the ratios; criterion keeps the history of each.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use message_benches::compare::{Size, Workload};
use message_benches::contenders;

/// Benchmarks one pass of each row.
fn workloads(criterion: &mut Criterion) {
    let all = contenders::all();
    let rows = Workload::ALL.into_iter();
    for workload in rows.filter(|it| it.target().is_some()) {
        let size = Size {
            passes: 1,
            ..workload.size()
        };
        let mut group = criterion.benchmark_group(workload.name());
        let operations = u64::try_from(workload.operations(size));
        group.throughput(Throughput::Elements(operations.expect("it is small")));
        for contender in all.iter().filter(|it| it.workload == workload) {
            let mut trial = (contender.prepare)(size);
            group.bench_function(contender.name, |bencher| {
                bencher.iter_custom(|runs| (0..runs).map(|_| trial.timed()).sum());
            });
        }
        group.finish();
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = workloads
}
criterion_main!(benches);
