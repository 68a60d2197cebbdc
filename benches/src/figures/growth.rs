//! The cost of a delivery as the number of messagees grows: a send to each in random order (W1), and a
//! broadcast to which two of four components react (W2).

use message_benches::compare::{Contender as Runner, Size, Workload};
use message_benches::contenders;

use crate::Failure;
use crate::figure::Figure;
use crate::options::Options;
use crate::turns::{self, Contender};

pub(crate) const SIZES: [(usize, &str); 4] = [
    (1_000, "1k"),
    (10_000, "10k"),
    (100_000, "100k"),
    (1_000_000, "1M"),
];

/// The minimum number of deliveries that are timed.
const DELIVERIES: usize = 4_000_000;

const TARGETED: [Contender; 2] = [
    ("message-core: send to an id", "targeted-ours"),
    ("floor: virtual call on the right box", "targeted-floor"),
];

const BROADCAST: [Contender; 2] = [
    ("message-core: send to everyone", "broadcast-ours"),
    ("floor: one Vec for each component", "broadcast-floor"),
];

pub(crate) fn measure(options: &Options) -> Result<Vec<Figure>, Failure> {
    let mut figures = Vec::new();
    for (workload, contenders) in [("W1", TARGETED), ("W2", BROADCAST)] {
        for (size, name) in SIZES {
            let columns = turns::in_turns(&contenders, size, options.reps)?;
            for ((contender, _), columns) in contenders.iter().zip(columns) {
                let figure = format!("{workload}-{name}");
                figures.push(Figure::new(figure, *contender, columns[0], "ns"));
            }
        }
    }
    Ok(figures)
}

pub(crate) fn targeted_ours(count: usize) -> Vec<f64> {
    delivery(Workload::W1, Runner::is_ours, count)
}

pub(crate) fn targeted_floor(count: usize) -> Vec<f64> {
    delivery(Workload::W1, Runner::is_floor, count)
}

pub(crate) fn broadcast_ours(count: usize) -> Vec<f64> {
    delivery(Workload::W2Of1k, Runner::is_ours, count)
}

pub(crate) fn broadcast_floor(count: usize) -> Vec<f64> {
    delivery(Workload::W2Of1k, Runner::is_floor, count)
}

/// Returns the nanoseconds per delivery of a row of `compare` with `count` objects, after as many for warm-up.
#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn delivery(workload: Workload, is: fn(&Runner) -> bool, count: usize) -> Vec<f64> {
    let all = contenders::all();
    let mut here = all.iter().filter(|it| it.workload == workload);
    let runner = here.find(|it| is(it)).expect("every row has both");
    let pass = Size {
        objects: count,
        passes: 1,
        ..workload.size()
    };
    let size = Size {
        passes: DELIVERIES.div_ceil(workload.operations(pass)),
        ..pass
    };
    let mut trial = (runner.prepare)(size);
    trial.run();
    let nanoseconds = trial.timed().as_nanos() as f64;
    vec![nanoseconds / workload.operations(size) as f64]
}
