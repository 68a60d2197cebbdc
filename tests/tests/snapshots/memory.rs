//! The memory of snapshots.

use std::sync::{Mutex, PoisonError};

use message_core::Snapshot;
use message_core::prelude::*;
use peak_alloc::PeakAlloc;

use crate::common::Tested;
use crate::{Add, Counter, FRAME, Packed, Place};

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// The other tests of this program may run at the same time, and take less than this.
const OTHERS: usize = 1 << 17;

static TURN: Mutex<()> = Mutex::new(());

/// Returns how many bytes are taken in addition at most while something is done.
fn taken(act: impl FnOnce()) -> usize {
    ALLOCATOR.reset_peak_usage();
    let before = ALLOCATOR.current_usage();
    act();
    ALLOCATOR.peak_usage().saturating_sub(before)
}

// holds: snapshots.memory
#[test]
fn a_snapshot_takes_the_memory_of_the_one_before() -> Tested {
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let mut manager = MessageManager::new();
    for at in 0..40_000 {
        let id = manager.spawn((Packed { sum: 1 }, Place { x: at }));
        if at % 10 == 0 {
            manager.hook(id, Counter::default())?;
            manager.post(Header::to(id).every(FRAME), Add(1))?;
        }
    }
    let mut snapshot = Snapshot::new();
    let mut take = |manager: &mut MessageManager| {
        taken(|| {
            manager
                .snapshot_into(&mut snapshot)
                .expect("all is `Clone`");
        })
    };
    let first = take(&mut manager);
    manager.tick(FRAME);
    let second = take(&mut manager);
    assert!(first > 2_000_000, "{first}");
    assert!(second < first / 10 + OTHERS, "{second} after {first}");
    Ok(())
}
