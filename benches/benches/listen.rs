//! What a subscriber costs: a thousand of one type, beside a thousand boxed closures.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use criterion::{Criterion, criterion_group, criterion_main};
use message_benches::Row;
use message_core::prelude::*;

const SUBSCRIBERS: usize = 1_000;

#[derive(Message)]
struct Beat(u64);

/// What each closure keeps.
struct Count {
    sum: u64,
    total: Arc<AtomicU64>,
}

impl Count {
    fn add(&mut self, beat: &Beat) {
        self.sum += beat.0;
    }
}

impl Drop for Count {
    fn drop(&mut self) {
        self.total.fetch_add(self.sum, Ordering::Relaxed);
    }
}

/// A closure that is called with a message.
type Listener = Box<dyn FnMut(&Beat)>;

fn subscribers(criterion: &mut Criterion) {
    let total = Arc::new(AtomicU64::new(0));
    let count = || Count {
        sum: 0,
        total: Arc::clone(&total),
    };
    let mut closures: Vec<Listener> = Vec::new();
    let mut manager = MessageManager::new();
    for _ in 0..SUBSCRIBERS {
        let mut theirs = count();
        closures.push(Box::new(move |beat| theirs.add(beat)));
        let mut ours = count();
        manager.subscribe(Filter::of::<Beat>(), move |beat, _| ours.add(beat));
    }
    Row::new(criterion, "subscribers", SUBSCRIBERS).compare(
        || {
            let beat = Beat(black_box(1));
            for closure in &mut closures {
                closure(&beat);
            }
        },
        || {
            let receipt = manager.send(Everyone, Beat(black_box(1)));
            assert_eq!(receipt.expect("there is everyone").received, SUBSCRIBERS);
        },
    );
}

criterion_group!(benches, subscribers);
criterion_main!(benches);
