//! Mirrors `ChildOf`: the parent of an entity is the parent of its messagee.

use bevy_app::App;
use bevy_ecs::entity::Entity;
use bevy_ecs::hierarchy::{ChildOf, Children};
use bevy_ecs::lifecycle::{Discard, Insert};
use bevy_ecs::observer::On;
use bevy_ecs::system::{Query, ResMut};
use bevy_ecs::world::{DeferredWorld, World};

use crate::messagee::Messagee;
use crate::messenger::Messenger;

/// Adds the observers that follow `ChildOf` as it is inserted and removed.
pub(crate) fn add(app: &mut App) {
    app.add_observer(
        |inserted: On<'_, '_, Insert<ChildOf>>,
         parents: Query<'_, '_, &ChildOf>,
         mut messenger: ResMut<'_, Messenger>| {
            let child = inserted.entity;
            let parent = parents.get(child).ok().map(ChildOf::parent);
            messenger.set_parent(child, parent);
        },
    );
    app.add_observer(
        |discarded: On<'_, '_, Discard<ChildOf>>, mut messenger: ResMut<'_, Messenger>| {
            messenger.set_parent(discarded.entity, None);
        },
    );
}

impl Messenger {
    /// Sets the parent of an entity's messagee to the messagee of `parent`, if both have one.
    fn set_parent(&mut self, child: Entity, parent: Option<Entity>) {
        let Some(id) = self.id_of(child) else { return };
        let parent = parent.and_then(|parent| self.id_of(parent));
        let manager = self.manager();
        let parent = parent.filter(|&parent| manager.is_alive(parent));
        if manager.is_alive(id) && manager.parent(id) != parent {
            // Handlers may have reversed this family; then their order is kept.
            let _ = manager.set_parent(id, parent);
        }
    }
}

impl Messenger {
    /// Returns the entities of the parent and of the children of an entity's messagee.
    fn family_of(&mut self, entity: Entity) -> (Option<Entity>, Vec<Entity>) {
        let Some(id) = self.id_of(entity) else {
            return (None, Vec::new());
        };
        let manager = self.manager();
        let (parent, children) = (manager.parent(id), manager.children(id));
        let children: Vec<_> = children.collect();
        let parent = parent.and_then(|parent| self.entity_of(parent));
        let children = children
            .into_iter()
            .filter_map(|child| self.entity_of(child));
        (parent, children.collect())
    }
}

/// Called when an entity becomes a messagee: it joins its parent's family, and its children join its own.
pub(crate) fn joined(world: &mut DeferredWorld<'_>, entity: Entity) {
    let parent = world.get::<ChildOf>(entity).map(ChildOf::parent);
    let children = world.get::<Children>(entity);
    let children: Vec<Entity> = children.into_iter().flatten().copied().collect();
    let mut messenger = world.resource_mut::<Messenger>();
    if parent.is_some() {
        messenger.set_parent(entity, parent);
    }
    for child in children {
        messenger.set_parent(child, Some(entity));
    }
    let (new_parent, new_children) = messenger.family_of(entity);
    let mut commands = world.commands();
    if let (None, Some(new)) = (parent, new_parent) {
        commands.entity(entity).insert(ChildOf(new));
    }
    for child in new_children {
        commands.entity(child).insert_if_new(ChildOf(entity));
    }
}

/// Spares children when a messagee is gone and its entity is about to follow. Children whose messagees were
/// given to another parent survive, and that parent's entity becomes theirs.
pub(crate) fn spare_children(world: &mut World, entity: Entity) {
    let children = world.get::<Children>(entity);
    let children: Vec<Entity> = children.into_iter().flatten().copied().collect();
    for child in children {
        if world.get::<Messagee>(child).is_none() {
            continue;
        }
        let mut messenger = world.resource_mut::<Messenger>();
        let Some(id) = messenger.id_of(child) else {
            continue;
        };
        let manager = messenger.manager();
        if !manager.is_alive(id) {
            continue;
        }
        let parent = manager.parent(id);
        let parent = parent.and_then(|parent| messenger.entity_of(parent));
        if let Ok(mut child) = world.get_entity_mut(child) {
            match parent {
                Some(parent) => child.insert(ChildOf(parent)),
                None => child.remove::<ChildOf>(),
            };
        }
    }
}
