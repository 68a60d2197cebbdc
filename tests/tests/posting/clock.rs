//! The clock: frames, the scaled and the unscaled time, the pause, and the fixed step.

use std::time::Duration;

use crate::common::{Actor, Do, Log, Note, Tested, panic_of, stage};
use message_core::Recipient::Me;
use message_core::prelude::*;
use message_core::time::{Clock, ClockError};

/// 292 years: the last moment there is.
const LAST: Duration = Duration::from_nanos(u64::MAX >> 1);

fn ms(milliseconds: u64) -> Duration {
    Duration::from_millis(milliseconds)
}

/// Looks at the clock, and posts itself again for the next pass of its stage.
#[derive(Message)]
struct Look(Stage);

struct Watch(Log);

#[handlers]
impl Watch {
    #[on_receive]
    fn look(&mut self, look: &Look, cx: &mut Context<'_>) -> Result<(), HandlerError> {
        let clock = cx.clock();
        let (now, delta) = (clock.now().as_millis(), clock.delta().as_millis());
        self.0.add(format!("{} {now} +{delta}", look.0));
        let again = Header::to(Me).stage(look.0).build()?;
        cx.post(&again, Look(look.0))?;
        Ok(())
    }
}

/// Returns a manager with steps of 10 ms, and a watch that looks in every pass of these stages.
fn watched(
    config: ManagerConfig,
    stages: &[Stage],
) -> Result<(MessageManager, Log), Box<dyn std::error::Error>> {
    let (mut manager, log) = (MessageManager::with_config(config), Log::default());
    let watch = manager.spawn((Watch(log.clone()),));
    for &stage in stages {
        manager.post(&Header::to(watch).stage(stage).build()?, Look(stage))?;
    }
    Ok((manager, log))
}

fn steps_of_10() -> ManagerConfig {
    ManagerConfig::new().fixed_step(ms(10))
}

fn times(clock: &Clock) -> (u128, u128) {
    (clock.now().as_millis(), clock.unscaled_now().as_millis())
}

// Frames, scale and pause.

#[test]
fn before_the_first_frame_every_reading_is_zero() {
    let clock = MessageManager::new().clock();
    assert_eq!((clock.frame(), times(&clock)), (0, (0, 0)));
    assert_eq!(clock.delta(), Duration::ZERO);
    assert_eq!(clock.unscaled_delta(), Duration::ZERO);
    assert_eq!(clock.fixed_overstep(), Duration::ZERO);
    assert_eq!(clock.time_scale().to_bits(), 1.0_f64.to_bits());
    assert!(!clock.is_paused());
}

// holds: time.tick
#[test]
fn a_tick_is_one_frame_and_the_frame_number_and_the_clock_advance() {
    let mut manager = MessageManager::new();
    assert_eq!(manager.tick(ms(7)).frame, 1);
    assert_eq!(manager.tick(Duration::ZERO).frame, 2);
    assert_eq!(manager.begin_frame(ms(5)).frame, 3);
    let clock = manager.clock();
    assert_eq!((clock.frame(), times(&clock)), (3, (12, 12)));
    assert_eq!((clock.delta(), clock.unscaled_delta()), (ms(5), ms(5)));
}

// holds: time.scale-from-next-frame
#[test]
fn scale_acts_on_the_scaled_time_from_the_next_frame_on() -> Tested {
    let mut manager = MessageManager::new();
    manager.begin_frame(ms(10));
    manager.set_time_scale(0.5)?;
    assert_eq!(times(&manager.clock()), (10, 10));
    manager.tick(ms(10));
    assert_eq!(times(&manager.clock()), (15, 20));
    assert_eq!(manager.clock().delta(), ms(5));
    assert_eq!(manager.clock().unscaled_delta(), ms(10));
    manager.set_time_scale(3.0)?;
    manager.tick(ms(10));
    assert_eq!(times(&manager.clock()), (45, 30));
    manager.set_time_scale(0.0)?;
    manager.tick(ms(10));
    assert_eq!(times(&manager.clock()), (45, 40));
    Ok(())
}

// holds: time.scale-from-next-frame, time.paused
#[test]
fn pause_acts_on_the_scaled_time_from_the_next_frame_on() {
    let mut manager = MessageManager::new();
    manager.tick(ms(10));
    manager.set_paused(true);
    assert!(manager.clock().is_paused());
    manager.tick(ms(10));
    assert_eq!(times(&manager.clock()), (10, 20));
    assert_eq!(manager.clock().delta(), Duration::ZERO);
    manager.set_paused(false);
    manager.tick(ms(10));
    assert_eq!(times(&manager.clock()), (20, 30));
    assert_eq!(manager.clock().frame(), 3);
}

