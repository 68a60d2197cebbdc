//! Filters by which a messagee overhears what is sent to others.
//!
//! Among the subscriptions stands one without a closure; its owner's components are called in its
//! place.

use crate::address::{MessageeId, SubscriptionId};
use crate::message::{AnyMessage, Message};
use crate::send::{Sent, Subscribed, Verdict};
use crate::subscription::conditions::Predicate;
use crate::subscription::enter::{WorldAccess, enter_after};
use crate::subscription::filter::Filter;
use crate::subscription::list::{After, Closure};

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
    fn enter_overhearing(self, id: SubscriptionId, owner: MessageeId, world: &mut WorldAccess<'_>);
}

mod sealed {
    pub trait Sealed {}
    impl<S: ?Sized, P> Sealed for super::Filter<S, P> {}
}

/// Stands where a closure would, with the predicate of the filter.
pub(super) struct Overhearer<P>(pub(super) P);

impl<P: Send + 'static> Closure for Overhearer<P> {
    fn is_running(&self) -> bool {
        false
    }
}

impl<S: ?Sized, P: Predicate<S>> After<S> for Overhearer<P> {
    // The components are called instead.
    fn hear(&self, _: &S, _: &Sent<'_>, _: &Subscribed) -> Verdict {
        Verdict::NotReceived
    }

    fn passes(&self, message: &S) -> bool {
        self.0.passes(message)
    }
}

impl<M: Message, P: Predicate<M>> Overhear for Filter<M, P> {
    fn enter_overhearing(
        mut self,
        id: SubscriptionId,
        owner: MessageeId,
        WorldAccess(world): &mut WorldAccess<'_>,
    ) {
        self.options.overhears = true;
        let owner = Some(owner);
        enter_after(self, world, Subscribed { id, owner }, |when| {
            Box::new(Overhearer(when))
        });
    }
}

impl<P: Predicate<dyn AnyMessage>> Overhear for Filter<dyn AnyMessage, P> {
    fn enter_overhearing(
        mut self,
        id: SubscriptionId,
        owner: MessageeId,
        WorldAccess(world): &mut WorldAccess<'_>,
    ) {
        self.options.overhears = true;
        let owner = Some(owner);
        enter_after(self, world, Subscribed { id, owner }, |when| {
            Box::new(Overhearer(when))
        });
    }
}
