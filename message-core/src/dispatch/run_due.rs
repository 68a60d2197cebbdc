//! The messages of a batch, delivered in one walk: each to one component, whose handler takes no
//! context.
//!
//! Such a handler cannot send, post, cancel or change anything, so between two messages there is
//! nothing to settle, and what holds for one holds for the next. The walk stops before a message that
//! is in any way unusual: its messagee is gone, or has no such component, or several, or a disabled
//! one, or one that is borrowed. It also stops behind a handler that fails.

use crate::dispatch::handler::{Access, HandlerError, Outcome, Receives};
use crate::heap::Lent;
use crate::message::Message;
use crate::storage::{AnyPool, Pool, Store};

/// [`run_due`] for one pair of types.
pub(crate) type RunDue<M> = fn(&dyn AnyPool, &mut Lent<M>) -> Option<Failure<M>>;

/// The handler that has failed, by the slot of its component, and for which message: that is dropped
/// when the failure is reported, since a `Drop` may panic.
pub(crate) struct Failure<M> {
    pub(super) message: M,
    pub(super) slot: usize,
    pub(super) method: &'static str,
    pub(super) error: HandlerError,
}

/// Delivers messages to components of one pool, up to the first that is unusual.
pub(crate) fn run_due<C: Receives<M>, M: Message>(
    pool: &dyn AnyPool,
    lent: &mut Lent<M>,
) -> Option<Failure<M>> {
    let pool = Pool::<C>::of(pool);
    while let Some(batched) = lent.messages.get_mut(lent.next) {
        let Some(mut message) = batched.message.take() else {
            lent.next += 1;
            continue;
        };
        // Whatever becomes of it, it is delivered, unless the component cannot be called.
        let next = &mut lent.next;
        let call = |this: <C::Access as Access>::Borrow<'_, C>| {
            *next += 1;
            let called = C::receive_alone(this, &mut message);
            if called.is_err() {
                *next -= 1;
            }
            called.ok()
        };
        let slot = pool.at_hand(batched.to());
        let outcome = slot.and_then(|slot| match pool.store() {
            Store::Celled(cells) => C::Access::with(&cells[slot as usize], call),
            Store::Packed(values) => C::Access::at(values, slot as usize, call),
        });
        match (outcome.flatten(), slot) {
            (Some(Outcome::Failed(error)), Some(slot)) => {
                return Some(Failure {
                    message,
                    slot: slot as usize,
                    method: C::HANDLER.method,
                    error,
                });
            }
            (Some(_), _) => {}
            (None, _) => {
                batched.message = Some(message);
                return None;
            }
        }
    }
    None
}
