//! The one place where handlers are called. Each handler has a function for senders that know the message type,
//! [`run_alone`] or [`run_in_context`], and a small one around it for all others, [`call`]. A walk over a parallel
//! handler calls it on other threads by [`parallel`](super::parallel).
//!
//! The function borrows the component, calls the handler and returns its verdict, and no more. The choice
//! of receivers and everything that follows from a call are compiled once for all handlers
//! ([`send`](crate::send)). One specialisation inlines the handler into a loop: a broadcast's walk over the components of
//! a type ([`walk_packed`]: W2; [`walk_cells`]: W2-context, W2-dying).

use std::any::Any;
use std::ops::Range;

use crate::context::Context;
#[cfg(feature = "rayon")]
use crate::handler::parallel::Part;
use crate::handler::{Access, Receives};
use crate::message::{AnyMessage, Message, Stored};
use crate::send::{Ended, Frame, Replies, Sent};
use crate::storage::{Pool, Store, narrow};

/// The function that calls a handler, for code that knows the message type. For a route of a message type `M`, `S` is `M`.
pub(crate) enum Run<S: Stored> {
    /// The handler takes no context.
    Alone(RunAlone<S>),
    InContext(RunInContext<S>),
    /// No handler is known.
    Unknown,
}

/// [`run_alone`] of one component type and one message type.
pub(crate) type RunAlone<S> = fn(&Pool, u32, &mut S, &mut Option<<S as Stored>::Reply>) -> Ended;

/// [`run_in_context`] of one component type and one message type.
pub(crate) type RunInContext<S> =
    fn(&Pool, &mut S, &mut Context<'_>, &mut Option<<S as Stored>::Reply>) -> Ended;

/// A [`Run`] of the message type.
pub(crate) type AnyRun = &'static (dyn Any + Send + Sync);

/// The function of one handler, for everything else: [`call`] of one component type and one message type.
pub(crate) type Call = fn(&Pool, u32, &mut dyn AnyMessage, &Sent<'_>, &mut Replies<'_>) -> Ended;

/// The loop of a broadcast over the components of a type from a slot on.
pub(crate) type Walk = fn(&Pool, usize, &mut dyn AnyMessage, &Sent<'_>, &mut Replies<'_>) -> Walked;

/// Returns the loop of a broadcast over the components of one type.
pub(crate) const fn walk<C: Receives<M>, M: Message>() -> Walk {
    #[cfg(feature = "rayon")]
    if C::PARALLEL.is_some() {
        return walk_parallel::<C, M>;
    }
    if C::ALONE {
        walk_packed::<C, M>
    } else {
        walk_cells::<C, M>
    }
}

impl<S: Stored> Clone for Run<S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Stored> Copy for Run<S> {}

impl<M: Message> Run<M> {
    pub(crate) const fn of<C: Receives<M>>() -> Self {
        if C::ALONE {
            Self::Alone(run_alone::<C, M>)
        } else {
            Self::InContext(run_in_context::<C, M>)
        }
    }
}

/// Calls the component in a slot with a message whose type is not known, unless the component is busy.
pub(crate) fn call<C: Receives<M>, M: Message>(
    pool: &Pool,
    slot: u32,
    message: &mut dyn AnyMessage,
    sent: &Sent<'_>,
    replies: &mut Replies<'_>,
) -> Ended {
    let (message, mut reply) = (known::<M>(message), None);
    let ended = if C::ALONE {
        run_alone::<C, M>(pool, slot, message, &mut reply)
    } else {
        run_in_context::<C, M>(pool, message, &mut context_of(pool, slot, sent), &mut reply)
    };
    if let Some(reply) = reply {
        replies.take(pool.owner(slot as usize), reply);
    }
    ended
}

/// Makes the context for the handler of the component in a slot. Compiled once.
#[inline(never)]
fn context_of<'a>(pool: &Pool, slot: u32, sent: &'a Sent<'a>) -> Context<'a> {
    let me = pool.owner(slot as usize);
    Context::new(Frame::at(pool, slot, me, sent))
}

/// Calls a handler that takes no context, unless the component is busy.
fn run_alone<C: Receives<M>, M: Message>(
    pool: &Pool,
    slot: u32,
    message: &mut M,
    reply: &mut Option<M::Reply>,
) -> Ended {
    let Some(mut component) = pool.values::<C>().borrow::<C::Access>(slot as usize) else {
        return Ended::NotCalled;
    };
    let outcome = C::receive_alone(C::Access::borrow(&mut component), message);
    Ended::of(outcome, |answer| *reply = Some(answer))
}

/// Calls a handler that takes a context, unless the component is busy. The context names the slot.
fn run_in_context<C: Receives<M>, M: Message>(
    pool: &Pool,
    message: &mut M,
    context: &mut Context<'_>,
    reply: &mut Option<M::Reply>,
) -> Ended {
    let Store::Celled(cells) = pool.values::<C>().store() else {
        is_packed();
    };
    let slot = context.frame.spot.slot as usize;
    let Some(mut component) = C::Access::guard(&cells[slot]) else {
        return Ended::NotCalled;
    };
    let outcome = C::receive(C::Access::borrow(&mut component), message, context);
    Ended::of(outcome, |answer| *reply = Some(answer))
}

/// Returns the message as the type that its handlers take.
#[inline]
fn known<M: Message>(message: &mut dyn AnyMessage) -> &mut M {
    let known = message.downcast_mut();
    known.expect("a route leads to handlers of its message type")
}

/// The result of a walk.
pub(crate) struct Walked {
    /// The number of components that have received the message since the walk began, without those of
    /// `end`.
    pub(crate) received: usize,
    pub(crate) end: WalkEnd,
}

impl Walked {
    fn none(end: WalkEnd) -> Self {
        Self { received: 0, end }
    }

    /// Returns the result of a walk over these slots, up to its end.
    #[inline]
    fn of(slots: Range<usize>, declined: usize, end: WalkEnd) -> Self {
        let called = match &end {
            WalkEnd::At(slot, ..) | WalkEnd::Before(slot) => *slot,
            _ => slots.end,
        };
        Self {
            received: called - slots.start - declined,
            end,
        }
    }
}

pub(crate) enum WalkEnd {
    /// All enabled components were called.
    Through,
    /// None was called: they are not packed, though their handler takes no context, or one of them is busy.
    NotAtOnce,
    /// The component in a slot has answered, consumed the message or failed, or a message was kept for a
    /// component meanwhile.
    At(usize, Ended),
    /// All were called, by a parallel handler, and some have failed or panicked.
    #[cfg(feature = "rayon")]
    All(Box<Part>),
    /// The component in a slot was not called: it is busy, or a step has to decide whether it is called.
    Before(usize),
}

/// Calls a handler that takes no context for every enabled component from a slot on, in storage order. Stops at the
/// first that answers, consumes the message or fails.
fn walk_packed<C: Receives<M>, M: Message>(
    pool: &Pool,
    from: usize,
    message: &mut dyn AnyMessage,
    _: &Sent<'_>,
    replies: &mut Replies<'_>,
) -> Walked {
    let message = known::<M>(message);
    let Store::Packed(values) = pool.values::<C>().store() else {
        return Walked::none(WalkEnd::NotAtOnce);
    };
    let Some(mut values) = C::Access::guard(values) else {
        return Walked::none(WalkEnd::NotAtOnce);
    };
    let slots = from..pool.active();
    // Counts those that decline, because most handlers never do.
    let (mut slot, mut declined) = (from, 0);
    let end = 'walk: {
        for component in C::Access::each(&mut values, slots.clone()) {
            let outcome = C::receive_alone(component, message);
            let ended = Ended::of(outcome, |answer| replies.take(pool.owner(slot), answer));
            if let Some(end) = ending(slot, ended, &mut declined) {
                break 'walk end;
            }
            slot += 1;
        }
        WalkEnd::Through
    };
    Walked::of(slots, declined, end)
}

