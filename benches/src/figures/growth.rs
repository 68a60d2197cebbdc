//! What a delivery takes with more and more messagees: a send to each in random order (W1), and a
//! broadcast to which two of four components react (W2).

use std::hint::black_box;
use std::time::Instant;

use message_benches::work::Lottery;
use message_core::prelude::*;

use crate::Failure;
use crate::crowd::{self, Kind, Update};
use crate::figure::Figure;
use crate::floor::{self, Columns, Object};
use crate::options::Options;
use crate::spawning::shuffle;
use crate::turns::{self, Contender};

pub(crate) const SIZES: [(usize, &str); 4] = [
    (1_000, "1k"),
    (10_000, "10k"),
    (100_000, "100k"),
    (1_000_000, "1M"),
];

/// How many deliveries are timed, at least.
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
    let (mut manager, ids) = world(count);
    let order: Vec<(MessageeId, Kind)> = order(count)
        .into_iter()
        .map(|(at, kind)| (ids[at], kind))
        .collect();
    timed(count, || {
        for &(id, kind) in &order {
            crowd::send(&mut manager, id, kind);
        }
    })
}

pub(crate) fn targeted_floor(count: usize) -> Vec<f64> {
    let mut objects: Vec<Object> = (0..count).map(floor::object).collect();
    let order = order(count);
    timed(count, || {
        for &(at, kind) in &order {
            crowd::tell(&mut objects[at], kind);
        }
    })
}

pub(crate) fn broadcast_ours(count: usize) -> Vec<f64> {
    let (mut manager, _) = world(count);
    timed(2 * count, || {
        let dt = black_box(0.01);
        let receipt = manager.send(Everyone, Update { dt });
        assert_eq!(
            receipt.expect("there is everyone").received as usize,
            2 * count
        );
    })
}

pub(crate) fn broadcast_floor(count: usize) -> Vec<f64> {
    let mut columns = Columns::new(count);
    timed(2 * count, || columns.update(black_box(0.01)))
}

fn world(count: usize) -> (MessageManager, Vec<MessageeId>) {
    let mut manager = MessageManager::new();
    let ids = (0..count).map(|number| manager.spawn(crowd::components(number)));
    let ids = ids.collect();
    (manager, ids)
}

/// Everybody once, in random order, each with a message type.
fn order(count: usize) -> Vec<(usize, Kind)> {
    let mut lottery = Lottery::new(3);
    let kinds = |at| (at, Kind::ALL[lottery.draw(Kind::ALL.len())]);
    let mut order: Vec<(usize, Kind)> = (0..count).map(kinds).collect();
    shuffle(&mut order, 5);
    order
}

/// Nanoseconds a delivery of a round of so many, after a round that is not counted.
#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn timed(deliveries: usize, mut round: impl FnMut()) -> Vec<f64> {
    let rounds = DELIVERIES.div_ceil(deliveries);
    round();
    let start = Instant::now();
    for _ in 0..rounds {
        round();
    }
    let nanoseconds = start.elapsed().as_nanos() as f64;
    vec![nanoseconds / (rounds * deliveries) as f64]
}
