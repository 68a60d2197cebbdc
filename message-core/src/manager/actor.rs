//! How a manager changes the world: see the [verbs](crate::verbs).

use crate::address::{MessageeId, SubscriptionId};
use crate::error::MessageeError;
use crate::input::Input;
use crate::manager::MessageManager;
use crate::subscription::WorldAccess;
use crate::world::World;

impl MessageManager {
    #[inline]
    pub(crate) fn at_once<'i, T>(
        &mut self,
        input: impl FnOnce() -> Input<'i>,
        change: impl FnOnce(&World) -> T,
    ) -> T {
        self.input(input).change(|world| change(world))
    }

    /// Makes a change now.
    #[inline]
    pub(crate) fn act<A, T>(
        &mut self,
        with: A,
        input: impl FnOnce(&A) -> Input<'_>,
        now: impl FnOnce(&mut World, A) -> T,
        _later: impl FnOnce(&World, A) -> T,
    ) -> T {
        self.input(|| input(&with)).change(|world| now(world, with))
    }

    #[inline]
    pub(crate) fn listen<'i>(
        &mut self,
        input: impl FnOnce() -> Input<'i>,
        owner: Option<MessageeId>,
        enter: impl FnOnce(&mut WorldAccess<'_>) + Send + 'static,
    ) -> Result<SubscriptionId, MessageeError> {
        self.input(input).change(|world| {
            owner.map_or(Ok(()), |owner| world.structure.check_stays(owner))?;
            let id = world.listen.subscriptions.reserve();
            enter(&mut WorldAccess::of(world, id, owner));
            Ok(id)
        })
    }

    pub(crate) fn end_subscription<'i>(
        &mut self,
        input: impl FnOnce() -> Input<'i>,
        id: SubscriptionId,
    ) -> bool {
        let closure = self.input(input).change(|world| {
            let ended = world.listen.subscriptions.end(id);
            ended.then(|| world.listen.subscriptions.remove(id))
        });
        closure.is_some()
    }
}
