//! Finds the component for each message of a batch of posts that are due.

use crate::address::MessageeId;
use crate::message::MessageIndex;
use crate::send::entry::Single;
use crate::send::plan::Stop;
use crate::storage::{LayoutId, Pool};
use crate::world::World;

/// Finds the component that a message of one type is for, messagee by messagee. Neighbours mostly have the
/// same layout, so the last stop is kept: W5.
pub(crate) struct Ways<'w> {
    world: &'w World,
    message: MessageIndex,
    last: Option<(LayoutId, Stop, &'w Pool)>,
}

impl<'w> Ways<'w> {
    /// Only for a message type that nobody listens to, and while deliveries are not instrumented.
    pub(crate) fn new(world: &'w World, message: MessageIndex) -> Self {
        let last = None;
        Self {
            world,
            message,
            last,
        }
    }

    /// Returns the only component of a messagee that receives the message, unless something about it is
    /// unusual.
    #[inline]
    pub(crate) fn to(&mut self, id: MessageeId) -> Option<Single<'w>> {
        let record = self.world.structure.messagees.here(id)?;
        let (stop, pool) = match self.last {
            Some((layout, stop, pool)) if layout == record.layout() => (stop, pool),
            _ => self.find(record.layout())?,
        };
        let slot = stop.slot_in(record)?;
        let is_free = pool.roster().is_at_hand(slot);
        let route = stop.route;
        is_free.then_some(Single { route, pool, slot })
    }

    #[inline(never)]
    fn find(&mut self, layout: LayoutId) -> Option<(Stop, &'w Pool)> {
        let stop = self.world.plans.single(self.message, layout)?;
        let pool = self.world.structure.pools.get(stop.component.into())?;
        self.last = Some((layout, stop, pool));
        Some((stop, pool))
    }
}
