//! Repeating messages that have much to catch up on: how many deliveries each may have in a frame,
//! and what happens to the rest.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use crate::common::{Actor, Do, Log, Tested, panic_of};
use message_core::PostKey;
use message_core::post::{Due, HeaderBuilder};
use message_core::prelude::*;

/// Dropped with its message; its `Drop` panics if `hurts` is set.
#[derive(Default)]
struct Cargo {
    dropped: Arc<AtomicUsize>,
    hurts: bool,
}

impl Drop for Cargo {
    fn drop(&mut self) {
        self.dropped.fetch_add(1, Ordering::Relaxed);
        assert!(!self.hurts, "it hurts");
    }
}

#[derive(Message, Default)]
struct Beat(
    &'static str,
    #[allow(dead_code, reason = "it is dropped with the message")] Cargo,
);

/// Logs when each beat was due.
struct Drum(Log);

#[handlers]
impl Drum {
    #[on_receive]
    fn beat(&mut self, beat: &Beat, cx: &mut Context<'_>) {
        let due = cx.envelope().due;
        let (due, frame) = (due.time.as_millis(), due.frame);
        self.0.add(format!("{}{due} in {frame}", beat.0));
    }
}

/// Counts.
#[derive(Default)]
struct Counter(u64);

#[derive(Message)]
struct Count;

#[handlers]
impl Counter {
    #[on_receive]
    fn count(&mut self, _: &Count) {
        self.0 += 1;
    }
}

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Returns a manager with fixed steps of 10 ms and the given limit, and a drum.
fn limited(limit: u32) -> (MessageManager, Log, MessageeId) {
    let config = ManagerConfig::new().fixed_step(ms(10));
    let config = config.max_repeats_per_frame(limit);
    let (mut manager, log) = (MessageManager::with_config(config), Log::default());
    let drum = manager.spawn((Drum(log.clone()),));
    (manager, log, drum)
}

fn post(
    manager: &mut MessageManager,
    header: HeaderBuilder,
) -> Result<Ticket, Box<dyn std::error::Error>> {
    Ok(manager.post(&header.build()?, Beat::default())?)
}

/// Runs a frame, and returns how many messages it delivered and how many repeats it skipped.
fn tick(manager: &mut MessageManager, dt: Duration) -> (usize, u64) {
    let report = manager.tick(dt);
    (report.delivered, report.skipped_repeats)
}

// holds: time.max-repeats, time.repeats-skipped
#[test]
fn in_one_frame_a_message_that_repeats_is_delivered_max_repeats_per_frame_times_at_most() -> Tested
{
    let (mut manager, log, drum) = limited(3);
    let ticket = post(&mut manager, Header::to(drum).every(ms(10)))?;
    assert_eq!(tick(&mut manager, ms(95)), (3, 6));
    // The oldest ones.
    assert_eq!(log.take(), ["10 in 1", "20 in 1", "30 in 1"]);
    // It keeps its phase.
    assert_eq!(manager.pending_posts(ticket)[0].due, Due::At(ms(100)));
    assert_eq!(tick(&mut manager, ms(4)), (0, 0));
    assert_eq!(tick(&mut manager, ms(1)), (1, 0));
    assert_eq!(log.take(), ["100 in 3"]);
    // Exactly as many as may be.
    assert_eq!(tick(&mut manager, ms(30)), (3, 0));
    assert_eq!(manager.inspect().skipped_repeats(), 6);
    Ok(())
}

// holds: time.repeats-skipped
#[test]
fn what_is_due_just_when_the_frame_is_reached_is_skipped_too() -> Tested {
    let (mut manager, log, drum) = limited(1);
    let ticket = post(&mut manager, Header::to(drum).every(ms(10)))?;
    assert_eq!(tick(&mut manager, ms(50)), (1, 4));
    assert_eq!(manager.pending_posts(ticket)[0].due, Due::At(ms(60)));
    assert_eq!(log.take(), ["10 in 1"]);
    Ok(())
}

