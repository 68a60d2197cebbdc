//! Borrowing components at a desk: each on its own, whatever the handlers of its type are.

use std::cell::{Ref, RefCell, RefMut};

use crate::address::MessageeId;
use crate::component::Component;
use crate::error::MessageeError;
use crate::storage::Pool;
use crate::structure::Structure;
use crate::structure::access::busy;

impl Structure {
    /// Like [`get`](Self::get), at a desk.
    pub(crate) fn get_at_desk<C: Component>(
        &self,
        id: MessageeId,
    ) -> Result<Ref<'_, C>, MessageeError> {
        self.cell(id)?.try_borrow().map_err(|_| busy::<C>(id))
    }

    /// Like [`get_mut`](Self::get_mut), at a desk.
    pub(crate) fn get_mut_at_desk<C: Component>(
        &self,
        id: MessageeId,
    ) -> Result<RefMut<'_, C>, MessageeError> {
        self.cell(id)?.try_borrow_mut().map_err(|_| busy::<C>(id))
    }

    /// Returns all components of a type with their messagees, in storage order, the disabled ones last.
    ///
    /// # Panics
    ///
    /// Panics if one is borrowed so that `borrow` returns `None`.
    #[track_caller]
    pub(crate) fn iter_at_desk<'s, C: Component, T>(
        &'s self,
        borrow: fn(&'s RefCell<C>) -> Option<T>,
    ) -> impl Iterator<Item = (MessageeId, T)> + use<'s, C, T> {
        let pool = self.pools.of::<C>().filter(|pool| pool.roster().len() > 0);
        let walk = pool.map(|pool| {
            let in_use = |slot: usize| in_use(&busy::<C>(pool.roster().owner(slot)));
            let Some(cells) = self.cells::<C>(pool) else {
                panic!("{}", in_use(0));
            };
            let owners = pool.roster().owners();
            let cells = owners.zip(cells).enumerate();
            cells.map(move |(slot, (owner, cell))| match borrow(cell) {
                Some(borrowed) => (owner, borrowed),
                None => panic!("{}", in_use(slot)),
            })
        });
        walk.into_iter().flatten()
    }

    /// Returns the cell of the first component of type `C` of a messagee.
    fn cell<C: Component>(&self, id: MessageeId) -> Result<&RefCell<C>, MessageeError> {
        let (pool, slot) = self.find::<C>(id)?;
        let cells = self.cells(pool).ok_or_else(|| busy::<C>(id))?;
        Ok(&cells[slot])
    }

    /// Returns the components of a pool, each in a cell of its own.
    fn cells<'s, C: Component>(&'s self, pool: &'s Pool) -> Option<&'s [RefCell<C>]> {
        let values = pool.values::<C>();
        if values.is_packed() {
            self.parted.borrow_mut().push(pool.roster().component());
        }
        values.part()
    }

    /// Returns `true` if values were given cells that [`keep_parted`](Self::keep_parted) has to keep.
    pub(crate) fn has_parted(&self) -> bool {
        !self.parted.borrow().is_empty()
    }

    /// Keeps the cells that values were given at desks. Called when no desk is left, before anything moves.
    pub(crate) fn keep_parted(&mut self) {
        for component in self.parted.get_mut().drain(..) {
            self.pools.at_mut(component).any_values_mut().keep_parted();
        }
    }
}

/// Returns the message of the panic when a walk meets a component that is borrowed.
fn in_use(error: &MessageeError) -> String {
    format!(
        "{error}; here it is borrowed at this desk, and a walk over all components of its type comes \
         to it: put the borrow away before, or borrow one by one with `get_mut`, which returns an error"
    )
}
