//! The pools of a manager, and the indices of component types.

use std::any::{TypeId, type_name};

use crate::hash::HashedMap;
use crate::storage::{AnyValues, Pool, Values};

/// A component type, with the data that the pool of its components needs.
#[derive(Clone, Copy, Debug)]
pub struct ComponentType {
    pub(crate) of: TypeId,
    pub(crate) name: &'static str,
    /// Makes the values. The argument is `true` if the components can be busy.
    pub(crate) values: fn(bool) -> Box<dyn AnyValues>,
}

impl ComponentType {
    pub(crate) fn of<C: Send + 'static>() -> Self {
        Self {
            of: TypeId::of::<C>(),
            name: type_name::<C>(),
            values: Values::<C>::boxed,
        }
    }
}

/// Explains why a pool that is asked for exists.
const REFERRED_TO: &str = "a component that is referred to has a pool";

/// The pools by component index: first the types of the registry, then types without handlers in the order in which
/// they were added.
#[derive(Default)]
#[allow(missing_debug_implementations, reason = "components may lack it")]
pub struct Pools {
    pools: Vec<Option<Box<Pool>>>,
    indices: HashedMap<TypeId, u32>,
}

impl Pools {
    /// Learns the indices of types, which end before `end`. A type that has one keeps it.
    pub(crate) fn take_up(&mut self, types: &HashedMap<TypeId, u32>, end: u32) {
        let end = self.pools.len().max(end as usize);
        self.pools.resize_with(end, || None);
        self.indices.reserve(types.len());
        for (&of, &index) in types {
            self.indices.entry(of).or_insert(index);
        }
    }

    /// Adds the pool of a type. If the type had no index, it has that of its pool from now on.
    pub(crate) fn put(&mut self, pool: Box<Pool>) {
        let index = pool.component();
        self.indices.insert(pool.type_of(), index);
        let end = self.pools.len().max(index as usize + 1);
        self.pools.resize_with(end, || None);
        self.pools[index as usize] = Some(pool);
    }

    /// Returns the number of indices, those without a pool included.
    pub(crate) fn count(&self) -> usize {
        self.pools.len()
    }

    /// Returns the index of a component type, if it has handlers or was ever hooked here.
    #[inline]
    pub(crate) fn index_of(&self, component: TypeId) -> Option<u32> {
        self.indices.get(&component).copied()
    }

    /// Returns the index of a component type, if a component of it was ever hooked here.
    #[inline]
    pub fn index_with_pool(&self, component: TypeId) -> Option<u32> {
        let index = self.index_of(component)?;
        self.get(index).map(|_| index)
    }

    /// Returns the pool with an index, if a component of its type was ever hooked here.
    pub(crate) fn get(&self, component: u32) -> Option<&Pool> {
        self.pools.get(component as usize)?.as_deref()
    }

    /// Returns the pool of the components of type `C`, if one was ever hooked here.
    pub(crate) fn of<C: 'static>(&self) -> Option<&Pool> {
        self.get(self.index_of(TypeId::of::<C>())?)
    }

    /// Returns the pool of the components of type `C`, which exists.
    pub(crate) fn of_mut<C: 'static>(&mut self) -> &mut Pool {
        let index = self.index_of(TypeId::of::<C>());
        self.at_mut(index.expect(REFERRED_TO))
    }

    /// Returns the pool of a component type that is or was hooked.
    #[inline]
    pub fn at(&self, component: u32) -> &Pool {
        self.get(component).expect(REFERRED_TO)
    }

    #[inline]
    pub fn at_mut(&mut self, component: u32) -> &mut Pool {
        let pool = self.pools[component as usize].as_deref_mut();
        pool.expect(REFERRED_TO)
    }

    /// Like [`get`](Self::get), to change it.
    pub(crate) fn get_mut(&mut self, component: u32) -> Option<&mut Pool> {
        self.pools.get_mut(component as usize)?.as_deref_mut()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Pool> {
        self.pools.iter().filter_map(|pool| pool.as_deref())
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Pool> {
        self.pools.iter_mut().filter_map(|pool| pool.as_deref_mut())
    }
}
