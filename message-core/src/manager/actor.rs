//! How a manager changes the world: see the [verbs](crate::verbs).

use crate::address::{MessageeId, SubscriptionId};
use crate::error::MessageeError;
use crate::input::Input;
use crate::manager::MessageManager;
use crate::manager::entrance::Outermost;
use crate::subscription::WorldAccess;
use crate::world::{Admitted, World};

impl MessageManager {
    #[inline]
    pub(crate) fn admit<'i>(&mut self, input: impl FnOnce() -> Input<'i>) -> Admitted {
        let Outermost(_) = self.input(input);
        Admitted(())
    }

    fn outermost(&mut self, _: Admitted) -> Outermost<'_> {
        Outermost(self.no_input())
    }

    #[inline]
    pub(crate) fn at_once<T>(&mut self, admitted: Admitted, change: impl FnOnce(&World) -> T) -> T {
        self.outermost(admitted).change(|world| change(world))
    }

    /// Makes a change now.
    #[inline]
    pub(crate) fn act<A, T>(
        &mut self,
        admitted: Admitted,
        with: A,
        now: impl FnOnce(&mut World, A) -> T,
        _later: impl FnOnce(&World, A) -> T,
    ) -> T {
        self.outermost(admitted).change(|world| now(world, with))
    }

    #[inline]
    pub(crate) fn listen(
        &mut self,
        admitted: Admitted,
        owner: Option<MessageeId>,
        enter: impl FnOnce(&mut WorldAccess<'_>) + Send + 'static,
    ) -> Result<SubscriptionId, MessageeError> {
        self.outermost(admitted).change(|world| {
            owner.map_or(Ok(()), |owner| world.structure.check_stays(owner))?;
            let id = world.listen.subscriptions.reserve();
            enter(&mut WorldAccess::of(world, id, owner));
            Ok(id)
        })
    }

    pub(crate) fn end_subscription(&mut self, admitted: Admitted, id: SubscriptionId) -> bool {
        let closure = self.outermost(admitted).change(|world| {
            let ended = world.listen.subscriptions.end(id);
            ended.then(|| world.listen.subscriptions.remove(id))
        });
        closure.is_some()
    }
}
