//! What a delayed message costs: a million of them, due over a thousand frames in random order,
//! posted and delivered to ten thousand messagees; and the same with half of them cancelled.
//!
//! The ring is one `Vec` for each frame, the cheapest there is: it knows the last frame beforehand,
//! holds one type of message, and cannot tell who is gone. The heap is the standard library's,
//! with the message inline and a sequence number for the order. Each run begins with nothing
//! pending and no memory for it, and ends so.

mod plain;

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use message_benches::{Lottery, Row};
use message_core::HeaderBuilder;
use message_core::prelude::*;

use plain::{Damage, Health};

const MESSAGES: usize = 1_000_000;
const FRAMES: usize = 1_000;
const MESSAGEES: usize = 10_000;
const FRAME: Duration = Duration::from_millis(16);
const ROUNDS: usize = 11;

/// Who is hit, and in how many frames.
fn shots() -> Vec<(u32, u32)> {
    let mut lottery = Lottery::new(5);
    let mut draw = |bound| u32::try_from(lottery.draw(bound)).expect("a small number");
    (0..MESSAGES)
        .map(|_| (draw(MESSAGEES), 1 + draw(FRAMES)))
        .collect()
}

/// A manager with its messagees, and a header for each delay.
struct Ours {
    manager: MessageManager,
    ids: Vec<MessageeId>,
    headers: Vec<Header>,
    tickets: Vec<Ticket>,
}

impl Ours {
    fn new(delayed: impl Fn(HeaderBuilder, u32) -> HeaderBuilder) -> Self {
        let mut manager = MessageManager::new();
        let ids = (0..MESSAGEES).map(|_| manager.spawn((Health::default(),)));
        let ids = ids.collect();
        let frames = u32::try_from(FRAMES).expect("a small number");
        let header = |frames| delayed(Header::to(Everyone), frames).build();
        let headers = (0..=frames).map(|frames| header(frames).expect("it is complete"));
        Self {
            manager,
            ids,
            headers: headers.collect(),
            tickets: Vec::with_capacity(MESSAGES),
        }
    }

    fn post(&mut self, shots: &[(u32, u32)]) {
        for &(at, delay) in shots {
            let header = self.headers[delay as usize].with_recipient(self.ids[at as usize]);
            let ticket = self.manager.post(&header, Damage::new());
            self.tickets.push(ticket.expect("everyone is alive"));
        }
    }

    fn deliver(&mut self) -> usize {
        let mut delivered = 0;
        for _ in 0..FRAMES {
            delivered += self.manager.tick(FRAME).delivered;
        }
        self.tickets.clear();
        delivered
    }
}

fn schedule(criterion: &mut Criterion) {
    let shots = shots();
    let mut healths = vec![Health::default(); MESSAGEES];
    let mut more_healths = healths.clone();
    let mut ours = Ours::new(|header, frames| header.after_frames(u64::from(frames)));
    let row = Row::new(criterion, "schedule and deliver", MESSAGES).rounds(ROUNDS);
    row.compare_all(
        &mut [
            ("ring", &mut || plain::ring(&shots, FRAMES, &mut healths)),
            ("binary heap", &mut || {
                plain::binary_heap(&shots, FRAMES, &mut more_healths);
            }),
        ],
        &mut || {
            ours.post(&shots);
            assert_eq!(ours.deliver(), MESSAGES);
        },
    );
    black_box((healths, more_healths));
}

/// The delays are in time, each within another frame.
fn by_time(criterion: &mut Criterion) {
    let shots = shots();
    let mut healths = vec![Health::default(); MESSAGEES];
    let mut ours = Ours::new(|header, frames| {
        let within = Duration::from_micros(u64::from(frames) * 7_919 % 16_000);
        header.after(FRAME * frames.saturating_sub(1) + within)
    });
    let row = Row::new(criterion, "by time", MESSAGES).rounds(ROUNDS);
    row.compare_all(
        &mut [("ring", &mut || plain::ring(&shots, FRAMES, &mut healths))],
        &mut || {
            ours.post(&shots);
            assert_eq!(ours.deliver(), MESSAGES);
        },
    );
    black_box(healths);
}

fn cancel_half(criterion: &mut Criterion) {
    let shots = shots();
    let mut healths = vec![Health::default(); MESSAGEES];
    let mut ours = Ours::new(|header, frames| header.after_frames(u64::from(frames)));
    let row = Row::new(criterion, "half are cancelled", MESSAGES).rounds(ROUNDS);
    row.compare_all(
        &mut [("ring with cancel", &mut || {
            plain::ring_with_cancel(&shots, FRAMES, &mut healths);
        })],
        &mut || {
            ours.post(&shots);
            for at in (0..MESSAGES).step_by(2) {
                assert_eq!(ours.manager.cancel(ours.tickets[at]), 1);
            }
            assert_eq!(ours.deliver(), MESSAGES / 2);
        },
    );
    black_box(healths);
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(10);
    targets = schedule, by_time, cancel_half
}
criterion_main!(benches);
