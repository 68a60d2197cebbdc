//! How a manager changes the world: see the [verbs](crate::verbs).

use crate::address::{MessageeId, SubscriptionId};
#[cfg(feature = "data")]
use crate::context::Context;
#[cfg(feature = "data")]
use crate::data::InputLog;
use crate::error::MessageeError;
use crate::manager::MessageManager;
use crate::subscription::WorldAccess;
use crate::world::World;

#[cfg(feature = "data")]
impl<R> Context<'_, R> {
    /// What a handler does is no input: it follows from the inputs.
    #[allow(clippy::unused_self, reason = "a manager may have a log")]
    #[inline]
    pub(crate) fn input_log(&self) -> Option<InputLog<'_>> {
        None
    }
}

impl MessageManager {
    #[cfg(feature = "data")]
    #[inline]
    pub(crate) fn input_log(&self) -> Option<InputLog<'_>> {
        self.world.input_log()
    }

    #[inline]
    pub(crate) fn at_once<T>(&mut self, change: impl FnOnce(&World) -> T) -> T {
        self.change(|world| change(world))
    }

    /// Makes a change now.
    #[inline]
    pub(crate) fn act<A, T>(
        &mut self,
        with: A,
        now: impl FnOnce(&mut World, A) -> T,
        _later: impl FnOnce(&World, A) -> T,
    ) -> T {
        self.change(|world| now(world, with))
    }

    pub(crate) fn check_owner(&mut self, owner: MessageeId) -> Result<(), MessageeError> {
        self.settle();
        self.world.structure.check_stays(owner)
    }

    #[inline]
    pub(crate) fn listen(
        &mut self,
        owner: Option<MessageeId>,
        enter: impl FnOnce(&mut WorldAccess<'_>) + Send + 'static,
    ) -> SubscriptionId {
        self.change(|world| {
            let id = world.listen.subscriptions.reserve();
            enter(&mut WorldAccess::of(world, id, owner));
            id
        })
    }

    pub(crate) fn end_subscription(&mut self, id: SubscriptionId) -> bool {
        let closure = self.change(|world| {
            let ended = world.listen.subscriptions.end(id);
            ended.then(|| world.listen.subscriptions.remove(id))
        });
        closure.is_some()
    }
}