// holds: time.max-repeats
#[test]
fn the_limit_is_for_each_message_and_what_does_not_repeat_is_never_skipped() -> Tested {
    let (mut manager, log, drum) = limited(2);
    for (name, period) in [("a", 10), ("b", 25)] {
        let header = Header::to(drum).every(ms(period)).build()?;
        manager.post(&header, Beat(name, Cargo::default()))?;
    }
    for _ in 0..5 {
        let once = Header::to(drum).after(ms(22)).key(("key", 7)).build()?;
        manager.post(&once, Beat("replaced", Cargo::default()))?;
        let single = Header::to(drum).after(ms(22)).build()?;
        manager.post(&single, Beat("once", Cargo::default()))?;
        let lone = Header::to(drum).after(ms(22)).every(ms(1)).times(1);
        manager.post(&lone.build()?, Beat("lone", Cargo::default()))?;
    }
    assert_eq!(tick(&mut manager, ms(60)), (15, 4));
    let mut seen = log.take();
    let repeats = |entry: &mut String| entry.starts_with('a') || entry.starts_with('b');
    let repeated: Vec<_> = seen.extract_if(.., repeats).collect();
    assert_eq!(repeated, ["a10 in 1", "a20 in 1", "b25 in 1", "b50 in 1"]);
    assert_eq!(seen.len(), 11);
    Ok(())
}

// holds: time.max-repeats, time.repeats-skipped
#[test]
fn the_limit_is_over_all_passes_of_the_stage_in_a_frame() -> Tested {
    let (mut manager, log, drum) = limited(2);
    let fixed = Header::to(drum).stage(Stage::FixedUpdate);
    let ticket = post(&mut manager, fixed.every(ms(10)))?;
    // Four passes.
    assert_eq!(tick(&mut manager, ms(45)), (2, 2));
    assert_eq!(log.take(), ["10 in 1", "20 in 1"]);
    assert_eq!(manager.pending_posts(ticket)[0].due, Due::At(ms(50)));
    assert_eq!(tick(&mut manager, ms(15)), (2, 0));
    assert_eq!(log.take(), ["50 in 2", "60 in 2"]);
    Ok(())
}

// holds: time.max-repeats, time.repeats-skipped
#[test]
fn a_host_that_runs_the_stages_itself_reads_what_was_skipped_from_the_manager() -> Tested {
    let (mut manager, log, drum) = limited(2);
    post(&mut manager, Header::to(drum).every(ms(10)))?;
    let report = manager.begin_frame(ms(50));
    assert_eq!(
        (report.skipped_repeats, manager.inspect().skipped_repeats()),
        (0, 0)
    );
    assert_eq!(manager.run_stage(Stage::Update), 2);
    assert_eq!(manager.inspect().skipped_repeats(), 3);
    // The frame has no more of it, however often the stage is run.
    assert_eq!(manager.run_stage(Stage::Update), 0);
    manager.begin_frame(ms(40));
    assert_eq!(manager.run_stage(Stage::Update), 2);
    assert_eq!(manager.inspect().skipped_repeats(), 5);
    assert_eq!(log.take(), ["10 in 1", "20 in 1", "60 in 2", "70 in 2"]);
    Ok(())
}

// holds: time.repeats-skipped
#[test]
fn on_the_unscaled_clock_and_by_frames_it_keeps_its_phase_too() -> Tested {
    let (mut manager, log, drum) = limited(2);
    let unscaled = Header::to(drum).every(ms(10)).unscaled();
    let unscaled = post(&mut manager, unscaled)?;
    let frames = Header::to(drum).stage(Stage::LateUpdate).every_frames(3);
    let frames = post(&mut manager, frames)?;
    manager.set_paused(true);
    for _ in 0..14 {
        manager.begin_frame(ms(5));
    }
    assert_eq!(manager.run_stage(Stage::Update), 2);
    assert_eq!(manager.inspect().skipped_repeats(), 5);
    assert_eq!(manager.run_stage(Stage::LateUpdate), 2);
    assert_eq!(manager.inspect().skipped_repeats(), 7);
    assert_eq!(log.take().len(), 4);
    assert_eq!(
        manager.pending_posts(unscaled)[0].due,
        Due::Unscaled(ms(80))
    );
    assert_eq!(manager.pending_posts(frames)[0].due, Due::Frame(15));
    assert_eq!(tick(&mut manager, ms(5)), (1, 0));
    assert_eq!(tick(&mut manager, ms(5)), (1, 0));
    Ok(())
}

