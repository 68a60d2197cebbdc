//! The resource that owns the manager.
//!
//! A manager is `Send` but not `Sync`, so it is held in a `SyncCell`, which is only opened through `&mut`.
//! Both tables contain exactly the entities whose [`Messagee`](crate::Messagee) has been spawned and is not
//! gone. Those that went in this frame or the last one are remembered, for messages and errors about them. Commands that handlers queue for Bevy's world wait in a queue that the manager's own subscribers fill:
//! it is shared with them, and locked only for the duration of a push.

use std::collections::HashMap;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bevy_ecs::entity::{Entity, EntityHashMap};
use bevy_ecs::resource::Resource;
use bevy_ecs::world::{CommandQueue, World};
use bevy_platform::cell::SyncCell;
use message_core::lifecycle::Despawning;
use message_core::{Children, Filter, ManagerConfig, MessageManager, MessageeId, SubscriptionId};

use crate::context::ToWorld;
use crate::inlet::MessageInlet;
use crate::messagee::{Messagee, despawn_entity};

/// The commands that handlers and subscribers have queued for Bevy's world.
#[derive(Clone)]
pub(crate) struct Outgoing(Arc<Mutex<CommandQueue>>);

impl Outgoing {
    fn new() -> Self {
        // Commands left over when an app ends are not a mistake.
        Self(Arc::new(Mutex::new(CommandQueue::silent())))
    }

    fn lock(&self) -> MutexGuard<'_, CommandQueue> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn push(&self, command: impl FnOnce(&mut World) + Send + 'static) {
        self.lock().push(command);
    }
}

/// Subscribes what carries messages from the manager to Bevy.
type Bridge = Box<dyn Fn(&mut MessageManager, &Outgoing) -> SubscriptionId + Send + Sync>;

/// The messagees that have gone, with their entities.
#[derive(Default)]
struct Gone {
    entities: HashMap<MessageeId, Entity>,
    names: EntityHashMap<String>,
}

/// The manager of the app, and the mapping between messagees and entities. Systems reach it through
/// [`Messaging`](crate::Messaging); code with access to the whole world uses it as a resource.
///
/// ```
/// use bevy_app::App;
/// use bevy_time::TimePlugin;
/// use message_bevy::prelude::*;
///
/// struct Health { hp: u32 }
///
/// let mut app = App::new();
/// app.add_plugins((TimePlugin, MessagePlugin::default()));
/// let orc = app.world_mut().spawn(Messagee::new((Health { hp: 8 },))).id();
///
/// let mut messenger = app.world_mut().resource_mut::<Messenger>();
/// let id = messenger.id_of(orc).expect("it has a messagee");
/// assert_eq!(messenger.entity_of(id), Some(orc));
/// assert_eq!(messenger.manager().get::<Health>(id)?.hp, 8);
/// # Ok::<(), MessageeError>(())
/// ```
#[derive(Resource)]
pub struct Messenger {
    manager: SyncCell<MessageManager>,
    outgoing: Outgoing,
    ids: EntityHashMap<MessageeId>,
    entities: HashMap<MessageeId, Entity>,
    /// Those of this frame and of the one before.
    gone: [Gone; 2],
    /// The bridges, to be built again when the manager is replaced, with their subscriptions.
    bridges: Vec<(Bridge, SubscriptionId)>,
    /// The configuration of the manager.
    config: ManagerConfig,
    /// The serial number of the manager that the plugin is connected to.
    serial: u64,
    /// The fixed step of the manager.
    fixed_step: Duration,
    /// The scale and pause that the manager's clock reports.
    mirrored: (f64, bool),
}

impl Messenger {
    pub(crate) fn new(config: ManagerConfig) -> Self {
        // Bevy decides how many steps a frame has.
        let config = config.max_fixed_steps(u32::MAX);
        let manager = MessageManager::with_config(config.clone());
        let mut messenger = Self {
            fixed_step: manager.clock().fixed_step(),
            serial: manager.inspect().serial(),
            manager: SyncCell::new(manager),
            outgoing: Outgoing::new(),
            ids: EntityHashMap::default(),
            entities: HashMap::new(),
            gone: Default::default(),
            bridges: Vec::new(),
            config,
            mirrored: (1.0, false),
        };
        messenger.bridge(|manager, outgoing| {
            let by = outgoing.clone();
            manager.subscribe(Filter::of::<Despawning>().hidden(), move |leaving, _| {
                let id = leaving.messagee;
                by.push(move |world| despawn_entity(world, id));
            })
        });
        messenger.bridge(|manager, outgoing| {
            let by = outgoing.clone();
            let to_world = Filter::of::<ToWorld>().hidden().before();
            manager.subscribe(to_world, move |it, _| {
                if let Some(command) = it.take() {
                    by.push(command);
                }
                ControlFlow::Break(())
            })
        });
        messenger
    }

