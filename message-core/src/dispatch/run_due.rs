//! The messages of a batch, delivered in one walk: each to one component, whose handler takes no
//! context.
//!
//! Such a handler cannot send, post, cancel or change anything, so between two messages there is
//! nothing to settle, and what holds for one holds for the next. The walk stops before a message that
//! is in any way unusual: its messagee is gone, or has no such component, or several, or a disabled
//! one, or one that is borrowed. It also stops behind a handler that fails.

use crate::dispatch::Sent;
use crate::dispatch::handler::{Access, HandlerError, Outcome, Receives};
use crate::dispatch::run::invoke;
use crate::heap::Lent;
use crate::message::Message;
use crate::storage::{AnyPool, Pool, Store};

/// [`run_due`] for one pair of types.
pub(crate) type RunDue<M> = fn(&dyn AnyPool, &mut Lent<M>, &Sent<'_>) -> Option<Failure>;

/// The handler that has failed, by the slot of its component.
pub(crate) struct Failure {
    pub(super) slot: usize,
    pub(super) method: &'static str,
    pub(super) error: HandlerError,
}

/// Delivers messages to components of one pool, up to the first that is unusual. `sent` stands for
/// the envelopes, which the handler cannot see.
pub(crate) fn run_due<C: Receives<M>, M: Message>(
    pool: &dyn AnyPool,
    lent: &mut Lent<M>,
    sent: &Sent<'_>,
) -> Option<Failure> {
    let pool = Pool::<C>::of(pool);
    let component = pool.component();
    if pool.any_leaving() {
        return None;
    }
    while let Some(batched) = lent.messages.get_mut(lent.next) {
        if batched.message.is_none() {
            lent.next += 1;
            continue;
        }
        let record = sent.world.messagees.get(batched.to())?;
        let mut hooks = record.hooks.iter();
        let hook = hooks.find(|hook| hook.component == component)?;
        let slot = hook.slot as usize;
        if record.repeats || slot >= pool.active() {
            return None;
        }
        let mut message = batched.message.take()?;
        // Whatever becomes of it, it is delivered, unless the component cannot be called.
        let outcome = match pool.store() {
            Store::Celled(cells) => C::Access::with(&cells[slot], |this| {
                lent.next += 1;
                invoke::<C, M>(pool, pool.meta_at(slot), this, &mut message, sent)
            }),
            Store::Packed(values) => C::Access::at(values, slot, |this| {
                lent.next += 1;
                invoke::<C, M>(pool, pool.meta_at(slot), this, &mut message, sent)
            }),
        };
        match outcome {
            Some(Outcome::Failed(error)) => {
                return Some(Failure {
                    slot,
                    method: C::HANDLER.method,
                    error,
                });
            }
            Some(_) => {}
            None => {
                batched.message = Some(message);
                return None;
            }
        }
    }
    None
}