// holds: time.skipped-counted
#[test]
fn what_is_skipped_counts_among_its_times() -> Tested {
    // Skipped in the pass that reaches it, or in a later one.
    for stage in [Stage::Update, Stage::FixedUpdate] {
        for times in 1..=9 {
            let (mut manager, log, drum) = limited(3);
            let dropped = Arc::<AtomicUsize>::default();
            let cargo = Cargo {
                dropped: Arc::clone(&dropped),
                hurts: false,
            };
            let header = Header::to(drum).stage(stage).every(ms(10)).times(times);
            let header = header.key("beat").build()?;
            let ticket = manager.post(&header, Beat("", cargo))?;
            let delivered = times.min(3);
            let skipped = times.min(6) - delivered;
            let counts = (usize::try_from(delivered)?, skipped);
            assert_eq!(tick(&mut manager, ms(65)), counts, "{stage} {times}");
            assert_eq!(log.take().len(), counts.0);
            let left = times - delivered - skipped;
            let pending = manager.pending_posts(ticket);
            let pending = pending.iter().map(|post| post.deliveries);
            assert!(pending.eq((left > 0).then_some(Some(left))));
            assert_eq!(manager.has_pending(PostKey::from("beat")), left > 0);
            assert_eq!(dropped.load(Ordering::Relaxed), usize::from(left == 0));
            assert_eq!(tick(&mut manager, ms(40)).0, usize::try_from(left)?);
            assert_eq!(dropped.load(Ordering::Relaxed), 1);
            assert_eq!(tick(&mut manager, ms(1000)), (0, 0));
        }
    }
    Ok(())
}

// holds: time.max-repeats
#[test]
fn a_limit_of_zero_counts_as_one() -> Tested {
    let (mut manager, log, drum) = limited(0);
    post(&mut manager, Header::to(drum).every(ms(10)))?;
    assert_eq!(tick(&mut manager, ms(10)), (1, 0));
    assert_eq!(tick(&mut manager, ms(30)), (1, 2));
    assert_eq!(log.take(), ["10 in 1", "20 in 2"]);
    Ok(())
}

// holds: time.max-repeats, time.skipped-counted
#[test]
fn a_hundred_timers_of_100_ms_have_1_024_deliveries_each_after_a_frame_of_8_hours() -> Tested {
    let mut manager = MessageManager::new();
    let counter = manager.spawn((Counter::default(),));
    let header = Header::to(counter).every(ms(100)).build()?;
    for _ in 0..100 {
        manager.post(&header, Count)?;
    }
    let (hours, due) = (ms(8 * 3_600_000), 8 * 36_000 * 100);
    let delivered = 1_024 * 100;
    assert_eq!(
        tick(&mut manager, hours),
        (usize::try_from(delivered)?, due - delivered)
    );
    assert_eq!(manager.get::<Counter>(counter)?.0, delivered);
    assert_eq!(tick(&mut manager, ms(100)), (100, 0));
    Ok(())
}

// holds: time.max-repeats, time.saturates
#[test]
fn a_frame_to_the_end_of_time_comes_to_an_end_and_so_do_its_repeats() -> Tested {
    let mut manager = MessageManager::new();
    let counter = manager.spawn((Counter::default(),));
    let every = |period| Header::to(counter).every(period);
    let end = u64::MAX >> 1;
    manager.post(&every(Duration::from_secs(1)).build()?, Count)?;
    manager.post(&every(Duration::from_nanos(1)).unscaled().build()?, Count)?;
    let fixed = every(Duration::from_nanos(3)).stage(Stage::FixedUpdate);
    manager.post(&fixed.build()?, Count)?;
    let times = every(Duration::from_nanos(1)).times(u64::MAX);
    let ticket = manager.post(&times.build()?, Count)?;
    assert_eq!(manager.pending_posts(ticket)[0].deliveries, Some(u64::MAX));
    assert_eq!(tick(&mut manager, Duration::MAX).0, 4 * 1_024);
    assert!(manager.inspect().skipped_repeats() > end);
    assert_eq!(manager.get::<Counter>(counter)?.0, 4 * 1_024);
    // Some wait for a fixed step that is never taken.
    manager.cancel(Posts::all().stage(Stage::FixedUpdate));
    assert!(!manager.has_pending(Posts::all()));
    assert_eq!(tick(&mut manager, Duration::MAX), (0, 0));
    Ok(())
}

