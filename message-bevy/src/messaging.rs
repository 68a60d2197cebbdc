//! Sending from Bevy: from systems, and with access to the whole world.

use std::fmt;

use bevy_ecs::change_detection::ResMut;
use bevy_ecs::entity::{Entities, Entity};
use bevy_ecs::name::Name;
use bevy_ecs::system::{Query, SystemParam};
use bevy_ecs::world::World;
use message_core::{Message, MessageManager, MessageeId, Receipt, Request, SendError};

use crate::error::MessagingError;
use crate::messenger::Messenger;
use crate::target::Target;

/// The manager in a system. Systems that use it run one after another; to run in parallel, post through
/// [`MessageInlet`](crate::MessageInlet). It reads every `Name`, for error messages, so a system that also
/// queries `&mut Name` puts both into a `ParamSet`.
///
/// A send takes effect immediately: when it returns, every receiver has run.
///
/// ```
/// use bevy_app::{App, Update};
/// use bevy_ecs::prelude::{Component, Entity, Query, Result, With};
/// use bevy_time::TimePlugin;
/// use message_bevy::Message;
/// use message_bevy::prelude::*;
///
/// #[derive(Component)]
/// struct InLava;
///
/// #[derive(Message)]
/// struct Damage { amount: u32 }
///
/// struct Health { hp: u32 }
///
/// #[handlers]
/// impl Health {
///     #[on_receive]
///     fn damage(&mut self, damage: &Damage) { self.hp -= damage.amount; }
/// }
///
/// fn burn(burning: Query<Entity, With<InLava>>, mut messaging: Messaging) -> Result {
///     for entity in &burning {
///         messaging.send(entity, Damage { amount: 1 })?;
///     }
///     Ok(())
/// }
///
/// let mut app = App::new();
/// app.add_plugins((TimePlugin, MessagePlugin::default())).add_systems(Update, burn);
/// let orc = app.world_mut().spawn((InLava, Messagee::new((Health { hp: 8 },)))).id();
/// app.update();
/// app.update();
/// let mut messenger = app.world_mut().resource_mut::<Messenger>();
/// let id = messenger.id_of(orc).expect("it has a messagee");
/// assert_eq!(messenger.manager().get::<Health>(id)?.hp, 6);
/// # Ok::<(), MessageeError>(())
/// ```
#[derive(SystemParam)]
pub struct Messaging<'w, 's> {
    messenger: ResMut<'w, Messenger>,
    entities: &'w Entities,
    names: Query<'w, 's, &'static Name>,
}

impl fmt::Debug for Messaging<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Messaging").field(&*self.messenger).finish()
    }
}

