//! What mail costs: a million messages to ten thousand recipients in one frame, each of whom reads
//! its own. Beside it the least that does the same: a list of recipients and messages, sorted by
//! counting when the frame ends.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, criterion_group, criterion_main};
use message_benches::{Lottery, Row};
use message_core::prelude::*;

const MESSAGES: usize = 1_000_000;
const RECIPIENTS: usize = 10_000;
const ROUNDS: usize = 9;

#[derive(Message, Clone, Copy)]
struct Hit {
    damage: u64,
    kind: u64,
}

impl Hit {
    fn weight(&self) -> u64 {
        self.damage ^ self.kind
    }
}

/// The list of the frame that is being written, and that of the last one, sorted by recipient.
#[derive(Default)]
struct Plain {
    written: Vec<(u32, Hit)>,
    sorted: Vec<(u32, Hit)>,
    /// Where the messages of each recipient end.
    ends: Vec<u32>,
}

impl Plain {
    fn swap(&mut self) {
        self.ends.clear();
        self.ends.resize(RECIPIENTS, 0);
        for (to, _) in &self.written {
            self.ends[*to as usize] += 1;
        }
        let mut total = 0;
        for end in &mut self.ends {
            let count = *end;
            *end = total;
            total += count;
        }
        let nothing = (0, Hit { damage: 0, kind: 0 });
        self.sorted.resize(self.written.len(), nothing);
        for entry in &self.written {
            let end = &mut self.ends[entry.0 as usize];
            self.sorted[*end as usize] = *entry;
            *end += 1;
        }
        self.written.clear();
    }

    fn of(&self, recipient: usize) -> &[(u32, Hit)] {
        let start = recipient
            .checked_sub(1)
            .map_or(0, |before| self.ends[before]);
        &self.sorted[start as usize..self.ends[recipient] as usize]
    }
}

fn mail(criterion: &mut Criterion) {
    let mut lottery = Lottery::new(7);
    let to: Vec<u32> = (0..MESSAGES)
        .map(|_| u32::try_from(lottery.draw(RECIPIENTS)).expect("a small number"))
        .collect();
    let hits = || {
        (1..).zip(&to).map(|(damage, &to)| {
            let kind = black_box(3);
            (to, Hit { damage, kind })
        })
    };
    let expected = hits().map(|(to, hit)| hit.weight() ^ u64::from(to));
    let expected = expected.fold(0, u64::wrapping_add);
    let mut manager = MessageManager::new();
    let ids: Vec<MessageeId> = (0..RECIPIENTS).map(|_| manager.spawn(())).collect();
    let mut plain = Plain::default();
    let row = Row::new(criterion, "mail", MESSAGES).rounds(ROUNDS);
    row.compare(
        || {
            for entry in hits() {
                plain.written.push(entry);
            }
            plain.swap();
            let mut sum = 0u64;
            for at in 0..RECIPIENTS {
                for (_, hit) in plain.of(at) {
                    sum = sum.wrapping_add(hit.weight() ^ at as u64);
                }
            }
            assert_eq!(sum, expected);
        },
        || {
            for (to, hit) in hits() {
                let published = manager.publish(ids[to as usize], hit);
                published.expect("everyone is alive");
            }
            manager.tick(Duration::ZERO);
            let mut sum = 0u64;
            for (at, &id) in ids.iter().enumerate() {
                for hit in manager.inbox::<Hit>().to(id) {
                    sum = sum.wrapping_add(hit.weight() ^ at as u64);
                }
            }
            assert_eq!(sum, expected);
        },
    );
}

criterion_group!(benches, mail);
criterion_main!(benches);