    /// Builds a bridge from the manager to Bevy.
    pub(crate) fn bridge(
        &mut self,
        bridge: impl Fn(&mut MessageManager, &Outgoing) -> SubscriptionId + Send + Sync + 'static,
    ) {
        let built = bridge(self.manager.get(), &self.outgoing);
        self.bridges.push((Box::new(bridge), built));
    }

    /// Replaces the manager, for example by one that was restored from a save, and returns the old one. The entities
    /// of its messagees are despawned. The bridges and the [inlet](crate::MessageInlet) lead to the new manager from now
    /// on. Its messagees have no entities yet: see [`adopt_all`](Self::adopt_all).
    ///
    /// The clocks go on from those of the new manager. Restore it with the [configuration](Self::config) of the old one.
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::name::Name;
    /// use bevy_time::TimePlugin;
    /// use message_bevy::prelude::*;
    /// use message_data::{self as data, Data, SaveOptions};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Data, Serialize, Deserialize)]
    /// #[data(exact)]
    /// struct Health { hp: u32 }
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default()));
    /// app.world_mut().spawn((Name::new("Grom"), Messagee::new((Health { hp: 8 },))));
    /// let mut messenger = app.world_mut().resource_mut::<Messenger>();
    /// let save = data::save(messenger.manager(), &SaveOptions::new())?;
    ///
    /// let restored = data::restore(&save, messenger.config().clone())?;
    /// Messenger::replace(app.world_mut(), restored.manager);
    /// let entities = Messenger::adopt_all(app.world_mut());
    /// assert_eq!(app.world().get::<Name>(entities[0]).map(Name::as_str), Some("Grom"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Panics in a world without [`MessagePlugin`](crate::MessagePlugin).
    pub fn replace(world: &mut World, manager: MessageManager) -> MessageManager {
        let inlet = MessageInlet(manager.inlet());
        let mut messenger = world.resource_mut::<Self>();
        let mut entities: Vec<Entity> = messenger.ids.drain().map(|(entity, _)| entity).collect();
        messenger.entities.clear();
        messenger.gone = Default::default();
        let old = messenger.install(manager);
        world.insert_resource(inlet);
        // They have left the tables, so they end no messagee.
        entities.sort_unstable();
        for entity in entities {
            if let Ok(entity) = world.get_entity_mut(entity) {
                entity.despawn();
            }
        }
        old
    }

    fn install(&mut self, mut manager: MessageManager) -> MessageManager {
        // These commands were queued for the entities of the old one.
        drop(self.take_commands());
        for (bridge, built) in &mut self.bridges {
            let old = std::mem::replace(built, bridge(&mut manager, &self.outgoing));
            self.manager.get().unsubscribe(old);
        }
        self.serial = manager.inspect().serial();
        self.fixed_step = manager.clock().fixed_step();
        self.mirrored = (manager.clock().time_scale(), manager.clock().is_paused());
        std::mem::replace(self.manager.get(), manager)
    }

    /// Spawns an entity for each messagee that has none, in the order of their ids: those of a
    /// world file, of a save, and those that handlers have spawned. Returns the entities. See
    /// [`Messagee::adopt`](crate::Messagee::adopt), which makes a given entity a messagee that is already there.
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_time::TimePlugin;
    /// use message_bevy::prelude::*;
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default()));
    /// let id = app.world_mut().resource_mut::<Messenger>().manager().spawn(());
    /// let entities = Messenger::adopt_all(app.world_mut());
    /// assert_eq!(app.world().resource::<Messenger>().entity_of(id), Some(entities[0]));
    /// assert!(Messenger::adopt_all(app.world_mut()).is_empty());
    /// ```
    ///
    /// # Panics
    ///
    /// Panics in a world without [`MessagePlugin`](crate::MessagePlugin).
    pub fn adopt_all(world: &mut World) -> Vec<Entity> {
        let mut messenger = world.resource_mut::<Self>();
        let messenger = &mut *messenger;
        let all = messenger.manager.get().messagees();
        let strays = all.filter(|id| !messenger.entities.contains_key(id));
        let strays: Vec<MessageeId> = strays.collect();
        let spawned = strays
            .into_iter()
            .map(|id| world.spawn(Messagee::adopt(id)).id());
        spawned.collect()
    }

    /// Returns the configuration of the manager, for one that [replaces](Self::replace) it.
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_time::TimePlugin;
    /// use message_bevy::prelude::*;
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default()));
    /// let config = app.world().resource::<Messenger>().config().clone();
    /// Messenger::replace(app.world_mut(), MessageManager::with_config(config));
    /// ```
    pub fn config(&self) -> &ManagerConfig {
        &self.config
    }

    /// Returns the manager itself.
    ///
    /// Its clocks are Bevy's: do not [`tick`](MessageManager::tick) it, begin frames or run stages. The plugin
    /// does that. To put another one in its place, use [`replace`](Self::replace): the next frame panics if a manager
    /// was assigned.
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_time::TimePlugin;
    /// use message_bevy::prelude::*;
    ///
    /// mnemonic!(SCORE);
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default()));
    /// let mut messenger = app.world_mut().resource_mut::<Messenger>();
    /// let manager = messenger.manager();
    /// let score = manager.spawn(()); // A messagee without an entity.
    /// manager.bind(SCORE, score)?;
    /// # Ok::<(), MessageeError>(())
    /// ```
    #[inline]
    pub fn manager(&mut self) -> &mut MessageManager {
        self.manager.get()
    }

    /// Returns the messagee of an entity, if it has one.
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_time::TimePlugin;
    /// use message_bevy::prelude::*;
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default()));
    /// let rock = app.world_mut().spawn_empty().id();
    /// assert_eq!(app.world().resource::<Messenger>().id_of(rock), None);
    /// ```
    #[must_use]
    #[inline]
    pub fn id_of(&self, entity: Entity) -> Option<MessageeId> {
        self.ids.get(&entity).copied()
    }

    /// Returns the entity of a messagee, or `None` if it has none. A messagee that the manager itself spawned has
    /// no entity.
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_time::TimePlugin;
    /// use message_bevy::prelude::*;
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default()));
    /// let mut messenger = app.world_mut().resource_mut::<Messenger>();
    /// let id = messenger.manager().spawn(());
    /// assert_eq!(messenger.entity_of(id), None);
    /// ```
    #[must_use]
    pub fn entity_of(&self, id: MessageeId) -> Option<Entity> {
        self.entities.get(&id).copied()
    }

    /// Links an entity to its messagee.
    pub(crate) fn join(&mut self, entity: Entity, id: MessageeId) {
        self.ids.insert(entity, id);
        self.entities.insert(id, entity);
    }

    /// Returns the entity of a messagee, also if it has gone in this frame or the one before.
    pub(crate) fn entity_or_gone(&self, id: MessageeId) -> Option<Entity> {
        let gone = || {
            self.gone
                .iter()
                .find_map(|gone| gone.entities.get(&id).copied())
        };
        self.entity_of(id).or_else(gone)
    }

    /// Returns the name of an entity whose messagee has gone in this frame or the one before.
    pub(crate) fn name_of_gone(&self, entity: Entity) -> Option<&str> {
        let mut gone = self.gone.iter();
        gone.find_map(|gone| gone.names.get(&entity).map(String::as_str))
    }

    /// Unlinks an entity with this name from its messagee, which is despawned if it is alive. Its children follow it
    /// or go to its parent.
    pub(crate) fn leave(&mut self, entity: Entity, name: Option<String>, children: Children) {
        let Some(id) = self.ids.remove(&entity) else {
            return;
        };
        self.entities.remove(&id);
        self.gone[0].entities.insert(id, entity);
        if let Some(name) = name {
            self.gone[0].names.insert(entity, name);
        }
        let manager = self.manager();
        if manager.is_alive(id) {
            let despawned = manager.despawn_with(id, children);
            despawned.expect("a messagee that is alive can be despawned from outside");
        }
    }

    /// Begins a frame of the manager.
    pub(crate) fn begin_frame(&mut self, scaled: Duration, unscaled: Duration) {
        let serial = self.manager.get().inspect().serial();
        assert!(
            serial == self.serial,
            "the manager of the app was replaced by an assignment, so it is not connected to Bevy: expected \
             `Messenger::replace(world, manager)`"
        );
        self.manager.get().begin_frame_with(scaled, unscaled);
        let [now, before] = &mut self.gone;
        std::mem::swap(now, before);
        now.entities.clear();
        now.names.clear();
    }

    /// Takes the commands that have been queued for Bevy's world so far.
    pub(crate) fn take_commands(&mut self) -> CommandQueue {
        let mut commands = CommandQueue::silent();
        let mut asked = self.outgoing.lock();
        if !asked.is_empty() {
            commands.append(&mut asked);
        }
        commands
    }

    /// Sets the manager's fixed step.
    pub(crate) fn set_fixed_step(&mut self, step: Duration) {
        if self.fixed_step != step {
            self.fixed_step = step;
            self.manager().set_fixed_step(step);
        }
    }

    /// Makes the manager's clock report Bevy's speed and pause. They do not affect its frames.
    pub(crate) fn mirror(&mut self, scale: f64, is_paused: bool) {
        if self.mirrored == (scale, is_paused) {
            return;
        }
        self.mirrored = (scale, is_paused);
        let manager = self.manager();
        let accepted = manager.set_time_scale(scale);
        accepted.expect("Bevy's clock has no speed that is negative or infinite");
        manager.set_paused(is_paused);
    }
}

impl fmt::Debug for Messenger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let messagees = self.ids.len();
        f.debug_struct("Messenger")
            .field("entities_with_messagees", &messagees)
            .field("fixed_step", &self.fixed_step)
            .finish_non_exhaustive()
    }
}