impl Messaging<'_, '_> {
    /// Returns the manager itself. See [`Messenger::manager`].
    ///
    /// ```
    /// use bevy_app::{App, Update};
    /// use bevy_time::TimePlugin;
    /// use message_bevy::Message;
    /// use message_bevy::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Wave;
    ///
    /// fn schedule_wave(mut messaging: Messaging) {
    ///     let post = messaging.manager().post(Header::to(Everyone).after_frames(9).key("wave"), Wave);
    ///     post.expect("there is room");
    /// }
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default())).add_systems(Update, schedule_wave);
    /// app.update();
    /// assert_eq!(app.world_mut().resource_mut::<Messenger>().manager().inspect().pending_len(), 1);
    /// ```
    #[inline]
    pub fn manager(&mut self) -> &mut MessageManager {
        self.messenger.manager()
    }

    /// Sends a message immediately to an entity, an id or any other [`Target`], like
    /// [`MessageManager::send`].
    ///
    /// ```
    /// use bevy_app::{App, Update};
    /// use bevy_ecs::prelude::{Entity, Query, Result, With};
    /// use bevy_time::TimePlugin;
    /// use message_bevy::Message;
    /// use message_bevy::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Hello;
    ///
    /// fn greet(all: Query<Entity, With<Messagee>>, mut messaging: Messaging) -> Result {
    ///     for entity in &all {
    ///         assert_eq!(messaging.send(entity, Hello)?.received, 0);
    ///     }
    ///     Ok(())
    /// }
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default())).add_systems(Update, greet);
    /// app.world_mut().spawn(Messagee::new(()));
    /// app.update();
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessagingError::NoMessagee`] and [`MessagingError::Despawned`] if the entity cannot receive, and the
    /// errors of [`MessageManager::send`].
    #[track_caller]
    #[inline]
    pub fn send<M: Message>(
        &mut self,
        to: impl Target,
        message: M,
    ) -> Result<Receipt, MessagingError> {
        match to.recipient(&self.messenger) {
            Some(recipient) => match self.messenger.manager().send(recipient, message) {
                Ok(receipt) => Ok(receipt),
                Err(error) => Err(self.failed(to.entity(), M::NAME, error)),
            },
            None => Err(self.unreachable(to.entity(), Some(M::NAME))),
        }
    }

    /// Sends a request and returns the first answer, like [`MessageManager::request`].
    ///
    /// ```
    /// use bevy_app::{App, Update};
    /// use bevy_ecs::prelude::{Entity, Result, Single, With};
    /// use bevy_time::TimePlugin;
    /// use message_bevy::Message;
    /// use message_bevy::prelude::*;
    ///
    /// #[derive(Message)]
    /// #[message(reply = u32)]
    /// struct GetHp;
    ///
    /// struct Health { hp: u32 }
    ///
    /// #[handlers]
    /// impl Health {
    ///     #[on_receive]
    ///     fn hp(&self, _: &GetHp) -> u32 { self.hp }
    /// }
    ///
    /// fn ask(hero: Single<Entity, With<Messagee>>, mut messaging: Messaging) -> Result {
    ///     assert_eq!(messaging.request(*hero, GetHp)?, 8);
    ///     Ok(())
    /// }
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default())).add_systems(Update, ask);
    /// app.world_mut().spawn(Messagee::new((Health { hp: 8 },)));
    /// app.update();
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send`](Self::send), and those of [`MessageManager::request`].
    #[track_caller]
    pub fn request<M: Request>(
        &mut self,
        to: impl Target,
        message: M,
    ) -> Result<M::Reply, MessagingError> {
        match to.recipient(&self.messenger) {
            Some(recipient) => match self.messenger.manager().request(recipient, message) {
                Ok(reply) => Ok(reply),
                Err(error) => Err(self.failed(to.entity(), M::NAME, error)),
            },
            None => Err(self.unreachable(to.entity(), Some(M::NAME))),
        }
    }

    /// Returns the messagee of an entity, for headers and everything else that the manager does by id.
    ///
    /// ```
    /// use bevy_app::{App, Update};
    /// use bevy_ecs::prelude::{Entity, Result, Single, With};
    /// use bevy_time::TimePlugin;
    /// use message_bevy::Message;
    /// use message_bevy::prelude::*;
    /// use std::time::Duration;
    ///
    /// #[derive(Message)]
    /// struct Explode;
    ///
    /// fn light(bomb: Single<Entity, With<Messagee>>, mut messaging: Messaging) -> Result {
    ///     let bomb = messaging.id_of(*bomb)?;
    ///     let fuse = Header::to(bomb).after(Duration::from_secs(3));
    ///     messaging.manager().post(fuse, Explode)?;
    ///     Ok(())
    /// }
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default())).add_systems(Update, light);
    /// app.world_mut().spawn(Messagee::new(()));
    /// app.update();
    /// assert_eq!(app.world_mut().resource_mut::<Messenger>().manager().inspect().pending_len(), 1);
    /// ```
    ///
    /// # Errors
    ///
    /// [`MessagingError::NoMessagee`] and [`MessagingError::Despawned`].
    #[inline]
    pub fn id_of(&self, entity: Entity) -> Result<MessageeId, MessagingError> {
        match self.messenger.id_of(entity) {
            Some(id) => Ok(id),
            None => Err(self.unreachable(Some(entity), None)),
        }
    }

    /// Returns the entity of a messagee, if it has one. See [`Messenger::entity_of`].
    ///
    /// ```
    /// use bevy_app::{App, Update};
    /// use bevy_ecs::prelude::{Entity, Query};
    /// use bevy_time::TimePlugin;
    /// use message_bevy::prelude::*;
    ///
    /// fn look(all: Query<(Entity, &Messagee)>, messaging: Messaging) {
    ///     for (entity, messagee) in &all {
    ///         let id = messagee.id().expect("it is inserted");
    ///         assert_eq!(messaging.entity_of(id), Some(entity));
    ///     }
    /// }
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default())).add_systems(Update, look);
    /// app.world_mut().spawn(Messagee::new(()));
    /// app.update();
    /// ```
    #[must_use]
    pub fn entity_of(&self, id: MessageeId) -> Option<Entity> {
        self.messenger.entity_of(id)
    }

    fn name(&self, entity: Entity) -> Option<String> {
        self.names.get(entity).ok().map(Name::to_string)
    }

    #[cold]
    fn failed(
        &self,
        entity: Option<Entity>,
        message: &'static str,
        error: SendError,
    ) -> MessagingError {
        let name = entity.and_then(|entity| self.name(entity));
        failed(entity, name, message, error)
    }

    #[cold]
    fn unreachable(&self, entity: Option<Entity>, message: Option<&'static str>) -> MessagingError {
        let entity = entity.expect("only an entity may have no messagee");
        let is_alive = self.entities.contains_spawned(entity);
        unreachable(entity, is_alive, || self.name(entity), message)
    }
}

