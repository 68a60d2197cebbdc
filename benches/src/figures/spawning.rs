//! Spawning and despawning of messagees with four components, compared with a slab of plain values and the
//! peers that have entities with components.
//!
//! All objects are spawned into an empty world, despawned in the order of spawning, spawned
//! again into memory that exists already, and despawned in random order.

use std::hint::black_box;
use std::time::Instant;

use message_benches::work::{Ai, Health, Lottery, Position, Render, small};
use message_core::prelude::*;

use crate::Failure;
use crate::figure::Figure;
use crate::floor::{self, Slab, Whole};
use crate::options::Options;
use crate::turns::{self, Contender};

const COUNT: usize = 100_000;

const CONTENDERS: &[Contender] = &[
    ("message-core: four components", "spawning-ours"),
    ("floor: one value in a slab", "spawning-slab"),
    ("floor: four boxes in a slab", "spawning-boxes"),
    #[cfg(feature = "peers")]
    ("peer bevy_ecs: a bundle of four", "spawning-bevy"),
    #[cfg(feature = "peers")]
    ("peer hecs: a bundle of four", "spawning-hecs"),
];

const COLUMNS: [&str; 4] = ["spawn", "despawn", "spawn-again", "despawn-shuffled"];

pub(crate) fn measure(options: &Options) -> Result<Vec<Figure>, Failure> {
    let columns = turns::in_turns(CONTENDERS, COUNT, options.reps)?;
    let figures = COLUMNS.iter().enumerate().flat_map(|(at, figure)| {
        let rows = CONTENDERS.iter().zip(&columns);
        rows.map(move |((contender, _), columns)| {
            Figure::new(*figure, *contender, columns[at], "ns")
        })
    });
    Ok(figures.collect())
}

/// Returns the components of one messagee, or of one object of the floor.
pub(crate) fn components(number: usize) -> Whole {
    let seed = small(number);
    (
        Position::new(seed),
        Health::new(seed),
        Ai::new(seed),
        Render::new(seed),
    )
}

pub(crate) fn ours(count: usize) -> Vec<f64> {
    come_and_go(
        &mut MessageManager::new(),
        count,
        |manager, number| manager.spawn(components(number)),
        |manager, id| manager.despawn(id).is_ok(),
    )
}

pub(crate) fn slab(count: usize) -> Vec<f64> {
    come_and_go(
        &mut Slab::new(),
        count,
        |slab: &mut Slab<Whole>, number| slab.insert(components(number)),
        Slab::remove,
    )
}

pub(crate) fn boxes(count: usize) -> Vec<f64> {
    come_and_go(
        &mut Slab::new(),
        count,
        |slab, number| slab.insert(floor::object(number)),
        Slab::remove,
    )
}

#[cfg(feature = "peers")]
pub(crate) fn bevy(count: usize) -> Vec<f64> {
    come_and_go(
        &mut bevy_ecs::world::World::new(),
        count,
        |world, number| world.spawn(components(number)).id(),
        |world, entity| world.despawn(entity),
    )
}

#[cfg(feature = "peers")]
pub(crate) fn hecs(count: usize) -> Vec<f64> {
    come_and_go(
        &mut hecs::World::new(),
        count,
        |world, number| world.spawn(components(number)),
        |world, entity| world.despawn(entity).is_ok(),
    )
}

/// Returns the nanoseconds per object, by column.
fn come_and_go<W, I: Copy>(
    world: &mut W,
    count: usize,
    mut spawn: impl FnMut(&mut W, usize) -> I,
    mut despawn: impl FnMut(&mut W, I) -> bool,
) -> Vec<f64> {
    let mut ids = Vec::with_capacity(count);
    let mut shuffled: Vec<usize> = (0..count).collect();
    shuffle(&mut shuffled, 11);
    let mut columns = Vec::new();
    for order in [None, Some(shuffled)] {
        ids.clear();
        columns.push(each(count, |number| {
            let id = spawn(world, black_box(number));
            ids.push(id);
            true
        }));
        columns.push(match order {
            None => each(count, |at| despawn(world, ids[at])),
            Some(order) => each(count, |at| despawn(world, ids[order[at]])),
        });
    }
    columns
}

/// Returns the nanoseconds per step, over `count` steps.
#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn each(count: usize, mut step: impl FnMut(usize) -> bool) -> f64 {
    let start = Instant::now();
    for at in 0..count {
        assert!(step(at), "everybody is there");
    }
    start.elapsed().as_nanos() as f64 / count as f64
}

/// Shuffles the values in the same way in every run.
pub(crate) fn shuffle<T>(values: &mut [T], seed: u64) {
    let mut lottery = Lottery::new(seed);
    for at in (1..values.len()).rev() {
        values.swap(at, lottery.draw(at + 1));
    }
}
