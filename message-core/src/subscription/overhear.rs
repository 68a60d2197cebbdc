//! Filters by which a messagee overhears messages to others.

use crate::message::{AnyMessage, Message};
use crate::subscription::filter::Filter;
use crate::subscription::listen::WorldAccess;
use crate::subscription::terms::Predicate;

/// A filter by which a messagee can overhear messages: `Filter::of::<M>()` or `Filter::any()`. Not to
/// be implemented elsewhere.
///
/// ```
/// use message_core::prelude::*;
/// use message_core::subscription::Overhear;
///
/// #[derive(Message)]
/// struct Shot;
///
/// fn spy(manager: &mut MessageManager, filter: impl Overhear) -> Result<(), MessageeError> {
///     let spy = manager.spawn(());
///     manager.overhear(spy, filter)?;
///     Ok(())
/// }
///
/// let mut manager = MessageManager::new();
/// spy(&mut manager, Filter::of::<Shot>())?;
/// spy(&mut manager, Filter::any().from(Sender::Outside))?;
/// # Ok::<(), MessageeError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "a messagee cannot overhear by `{Self}`",
    label = "no filter to overhear by",
    note = "write `Filter::of::<M>()` or `Filter::any()`, without `before()`"
)]
pub trait Overhear: sealed::Sealed + Send + 'static {
    #[doc(hidden)]
    fn enter_overhearing(self, world: &mut WorldAccess<'_>);
}

mod sealed {
    pub trait Sealed {}
    impl<S: ?Sized, P> Sealed for super::Filter<S, P> {}
}

impl<M: Message, P: Predicate<M>> Overhear for Filter<M, P> {
    fn enter_overhearing(self, world: &mut WorldAccess<'_>) {
        world.enter_overhearing(self);
    }
}

impl<P: Predicate<dyn AnyMessage>> Overhear for Filter<dyn AnyMessage, P> {
    fn enter_overhearing(self, world: &mut WorldAccess<'_>) {
        world.enter_overhearing(self);
    }
}
