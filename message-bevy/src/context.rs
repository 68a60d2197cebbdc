//! Access to Bevy's world from handlers: commands, which are applied after the stage.
//!
//! A command travels as a message to everyone, which the plugin's interceptor consumes. Therefore a handler
//! needs only its context, and behaves the same in a manager without Bevy, such as that of a replay: there
//! nobody takes the message.

use bevy_ecs::entity::Entity;
use bevy_ecs::system::Command;
use bevy_ecs::world::{EntityWorldMut, World};
use message_core::{Context, Message, MessageeId, Recipient, SendError};

use crate::messenger::Messenger;

type Apply = Box<dyn FnOnce(&mut World) + Send>;

/// A command on its way to Bevy's world.
#[derive(Message)]
#[message(name = "message_bevy.ToWorld")]
pub(crate) struct ToWorld(Option<Apply>);

impl ToWorld {
    pub(crate) fn take(&mut self) -> Option<Apply> {
        self.0.take()
    }
}

/// Requests that a handler or a subscriber can make of Bevy's world. In the prelude as `_`.
pub trait ReachWorld {
    /// Queues a command, which is applied to Bevy's world after the current stage. Commands are applied in the
    /// order in which they were queued. If the message was sent outside a stage, by a system or an observer, the
    /// command is applied after the next stage or when the next frame has begun.
    ///
    /// In a manager without Bevy, as in a replay, the command is dropped.
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::prelude::{Resource, World};
    /// use bevy_time::TimePlugin;
    /// use message_bevy::Message;
    /// use message_bevy::prelude::*;
    ///
    /// #[derive(Resource, Default)]
    /// struct Deaths(u32);
    ///
    /// #[derive(Message)]
    /// struct Died;
    ///
    /// struct Hero;
    ///
    /// #[handlers]
    /// impl Hero {
    ///     #[on_receive]
    ///     fn died(&mut self, _: &Died, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         cx.queue(|world: &mut World| world.resource_mut::<Deaths>().0 += 1)
    ///     }
    /// }
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default())).init_resource::<Deaths>();
    /// let hero = app.world_mut().spawn(Messagee::new((Hero,))).id();
    /// app.world_mut().send(hero, Died)?;
    /// app.update();
    /// assert_eq!(app.world().resource::<Deaths>().0, 1);
    /// # Ok::<(), MessagingError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`AtLimit`](message_core::SendErrorKind::AtLimit) if sends are already nested as deeply as the manager
    /// allows; a command counts as one level.
    fn queue<C: Command>(&mut self, command: C) -> Result<(), SendError>;

    /// Like [`queue`](Self::queue), but for the entity of a messagee. The command is skipped if the entity is
    /// gone by then.
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::prelude::Component;
    /// use bevy_ecs::world::EntityWorldMut;
    /// use bevy_time::TimePlugin;
    /// use message_bevy::Message;
    /// use message_bevy::prelude::*;
    ///
    /// #[derive(Component)]
    /// struct Burning;
    ///
    /// #[derive(Message)]
    /// struct Ignite;
    ///
    /// struct Wood;
    ///
    /// #[handlers]
    /// impl Wood {
    ///     #[on_receive]
    ///     fn ignite(&mut self, _: &Ignite, cx: &mut Context<'_>) -> Result<(), SendError> {
    ///         let me = cx.me();
    ///         cx.queue_for(me, |mut entity: EntityWorldMut<'_>| { entity.insert(Burning); })
    ///     }
    /// }
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default()));
    /// let wood = app.world_mut().spawn(Messagee::new((Wood,))).id();
    /// app.world_mut().send(wood, Ignite)?;
    /// app.update();
    /// assert!(app.world().get::<Burning>(wood).is_some());
    /// # Ok::<(), MessagingError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`queue`](Self::queue).
    fn queue_for<F>(&mut self, id: MessageeId, change: F) -> Result<(), SendError>
    where
        F: FnOnce(EntityWorldMut<'_>) + Send + 'static;
}

impl<R> ReachWorld for Context<'_, R> {
    #[track_caller]
    fn queue<C: Command>(&mut self, command: C) -> Result<(), SendError> {
        let command = command.handle_error();
        let apply: Apply = Box::new(move |world| command.apply(world));
        self.send(Recipient::Everyone, ToWorld(Some(apply)))?;
        Ok(())
    }

    #[track_caller]
    fn queue_for<F>(&mut self, id: MessageeId, change: F) -> Result<(), SendError>
    where
        F: FnOnce(EntityWorldMut<'_>) + Send + 'static,
    {
        self.queue(move |world: &mut World| {
            if let Some(entity) = entity_of(world, id)
                && let Ok(entity) = world.get_entity_mut(entity)
            {
                change(entity);
            }
        })
    }
}

/// Returns the entity of a messagee, in a world that may no longer have a manager.
pub(crate) fn entity_of(world: &World, id: MessageeId) -> Option<Entity> {
    world.get_resource::<Messenger>()?.entity_of(id)
}
