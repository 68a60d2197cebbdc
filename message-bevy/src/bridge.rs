//! The manager's messages in Bevy: as messages that systems read, and as entity events.

use bevy_app::App;
use bevy_ecs::entity::Entity;
use bevy_ecs::event::EntityEvent;
use bevy_ecs::message::Message as BevyMessage;
use bevy_ecs::world::World;
use message_core::{Filter, Message, MessageeId, Recipient, Sender};

use crate::context::entity_of;
use crate::messenger::Messenger;
use crate::relay;
use crate::target::Target;

/// A message of the manager as a Bevy message, which a `MessageReader<Heard<M>>` reads after
/// [`hear`](MessagingApp::hear).
///
/// ```
/// use bevy_app::{App, Update};
/// use bevy_ecs::prelude::{MessageReader, ResMut, Resource};
/// use bevy_time::TimePlugin;
/// use message_bevy::Message;
/// use message_bevy::prelude::*;
///
/// #[derive(Message, Clone)]
/// struct Damage { amount: u32 }
///
/// #[derive(Resource, Default)]
/// struct Total(u32);
///
/// fn sum(mut heard: MessageReader<Heard<Damage>>, mut total: ResMut<Total>) {
///     total.0 += heard.read().map(|heard| heard.message.amount).sum::<u32>();
/// }
///
/// let mut app = App::new();
/// app.add_plugins((TimePlugin, MessagePlugin::default()))
///     .hear::<Damage>()
///     .init_resource::<Total>()
///     .add_systems(Update, sum);
/// app.world_mut().send(Everyone, Damage { amount: 3 })?;
/// app.update();
/// assert_eq!(app.world().resource::<Total>().0, 3);
/// # Ok::<(), MessagingError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Heard<M> {
    /// The message, with any changes its receivers have made.
    pub message: M,
    /// The entity that it was sent to, which may be gone; `None` if it had many recipients, or if its addressee has no
    /// entity.
    pub entity: Option<Entity>,
    /// The messagee that it was sent to; `None` if it had many recipients.
    pub addressee: Option<MessageeId>,
    /// The sender.
    pub sender: Sender,
    /// The recipient, as the sender wrote it.
    pub recipient: Recipient,
}

impl<M: Send + Sync + 'static> BevyMessage for Heard<M> {}

/// A message of the manager as an event of the entity that it was sent to. An observer of
/// `On<Received<M>>` gets it after [`trigger_on`](MessagingApp::trigger_on).
///
/// ```
/// use bevy_app::App;
/// use bevy_ecs::prelude::{On, ResMut, Resource};
/// use bevy_time::TimePlugin;
/// use message_bevy::Message;
/// use message_bevy::prelude::*;
///
/// #[derive(Message, Clone)]
/// struct Died;
///
/// #[derive(Resource, Default)]
/// struct Graves(u32);
///
/// let mut app = App::new();
/// app.add_plugins((TimePlugin, MessagePlugin::default()))
///     .trigger_on::<Died>()
///     .init_resource::<Graves>();
/// let orc = app.world_mut().spawn(Messagee::new(())).id();
/// app.world_mut().entity_mut(orc).observe(|died: On<Received<Died>>, mut graves: ResMut<Graves>| {
///     graves.0 += 1;
/// });
/// app.world_mut().send(orc, Died)?;
/// app.update();
/// assert_eq!(app.world().resource::<Graves>().0, 1);
/// # Ok::<(), MessagingError>(())
/// ```
#[derive(EntityEvent, Clone, Debug)]
#[non_exhaustive]
pub struct Received<M: Send + Sync + 'static> {
    /// The entity that the message was sent to.
    pub entity: Entity,
    /// The message, with any changes its receivers have made.
    pub message: M,
    /// The sender.
    pub sender: Sender,
}

/// The bridges between the manager and Bevy, one line each. In the prelude as `_`.
pub trait MessagingApp {
    /// Writes every message of a type, for any receiver, as a Bevy message [`Heard`], after the stage that
    /// delivered it.
    ///
    /// The bridge is a hidden subscriber: it hears a message after its addressees, unless it has been consumed, and
    /// does not count as a receiver. [`hear_with`](Self::hear_with) takes any filter.
    ///
    /// # Panics
    ///
    /// Panics without [`MessagePlugin`](crate::MessagePlugin), which must be added first. See [`Heard`] for an
    /// example.
    fn hear<M: Message + Clone + Sync>(&mut self) -> &mut Self;

