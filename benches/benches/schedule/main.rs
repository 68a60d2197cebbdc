//! What a delayed message costs: a million of them, due over a thousand frames in random order,
//! posted and delivered to ten thousand messagees; and the same with half of them cancelled.
//!
//! The ring is one `Vec` for each frame, the cheapest there is: it knows the last frame beforehand,
//! holds one type of message, and cannot tell who is gone. The heap is the standard library's,
//! with the message inline and a sequence number for the order.

mod plain;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use message_benches::{Lottery, Row};
use message_core::prelude::*;

use plain::{Damage, Health, Queue, Ring, RingWithCancel};

const MESSAGES: usize = 1_000_000;
const FRAMES: usize = 1_000;
const MESSAGEES: usize = 10_000;
const FRAME: Duration = Duration::from_millis(16);

/// Who is hit, and in how many frames.
fn shots() -> Vec<(u32, u32)> {
    let mut lottery = Lottery::new(5);
    let mut draw = |bound| u32::try_from(lottery.draw(bound)).expect("a small number");
    (0..MESSAGES)
        .map(|_| (draw(MESSAGEES), 1 + draw(FRAMES)))
        .collect()
}

/// A manager, its messagees, and a header for each of them and each frame's delay.
fn world() -> (MessageManager, Vec<MessageeId>) {
    let mut manager = MessageManager::new();
    let ids = (0..MESSAGEES).map(|_| manager.spawn((Health::default(),)));
    let ids = ids.collect();
    (manager, ids)
}

fn header(delay: u32) -> Header {
    Header::to(Everyone)
        .after_frames(u64::from(delay))
        .build()
        .expect("it has a recipient and a delay")
}

fn schedule(criterion: &mut Criterion) {
    let shots = shots();
    let (mut manager, ids) = world();
    let headers: Vec<Header> = (0..=u32::try_from(FRAMES).expect("small"))
        .map(header)
        .collect();
    let (mut ring, mut queue) = (Ring::new(FRAMES, MESSAGEES), Queue::new(MESSAGEES));
    Row::new(criterion, "schedule and deliver", MESSAGES)
        .rounds(11)
        .compare_all(
            &mut [
                ("ring", &mut || ring.run(&shots)),
                ("binary heap", &mut || queue.run(&shots, FRAMES)),
            ],
            &mut || {
                for &(at, delay) in &shots {
                    let header = headers[delay as usize].with_recipient(ids[at as usize]);
                    let ticket = manager.post(&header, Damage(1.0));
                    black_box(ticket).expect("everyone is alive");
                }
                let mut delivered = 0;
                for _ in 0..FRAMES {
                    delivered += manager.tick(FRAME).delivered;
                }
                assert_eq!(delivered, MESSAGES);
            },
        );
}

fn cancel_half(criterion: &mut Criterion) {
    let shots = shots();
    let (mut manager, ids) = world();
    let headers: Vec<Header> = (0..=u32::try_from(FRAMES).expect("small"))
        .map(header)
        .collect();
    let mut ring = RingWithCancel::new(FRAMES, MESSAGEES);
    let mut tickets = Vec::with_capacity(MESSAGES);
    Row::new(criterion, "half are cancelled", MESSAGES)
        .rounds(11)
        .compare_all(
            &mut [("ring with cancel", &mut || ring.run(&shots))],
            &mut || {
                tickets.clear();
                for &(at, delay) in &shots {
                    let header = headers[delay as usize].with_recipient(ids[at as usize]);
                    let ticket = manager.post(&header, Damage(1.0));
                    tickets.push(ticket.expect("everyone is alive"));
                }
                for &ticket in tickets.iter().step_by(2) {
                    manager.cancel(ticket);
                }
                let mut delivered = 0;
                for _ in 0..FRAMES {
                    delivered += manager.tick(FRAME).delivered;
                }
                assert_eq!(delivered, MESSAGES / 2);
            },
        );
}

fn by_time(criterion: &mut Criterion) {
    let shots = shots();
    let (mut manager, ids) = world();
    let headers: Vec<Header> = (0..=u32::try_from(FRAMES).expect("small"))
        .map(|delay| {
            let header = Header::to(Everyone)
                .after(FRAME * delay - Duration::from_millis(1).min(FRAME * delay));
            header.build().expect("it has a recipient and a delay")
        })
        .collect();
    let mut ring = Ring::new(FRAMES, MESSAGEES);
    Row::new(criterion, "by time", MESSAGES)
        .rounds(11)
        .compare_all(&mut [("ring", &mut || ring.run(&shots))], &mut || {
            for &(at, delay) in &shots {
                let header = headers[delay as usize].with_recipient(ids[at as usize]);
                let ticket = manager.post(&header, Damage(1.0));
                black_box(ticket).expect("everyone is alive");
            }
            let mut delivered = 0;
            for _ in 0..FRAMES {
                delivered += manager.tick(FRAME).delivered;
            }
            assert_eq!(delivered, MESSAGES);
        });
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = schedule, cancel_half, by_time
}
criterion_main!(benches);