// holds: time.scale-from-next-frame
#[test]
fn what_a_handler_does_to_the_clock_acts_from_the_next_frame_on() -> Tested {
    let (mut manager, _, actor) = stage();
    let script = Do::new(|cx| {
        cx.set_time_scale(2.0).expect("a scale");
        assert_eq!(cx.clock().delta(), ms(10));
    });
    manager.post(&Header::to(actor).after_frames(1).build()?, script)?;
    manager.tick(ms(10));
    assert_eq!(times(&manager.clock()), (10, 10));
    manager.send(actor, Do::new(|cx| cx.set_paused(true)))?;
    manager.tick(ms(10));
    assert_eq!(times(&manager.clock()), (10, 20));
    manager.send(actor, Do::new(|cx| cx.set_paused(false)))?;
    manager.tick(ms(10));
    assert_eq!(times(&manager.clock()), (30, 30));
    Ok(())
}

// holds: messagees.errors-change-nothing
#[test]
fn a_scale_that_is_negative_infinite_or_no_number_is_an_error_and_changes_nothing() -> Tested {
    let (mut manager, _, actor) = stage();
    manager.set_time_scale(2.0)?;
    for scale in [-1.0, f64::NEG_INFINITY, f64::INFINITY, f64::NAN] {
        let error = manager.set_time_scale(scale).expect_err("no scale");
        let ClockError::NoScale { scale: refused } = error else {
            panic!("{error}");
        };
        assert_eq!(refused.to_bits(), scale.to_bits());
        let text = error.to_string();
        assert!(text.contains(&scale.to_string()), "{text}");
        assert!(text.contains("expected a finite number"), "{text}");
        let script = Do::new(move |cx| assert!(cx.set_time_scale(scale).is_err()));
        manager.send(actor, script)?;
    }
    manager.tick(ms(10));
    assert_eq!(times(&manager.clock()), (20, 10));
    manager.set_time_scale(-0.0)?;
    manager.tick(ms(10));
    assert_eq!(times(&manager.clock()), (20, 20));
    Ok(())
}

// holds: time.due-order, time.scale-from-next-frame
#[test]
fn a_delay_is_measured_on_the_scaled_clock_and_waits_through_a_pause() -> Tested {
    let (mut manager, log, actor) = stage();
    manager.set_time_scale(0.5)?;
    manager.post(&Header::to(actor).after(ms(10)).build()?, Note("scaled"))?;
    manager.tick(ms(19));
    assert!(log.take().is_empty());
    manager.set_paused(true);
    manager.tick(ms(1_000));
    assert!(log.take().is_empty());
    manager.set_paused(false);
    manager.tick(ms(1));
    assert_eq!(log.take(), ["actor: scaled"]);
    Ok(())
}

// holds: time.paused
#[test]
fn an_unscaled_delay_runs_on_while_the_time_is_paused_or_scaled() -> Tested {
    let (mut manager, log, actor) = stage();
    let header = Header::to(actor).after(ms(20)).unscaled().build()?;
    manager.set_paused(true);
    manager.post(&header, Note("paused"))?;
    manager.tick(ms(19));
    assert!(log.take().is_empty());
    manager.tick(ms(1));
    assert_eq!(log.take(), ["actor: paused"]);
    manager.set_paused(false);
    manager.set_time_scale(100.0)?;
    manager.post(&header, Note("scaled"))?;
    manager.tick(ms(19));
    assert!(log.take().is_empty());
    manager.tick(ms(1));
    assert_eq!(log.take(), ["actor: scaled"]);
    Ok(())
}

// The fixed step.

// holds: time.fixed-follows
#[test]
fn the_fixed_time_follows_the_scaled_time_in_whole_steps_and_never_runs_ahead() -> Tested {
    let (mut manager, log) = watched(steps_of_10(), &[Stage::FixedUpdate])?;
    let steps = [4, 4, 4, 4, 4, 25, 0].map(|dt| manager.tick(ms(dt)).fixed_steps);
    assert_eq!(steps, [0, 0, 1, 0, 1, 2, 0]);
    let seen = ["10 +10", "20 +10", "30 +10", "40 +10"];
    assert_eq!(log.take(), seen.map(|seen| format!("FixedUpdate {seen}")));
    Ok(())
}

