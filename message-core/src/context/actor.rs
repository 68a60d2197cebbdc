//! How a handler or a subscriber changes the world: see the [verbs](crate::verbs).
//!
//! Ids and errors are returned at once. A change that is queued until the end of the outermost send is queued
//! together with what has to be known about it before. Until then, messagees are seen as they were. Names and
//! addresses change at once.

use crate::address::{MessageeId, SubscriptionId};
use crate::context::Context;
use crate::error::MessageeError;
use crate::subscription::WorldAccess;
use crate::world::{World, later};

impl<R> Context<'_, R> {
    #[inline]
    pub(crate) fn at_once<T>(&mut self, change: impl FnOnce(&World) -> T) -> T {
        change(self.world())
    }

    /// Makes a change later, with what has to be known about it now.
    #[inline]
    pub(crate) fn act<A, T>(
        &mut self,
        with: A,
        _now: impl FnOnce(&mut World, A) -> T,
        later: impl FnOnce(&World, A) -> T,
    ) -> T {
        later(self.world(), with)
    }

    /// Checks that a subscription made here may belong to the messagee, because what it leads to comes from
    /// that messagee.
    pub(crate) fn check_owner(&mut self, owner: MessageeId) -> Result<(), MessageeError> {
        let (world, me) = (self.world(), self.frame.me);
        world.structure.check_stays(owner)?;
        if me != Some(owner) && !world.structure.expected.is_unborn(owner) {
            return Err(MessageeError::NotOneself { id: owner, me });
        }
        Ok(())
    }

    /// Makes a subscription when the outermost send returns, if its owner stays.
    pub(crate) fn listen(
        &mut self,
        owner: Option<MessageeId>,
        enter: impl FnOnce(&mut WorldAccess<'_>) + Send + 'static,
    ) -> SubscriptionId {
        let world = self.world();
        let id = world.listen.subscriptions.reserve();
        world.listen.subscriptions.announce(id, owner);
        world.later(move |world| {
            let stays = owner.is_none_or(|owner| world.structure.check_stays(owner).is_ok());
            let listens = world.listen.subscriptions.take_announced(id, stays);
            let Some(listens) = listens else { return };
            enter(&mut WorldAccess::of(world, id, owner));
            if !listens {
                later::set_listening(world, id, false);
            }
        });
        id
    }

    pub(crate) fn end_subscription(&mut self, id: SubscriptionId) -> bool {
        let world = self.world();
        let ended = world.listen.subscriptions.end(id);
        if ended {
            world.later(move |world| drop(world.listen.subscriptions.remove(id)));
        }
        ended
    }
}
