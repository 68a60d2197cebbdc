//! A few thousand frames of random life: all posts are accounted for, and memory does not grow. The
//! example `soak` does it for a million.

mod life;

use peak_alloc::PeakAlloc;

use life::Life;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Returns the mean number of allocated bytes over `frames` frames.
fn live_bytes(life: &mut Life, frames: usize) -> usize {
    let each = (0..frames).map(|_| {
        life.frame();
        ALLOCATOR.current_usage()
    });
    each.sum::<usize>() / frames
}

// holds: mail.next-frame, time.cancel-by, saves.saved, memory.dropped-once
#[test]
fn after_thousands_of_frames_all_is_accounted_for_and_memory_is_as_it_was() {
    let mut life = Life::new(1);
    for _ in 0..800 {
        life.frame();
    }
    let begin = live_bytes(&mut life, 800);
    for _ in 0..800 {
        life.frame();
    }
    let end = live_bytes(&mut life, 800);
    for fate in life.fates() {
        // Each kind has been delivered and has died, so the account says something.
        assert!(
            fate.delivered > 100 && fate.cancelled + fate.dead > 10,
            "{fate:?}"
        );
    }
    let sum = life.sum();
    assert!(sum.saves >= 8 && sum.failures > 20, "{sum:?}");
    assert!(sum.despawned > 100 && sum.news > 100, "{sum:?}");
    life.end();
    // It differs by what happens to be pending.
    assert!(end < begin + begin / 4, "{begin} bytes, then {end}");
}
