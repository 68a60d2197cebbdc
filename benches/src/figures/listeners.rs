//! Subscriptions in large numbers: creating and ending them, one by one or with their owners, and a
//! send past filters that select other recipients.
//!
//! The floor is a list of boxed closures that are pushed and cleared, and a map from recipients to
//! such lists.

use std::collections::HashMap;
use std::hint::black_box;
use std::time::Instant;

use message_core::SubscriptionId;
use message_core::prelude::*;

use crate::Failure;
use crate::figure::Figure;
use crate::options::Options;
use crate::spawning::shuffle;
use crate::turns::{self, Contender};

const SIZES: [(usize, &str); 3] = [(1_000, "1k"), (10_000, "10k"), (100_000, "100k")];

const MAKING: [Contender; 2] = [
    ("message-core: subscribe and end", "listeners-ours"),
    ("floor: Vec of boxed closures", "listeners-floor"),
];

/// The orders in which subscriptions end; the floor has only one.
const COLUMNS: [&str; 7] = [
    "in-order",
    "in-reverse",
    "shuffled",
    "of-one-owner",
    "with-owner",
    "with-owners",
    "to-ids",
];

const FILTERS: [(usize, &str); 2] = [(10, "10"), (100_000, "100k")];

const PASSING: [Contender; 2] = [
    ("message-core: send to an id", "passing-ours"),
    ("floor: map from an id to closures", "passing-floor"),
];

/// The minimum number of subscriptions that are created and ended.
const SUBSCRIPTIONS: usize = 200_000;

const SENDS: usize = 1_000_000;

#[derive(Message)]
struct Called(u32);

pub(crate) fn measure(options: &Options) -> Result<Vec<Figure>, Failure> {
    let mut figures = Vec::new();
    for (size, name) in SIZES {
        let runs = turns::in_turns(&MAKING, size, options.reps)?;
        for ((contender, _), values) in MAKING.iter().zip(runs) {
            for (value, column) in values.iter().zip(COLUMNS) {
                let figure = format!("{column}-{name}");
                figures.push(Figure::new(figure, *contender, *value, "ns"));
            }
        }
    }
    for (size, name) in FILTERS {
        let runs = turns::in_turns(&PASSING, size, options.reps)?;
        for ((contender, _), values) in PASSING.iter().zip(runs) {
            let figure = format!("past-{name}");
            figures.push(Figure::new(figure, *contender, values[0], "ns"));
        }
    }
    Ok(figures)
}

pub(crate) fn ours(count: usize) -> Vec<f64> {
    let one_by_one = |arrange: fn(&mut Vec<SubscriptionId>)| {
        timed(count, MessageManager::new, |manager| {
            let made = (0..count).map(|at| manager.subscribe(Filter::of::<Called>(), closure(at)));
            let mut made: Vec<SubscriptionId> = made.collect();
            arrange(&mut made);
            end(manager, &made);
        })
    };
    let subscribe_for = |manager: &mut MessageManager, owner, at| {
        let made = manager.subscribe_for(owner, Filter::of::<Called>(), closure(at));
        made.expect("the owner is alive")
    };
    vec![
        one_by_one(|_| ()),
        one_by_one(|made| made.reverse()),
        one_by_one(|made| shuffle(made, 7)),
        timed(count, MessageManager::new, |manager| {
            let owner = manager.spawn(());
            let made = (0..count).map(|at| subscribe_for(manager, owner, at));
            let mut made: Vec<SubscriptionId> = made.collect();
            shuffle(&mut made, 7);
            end(manager, &made);
        }),
        timed(count, MessageManager::new, |manager| {
            let owner = manager.spawn(());
            for at in 0..count {
                subscribe_for(manager, owner, at);
            }
            manager.despawn(owner).expect("it is alive");
        }),
        timed(
            count,
            || inhabited(count),
            |(manager, ids)| {
                for (at, &owner) in ids.iter().enumerate() {
                    subscribe_for(manager, owner, at);
                }
                for &owner in &*ids {
                    manager.despawn(owner).expect("it is alive");
                }
            },
        ),
        timed(
            count,
            || inhabited(count),
            |(manager, ids)| {
                let made = ids
                    .iter()
                    .enumerate()
                    .map(|(at, &id)| manager.subscribe(Filter::of::<Called>().to(id), closure(at)));
                let mut made: Vec<SubscriptionId> = made.collect();
                shuffle(&mut made, 7);
                end(manager, &made);
            },
        ),
    ]
}

pub(crate) fn floor(count: usize) -> Vec<f64> {
    let value = timed(count, Vec::new, |closures: &mut Vec<Closure>| {
        for at in 0..count {
            closures.push(Box::new(plain(at)));
        }
        black_box(&mut *closures).clear();
    });
    vec![value]
}

pub(crate) fn passing_ours(filters: usize) -> Vec<f64> {
    let (mut manager, others) = inhabited(filters);
    for (at, &id) in others.iter().enumerate() {
        manager.subscribe(Filter::of::<Called>().to(id), closure(at));
    }
    let id = manager.spawn(());
    vec![each(SENDS, || {
        let receipt = manager.send(id, Called(black_box(1)));
        assert_eq!(receipt.expect("it is alive").received, 0);
    })]
}

pub(crate) fn passing_floor(filters: usize) -> Vec<f64> {
    let mut closures: HashMap<usize, Vec<Closure>> = HashMap::new();
    for at in 0..filters {
        closures.entry(at).or_default().push(Box::new(plain(at)));
    }
    vec![each(SENDS, || {
        for closure in closures.get_mut(&black_box(filters)).into_iter().flatten() {
            closure(&Called(1));
        }
    })]
}

type Closure = Box<dyn FnMut(&Called)>;

/// Returns a closure with state, so that its box has to be freed when it is dropped.
fn plain(at: usize) -> impl FnMut(&Called) + Send {
    let mut sum = at as u64;
    move |called| sum = black_box(sum + u64::from(called.0))
}

fn closure(at: usize) -> impl FnMut(&Called, &mut SubscriberContext<'_>) + Send {
    let mut plain = plain(at);
    move |called, _| plain(called)
}

fn inhabited(count: usize) -> (MessageManager, Vec<MessageeId>) {
    let mut manager = MessageManager::new();
    let ids = (0..count).map(|_| manager.spawn(())).collect();
    (manager, ids)
}

fn end(manager: &mut MessageManager, made: &[SubscriptionId]) {
    for &id in made {
        assert!(manager.unsubscribe(id));
    }
}

/// Returns the nanoseconds per operation in a round of `count` operations, excluding the preparation of each round.
#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn timed<T>(count: usize, prepare: impl Fn() -> T, mut round: impl FnMut(&mut T)) -> f64 {
    let rounds = SUBSCRIPTIONS.div_ceil(count);
    let mut nanoseconds = 0.0;
    for _ in 0..rounds {
        let mut prepared = prepare();
        let start = Instant::now();
        round(&mut prepared);
        nanoseconds += start.elapsed().as_nanos() as f64;
    }
    nanoseconds / (rounds * count) as f64
}

/// Returns the nanoseconds per call over `count` calls, after a tenth as many for warm-up.
#[allow(clippy::cast_precision_loss, reason = "counts far below 2^52")]
fn each(count: usize, mut call: impl FnMut()) -> f64 {
    for _ in 0..count / 10 {
        call();
    }
    let start = Instant::now();
    for _ in 0..count {
        call();
    }
    start.elapsed().as_nanos() as f64 / count as f64
}
