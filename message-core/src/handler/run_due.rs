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
use crate::post::queue::{Lent, Met};
use crate::storage::{AnyPool, Pool};

/// [`run_due`] for one pair of types.
pub(crate) type RunDue<M> = fn(&dyn AnyPool, &mut Lent<'_, M>) -> Option<Failure>;

/// The handler that has failed, by the slot of its component. The message is the last that the walk has
/// met.
pub(crate) struct Failure {
    pub(crate) slot: usize,
    pub(crate) method: &'static str,
    pub(crate) error: HandlerError,
}

/// Delivers messages to components of one pool, up to the first that is unusual.
pub(crate) fn run_due<C: Receives<M>, M: Message>(
    pool: &dyn AnyPool,
    lent: &mut Lent<'_, M>,
) -> Option<Failure> {
    let pool = Pool::<C>::of(pool);
    let mut failure = None;
    lent.walk(|to, message| {
        let Some(slot) = pool.roster().at_hand(to) else {
            return Met::Unusual;
        };
        match call_alone::<C, M>(pool, slot, message) {
            None => Met::Unusual,
            Some(Outcome::Failed(error)) => {
                failure = Some(Failure {
                    slot: slot as usize,
                    method: C::HANDLER.method,
                    error,
                });
                Met::Failed
            }
            Some(_) => Met::Delivered,
        }
    });
    failure
}
