//! The points in Bevy's frame at which the manager's frame begins and its stages are delivered.

use bevy_app::{
    App, First, FixedMainScheduleOrder, FixedUpdate, Last, MainScheduleOrder, PostUpdate, Update,
};
use bevy_ecs::change_detection::{Res, ResMut};
use bevy_ecs::message::MessageUpdateSystems;
use bevy_ecs::schedule::{
    IntoScheduleConfigs, Schedule, ScheduleLabel, SingleThreadedExecutor, SystemSet,
};
use bevy_ecs::system::Commands;
use bevy_ecs::world::World;
use bevy_time::{Fixed, Real, Time, TimeSystems, Virtual};
use message_core::Stage;

use crate::messenger::Messenger;

/// The schedules in which the manager's stages are delivered. Each runs immediately after one of Bevy's
/// schedules, so that no system of the program runs in parallel with it.
///
/// | schedule | runs after | stage |
/// |---|---|---|
/// | `FixedUpdate` | [`FixedUpdate`](bevy_app::FixedUpdate), in each fixed step | [`Stage::FixedUpdate`] |
/// | `Update` | [`Update`](bevy_app::Update) | [`Stage::Update`] |
/// | `LateUpdate` | [`PostUpdate`](bevy_app::PostUpdate) | [`Stage::LateUpdate`] |
/// | `EndOfFrame` | [`Last`](bevy_app::Last) | [`Stage::EndOfFrame`] |
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::schedule::IntoScheduleConfigs;
/// use bevy_time::TimePlugin;
/// use message_bevy::prelude::*;
///
/// fn after_the_stage() {}
///
/// let mut app = App::new();
/// app.add_plugins((TimePlugin, MessagePlugin::default()));
/// app.add_systems(Delivery::Update, after_the_stage.after(MessageSystems::Deliver));
/// app.update();
/// ```
#[derive(ScheduleLabel, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Delivery {
    /// Runs after Bevy's `FixedUpdate`.
    FixedUpdate,
    /// Runs after Bevy's `Update`.
    Update,
    /// Runs after Bevy's `PostUpdate`.
    LateUpdate,
    /// Runs after Bevy's `Last`.
    EndOfFrame,
}

impl Delivery {
    pub(crate) const ALL: [Self; 4] = [
        Self::FixedUpdate,
        Self::Update,
        Self::LateUpdate,
        Self::EndOfFrame,
    ];

    /// Returns the stage that is delivered.
    ///
    /// ```
    /// use message_bevy::Delivery;
    /// use message_core::Stage;
    ///
    /// assert_eq!(Delivery::LateUpdate.stage(), Stage::LateUpdate);
    /// ```
    #[must_use]
    pub fn stage(self) -> Stage {
        match self {
            Self::FixedUpdate => Stage::FixedUpdate,
            Self::Update => Stage::Update,
            Self::LateUpdate => Stage::LateUpdate,
            Self::EndOfFrame => Stage::EndOfFrame,
        }
    }
}

/// The sets of the plugin's systems, for ordering other systems before or after them.
///
/// ```
/// use bevy_app::{App, First};
/// use bevy_ecs::schedule::IntoScheduleConfigs;
/// use bevy_time::TimePlugin;
/// use message_bevy::prelude::*;
///
/// fn reads_the_clock(mut messaging: Messaging) {
///     assert_eq!(messaging.manager().clock().frame(), 1);
/// }
///
/// let mut app = App::new();
/// app.add_plugins((TimePlugin, MessagePlugin::default()));
/// app.add_systems(First, reads_the_clock.after(MessageSystems::BeginFrame));
/// app.update();
/// ```
#[derive(SystemSet, Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MessageSystems {
    /// In `First`, after [`TimeSystems`] and the update of Bevy's messages: begins the manager's frame and drains
    /// its inlet. Then applies the commands that handlers have queued so far.
    BeginFrame,
    /// First in each schedule of [`Delivery`]: [relays](crate::MessagingApp::relay) the messages written in
    /// Bevy.
    Bridge,
    /// After `Bridge` in each schedule of [`Delivery`]: delivers the stage, then applies the commands that
    /// handlers have queued.
    Deliver,
}

/// Adds the plugin's systems.
pub(crate) fn add(app: &mut App) {
    let begin = begin_frame
        .in_set(MessageSystems::BeginFrame)
        .after(TimeSystems)
        // Messages heard now can be read in this frame and in the next.
        .after(MessageUpdateSystems);
    app.add_systems(First, begin);
    for delivery in Delivery::ALL {
        let mut schedule = Schedule::new(delivery);
        schedule.set_executor(SingleThreadedExecutor::new());
        schedule.configure_sets((MessageSystems::Bridge, MessageSystems::Deliver).chain());
        let run = move |world: &mut World| deliver(world, delivery);
        schedule.add_systems(run.in_set(MessageSystems::Deliver));
        app.add_schedule(schedule);
    }
    let mut order = app.world_mut().resource_mut::<MainScheduleOrder>();
    order.insert_after(Update, Delivery::Update);
    order.insert_after(PostUpdate, Delivery::LateUpdate);
    order.insert_after(Last, Delivery::EndOfFrame);
    let mut order = app.world_mut().resource_mut::<FixedMainScheduleOrder>();
    order.insert_after(FixedUpdate, Delivery::FixedUpdate);
}

/// Begins the manager's frame and advances both clocks as far as Bevy's.
fn begin_frame(
    mut messenger: ResMut<'_, Messenger>,
    scaled: Option<Res<'_, Time<Virtual>>>,
    unscaled: Option<Res<'_, Time<Real>>>,
    fixed: Option<Res<'_, Time<Fixed>>>,
    mut commands: Commands<'_, '_>,
) {
    let (Some(scaled), Some(unscaled), Some(fixed)) = (scaled, unscaled, fixed) else {
        panic!(
            "`MessagePlugin` finds no clocks in the app: expected Bevy's `TimePlugin`, alone or as a \
             part of `MinimalPlugins` or `DefaultPlugins`"
        );
    };
    messenger.set_fixed_step(fixed.timestep());
    messenger.mirror(scaled.relative_speed_f64(), scaled.is_paused());
    messenger.begin_frame(scaled.delta(), unscaled.delta());
    commands.append(&mut messenger.take_commands());
}

/// Delivers a stage, then applies the commands that handlers have queued.
fn deliver(world: &mut World, delivery: Delivery) {
    if delivery == Delivery::FixedUpdate {
        // The step that Bevy has just taken, regardless of the length of the next one.
        let taken = world.get_resource::<Time<Fixed>>().map(Time::delta);
        let step = taken.filter(|step| !step.is_zero());
        let mut messenger = world.resource_mut::<Messenger>();
        if let Some(step) = step {
            messenger.set_fixed_step(step);
        }
    }
    let mut messenger = world.resource_mut::<Messenger>();
    messenger.manager().run_stage(delivery.stage());
    let mut commands = messenger.take_commands();
    commands.apply(world);
}
