//! The workloads of the comparison, by the floor and by message-core, as a regression suite.
//!
//! `compare` has the others, and a process for each; here both are in one, which is quicker and tells
//! the same ratio.

mod row;

use criterion::{Criterion, criterion_group, criterion_main};
use message_benches::compare::{Contender, Size, Workload};
use message_benches::contenders;

use row::Row;

fn workloads(criterion: &mut Criterion) {
    let all = contenders::all();
    for workload in Workload::ALL {
        let mut here = all.iter().filter(|it| it.workload == workload);
        let mut find = |is: fn(&&Contender) -> bool| here.find(is).expect("every row has both");
        let floor = find(|it| it.is_floor());
        let ours = find(|it| it.is_ours());
        compare(criterion, workload.name(), floor, ours);
    }
}

/// W5 with delays in time and not in frames.
fn by_time(criterion: &mut Criterion) {
    let all = contenders::all();
    let mut floors = all.iter().filter(|it| it.is_floor());
    let floor = floors.find(|it| it.workload == Workload::W5);
    let floor = floor.expect("every row has a floor");
    compare(criterion, "W5 by time", floor, &contenders::by_time());
}

/// One pass of a workload, by both.
fn compare(criterion: &mut Criterion, name: &str, floor: &Contender, ours: &Contender) {
    let size = Size {
        passes: 1,
        ..floor.workload.size()
    };
    let operations = floor.workload.operations(size);
    let mut row = Row {
        name: name.to_owned(),
        operations,
        rounds: if operations < 1_000_000 { 61 } else { 11 },
        floor: &mut *(floor.prepare)(size),
        ours: &mut *(ours.prepare)(size),
    };
    row.compare(criterion);
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = workloads, by_time
}
criterion_main!(benches);
