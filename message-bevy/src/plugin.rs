//! The plugin itself.

use bevy_app::{App, Plugin};
use bevy_ecs::lifecycle::Insert;
use bevy_ecs::name::Name;
use bevy_ecs::observer::On;
use bevy_ecs::system::{Query, ResMut};
use message_core::ManagerConfig;

use crate::inlet::MessageInlet;
use crate::messagee::set_name;
use crate::messenger::Messenger;
use crate::schedules;

/// Adds a manager to an app, in lockstep with the app's clocks. It requires Bevy's `TimePlugin`, which is part
/// of `MinimalPlugins` and `DefaultPlugins`.
///
/// The manager has one frame for each frame of Bevy. The frame begins in `First`, and its stages are delivered
/// in the schedules of [`Delivery`](crate::Delivery). Its scaled time is `Time<Virtual>`, its unscaled time
/// `Time<Real>` and its fixed time `Time<Fixed>`, all counted from when the plugin was added.
///
/// ```
/// use bevy_app::App;
/// use bevy_time::{Time, TimePlugin, TimeUpdateStrategy, Virtual};
/// use message_bevy::prelude::*;
/// use std::time::Duration;
///
/// let mut app = App::new();
/// app.add_plugins((TimePlugin, MessagePlugin::default()));
/// app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(16)));
/// app.world_mut().resource_mut::<Time<Virtual>>().set_relative_speed(0.5);
/// for _ in 0..3 {
///     app.update(); // The first frame of an app has no length.
/// }
/// let time = app.world().resource::<Time<Virtual>>().elapsed();
/// let clock = app.world_mut().resource_mut::<Messenger>().manager().clock();
/// assert_eq!(clock.now(), time);
/// assert_eq!(clock.unscaled_now(), Duration::from_millis(32));
/// ```
#[derive(Clone, Debug, Default)]
pub struct MessagePlugin {
    config: ManagerConfig,
}

impl MessagePlugin {
    /// Returns a plugin whose manager has this configuration. Its fixed step and its maximum number of steps are
    /// ignored: Bevy's clock has its own.
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_time::TimePlugin;
    /// use message_bevy::prelude::*;
    ///
    /// let config = ManagerConfig::new().max_depth(20);
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::with_config(config)));
    /// app.update();
    /// ```
    #[must_use]
    pub fn with_config(config: ManagerConfig) -> Self {
        Self { config }
    }
}

impl Plugin for MessagePlugin {
    fn build(&self, app: &mut App) {
        let mut messenger = Messenger::new(self.config.clone());
        let inlet = MessageInlet(messenger.manager().inlet());
        app.insert_resource(messenger).insert_resource(inlet);
        app.add_observer(
            |inserted: On<'_, '_, Insert<Name>>,
             names: Query<'_, '_, &Name>,
             mut messenger: ResMut<'_, Messenger>| {
                let entity = inserted.entity;
                if let (Some(id), Ok(name)) = (messenger.id_of(entity), names.get(entity)) {
                    set_name(messenger.manager(), id, name);
                }
            },
        );
        #[cfg(feature = "hierarchy")]
        crate::hierarchy::add(app);
        #[cfg(feature = "reflect")]
        app.register_type::<crate::messagee::Messagee>();
        schedules::add(app);
    }
}
