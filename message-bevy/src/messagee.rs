//! The component that makes an entity a messagee.
//!
//! The component is immutable, so that it cannot be moved to another entity behind the manager's back. Its
//! components are held in a lock until its insertion hook takes them; after that it holds only the id.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::name::Name;
#[cfg(feature = "reflect")]
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::world::{DeferredWorld, World};
use message_core::{Bundle, Children, MessageManager, MessageeId};

use crate::identity::Identity;
use crate::messenger::Messenger;

type Spawn = Box<dyn FnOnce(&mut MessageManager) -> MessageeId + Send>;

/// Makes an entity a messagee. The two live and die together:
///
/// - When the component is inserted, a messagee is spawned with the components that [`new`](Self::new) was given. It gets the entity's `Name`,
///   and with the feature `hierarchy` its parent is the messagee of the entity's parent.
/// - When the entity is despawned, so is the messagee. When only the component is removed or replaced, the
///   messagee is despawned and its children go to its parent.
/// - When the messagee is despawned, by a handler or from outside, so is the entity: after the stage, in order
///   with the commands that handlers have queued.
///
/// The components belong to message-core; they need not be Bevy components.
///
/// With the feature `reflect`, the plugin registers it for reflection, so that inspectors show its id.
/// [The guide](crate::guide#scenes-and-world-files) explains how scenes spawn messagees.
///
/// ```
/// use bevy_app::App;
/// use bevy_time::TimePlugin;
/// use message_bevy::Message;
/// use message_bevy::prelude::*;
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
/// let mut app = App::new();
/// app.add_plugins((TimePlugin, MessagePlugin::default()));
/// let orc = app.world_mut().spawn(Messagee::new((Health { hp: 8 },))).id();
/// app.world_mut().send(orc, Damage { amount: 3 })?;
///
/// let id = app.world().get::<Messagee>(orc).and_then(Messagee::id).expect("it was spawned");
/// let mut messenger = app.world_mut().resource_mut::<Messenger>();
/// assert_eq!(messenger.manager().get::<Health>(id)?.hp, 5);
/// app.world_mut().despawn(orc);
/// assert!(!app.world_mut().resource_mut::<Messenger>().manager().is_alive(id));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
///
/// Inserting it panics in a world without [`MessagePlugin`](crate::MessagePlugin). Inserting one that was
/// taken from an entity panics too, because its components are gone.
#[derive(Component)]
#[component(
    immutable,
    on_insert = inserted,
    on_discard = discarded,
    on_despawn = despawned,
    clone_behavior = Ignore
)]
#[cfg_attr(
    feature = "reflect",
    derive(bevy_reflect::Reflect),
    reflect(Component, Debug, from_reflect = false),
    type_path = "message_bevy"
)]
pub struct Messagee {
    #[cfg_attr(feature = "reflect", reflect(ignore))]
    spawn: Mutex<Option<Spawn>>,
    id: Identity,
}

impl Messagee {
    /// Returns a component that makes its entity a messagee with these components: a tuple of up to twelve, as in
    /// [`MessageManager::spawn`].
    ///
    /// ```
    /// use message_bevy::Messagee;
    ///
    /// struct Health { hp: u32 }
    /// struct Gun;
    ///
    /// let orc = Messagee::new((Health { hp: 8 }, Gun));
    /// assert_eq!(orc.id(), None); // Not before it is inserted.
    /// ```
    #[must_use]
    pub fn new<B: Bundle>(components: B) -> Self {
        let spawn: Spawn = Box::new(move |manager| manager.spawn(components));
        Self {
            spawn: Mutex::new(Some(spawn)),
            id: Identity::default(),
        }
    }