// holds: time.fixed-follows
#[test]
fn steps_do_not_drift_from_the_time() {
    let mut manager = MessageManager::new();
    let (dt, mut steps) = (Duration::from_nanos(16_666_667), 0);
    for _ in 0..10_000 {
        steps += u128::from(manager.tick(dt).fixed_steps);
        assert!(manager.clock().fixed_overstep() < manager.clock().fixed_step());
    }
    assert_eq!(manager.clock().now(), dt * 10_000);
    assert_eq!(steps, (dt * 10_000).as_nanos() / 15_625_000);
}

// holds: time.max-fixed-steps
#[test]
fn what_a_frame_owes_beyond_the_limit_is_left_out_and_the_fixed_time_leaps_over_it() -> Tested {
    let (mut manager, log) = watched(steps_of_10().max_fixed_steps(3), &[Stage::FixedUpdate])?;
    let report = manager.tick(ms(105));
    assert_eq!((report.fixed_steps, report.skipped_steps), (3, 7));
    let seen = ["80 +10", "90 +10", "100 +10"];
    assert_eq!(log.take(), seen.map(|seen| format!("FixedUpdate {seen}")));
    assert_eq!(manager.clock().fixed_overstep(), ms(5));
    let report = manager.tick(ms(30));
    assert_eq!((report.fixed_steps, report.skipped_steps), (3, 0));
    assert_eq!(log.take().len(), 3);
    Ok(())
}

// holds: time.max-fixed-steps, time.due-order
#[test]
fn what_falls_due_in_a_leap_is_delivered_in_the_first_step_behind_it_in_order() -> Tested {
    let config = steps_of_10().max_fixed_steps(2);
    let (mut manager, log) = (MessageManager::with_config(config), Log::default());
    let actor = manager.spawn((Actor::new("actor", &log),));
    for (delay, word) in [(95, "95"), (30, "30"), (5, "5"), (90, "90")] {
        let header = Header::to(actor).stage(Stage::FixedUpdate);
        manager.post(&header.after(ms(delay)).build()?, Note(word))?;
    }
    manager.begin_frame(ms(100));
    assert_eq!(manager.run_stage(Stage::FixedUpdate), 3);
    assert_eq!(log.take(), ["actor: 5", "actor: 30", "actor: 90"]);
    assert_eq!(manager.run_stage(Stage::FixedUpdate), 1);
    Ok(())
}

// holds: time.max-fixed-steps
#[test]
fn a_limit_of_zero_steps_leaves_all_of_them_out() -> Tested {
    let (mut manager, log) = watched(steps_of_10().max_fixed_steps(0), &[Stage::FixedUpdate])?;
    let report = manager.tick(ms(105));
    assert_eq!((report.fixed_steps, report.skipped_steps), (0, 10));
    assert_eq!(manager.clock().fixed_overstep(), ms(5));
    assert!(log.take().is_empty());
    Ok(())
}

// holds: time.fixed-time-in-pass
#[test]
fn in_a_pass_of_fixed_update_the_time_is_the_fixed_time() -> Tested {
    let stages = [Stage::FixedUpdate, Stage::Update, Stage::EndOfFrame];
    let (mut manager, log) = watched(steps_of_10(), &stages)?;
    manager.tick(ms(25));
    let seen = [
        "FixedUpdate 10 +10",
        "FixedUpdate 20 +10",
        "Update 25 +25",
        "EndOfFrame 25 +25",
    ];
    assert_eq!(log.take(), seen);
    assert_eq!(manager.clock().now(), ms(25));
    Ok(())
}

// holds: time.fixed-follows, time.frame-in-pieces
#[test]
fn the_fixed_overstep_is_how_far_the_scaled_time_is_ahead_of_the_fixed_time() {
    let mut manager = MessageManager::with_config(steps_of_10());
    assert_eq!(manager.begin_frame(ms(25)).fixed_steps, 2);
    assert_eq!(manager.clock().fixed_overstep(), ms(25));
    manager.run_stage(Stage::FixedUpdate);
    assert_eq!(manager.clock().fixed_overstep(), ms(15));
    manager.run_stage(Stage::FixedUpdate);
    assert_eq!(manager.clock().fixed_overstep(), ms(5));
    assert_eq!(manager.clock().fixed_step(), ms(10));
}

