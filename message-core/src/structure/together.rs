//! Messagees that have components of several types.

use std::any::type_name;

use smallvec::SmallVec;

use crate::address::MessageeId;
use crate::component::Bundle;
use crate::storage::Pool;
use crate::structure::Structure;

impl Structure {
    /// Returns the pools of the components of a bundle, or none if one of the types was never hooked here.
    fn pools_of<B: Bundle>(&self) -> Vec<&Pool> {
        let mut pools = Some(Vec::new());
        B::types(&mut |ty| {
            let pool = self.pools.index_with_pool(ty.of);
            pools = pools.take().zip(pool).map(|(mut pools, index)| {
                pools.push(self.pools.at(index));
                pools
            });
        });
        pools.unwrap_or_default()
    }

    /// Returns the messagees that have a component in each of these pools, with the slots of their first ones, in the order
    /// of the first pool.
    fn having<'s>(
        &'s self,
        pools: Vec<&'s Pool>,
    ) -> impl Iterator<Item = (MessageeId, SmallVec<[u32; 4]>)> + use<'s> {
        let first = pools.first().copied();
        let owners = first.into_iter().flat_map(Pool::owners);
        (0..).zip(owners).filter_map(move |(slot, owner)| {
            let record = self.messagees.get(owner)?;
            let slot_in = |pool: &&Pool| {
                let mut components = self.messagees.components(record);
                let found = components.find(|at| at.component == pool.component());
                found.map(|at| at.slot)
            };
            let slots: Option<SmallVec<_>> = pools.iter().map(slot_in).collect();
            slots
                .filter(|slots| slots[0] == slot)
                .map(|slots| (owner, slots))
        })
    }

    pub(crate) fn iter_all<B: Bundle>(&self) -> impl Iterator<Item = (MessageeId, B::Refs<'_>)> {
        let pools = self.pools_of::<B>();
        let having = self.having(pools.clone());
        having.filter_map(move |(id, slots)| Some((id, B::borrow(&pools, &slots)?)))
    }

    pub(crate) fn iter_all_mut<B: Bundle>(
        &mut self,
    ) -> impl Iterator<Item = (MessageeId, B::Muts<'_>)> {
        let pools = self.pools_of::<B>();
        let types: Vec<u32> = pools.iter().map(|pool| pool.component()).collect();
        let having: Vec<_> = self.having(pools).collect();
        let place = |pool: &Pool| types.iter().position(|ty| *ty == pool.component());
        let pools = self.pools.iter_mut();
        let mut pools: Vec<_> = pools.filter(|pool| place(pool).is_some()).collect();
        pools.sort_by_key(|pool| place(pool));
        assert!(
            pools.len() == types.len(),
            "cannot borrow a component twice: expected different types, found `{}`",
            type_name::<B>()
        );
        let mut all = B::borrow_all(pools);
        let having = having.into_iter();
        having.filter_map(move |(id, slots)| Some((id, all(&slots)?)))
    }
}