    /// Returns a component that makes its entity one with a messagee that is already there: one that a world file, a
    /// save or a handler has spawned. From then on, the two live and die together.
    ///
    /// The entity gets the messagee's name, unless it has a `Name`, which becomes that of the messagee. With the feature
    /// `hierarchy`, it becomes the child of the entity of the messagee's parent, unless it has a `ChildOf`; and the
    /// entities of the messagee's children become its own children. [`Messenger::adopt_all`] does it for all messagees.
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::name::Name;
    /// use bevy_time::TimePlugin;
    /// use message_bevy::prelude::*;
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default()));
    /// let mut messenger = app.world_mut().resource_mut::<Messenger>();
    /// let grom = messenger.manager().spawn(());
    /// messenger.manager().set_name(grom, "Grom")?;
    ///
    /// let orc = app.world_mut().spawn(Messagee::adopt(grom)).id();
    /// assert_eq!(app.world().get::<Name>(orc).map(Name::as_str), Some("Grom"));
    /// app.world_mut().despawn(orc);
    /// assert!(!app.world_mut().resource_mut::<Messenger>().manager().is_alive(grom));
    /// # Ok::<(), MessageeError>(())
    /// ```
    ///
    /// # Panics
    ///
    /// Inserting it panics if the messagee is not alive, or has an entity.
    #[must_use]
    pub fn adopt(id: MessageeId) -> Self {
        Self {
            spawn: Mutex::new(Some(Box::new(move |_| id))),
            id: Identity::default(),
        }
    }

    /// Returns the id of the messagee, or `None` before the component is inserted.
    ///
    /// ```
    /// use bevy_app::App;
    /// use bevy_ecs::prelude::Query;
    /// use bevy_time::TimePlugin;
    /// use message_bevy::prelude::*;
    ///
    /// fn all_have_one(messagees: Query<&Messagee>) {
    ///     assert!(messagees.iter().all(|messagee| messagee.id().is_some()));
    /// }
    ///
    /// let mut app = App::new();
    /// app.add_plugins((TimePlugin, MessagePlugin::default()));
    /// app.world_mut().spawn(Messagee::new(()));
    /// app.add_systems(bevy_app::Update, all_have_one).update();
    /// ```
    #[must_use]
    pub fn id(&self) -> Option<MessageeId> {
        self.id.get()
    }
}

impl fmt::Debug for Messagee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Messagee").field(&self.id()).finish()
    }
}

fn inserted(mut world: DeferredWorld<'_>, HookContext { entity, .. }: HookContext) {
    let name = world.get::<Name>(entity).map(Name::to_string);
    let messagee = world.get::<Messagee>(entity);
    let messagee = messagee.expect("a hook of a component runs while it is there");
    let spawn = messagee.spawn.lock();
    let spawn = spawn.unwrap_or_else(PoisonError::into_inner).take();
    let called = || crate::error::titled(entity, name.as_deref());
    let Some(spawn) = spawn else {
        panic!(
            "a `Messagee` that another entity had before was inserted into {}: expected a new one, since its \
             components were removed with its messagee",
            called()
        );
    };
    let Some(mut messenger) = world.get_resource_mut::<Messenger>() else {
        panic!(
            "a `Messagee` was inserted into {}, but the world has no manager: expected \
             `app.add_plugins(MessagePlugin::default())` first",
            called()
        );
    };
    let id = spawn(messenger.manager());
    assert!(
        messenger.manager().is_alive(id),
        "`Messagee::adopt({id})` was inserted into {}: expected a messagee that is alive",
        called()
    );
    if let Some(other) = messenger.entity_of(id) {
        panic!(
            "`Messagee::adopt({id})` was inserted into {}: expected a messagee without an entity, but it belongs \
             to {other}",
            called()
        );
    }
    messenger.join(entity, id);
    match name {
        Some(name) => set_name(messenger.manager(), id, &name),
        None => {
            if let Some(name) = messenger.manager().name(id) {
                let name = Name::new(name.to_string());
                world.commands().entity(entity).insert(name);
            }
        }
    }
    if let Some(messagee) = world.get::<Messagee>(entity) {
        let first = messagee.id.set(id);
        first.expect("the components were taken once");
    }
    #[cfg(feature = "hierarchy")]
    crate::hierarchy::joined(&mut world, entity);
}

/// Gives a messagee, if it is alive, the name of its entity.
pub(crate) fn set_name(manager: &mut MessageManager, id: MessageeId, name: &str) {
    if manager.is_alive(id) && manager.name(id).as_deref() != Some(name) {
        let named = manager.set_name(id, name);
        named.expect("a messagee that is alive can be named");
    }
}

fn despawned(world: DeferredWorld<'_>, HookContext { entity, .. }: HookContext) {
    leave(world, entity, Children::Follow);
}

/// Runs after [`despawned`], or alone if the component is removed or replaced.
fn discarded(world: DeferredWorld<'_>, HookContext { entity, .. }: HookContext) {
    leave(world, entity, Children::Reparent);
}

fn leave(mut world: DeferredWorld<'_>, entity: Entity, children: Children) {
    let name = world.get::<Name>(entity).map(Name::to_string);
    // A world that is being dropped may already have dropped the manager.
    if let Some(mut messenger) = world.get_resource_mut::<Messenger>() {
        messenger.leave(entity, name, children);
    }
}

/// Despawns the entity of a messagee that is gone.
pub(crate) fn despawn_entity(world: &mut World, id: MessageeId) {
    let messenger = world.get_resource::<Messenger>();
    let Some(entity) = messenger.and_then(|it| it.entity_of(id)) else {
        return;
    };
    #[cfg(feature = "hierarchy")]
    crate::hierarchy::spare_children(world, entity);
    if let Ok(entity) = world.get_entity_mut(entity) {
        entity.despawn();
    }
}
