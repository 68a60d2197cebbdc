//! Sending from Bevy: from systems, and with access to the whole world.

use std::fmt;

use bevy_ecs::change_detection::ResMut;
use bevy_ecs::entity::{Entities, Entity};
use bevy_ecs::name::Name;
use bevy_ecs::system::{Query, SystemParam};
use bevy_ecs::world::World;
use message_core::post::HeaderBuilder;
use message_core::{
    Header, Message, MessageManager, MessageeId, Receipt, Request, SendError, Ticket,
};

use crate::error::MessagingError;
use crate::messenger::Messenger;
use crate::target::Target;

/// Calls a method of the manager with the recipient of a target. A macro, because the method records the
/// line of its caller.
macro_rules! by_target {
    ($self:ident, $to:ident, $message:expr, |$manager:ident, $recipient:ident| $call:expr) => {
        match $to.recipient(&$self.messenger) {
            Some($recipient) => {
                let $manager = $self.messenger.manager();
                match $call {
                    Ok(done) => Ok(done),
                    Err(error) => Err($self.failed($to.entity(), $message, error)),
                }
            }
            None => Err($self.unreachable($to.entity(), Some($message))),
        }
    };
}

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
        by_target!(self, to, M::NAME, |manager, recipient| manager
            .send(recipient, message))
    }

    /// Sends a message that its receivers can change, like [`MessageManager::send_mut`].
    ///
    /// ```
    /// use bevy_app::{App, Update};
    /// use bevy_ecs::prelude::{Entity, Result, Single, With};
    /// use bevy_time::TimePlugin;
    /// use message_bevy::Message;
    /// use message_bevy::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Armour { total: u32 }
    ///
    /// struct Shield;
    ///
    /// #[handlers]
    /// impl Shield {
    ///     #[on_receive]
    ///     fn add(&mut self, armour: &mut Armour) { armour.total += 3; }
    /// }
    ///
    /// fn ask(hero: Single<Entity, With<Messagee>>, mut messaging: Messaging) -> Result {
    ///     let mut armour = Armour { total: 0 };
    ///     messaging.send_mut(*hero, &mut armour)?;
    ///     assert_eq!(armour.total, 3);
    ///     Ok(())
    /// }
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default())).add_systems(Update, ask);
    /// app.world_mut().spawn(Messagee::new((Shield,)));
    /// app.update();
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send`](Self::send), and those of [`MessageManager::send_mut`].
    #[track_caller]
    pub fn send_mut<M: Message>(
        &mut self,
        to: impl Target,
        message: &mut M,
    ) -> Result<Receipt, MessagingError> {
        by_target!(self, to, M::NAME, |manager, recipient| manager
            .send_mut(recipient, message))
    }

    /// Posts a message with a header, like [`MessageManager::post`].
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
    ///     messaging.post(*bomb, |header| header.after(Duration::from_secs(3)), Explode)?;
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
    /// Returns the same errors as [`send`](Self::send), and those of [`MessageManager::post`].
    #[track_caller]
    pub fn post<M: Message>(
        &mut self,
        to: impl Target,
        header: impl FnOnce(HeaderBuilder) -> HeaderBuilder,
        message: M,
    ) -> Result<Ticket, MessagingError> {
        by_target!(self, to, M::NAME, |manager, recipient| manager
            .post(header(Header::to(recipient)), message))
    }

    /// Publishes a message, which its recipient reads in the next frame, like [`MessageManager::publish`].
    ///
    /// ```
    /// use bevy_app::{App, Update};
    /// use bevy_ecs::prelude::{Entity, Result, Single, With};
    /// use bevy_time::TimePlugin;
    /// use message_bevy::Message;
    /// use message_bevy::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Seen;
    ///
    /// fn look(hero: Single<Entity, With<Messagee>>, mut messaging: Messaging) -> Result {
    ///     messaging.publish(*hero, Seen)?;
    ///     Ok(())
    /// }
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default())).add_systems(Update, look);
    /// app.world_mut().spawn(Messagee::new(()));
    /// app.update();
    /// app.update();
    /// assert_eq!(app.world_mut().resource_mut::<Messenger>().manager().published::<Seen>().count(), 1);
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send`](Self::send), and those of [`MessageManager::publish`].
    #[track_caller]
    pub fn publish<M: Message>(
        &mut self,
        to: impl Target,
        message: M,
    ) -> Result<(), MessagingError> {
        by_target!(self, to, M::NAME, |manager, recipient| manager
            .publish(recipient, message))
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
        by_target!(self, to, M::NAME, |manager, recipient| manager
            .request(recipient, message))
    }

    /// Sends a request and returns all answers, each with who gave it, like [`MessageManager::request_all`].
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
    /// fn ask(mut messaging: Messaging) -> Result {
    ///     let all = messaging.request_all(Everyone, GetHp)?;
    ///     assert_eq!(all.iter().map(|(_, hp)| hp).sum::<u32>(), 15);
    ///     Ok(())
    /// }
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default())).add_systems(Update, ask);
    /// for hp in [7, 8] {
    ///     app.world_mut().spawn(Messagee::new((Health { hp },)));
    /// }
    /// app.update();
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`send`](Self::send), and those of [`MessageManager::request_all`].
    #[track_caller]
    pub fn request_all<M: Request>(
        &mut self,
        to: impl Target,
        message: M,
    ) -> Result<Vec<(MessageeId, M::Reply)>, MessagingError> {
        by_target!(self, to, M::NAME, |manager, recipient| manager
            .request_all(recipient, message))
    }

    /// Returns the messagee of an entity, for everything that the manager does by id.
    ///
    /// ```
    /// use bevy_app::{App, Update};
    /// use bevy_ecs::prelude::{Entity, Result, Single, With};
    /// use bevy_time::TimePlugin;
    /// use message_bevy::Message;
    /// use message_bevy::prelude::*;
    /// use std::time::Duration;
    ///
    /// group!(BOMBS);
    ///
    /// fn collect(bomb: Single<Entity, With<Messagee>>, mut messaging: Messaging) -> Result {
    ///     let bomb = messaging.id_of(*bomb)?;
    ///     messaging.manager().join(BOMBS, bomb)?;
    ///     Ok(())
    /// }
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default())).add_systems(Update, collect);
    /// app.world_mut().spawn(Messagee::new(()));
    /// app.update();
    /// let mut messenger = app.world_mut().resource_mut::<Messenger>();
    /// assert_eq!(messenger.manager().members(BOMBS).count(), 1);
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
        let name = self.name(entity);
        self.messenger.unreachable(entity, is_alive, name, message)
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

impl Messenger {
    /// Returns the error of a message to an entity without a messagee.
    fn unreachable(
        &self,
        entity: Entity,
        is_alive: bool,
        name: Option<String>,
        message: Option<&'static str>,
    ) -> MessagingError {
        if is_alive {
            return MessagingError::NoMessagee {
                entity,
                name,
                message,
            };
        }
        MessagingError::Despawned {
            entity,
            name: self.name_of_gone(entity).map(str::to_owned),
            message,
        }
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
        // No closure: the send records the line of the caller.
        let error = match to.recipient(&messenger) {
            Some(recipient) => match messenger.manager().send(recipient, message) {
                Ok(receipt) => return Ok(receipt),
                Err(error) => Some(error),
            },
            None => None,
        };
        let entity = to.entity();
        let name = entity.and_then(|entity| self.get::<Name>(entity).map(Name::to_string));
        let Some(error) = error else {
            let entity = entity.expect("only an entity may have no messagee");
            return Err(self.resource::<Messenger>().unreachable(
                entity,
                self.entities().contains_spawned(entity),
                name,
                Some(M::NAME),
            ));
        };
        Err(failed(entity, name, M::NAME, error))
    }
}