    /// Like [`hear`](Self::hear), for the messages that pass a filter. Unless the filter is hidden, the bridge
    /// counts as a receiver.
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_time::TimePlugin;
    /// use message_bevy::Message;
    /// use message_bevy::prelude::*;
    ///
    /// #[derive(Message, Clone)]
    /// struct Damage { amount: u32 }
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default()))
    ///     .hear_with(Filter::of::<Damage>().when(|damage| damage.amount > 10));
    /// assert_eq!(app.world_mut().send(Everyone, Damage { amount: 3 })?.received, 0);
    /// assert_eq!(app.world_mut().send(Everyone, Damage { amount: 30 })?.received, 1);
    /// # Ok::<(), MessagingError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`hear`](Self::hear).
    fn hear_with<M: Message + Clone + Sync>(&mut self, filter: Filter<M>) -> &mut Self;

    /// Triggers the event [`Received`] on the entity that a message of a type was sent to (by `Entity`, by
    /// id, by `Me`, a mnemonic or a hook), after the stage that delivered it. A message with many recipients
    /// belongs to no single entity; use [`hear`](Self::hear) for it.
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`hear`](Self::hear). See [`Received`] for an example.
    fn trigger_on<M: Message + Clone + Sync>(&mut self) -> &mut Self;

    /// Sends messages of the manager for each Bevy message of a type. Before each stage is delivered, it handles
    /// the messages that were written since the previous stage. The closure returns pairs of a target and a
    /// message: an `Option`, an array or any other iterator.
    ///
    /// If a send fails, for example because its entity is gone, the error goes to the app's fallback error handler
    /// with the severity `Error`. An app without a handler of its own logs it.
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::message::Message as BevyMessage;
    /// use bevy_time::TimePlugin;
    /// use message_bevy::Message;
    /// use message_bevy::prelude::*;
    ///
    /// mnemonic!(PLAYER);
    ///
    /// #[derive(BevyMessage)]
    /// struct KeyInput(char);
    ///
    /// #[derive(Message)]
    /// struct Step(i32);
    ///
    /// struct Place(i32);
    ///
    /// #[handlers]
    /// impl Place {
    ///     #[on_receive]
    ///     fn step(&mut self, step: &Step) { self.0 += step.0; }
    /// }
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default())).relay(|key: &KeyInput| match key.0 {
    ///     'd' => Some((PLAYER, Step(1))),
    ///     _ => None,
    /// });
    /// let mut messenger = app.world_mut().resource_mut::<Messenger>();
    /// let player = messenger.manager().spawn((Place(7),));
    /// messenger.manager().bind(PLAYER, player)?;
    ///
    /// app.world_mut().write_message(KeyInput('d'));
    /// app.update();
    /// let mut messenger = app.world_mut().resource_mut::<Messenger>();
    /// assert_eq!(messenger.manager().get::<Place>(player)?.0, 8);
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics under the same conditions as [`hear`](Self::hear).
    fn relay<E, F, I, T, M>(&mut self, relay: F) -> &mut Self
    where
        E: BevyMessage,
        F: FnMut(&E) -> I + Send + Sync + 'static,
        I: IntoIterator<Item = (T, M)>,
        T: Target,
        M: Message;
}

impl MessagingApp for App {
    fn hear<M: Message + Clone + Sync>(&mut self) -> &mut Self {
        self.hear_with(Filter::of::<M>().hidden())
    }

    fn hear_with<M: Message + Clone + Sync>(&mut self, filter: Filter<M>) -> &mut Self {
        self.add_message::<Heard<M>>();
        messenger_of(self).bridge(move |manager, outgoing| {
            let outgoing = outgoing.clone();
            manager.subscribe(filter.clone(), move |message, cx| {
                let mut heard = Heard {
                    message: message.clone(),
                    entity: None,
                    addressee: cx.addressee(),
                    sender: cx.sender(),
                    recipient: cx.recipient(),
                };
                outgoing.push(move |world: &mut World| {
                    let messenger = world.get_resource::<Messenger>();
                    let addressee = heard.addressee;
                    heard.entity = messenger.and_then(|it| it.entity_or_gone(addressee?));
                    world.write_message(heard);
                });
            })
        });
        self
    }

    fn trigger_on<M: Message + Clone + Sync>(&mut self) -> &mut Self {
        messenger_of(self).bridge(|manager, outgoing| {
            let outgoing = outgoing.clone();
            manager.subscribe(Filter::of::<M>().hidden(), move |message, cx| {
                let Some(addressee) = cx.addressee() else {
                    return;
                };
                let (message, sender) = (message.clone(), cx.sender());
                outgoing.push(move |world: &mut World| {
                    if let Some(entity) = entity_of(world, addressee) {
                        world.trigger(Received {
                            entity,
                            message,
                            sender,
                        });
                    }
                });
            })
        });
        self
    }

    #[track_caller]
    fn relay<E, F, I, T, M>(&mut self, relay: F) -> &mut Self
    where
        E: BevyMessage,
        F: FnMut(&E) -> I + Send + Sync + 'static,
        I: IntoIterator<Item = (T, M)>,
        T: Target,
        M: Message,
    {
        self.add_message::<E>();
        let _ = messenger_of(self);
        relay::add(self, relay);
        self
    }
}

fn messenger_of(app: &mut App) -> bevy_ecs::change_detection::Mut<'_, Messenger> {
    let messenger = app.world_mut().get_resource_mut::<Messenger>();
    messenger.unwrap_or_else(|| {
        panic!(
            "a bridge was added to an app without a manager: expected \
             `app.add_plugins(MessagePlugin::default())` first"
        )
    })
}
