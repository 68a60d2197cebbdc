//! All that one manager consists of.
//!
//! During a dispatch it is shared (`&World`), and only what stands in cells can change: the
//! components, the messages kept, and [`Pending`], the queue of changes that wait for the end of
//! the outermost send. The outermost call holds `&mut World` and settles them.

mod access;
mod check;
mod despawn;
mod pending;
mod structure;

use std::any::TypeId;

pub(crate) use check::Presence;
pub use despawn::Children;
pub(crate) use pending::Pending;
pub(crate) use structure::is_heard;

use crate::address::MessageeId;
use crate::config::ManagerConfig;
use crate::dispatch::Kept;
use crate::hash::HashedMap;
use crate::key::{Keys, ManagerNumber};
use crate::mnemonic::Mnemonic;
use crate::registry::Registry;
use crate::storage::{AnyPool, Families, Hooks, Messagees};

pub(crate) struct World {
    pub(crate) config: ManagerConfig,
    number: ManagerNumber,
    registry: &'static Registry,
    pub(crate) messagees: Messagees,
    pub(crate) hooks: Hooks,
    pub(crate) families: Families,
    pub(crate) bindings: HashedMap<Mnemonic, MessageeId>,
    /// By component index: first those of the registry, then types without handlers in the order
    /// in which they came.
    pub(crate) pools: Vec<Option<Box<dyn AnyPool>>>,
    component_indices: HashedMap<TypeId, u32>,
    messagee_keys: std::cell::RefCell<Keys>,
    hook_keys: std::cell::RefCell<Keys>,
    pub(crate) kept: Kept,
    pub(crate) pending: Pending,
}

impl World {
    pub(crate) fn new(registry: &'static Registry, config: ManagerConfig) -> Self {
        let number = ManagerNumber::next();
        let mut pools = Vec::new();
        pools.resize_with(registry.components.len(), || None);
        let indices = registry.component_types.iter();
        Self {
            config,
            number,
            registry,
            messagees: Messagees::default(),
            hooks: Hooks::default(),
            families: Families::default(),
            bindings: HashedMap::default(),
            pools,
            component_indices: indices.map(|(&id, &index)| (id, index)).collect(),
            messagee_keys: Keys::new(number).into(),
            hook_keys: Keys::new(number).into(),
            kept: Kept::default(),
            pending: Pending::default(),
        }
    }

    /// The pool of a component type of which something is or was hooked.
    #[inline]
    pub(crate) fn pool(&self, component: u32) -> &dyn AnyPool {
        self.pools[component as usize]
            .as_deref()
            .expect("a component that is referred to has a pool")
    }

    /// The index of a component type, if it has handlers or was ever hooked here.
    pub(crate) fn component_index(&self, component: TypeId) -> Option<u32> {
        self.component_indices.get(&component).copied()
    }
}

impl std::fmt::Debug for World {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("World")
            .field("messagees", &self.messagees.len())
            .field("kept", &self.kept)
            .finish_non_exhaustive()
    }
}
