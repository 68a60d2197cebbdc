//! The entry point for systems that run in parallel.

use std::ops::Deref;

use bevy_ecs::resource::Resource;
use message_core::Inlet;

/// The manager's [`Inlet`] as a resource. Systems that read it run in parallel on all threads, and a clone of
/// it can be moved to other threads. Their posts are delivered when the next frame begins.
///
/// ```
/// use bevy_app::{App, Update};
/// use bevy_ecs::prelude::{Query, Res};
/// use bevy_time::TimePlugin;
/// use message_bevy::Message;
/// use message_bevy::prelude::*;
///
/// #[derive(Message)]
/// struct Rain;
///
/// #[derive(Default)]
/// struct Plant { drops: u32 }
///
/// #[handlers]
/// impl Plant {
///     #[on_receive]
///     fn rain(&mut self, _: &Rain) { self.drops += 1; }
/// }
///
/// fn rain(plants: Query<&Messagee>, inlet: Res<MessageInlet>) {
///     for id in plants.iter().filter_map(Messagee::id) {
///         inlet.try_post(Header::to(id), Rain).expect("there is room");
///     }
/// }
///
/// let mut app = App::new();
/// app.add_plugins((TimePlugin, MessagePlugin::default())).add_systems(Update, rain);
/// let plant = app.world_mut().spawn(Messagee::new((Plant::default(),))).id();
/// app.update();
/// app.update(); // The first drop arrives.
/// let mut messenger = app.world_mut().resource_mut::<Messenger>();
/// let id = messenger.id_of(plant).expect("it has a messagee");
/// assert_eq!(messenger.manager().get::<Plant>(id)?.drops, 1);
/// # Ok::<(), MessageeError>(())
/// ```
#[derive(Resource, Clone, Debug)]
pub struct MessageInlet(pub(crate) Inlet);

impl Deref for MessageInlet {
    type Target = Inlet;

    fn deref(&self) -> &Inlet {
        &self.0
    }
}
