//! How a handler or a subscriber changes the world: see the [verbs](crate::verbs). What it does is no input: it follows
//! from the inputs.
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
    pub(crate) fn at_once<I, T>(
        &mut self,
        _: impl FnOnce() -> I,
        change: impl FnOnce(&World) -> T,
    ) -> T {
        change(self.world())
    }

    /// Makes a change later, with what has to be known about it now.
    #[inline]
    pub(crate) fn act<'i, A: 'i, I, T>(
        &mut self,
        with: A,
        _: impl FnOnce(&'i A) -> I,
        _now: impl FnOnce(&mut World, A) -> T,
        later: impl FnOnce(&World, A) -> T,
    ) -> T {
        later(self.world(), with)
    }

    /// Makes a subscription when the outermost send returns, if its owner stays.
    pub(crate) fn listen<I>(
        &mut self,
        _: impl FnOnce() -> I,
        owner: Option<MessageeId>,
        enter: impl FnOnce(&mut WorldAccess<'_>) + Send + 'static,
    ) -> Result<SubscriptionId, MessageeError> {
        let (world, me) = (self.world(), self.frame.me);
        if let Some(id) = owner {
            world.structure.check_stays(id)?;
            // Messages that the subscription leads to come from its owner.
            if me != owner && !world.structure.expected.is_unborn(id) {
                return Err(MessageeError::NotOneself { id, me });
            }
        }
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
        Ok(id)
    }

    pub(crate) fn end_subscription<I>(
        &mut self,
        _: impl FnOnce() -> I,
        id: SubscriptionId,
    ) -> bool {
        let world = self.world();
        world.later(move |world| drop(world.listen.subscriptions.remove(id)));
        world.listen.subscriptions.end(id)
    }
}