/// Returns the end of the walk if the verdict of one component ends it. Counts a component that has
/// declined.
#[inline(always)] // A verdict that is known when compiling leaves nothing of it; measured.
fn ending(slot: usize, ended: Ended, declined: &mut usize) -> Option<WalkEnd> {
    match ended {
        Ended::Received => None,
        Ended::NotReceived => {
            *declined += 1;
            None
        }
        ended => Some(WalkEnd::At(slot, ended)),
    }
}

/// Like [`walk_packed`], for a handler that is marked `parallel`: calls every component.
#[cfg(feature = "rayon")]
fn walk_parallel<C: Receives<M>, M: Message>(
    pool: &Pool,
    from: usize,
    message: &mut dyn AnyMessage,
    _: &Sent<'_>,
    _: &mut Replies<'_>,
) -> Walked {
    let message = known::<M>(message);
    let parallel = const { &C::PARALLEL.expect("the walk of a parallel handler") };
    let Store::Packed(values) = pool.values::<C>().store() else {
        return Walked::none(WalkEnd::NotAtOnce);
    };
    let slots = from..pool.active();
    let called = slots.len();
    let Some(part) = parallel.walk(values, slots, message) else {
        return Walked::none(WalkEnd::NotAtOnce);
    };
    Walked {
        // Those that have failed are counted when they are reported.
        received: called - part.declined - part.failures.len(),
        end: if part.failures.is_empty() && part.panics.is_empty() {
            WalkEnd::Through
        } else {
            WalkEnd::All(Box::new(part))
        },
    }
}

/// Like [`walk_packed`], for a handler that takes a context. The handler may disable or despawn components
/// behind it, or send to them. The walk therefore calls components as long as they are ordinary, and ends
/// before the first that needs a check.
fn walk_cells<C: Receives<M>, M: Message>(
    pool: &Pool,
    from: usize,
    message: &mut dyn AnyMessage,
    sent: &Sent<'_>,
    replies: &mut Replies<'_>,
) -> Walked {
    let message = known::<M>(message);
    let Store::Celled(cells) = pool.values::<C>().store() else {
        is_packed();
    };
    let (marks, until) = (pool.marks(), pool.ordinary_until(from));
    let (mut slot, mut declined) = (from, 0);
    let end = 'walk: {
        while slot < until && pool.marks() == marks {
            let Some(mut component) = C::Access::guard(&cells[slot]) else {
                break;
            };
            let frame = Frame::at(pool, narrow(slot), pool.owner(slot), sent);
            let mut context = Context::new(frame);
            let outcome = C::receive(C::Access::borrow(&mut component), message, &mut context);
            drop(component);
            let ended = Ended::of(outcome, |answer| replies.take(pool.owner(slot), answer));
            if sent.world.waiting.kept.any() {
                break 'walk WalkEnd::At(slot, ended);
            }
            if let Some(end) = ending(slot, ended, &mut declined) {
                break 'walk end;
            }
            slot += 1;
        }
        if slot < pool.active() {
            WalkEnd::Before(slot)
        } else {
            WalkEnd::Through
        }
    };
    Walked::of(from..pool.active(), declined, end)
}

#[cold]
fn is_packed() -> ! {
    unreachable!("a component that can be busy has a cell of its own")
}
