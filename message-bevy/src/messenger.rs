//! The resource that owns the manager.
//!
//! A manager is `Send` but not `Sync`, so it is held in a `SyncCell`, which is only opened through `&mut`.
//! Both tables contain exactly the entities whose [`Messagee`](crate::Messagee) has been spawned and is not
//! gone. Commands that handlers queue for Bevy's world wait in a queue that the manager's own subscribers fill:
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
use message_core::{Children, Filter, ManagerConfig, MessageManager, MessageeId};

use crate::context::ToWorld;
use crate::messagee::despawn_entity;

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
    /// The fixed step of the manager.
    fixed_step: Duration,
    /// The scale and pause that the manager's clock reports.
    mirrored: (f64, bool),
}

impl Messenger {
    pub(crate) fn new(config: ManagerConfig) -> Self {
        // Bevy decides how many steps a frame has.
        let mut manager = MessageManager::with_config(config.max_fixed_steps(u32::MAX));
        let outgoing = Outgoing::new();
        let by = outgoing.clone();
        manager.subscribe(Filter::of::<Despawning>().hidden(), move |leaving, _| {
            let id = leaving.messagee;
            by.push(move |world| despawn_entity(world, id));
        });
        let by = outgoing.clone();
        let to_world = Filter::of::<ToWorld>().hidden().before();
        manager.subscribe(to_world, move |it, _| {
            if let Some(command) = it.take() {
                by.push(command);
            }
            ControlFlow::Break(())
        });
        Self {
            fixed_step: manager.clock().fixed_step(),
            manager: SyncCell::new(manager),
            outgoing,
            ids: EntityHashMap::default(),
            entities: HashMap::new(),
            mirrored: (1.0, false),
        }
    }

    /// Returns the manager itself.
    ///
    /// Its clocks are Bevy's: do not [`tick`](MessageManager::tick) it, begin frames or run stages. The plugin
    /// does that.
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

    /// Unlinks an entity from its messagee, which is despawned if it is alive. Its children follow it or go to
    /// its parent.
    pub(crate) fn leave(&mut self, entity: Entity, children: Children) {
        let Some(id) = self.ids.remove(&entity) else {
            return;
        };
        self.entities.remove(&id);
        let manager = self.manager();
        if manager.is_alive(id) {
            let despawned = manager.despawn_with(id, children);
            despawned.expect("a messagee that is alive can be despawned from outside");
        }
    }

    pub(crate) fn outgoing(&self) -> Outgoing {
        self.outgoing.clone()
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
