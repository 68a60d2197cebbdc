//! Borrowing components at a desk: each for itself, whatever the handlers of its type are.

use std::cell::{Ref, RefCell, RefMut};

use crate::address::MessageeId;
use crate::component::Component;
use crate::error::MessageeError;
use crate::storage::Pool;
use crate::world::World;
use crate::world::access::busy;

impl World {
    /// As [`get`](Self::get), at a desk.
    pub(crate) fn get_at_desk<C: Component>(
        &self,
        id: MessageeId,
    ) -> Result<Ref<'_, C>, MessageeError> {
        self.cell(id)?.try_borrow().map_err(|_| busy::<C>(id))
    }

    /// As [`get_mut`](Self::get_mut), at a desk.
    pub(crate) fn get_mut_at_desk<C: Component>(
        &self,
        id: MessageeId,
    ) -> Result<RefMut<'_, C>, MessageeError> {
        self.cell(id)?.try_borrow_mut().map_err(|_| busy::<C>(id))
    }

    /// All components of a type with their messagees, in storage order, the disabled ones last.
    ///
    /// # Panics
    ///
    /// When one is borrowed to be changed.
    #[track_caller]
    pub(crate) fn iter_at_desk<C: Component>(
        &self,
    ) -> impl Iterator<Item = (MessageeId, Ref<'_, C>)> + use<'_, C> {
        self.walk::<C, _>(|cell| cell.try_borrow().ok())
    }

    /// As [`iter_at_desk`](Self::iter_at_desk), to change them.
    ///
    /// # Panics
    ///
    /// When one is borrowed.
    #[track_caller]
    pub(crate) fn iter_mut_at_desk<C: Component>(
        &self,
    ) -> impl Iterator<Item = (MessageeId, RefMut<'_, C>)> + use<'_, C> {
        self.walk::<C, _>(|cell| cell.try_borrow_mut().ok())
    }

    fn walk<'w, C: Component, T>(
        &'w self,
        borrow: fn(&'w RefCell<C>) -> Option<T>,
    ) -> impl Iterator<Item = (MessageeId, T)> + use<'w, C, T> {
        let pool = self
            .structure
            .pools
            .of::<C>()
            .filter(|pool| pool.roster().len() > 0);
        pool.into_iter().flat_map(move |pool| {
            let is_busy = |slot: usize| busy::<C>(pool.roster().owner(slot));
            let cells = self.part::<C>(pool);
            let Some(cells) = cells else {
                panic!("{}", in_hand(&is_busy(0)));
            };
            cells
                .iter()
                .enumerate()
                .map(move |(slot, cell)| match borrow(cell) {
                    Some(borrowed) => (pool.roster().owner(slot), borrowed),
                    None => panic!("{}", in_hand(&is_busy(slot))),
                })
        })
    }

    /// The cell of the first component of type `C` of a messagee.
    fn cell<C: Component>(&self, id: MessageeId) -> Result<&RefCell<C>, MessageeError> {
        let (pool, slot) = self.find::<C>(id)?;
        let cells = self.part(pool).ok_or_else(|| busy::<C>(id))?;
        Ok(&cells[slot])
    }

    /// The components of a pool, each in a cell of its own.
    fn part<'w, C: Component>(&self, pool: &'w Pool) -> Option<&'w [RefCell<C>]> {
        let values = pool.values::<C>();
        if values.is_packed() {
            let component = pool.roster().component();
            self.later(move |world| {
                let values = world.structure.pools.at_mut(component).values_mut::<C>();
                values.keep_parted();
            });
        }
        values.part()
    }
}

/// What a panic says when a walk comes to a component that is borrowed.
fn in_hand(error: &MessageeError) -> String {
    format!(
        "{error}; here it is borrowed at this desk, and a walk over all components of its type comes \
         to it: put the borrow away before, or borrow one by one with `get_mut`, which returns an error"
    )
}
