//! The short way to one messagee, with a message that one component type handles, nobody listens to, and where
//! a panic of the handler ends with its component: the panic is caught.

use crate::address::MessageeId;
use crate::caught::catch;
use crate::handler::routes::Routes;
use crate::handler::run::At;
use crate::message::Message;
use crate::send::erased::{ErasedMessage, Replies};
use crate::send::verdict::{Ended, FALL_BACK, Verdict};
use crate::send::{FastRoutes, Sent};
use crate::storage::Pool;

/// A message for the only component type that handles it, and the place of the answer.
pub(super) struct Single<'a, M: Message> {
    pub(super) routes: &'a Routes<M>,
    pub(super) message: &'a mut M,
    pub(super) reply: &'a mut Option<M::Reply>,
}

/// A [`Single`] of any type. No closure, as less is compiled for each type.
pub(super) trait AnySingle {
    /// Calls a component.
    fn call(&mut self, pool: &Pool, slot: u32, sent: &Sent<'_>) -> Ended;
}

impl<M: Message> AnySingle for Single<'_, M> {
    fn call(&mut self, pool: &Pool, slot: u32, sent: &Sent<'_>) -> Ended {
        match self.routes.run_single() {
            Some(run) => run.call(pool, slot, self.message, sent, self.reply),
            None => FALL_BACK,
        }
    }
}

/// As [`Single`], of a message whose type is not known.
pub(super) struct ErasedSingle<'a, 'r> {
    pub(super) message: &'a mut dyn ErasedMessage,
    pub(super) replies: &'a mut Replies<'r>,
}

impl AnySingle for ErasedSingle<'_, '_> {
    fn call(&mut self, pool: &Pool, slot: u32, sent: &Sent<'_>) -> Ended {
        self.message.call_single(pool, slot, sent, self.replies)
    }
}

/// As [`guard_inline`], where that need not be inlined.
#[inline]
pub(super) fn guard(
    sent: &Sent<'_>,
    way: (u32, MessageeId),
    message: &mut dyn AnySingle,
) -> Option<Verdict> {
    guard_inline(sent, way, message)
}

/// Calls the one component that a send goes to. `None`, with nobody called, when it has to take the long way.
/// `way`: what [`FastRoutes::component`] has returned.
#[inline(always)]
#[allow(clippy::inline_always, reason = "the whole of its callers; measured")]
pub(super) fn guard_inline(
    sent: &Sent<'_>,
    (way, id): (u32, MessageeId),
    message: &mut dyn AnySingle,
) -> Option<Verdict> {
    let (component, world) = (FastRoutes::guarded(way)?, sent.world);
    let pool = world.pools.get(component)?;
    let slot = pool.roster().at_hand(id)?;
    let at = (pool, At::slot(slot));
    match catch(|| message.call(pool, slot, sent)) {
        Ok((verdict, None)) if !world.kept.any() => verdict,
        Ok((verdict, error)) => {
            if verdict.is_some() {
                world.finish_single(at, error, sent);
            }
            verdict
        }
        Err(panic) => {
            if let Some(route) = sent.single_route() {
                world.panicked(at, route, sent, panic);
            }
            Some(Verdict::Failed)
        }
    }
}
