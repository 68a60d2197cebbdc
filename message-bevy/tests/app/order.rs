//! The stages are delivered after Bevy's schedules, and nothing is ambiguous.

use bevy_app::{First, FixedPostUpdate, FixedUpdate, Last, PostUpdate, PreUpdate, Update};
use bevy_ecs::prelude::{IntoScheduleConfigs, Schedules};
use bevy_ecs::schedule::{LogLevel, ScheduleBuildSettings};
use bevy_time::{Fixed, Time};
use message_bevy::Message;
use message_bevy::prelude::*;

use crate::{FRAME, Tested, app, with};

#[derive(Message, Clone)]
struct Step(&'static str);

#[derive(Default)]
struct Diary(Vec<&'static str>);

#[handlers]
impl Diary {
    #[on_receive]
    fn step(&mut self, step: &Step) {
        self.0.push(step.0);
    }
}

fn write(word: &'static str) -> impl Fn(Messaging<'_, '_>) {
    move |mut messaging| {
        messaging
            .send(Everyone, Step(word))
            .expect("it is not nested");
    }
}

// holds: time.frame-in-pieces
#[test]
fn each_stage_is_delivered_behind_its_schedule() -> Tested {
    let mut app = app();
    app.world_mut()
        .resource_mut::<Time<Fixed>>()
        .set_timestep(FRAME);
    app.add_systems(First, write("first").after(MessageSystems::BeginFrame))
        .add_systems(PreUpdate, write("pre-update"))
        .add_systems(FixedUpdate, write("fixed"))
        .add_systems(FixedPostUpdate, write("fixed post"))
        .add_systems(Update, write("update"))
        .add_systems(PostUpdate, write("post-update"))
        .add_systems(Last, write("last"));
    app.update(); // The first frame of an app has no length.
    let diary = with(&mut app, |manager| {
        let diary = manager.spawn((Diary::default(),));
        for (stage, word) in [
            (Stage::EndOfFrame, "END"),
            (Stage::LateUpdate, "LATE"),
            (Stage::Update, "UPDATE"),
            (Stage::FixedUpdate, "FIXED"),
        ] {
            manager.post(Header::to(diary).stage(stage).every_pass(), Step(word))?;
        }
        Ok::<_, Box<dyn std::error::Error>>(diary)
    })?;
    app.update();
    let seen = with(&mut app, |manager| {
        manager
            .get_mut::<Diary>(diary)
            .map(|diary| std::mem::take(&mut diary.0))
    })?;
    let expected = [
        "first",
        "pre-update",
        "fixed",
        "FIXED",
        "fixed post",
        "update",
        "UPDATE",
        "post-update",
        "LATE",
        "last",
        "END",
    ];
    assert_eq!(seen, expected);
    Ok(())
}

#[test]
fn no_schedule_has_systems_of_the_plugin_in_an_ambiguous_order() {
    fn any(mut messaging: Messaging<'_, '_>) {
        let _ = messaging.send(Everyone, Step("any"));
    }
    let mut app = app();
    app.add_systems(First, any.after(MessageSystems::BeginFrame))
        .add_systems(Update, any)
        .add_systems(FixedUpdate, any)
        .add_systems(PostUpdate, any)
        .add_systems(Last, any)
        .add_systems(Delivery::Update, any.after(MessageSystems::Deliver));
    let settings = ScheduleBuildSettings {
        ambiguity_detection: LogLevel::Error,
        ..ScheduleBuildSettings::default()
    };
    let mut schedules = app.world_mut().resource_mut::<Schedules>();
    for (_, schedule) in schedules.iter_mut() {
        schedule.set_build_settings(settings.clone());
    }
    for _ in 0..5 {
        app.update();
    }
    assert_eq!(with(&mut app, |manager| manager.clock().frame()), 5);
}

// holds: threads.delivered-when
#[test]
fn what_begins_a_frame_comes_after_bevys_clocks_and_before_the_rest() -> Tested {
    let mut app = app();
    let diary = with(&mut app, |manager| manager.spawn((Diary::default(),)));
    app.add_systems(First, write("before").before(MessageSystems::BeginFrame));
    let inlet = app.world().resource::<MessageInlet>().clone();
    inlet
        .try_post(Header::to(diary), Step("inlet"))
        .expect("there is room");
    app.add_systems(PreUpdate, write("pre-update"));
    app.update();
    let seen = with(&mut app, |manager| {
        manager
            .get_mut::<Diary>(diary)
            .map(|diary| std::mem::take(&mut diary.0))
    })?;
    assert_eq!(seen, ["before", "inlet", "pre-update"]);
    Ok(())
}