fn failed(
    entity: Option<Entity>,
    name: Option<String>,
    message: &'static str,
    source: SendError,
) -> MessagingError {
    match entity {
        None => MessagingError::Send(source),
        Some(entity) => MessagingError::Entity {
            entity,
            name,
            message,
            source,
        },
    }
}

fn unreachable(
    entity: Entity,
    is_alive: bool,
    name: impl FnOnce() -> Option<String>,
    message: Option<&'static str>,
) -> MessagingError {
    if !is_alive {
        return MessagingError::Despawned { entity, message };
    }
    MessagingError::NoMessagee {
        entity,
        name: name(),
        message,
    }
}

/// Sends with access to the whole world: in exclusive systems, commands and tests. In the prelude as
/// `_`.
pub trait SendFromWorld {
    /// Sends a message immediately, like [`Messaging::send`].
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_time::TimePlugin;
    /// use message_bevy::Message;
    /// use message_bevy::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Hello;
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default()));
    /// let orc = app.world_mut().spawn(Messagee::new(())).id();
    /// assert_eq!(app.world_mut().send(orc, Hello)?.received, 0);
    /// # Ok::<(), MessagingError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`Messaging::send`].
    ///
    /// # Panics
    ///
    /// Panics in a world without [`MessagePlugin`](crate::MessagePlugin).
    fn send<M: Message>(&mut self, to: impl Target, message: M) -> Result<Receipt, MessagingError>;
}

impl SendFromWorld for World {
    #[track_caller]
    fn send<M: Message>(&mut self, to: impl Target, message: M) -> Result<Receipt, MessagingError> {
        let mut messenger = self.resource_mut::<Messenger>();
        let recipient = to.recipient(&messenger);
        let sent = recipient.map(|recipient| messenger.manager().send(recipient, message));
        let name = |entity| self.get::<Name>(entity).map(Name::to_string);
        match sent {
            Some(Ok(receipt)) => Ok(receipt),
            Some(Err(error)) => {
                let entity = to.entity();
                Err(failed(entity, entity.and_then(name), M::NAME, error))
            }
            None => {
                let entity = to.entity().expect("only an entity may have no messagee");
                let is_alive = self.entities().contains_spawned(entity);
                Err(unreachable(
                    entity,
                    is_alive,
                    || name(entity),
                    Some(M::NAME),
                ))
            }
        }
    }
}
