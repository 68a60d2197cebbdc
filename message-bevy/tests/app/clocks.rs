//! The manager's clocks are Bevy's, to the nanosecond.

use std::time::Duration;

use bevy_app::{App, FixedLast, FixedUpdate, Last, PreUpdate, Update};
use bevy_ecs::prelude::{Res, ResMut, Resource};
use bevy_time::{Fixed, Real, Time, TimePlugin, TimeUpdateStrategy, Virtual};
use message_bevy::Message;
use message_bevy::prelude::*;

use crate::{FRAME, app, with};

/// Notes the clock in each pass.
#[derive(Message, Clone)]
struct Look;

#[derive(Default)]
struct Watch {
    seen: Vec<(Duration, Duration)>,
}

#[handlers]
impl Watch {
    #[on_receive]
    fn look(&mut self, _: &Look, cx: &mut Context<'_>) {
        self.seen.push((cx.clock().now(), cx.clock().delta()));
    }
}

/// Bevy's fixed clock in each step.
#[derive(Resource, Default)]
struct Steps(Vec<(Duration, Duration)>);

fn note_step(time: Res<'_, Time<Fixed>>, mut steps: ResMut<'_, Steps>) {
    steps.0.push((time.elapsed(), time.delta()));
}

fn same(
    mut messaging: Messaging<'_, '_>,
    scaled: Res<'_, Time<Virtual>>,
    real: Res<'_, Time<Real>>,
) {
    let clock = messaging.manager().clock();
    assert_eq!(
        (clock.now(), clock.delta()),
        (scaled.elapsed(), scaled.delta())
    );
    assert_eq!(
        (clock.unscaled_now(), clock.unscaled_delta()),
        (real.elapsed(), real.delta())
    );
    assert_eq!(clock.is_paused(), scaled.is_paused());
    assert_eq!(
        clock.time_scale().to_bits(),
        scaled.relative_speed_f64().to_bits()
    );
}

fn watched() -> (App, MessageeId) {
    let mut app = app();
    app.init_resource::<Steps>()
        .add_systems(FixedLast, note_step)
        .add_systems(Update, same)
        .add_systems(Last, same);
    let watch = with(&mut app, |manager| {
        let watch = manager.spawn((Watch::default(),));
        let each = Header::to(watch).stage(Stage::FixedUpdate).every_pass();
        manager.post(each, Look).expect("there is room");
        watch
    });
    (app, watch)
}

/// Compares all fixed steps so far.
fn compare(app: &mut App, watch: MessageeId) -> usize {
    let seen = with(app, |manager| {
        manager.get::<Watch>(watch).expect("alive").seen.clone()
    });
    let steps = &app.world().resource::<Steps>().0;
    assert_eq!(&seen, steps);
    let fixed = app.world().resource::<Time<Fixed>>();
    let (step, overstep) = (fixed.timestep(), fixed.overstep());
    let clock = with(app, |manager| manager.clock());
    assert_eq!(
        (clock.fixed_step(), clock.fixed_overstep()),
        (step, overstep)
    );
    seen.len()
}

fn run(app: &mut App, nanoseconds: u64) {
    let strategy = TimeUpdateStrategy::ManualDuration(Duration::from_nanos(nanoseconds));
    app.insert_resource(strategy);
    app.update();
}

// holds: time.begin-frame-with
#[test]
fn it_goes_with_bevys_clocks_through_scale_pause_and_max_delta() {
    let (mut app, watch) = watched();
    let virtual_time = |app: &mut App, f: fn(&mut Time<Virtual>)| {
        f(&mut app.world_mut().resource_mut::<Time<Virtual>>());
    };
    for nanoseconds in [16_666_667, 1, 0, 33_333_333, 123_456_789] {
        run(&mut app, nanoseconds);
    }
    virtual_time(&mut app, |time| time.set_relative_speed_f64(0.37));
    for nanoseconds in [16_666_667, 99_999_999, 7] {
        run(&mut app, nanoseconds);
    }
    virtual_time(&mut app, Time::pause);
    run(&mut app, 1_000_000_007);
    virtual_time(&mut app, Time::unpause);
    run(&mut app, 16_666_667);
    virtual_time(&mut app, |time| time.set_relative_speed(3.3));
    // Far more than `max_delta`, and more steps than a manager takes by default.
    run(&mut app, 9_876_543_210);
    let clock = with(&mut app, |manager| manager.clock());
    assert!(clock.unscaled_delta() > clock.delta() * 9);
    virtual_time(&mut app, |time| time.set_max_delta(Duration::from_secs(5)));
    run(&mut app, 4_321_987_654);
    let steps = compare(&mut app, watch);
    assert!(steps > 300, "{steps}");
}

// holds: time.set-fixed-step
#[test]
fn a_fixed_step_that_changes_between_frames_changes_here() {
    let (mut app, watch) = watched();
    app.update();
    for hz in [64.0, 30.0, 144.0, 7.0, 1_000.0] {
        app.world_mut()
            .resource_mut::<Time<Fixed>>()
            .set_timestep_hz(hz);
        for nanoseconds in [16_666_667, 50_000_001, 3] {
            run(&mut app, nanoseconds);
            compare(&mut app, watch);
        }
    }
    assert!(compare(&mut app, watch) > 60);
}

// holds: time.set-fixed-step
#[test]
fn a_fixed_step_that_changes_in_the_middle_of_a_frame_changes_here() {
    fn slower(mut time: ResMut<'_, Time<Fixed>>) {
        let step = time.timestep();
        time.set_timestep(step + Duration::from_nanos(1_234_567));
    }
    fn faster(mut time: ResMut<'_, Time<Fixed>>) {
        time.set_timestep(Duration::from_nanos(3_333_333));
    }
    let (mut app, watch) = watched();
    app.add_systems(PreUpdate, faster)
        .add_systems(FixedUpdate, slower);
    for nanoseconds in [16_666_667, 50_000_001, 3, 100_000_000] {
        run(&mut app, nanoseconds);
        let seen = with(&mut app, |manager| {
            manager.get::<Watch>(watch).expect("alive").seen.clone()
        });
        assert_eq!(seen, app.world().resource::<Steps>().0);
    }
    assert!(app.world().resource::<Steps>().0.len() > 12);
}

#[test]
fn a_frame_of_bevy_is_a_frame_of_the_manager() {
    let mut app = app();
    for frame in 1..=5 {
        app.update();
        assert_eq!(with(&mut app, |manager| manager.clock().frame()), frame);
    }
    // The first frame of an app has no length.
    assert_eq!(with(&mut app, |manager| manager.clock().now()), FRAME * 4);
}

#[test]
fn a_plugin_that_is_added_later_goes_on_from_there() {
    let mut app = App::new();
    app.add_plugins(TimePlugin);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(FRAME));
    app.update();
    app.update();
    let before = app.world().resource::<Time<Virtual>>().elapsed();
    app.add_plugins(MessagePlugin::default());
    app.update();
    let now = app.world().resource::<Time<Virtual>>().elapsed();
    assert_eq!(
        with(&mut app, |manager| manager.clock().now()),
        now.saturating_sub(before)
    );
}

#[test]
#[should_panic(expected = "finds no clocks in the app: expected Bevy's `TimePlugin`")]
fn without_clocks_it_says_what_is_missing() {
    let mut app = App::new();
    app.add_plugins(MessagePlugin::default());
    app.update();
}
