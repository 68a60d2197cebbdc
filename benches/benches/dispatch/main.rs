//! What a message costs, beside the same work by hand.
//!
//! 10 000 messagees (100 000 for the broadcast) with four components each and 15 message types,
//! addressed in shuffled order. Each group holds `floor`, the best plain Rust for the row, and
//! `message-core`; the summary at the end prints the ratios of one interleaved run.

mod components;
mod floor;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use message_benches::Row;
use message_core::prelude::*;

use components::{Ai, GetHp, Health, Pass, Position, Relay, Render, Update};
use floor::Floor;

const MESSAGEES: usize = 10_000;
const CROWD: usize = 100_000;

/// A manager with that many messagees, and their ids.
fn world(messagees: usize) -> (MessageManager, Vec<MessageeId>) {
    let mut manager = MessageManager::new();
    let spawn = |n: usize| {
        let seed = u32::try_from(n).expect("a small number");
        manager.spawn((
            Position::new(seed),
            Health::new(seed),
            Ai::new(seed),
            Render::new(seed),
        ))
    };
    let ids = (0..messagees).map(spawn).collect();
    (manager, ids)
}

fn targeted(criterion: &mut Criterion) {
    let (mut manager, ids) = world(MESSAGEES);
    let mut floor = Floor::new(MESSAGEES);
    let order = components::shuffled(MESSAGEES);
    Row::new(criterion, "targeted send", MESSAGEES).compare(
        || {
            for &(at, kind) in &order {
                floor.send(at, kind);
            }
        },
        || {
            for &(at, kind) in &order {
                components::send(&mut manager, ids[at], kind);
            }
        },
    );
}

fn request(criterion: &mut Criterion) {
    let (mut manager, ids) = world(MESSAGEES);
    let floor = Floor::new(MESSAGEES);
    let order = components::shuffled(MESSAGEES);
    Row::new(criterion, "request", MESSAGEES).compare(
        || {
            let mut sum = 0.0;
            for &(at, _) in &order {
                sum += floor.hp(at);
            }
            black_box(sum);
        },
        || {
            let mut sum = 0.0;
            for &(at, _) in &order {
                sum += manager
                    .request(ids[at], GetHp)
                    .expect("everyone has health");
            }
            black_box(sum);
        },
    );
}

fn broadcast(criterion: &mut Criterion) {
    let (mut manager, _) = world(CROWD);
    let mut floor = Floor::new(CROWD);
    Row::new(criterion, "broadcast", 2 * CROWD).compare(
        || floor.update(black_box(0.01)),
        || {
            let update = Update {
                dt: black_box(0.01),
            };
            let receipt = manager.send(Everyone, update).expect("everyone is there");
            assert_eq!(receipt.received, 2 * CROWD);
        },
    );
}

fn nested(criterion: &mut Criterion) {
    const HOPS: usize = 8;
    let mut manager = MessageManager::new();
    let heads: Vec<MessageeId> = (0..MESSAGEES / HOPS)
        .map(|_| {
            let mut head = manager.spawn((Relay::last(),));
            for _ in 1..HOPS {
                head = manager.spawn((Relay::before(head),));
            }
            head
        })
        .collect();
    let mut floor = floor::Chains::new(MESSAGEES / HOPS, HOPS);
    Row::new(criterion, "nested send", MESSAGEES).compare(
        || floor.run(),
        || {
            for &head in &heads {
                let receipt = manager.send(head, Pass { hops: 1 });
                black_box(receipt).expect("it is alive");
            }
        },
    );
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = targeted, request, broadcast, nested
}
criterion_main!(benches);
