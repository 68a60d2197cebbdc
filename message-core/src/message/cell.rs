//! The cell of a message type, which holds its routes.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;
use std::mem::ManuallyDrop;
use std::sync::{LazyLock, PoisonError, RwLock};

use crate::message::Message;
use crate::message::dispatch::{Dispatch, Dispatcher, Known, Routes};

/// The cell that keeps the routes of a message type: one `static` for each type, or one in each library
/// that has a copy of the type. They are looked up in the published registry on first use.
#[doc(hidden)]
pub struct RouteCell<M: Message> {
    // Never dropped, so that no code for it is compiled for each type.
    known: ManuallyDrop<LazyLock<Known<M>>>,
}

impl<M: Message> RouteCell<M> {
    #[must_use]
    pub const fn unfilled() -> Self {
        Self {
            known: ManuallyDrop::new(LazyLock::new(Dispatcher::known)),
        }
    }

    /// Returns the routes, which are looked up on first use. May be called only when the registry is published, as it is
    /// wherever there is a manager.
    #[inline]
    pub(crate) fn known(&self) -> &Known<M> {
        &self.known
    }

    /// Returns the part of the cell that is the same for all types.
    pub(crate) fn of_type() -> &'static Routes {
        &M::cell().known().routes
    }

    /// Returns the cell of a message type that has no `static` of its own because it is generic.
    pub(crate) fn by_type() -> &'static Self {
        type Cells = BTreeMap<TypeId, &'static (dyn Any + Send + Sync)>;
        static CELLS: RwLock<Cells> = RwLock::new(BTreeMap::new());
        let known = CELLS.read().unwrap_or_else(PoisonError::into_inner);
        let cell = known.get(&TypeId::of::<M>()).copied();
        drop(known);
        let cell = cell.unwrap_or_else(|| {
            let mut cells = CELLS.write().unwrap_or_else(PoisonError::into_inner);
            let cell = cells.entry(TypeId::of::<M>());
            *cell.or_insert_with(|| Box::leak(Box::new(Self::unfilled())))
        });
        cell.downcast_ref()
            .expect("the cell of a type is entered under that type")
    }
}

impl<M: Message> fmt::Debug for RouteCell<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RouteCell").finish_non_exhaustive()
    }
}
