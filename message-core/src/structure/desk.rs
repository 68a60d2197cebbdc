//! Borrowing components at a desk: each on its own, whatever the handlers of its type are.

use crate::address::MessageeId;
use crate::component::Component;
use crate::storage::Values;
use crate::structure::Structure;
use crate::structure::access::busy;

impl Structure {
    /// Lets components of a type be borrowed at the same time, each on its own.
    pub(crate) fn part<C: Component>(&self) {
        if let Some(pool) = self.pools.of::<C>() {
            pool.values::<C>().part();
        }
    }

    /// Returns all components of a type with their messagees, in storage order, the disabled ones last.
    ///
    /// # Panics
    ///
    /// Panics if one is borrowed so that `borrow` returns `None`.
    #[track_caller]
    pub(crate) fn iter_at_desk<'s, C: Component, T>(
        &'s self,
        borrow: fn(&'s Values<C>, usize) -> Option<T>,
    ) -> impl Iterator<Item = (MessageeId, T)> + use<'s, C, T> {
        self.part::<C>();
        self.pools.of::<C>().into_iter().flat_map(move |pool| {
            let owners = pool.roster().owners().enumerate();
            owners.map(move |(slot, owner)| match borrow(pool.values(), slot) {
                Some(borrowed) => (owner, borrowed),
                None => panic!(
                    "{}; here it is borrowed at this desk, and a walk over all components of its type \
                     comes to it: put the borrow away before, or borrow one by one with `get_mut`, which \
                     returns an error",
                    busy::<C>(owner)
                ),
            })
        })
    }
}