// holds: time.fixed-follows
#[test]
fn a_pass_that_the_frame_does_not_owe_takes_no_step() -> Tested {
    let (mut manager, log) = watched(steps_of_10(), &[Stage::FixedUpdate])?;
    manager.begin_frame(ms(15));
    for _ in 0..3 {
        assert_eq!(manager.run_stage(Stage::FixedUpdate), 1);
    }
    assert_eq!(log.take(), ["FixedUpdate 10 +10"; 3]);
    assert_eq!(manager.clock().fixed_overstep(), ms(5));
    assert_eq!(manager.tick(ms(5)).fixed_steps, 1);
    Ok(())
}

// holds: time.fixed-follows
#[test]
fn steps_that_the_host_did_not_take_are_owed_in_the_next_frame() {
    let mut manager = MessageManager::with_config(steps_of_10());
    assert_eq!(manager.begin_frame(ms(30)).fixed_steps, 3);
    manager.run_stage(Stage::FixedUpdate);
    assert_eq!(manager.begin_frame(ms(10)).fixed_steps, 3);
}

// holds: time.paused, time.fixed-follows
#[test]
fn scale_and_pause_act_on_the_fixed_steps_too() -> Tested {
    let mut manager = MessageManager::with_config(steps_of_10());
    manager.set_time_scale(3.0)?;
    assert_eq!(manager.tick(ms(10)).fixed_steps, 3);
    manager.set_paused(true);
    for _ in 0..10 {
        assert_eq!(manager.tick(ms(10)).fixed_steps, 0);
    }
    manager.set_paused(false);
    let report = manager.tick(ms(10));
    assert_eq!((report.fixed_steps, report.skipped_steps), (3, 0));
    Ok(())
}

// holds: time.fixed-time-in-pass
#[test]
fn a_delay_from_a_fixed_step_is_measured_from_the_fixed_time() -> Tested {
    let config = ManagerConfig::new().fixed_step(ms(10));
    let (mut manager, log) = (MessageManager::with_config(config), Log::default());
    let actor = manager.spawn((Actor::new("actor", &log),));
    let told = log.clone();
    let script = Do::new(move |cx| {
        let header = Header::to(Me).stage(Stage::FixedUpdate).after(ms(15));
        let later = Do::new(move |cx| told.add(format!("{:?}", cx.clock().now())));
        cx.post(&header.build().expect("built"), later)
            .expect("posted");
    });
    let header = Header::to(actor).stage(Stage::FixedUpdate).build()?;
    manager.post(&header, script)?;
    manager.tick(ms(45));
    assert_eq!(log.take(), ["30ms"]);
    Ok(())
}

#[test]
fn with_a_fixed_step_of_zero_a_tick_has_no_fixed_pass() -> Tested {
    let config = ManagerConfig::new().fixed_step(Duration::ZERO);
    let (mut manager, log) = watched(config, &[Stage::FixedUpdate])?;
    let report = manager.tick(ms(25));
    assert_eq!((report.fixed_steps, report.skipped_steps), (0, 0));
    assert!(log.take().is_empty());
    assert_eq!(manager.clock().fixed_overstep(), Duration::ZERO);
    assert_eq!(manager.run_stage(Stage::FixedUpdate), 1);
    assert_eq!(log.take(), ["FixedUpdate 25 +0"]);
    Ok(())
}

// holds: reentrancy.panic-to-caller
#[test]
fn after_a_panic_in_a_fixed_pass_the_time_is_that_of_the_frame_again() -> Tested {
    let mut manager = MessageManager::with_config(steps_of_10());
    let log = Log::default();
    let actor = manager.spawn((Actor::new("actor", &log),));
    let header = Header::to(actor).stage(Stage::FixedUpdate).build()?;
    manager.post(&header, Do::new(|_| panic!("on purpose")))?;
    assert_eq!(panic_of(|| manager.tick(ms(25))), "on purpose");
    assert_eq!(manager.clock().now(), ms(25));
    assert_eq!(manager.clock().delta(), ms(25));
    Ok(())
}

// The end of time.

// holds: time.saturates
#[test]
fn times_that_would_be_past_their_end_saturate() -> Tested {
    let mut manager = MessageManager::new();
    for frame in 1..4 {
        let report = manager.tick(Duration::MAX);
        assert_eq!((report.frame, report.fixed_steps <= 8), (frame, true));
        let clock = manager.clock();
        assert_eq!((clock.now(), clock.unscaled_now()), (LAST, LAST));
        assert!(clock.fixed_overstep() < clock.fixed_step());
    }
    let years = LAST.as_secs() / (365 * 24 * 60 * 60);
    assert_eq!(years, 292);
    let mut manager = MessageManager::new();
    manager.set_time_scale(f64::MAX)?;
    manager.tick(ms(10));
    assert_eq!(times(&manager.clock()), (LAST.as_millis(), 10));
    Ok(())
}

