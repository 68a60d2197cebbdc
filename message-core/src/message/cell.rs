//! The cell of a message type, which holds its routes.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{OnceLock, PoisonError, RwLock};

use crate::message::dispatch::{Dispatch, Dispatcher, Routes};

/// The cell that keeps the routes of a message type: one `static` for each type, or one in each library
/// that has a copy of the type. They are looked up in the published registry on first use.
#[doc(hidden)]
pub struct RouteCell(OnceLock<Routes>);

impl RouteCell {
    #[must_use]
    pub const fn unfilled() -> Self {
        Self(OnceLock::new())
    }

    /// Returns the routes of the type. May be called only when the registry is published, as it is wherever
    /// there is a manager: the result is kept.
    #[inline]
    pub(crate) fn routes(&self, message: fn() -> TypeId) -> &Routes {
        match self.0.get() {
            Some(routes) => routes,
            None => self.fill(message),
        }
    }

    #[cold]
    fn fill(&self, message: fn() -> TypeId) -> &Routes {
        self.0.get_or_init(|| Dispatcher::routes(message()))
    }

    /// Returns the cell of a message type that has no `static` of its own because it is generic.
    pub(crate) fn by_type(message: TypeId) -> &'static Self {
        static CELLS: RwLock<BTreeMap<TypeId, &RouteCell>> = RwLock::new(BTreeMap::new());
        let known = CELLS.read().unwrap_or_else(PoisonError::into_inner);
        let cell = known.get(&message).copied();
        drop(known);
        cell.unwrap_or_else(|| {
            let mut cells = CELLS.write().unwrap_or_else(PoisonError::into_inner);
            let cell = cells.entry(message);
            cell.or_insert_with(|| Box::leak(Box::new(Self::unfilled())))
        })
    }
}

impl fmt::Debug for RouteCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RouteCell").finish_non_exhaustive()
    }
}