// holds: time.cancelled-never-delivered
#[test]
fn what_is_cancelled_before_it_would_be_skipped_is_not_counted() -> Tested {
    let (mut manager, log, drum) = limited(2);
    let ticket = post(&mut manager, Header::to(drum).every(ms(10)))?;
    let actor = manager.spawn((Actor::new("actor", &log),));
    let script = Do::new(move |cx| assert_eq!(cx.cancel(ticket), 1));
    manager.post(&Header::to(actor).after(ms(25)).build()?, script)?;
    assert_eq!(tick(&mut manager, ms(100)), (3, 0));
    assert_eq!(log.take(), ["10 in 1", "20 in 1"]);
    Ok(())
}

// holds: time.skipped-counted, time.panic-in-pass
#[test]
fn one_that_panics_as_it_is_dropped_when_its_series_ends_in_what_is_skipped_is_gone() -> Tested {
    for stage in [Stage::Update, Stage::FixedUpdate] {
        let (mut manager, log, drum) = limited(2);
        let cargo = Cargo {
            dropped: Arc::default(),
            hurts: true,
        };
        let dropped = Arc::clone(&cargo.dropped);
        let header = Header::to(drum).stage(stage).every(ms(10)).times(3);
        let ticket = manager.post(&header.key("beat").build()?, Beat("", cargo))?;
        let other = Header::to(drum).stage(stage).after(ms(40)).build()?;
        manager.post(&other, Beat("other ", Cargo::default()))?;
        assert_eq!(panic_of(|| manager.tick(ms(40))), "it hurts");
        assert_eq!(dropped.load(Ordering::Relaxed), 1);
        assert_eq!(manager.inspect().skipped_repeats(), 1);
        assert!(!manager.has_pending(ticket));
        assert!(!manager.has_pending(PostKey::from("beat")));
        assert_eq!(tick(&mut manager, ms(0)).0, 1);
        assert_eq!(log.take(), ["10 in 1", "20 in 1", "other 40 in 2"]);
    }
    Ok(())
}

#[test]
fn one_that_panics_as_it_is_dropped_when_there_is_no_later_time_is_gone() -> Tested {
    let (mut manager, log, drum) = limited(2);
    let cargo = Cargo {
        dropped: Arc::default(),
        hurts: true,
    };
    let header = Header::to(drum).every(Duration::MAX).key("beat").build()?;
    let ticket = manager.post(&header, Beat("", cargo))?;
    assert_eq!(panic_of(|| manager.tick(Duration::MAX)), "it hurts");
    assert_eq!(log.take().len(), 1);
    assert!(!manager.has_pending(ticket));
    assert!(!manager.has_pending(PostKey::from("beat")));
    assert_eq!(tick(&mut manager, ms(10)), (0, 0));
    Ok(())
}

// holds: time.max-repeats, time.panic-in-pass
#[test]
fn deliveries_before_a_panic_count_in_their_frame_alone() -> Tested {
    let (mut manager, log, drum) = limited(3);
    post(&mut manager, Header::to(drum).every(ms(10)))?;
    let actor = manager.spawn((Actor::new("actor", &log),));
    let panicking = Header::to(actor).after(ms(25)).build()?;
    manager.post(&panicking, Do::new(|_| panic!("on purpose")))?;
    manager.begin_frame(ms(50));
    panic_of(|| manager.run_stage(Stage::Update));
    // Still the same frame.
    assert_eq!(manager.run_stage(Stage::Update), 1);
    assert_eq!(manager.inspect().skipped_repeats(), 2);
    assert_eq!(log.take(), ["10 in 1", "20 in 1", "30 in 1"]);
    assert_eq!(tick(&mut manager, ms(30)), (3, 0));
    Ok(())
}
