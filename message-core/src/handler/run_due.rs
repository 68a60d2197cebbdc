//! The messages of a batch, delivered in one walk: each to one component, whose handler takes no
//! context.
//!
//! Such a handler cannot send, post, cancel or change anything, so between two messages there is
//! nothing to settle, and what holds for one holds for the next. The walk stops before a message that
//! is in any way unusual: its messagee is gone, or has no such component, or several, or a disabled
//! one, or one that is borrowed. It also stops behind a handler that fails.

use crate::handler::run::call_alone;
use crate::handler::{HandlerError, Outcome, Receives};
use crate::message::Message;
use crate::post::queue::Lent;
use crate::storage::{AnyPool, Pool};

/// [`run_due`] for one pair of types.
pub(crate) type RunDue<M> = fn(&dyn AnyPool, &mut Lent<M>) -> Option<Failure<M>>;

/// The handler that has failed, by the slot of its component, and for which message: that is dropped
/// when the failure is reported, since a `Drop` may panic.
pub(crate) struct Failure<M> {
    pub(crate) message: M,
    pub(crate) slot: usize,
    pub(crate) method: &'static str,
    pub(crate) error: HandlerError,
}

/// Delivers messages to components of one pool, up to the first that is unusual.
pub(crate) fn run_due<C: Receives<M>, M: Message>(
    pool: &dyn AnyPool,
    lent: &mut Lent<M>,
) -> Option<Failure<M>> {
    let pool = Pool::<C>::of(pool);
    while let Some(batched) = lent.messages.get_mut(lent.next) {
        // Whatever becomes of it, also if the handler panics, it is delivered then; unless the
        // component cannot be called.
        lent.next += 1;
        let Some(mut message) = batched.message.take() else {
            continue;
        };
        let slot = pool.roster().at_hand(batched.to());
        let outcome = slot.and_then(|slot| call_alone::<C, M>(pool, slot, &mut message));
        match (outcome, slot) {
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
                lent.next -= 1;
                return None;
            }
        }
    }
    None
}
