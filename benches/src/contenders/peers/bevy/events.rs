//! The shared messages as events, and the shared components as components.

use bevy_ecs::component::{Mutable, StorageType};
use bevy_ecs::prelude::*;

use crate::work::{Ai, Health, Position, Render};

/// A message to one object.
#[derive(EntityEvent)]
pub(super) struct ToOne<M> {
    pub(super) entity: Entity,
    pub(super) message: M,
}

/// A message to all listeners.
#[derive(Event)]
pub(super) struct ToAll<M>(pub(super) M);

macro_rules! components {
    ($($component:ident)*) => {
        $(
            impl Component for $component {
                const STORAGE_TYPE: StorageType = StorageType::Table;
                type Mutability = Mutable;
            }
        )*
    };
}
components!(Position Health Ai Render);
