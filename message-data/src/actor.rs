//! The [`Actor`] behind a change: a manager from outside, or a handler through its context.

use message_core::input::Input;
use message_core::internals::{Inside as _, World, world_of};
use message_core::{Context, MessageManager};

/// A manager, or the [`Context`] of a handler or a subscriber: what the functions that change a world take.
///
/// With a manager, a change is an input, which logs contain, and has taken effect when the call returns. With a context,
/// ids and errors are returned at once as well. Messagees and components come and go when the outermost send returns, as
/// with [`Context::spawn`](Context::spawn) and [`Context::hook`](Context::hook).
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{self as data, Actor, Data, DataError};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Data, Serialize, Deserialize, Default)]
/// #[serde(default)]
/// #[data(name = "docs.Torch")]
/// struct Torch { hours: u32 }
///
/// #[derive(Message)]
/// struct Dusk;
///
/// #[derive(Default)]
/// struct Guard;
///
/// #[handlers]
/// impl Guard {
///     #[on_receive]
///     fn dusk(&mut self, _: &Dusk, cx: &mut Context<'_>) -> Result<(), DataError> {
///         let me = cx.me();
///         light(cx, me)
///     }
/// }
///
/// fn light(actor: &mut impl Actor, id: MessageeId) -> Result<(), DataError> {
///     data::hook_from_text(actor, id, "Torch(hours: 8)").map(drop)
/// }
///
/// let mut manager = MessageManager::new();
/// let (guard, wall) = (manager.spawn((Guard,)), manager.spawn(()));
/// light(&mut manager, wall)?;
/// manager.send(guard, Dusk)?;
/// assert_eq!(manager.get::<Torch>(wall)?.hours, manager.get::<Torch>(guard)?.hours);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Actor: sealed::Acts {}

impl Actor for MessageManager {}
impl<R> Actor for Context<'_, R> {}

pub(crate) mod sealed {
    use super::{Input, World};

    pub trait Acts {
        /// Returns the world, after what an earlier panic has left is settled.
        fn settled(&mut self) -> &World;

        /// Returns the world as it is.
        fn look(&self) -> &World;

        /// Passes an input on, if the change comes from outside, and makes the change. What it leaves for
        /// [`later`](World::later) is made at the end of the outermost send, or of this call.
        fn act<A, T>(
            &mut self,
            with: A,
            input: impl FnOnce(&A) -> Input<'_>,
            change: impl FnOnce(&World, A) -> T,
        ) -> T;
    }
}

impl sealed::Acts for MessageManager {
    fn settled(&mut self) -> &World {
        self.settle();
        self.world()
    }

    fn look(&self) -> &World {
        self.world()
    }

    fn act<A, T>(
        &mut self,
        with: A,
        input: impl FnOnce(&A) -> Input<'_>,
        change: impl FnOnce(&World, A) -> T,
    ) -> T {
        let outermost = self.input(|| input(&with));
        outermost.change(|world| change(world, with))
    }
}

impl<R> sealed::Acts for Context<'_, R> {
    fn settled(&mut self) -> &World {
        world_of(self)
    }

    fn look(&self) -> &World {
        world_of(self)
    }

    fn act<A, T>(
        &mut self,
        with: A,
        _: impl FnOnce(&A) -> Input<'_>,
        change: impl FnOnce(&World, A) -> T,
    ) -> T {
        change(world_of(self), with)
    }
}