// holds: time.fixed-follows, time.saturates
#[test]
fn a_fixed_step_of_the_longest_duration_is_never_taken_before_the_end_of_time() {
    let config = ManagerConfig::new().fixed_step(Duration::MAX);
    let mut manager = MessageManager::with_config(config.max_fixed_steps(u32::MAX));
    assert_eq!(manager.tick(LAST.saturating_sub(ms(1))).fixed_steps, 0);
    assert_eq!(manager.tick(Duration::MAX).fixed_steps, 1);
    assert_eq!(manager.tick(Duration::MAX).fixed_steps, 0);
}

// A step that is set later, and hosts that keep both clocks.

// holds: time.set-fixed-step
#[test]
fn a_fixed_step_that_is_set_later_holds_at_once_from_where_the_fixed_time_is() {
    let mut manager = MessageManager::with_config(steps_of_10());
    assert_eq!(manager.tick(ms(25)).fixed_steps, 2);
    manager.set_fixed_step(ms(4));
    assert_eq!(manager.clock().fixed_step(), ms(4));
    assert_eq!(manager.clock().fixed_overstep(), ms(5));
    let report = manager.tick(ms(4));
    assert_eq!((report.fixed_steps, report.skipped_steps), (2, 0));
    assert_eq!(manager.clock().fixed_overstep(), ms(1));
    manager.set_fixed_step(ms(100));
    assert_eq!(manager.tick(ms(98)).fixed_steps, 0);
    assert_eq!(manager.tick(ms(1)).fixed_steps, 1);
    assert_eq!(manager.clock().fixed_overstep(), Duration::ZERO);
}

// holds: time.set-fixed-step
#[test]
fn the_steps_that_a_frame_still_owes_are_counted_again_with_the_new_step() -> Tested {
    let (mut manager, log) = watched(steps_of_10(), &[Stage::FixedUpdate])?;
    assert_eq!(manager.begin_frame(ms(40)).fixed_steps, 4);
    manager.run_stage(Stage::FixedUpdate);
    manager.set_fixed_step(ms(15));
    for _ in 0..3 {
        manager.run_stage(Stage::FixedUpdate);
    }
    // The third pass is not owed.
    let seen = [
        "FixedUpdate 10 +10",
        "FixedUpdate 25 +15",
        "FixedUpdate 40 +15",
        "FixedUpdate 40 +15",
    ];
    assert_eq!(log.take(), seen);
    manager.set_fixed_step(ms(1));
    let report = manager.begin_frame(ms(20));
    assert_eq!((report.fixed_steps, report.skipped_steps), (8, 12));
    Ok(())
}

// holds: time.set-fixed-step
#[test]
fn a_step_of_zero_is_none_until_one_is_set() {
    let mut manager = MessageManager::with_config(steps_of_10());
    manager.tick(ms(15));
    manager.set_fixed_step(Duration::ZERO);
    assert_eq!(manager.clock().fixed_overstep(), Duration::ZERO);
    assert_eq!(manager.tick(ms(100)).fixed_steps, 0);
    manager.set_fixed_step(ms(10));
    assert_eq!(manager.tick(ms(25)).fixed_steps, 2);
    assert_eq!(manager.clock().fixed_overstep(), ms(5));
}

// holds: time.begin-frame-with, time.saturates
#[test]
fn a_host_that_keeps_both_clocks_advances_each_to_the_nanosecond() -> Tested {
    let mut manager = MessageManager::with_config(steps_of_10());
    manager.set_time_scale(0.5)?;
    manager.set_paused(true);
    let (scaled, unscaled) = (Duration::from_nanos(33_333_333), Duration::from_nanos(7));
    let report = manager.begin_frame_with(scaled, unscaled);
    assert_eq!((report.frame, report.fixed_steps), (1, 3));
    let clock = manager.clock();
    assert_eq!((clock.now(), clock.unscaled_now()), (scaled, unscaled));
    assert_eq!((clock.delta(), clock.unscaled_delta()), (scaled, unscaled));
    // Its own scale and pause are as they were.
    manager.begin_frame(ms(10));
    assert_eq!(manager.clock().now(), scaled);
    manager.begin_frame_with(Duration::MAX, Duration::MAX);
    let clock = manager.clock();
    assert_eq!((clock.now(), clock.unscaled_now()), (LAST, LAST));
    Ok(())
}
