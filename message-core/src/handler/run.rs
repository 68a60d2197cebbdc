//! The one place where handlers are called. Each handler has one function: [`run_alone`] if it takes no
//! context, otherwise [`run_in_context`]. A walk over a parallel handler calls it on other threads by
//! [`parallel`](super).
//!
//! The function borrows the component, calls the handler and returns its verdict, and no more. The choice
//! of receivers and everything that follows from a call are compiled once for all handlers
//! ([`send`](crate::send)). The one specialisation is a walk over the components of a type, so that the
//! handler is inlined into the loop: a broadcast ([`walk_packed`]: W2; [`walk_cells`]: W2-context,
//! W2-dying), or a batch of posts that are due (`walk_packed`: W5).

use std::ops::Range;

use crate::context::Context;
use crate::error::HandlerError;
#[cfg(feature = "rayon")]
use crate::handler::parallel::Part;
use crate::handler::{Access, Receives};
use crate::message::Message;
use crate::post::{DueWalk, Item};
use crate::send::verdict::{Ended, FALL_BACK, Verdict};
use crate::send::{Frame, Sent};
use crate::storage::{AnyValues, Pool, Roster, Store, Values};

/// The function of one handler.
pub(crate) enum Run<M: Message> {
    /// The handler takes no context.
    Alone(RunAlone<M>),
    InContext(RunInContext<M>),
}

/// [`run_alone`] of one component type and one message type.
pub(crate) type RunAlone<M> = fn(&Pool, u32, &mut M, &mut Option<<M as Message>::Reply>) -> Ended;

/// [`run_in_context`] of one component type and one message type.
pub(crate) type RunInContext<M> =
    fn(&dyn AnyValues, &mut M, &mut Context<'_>, &mut Option<<M as Message>::Reply>) -> Ended;

/// [`walk_packed`] or [`walk_cells`] of one component type and one message type.
pub(crate) type Walk<M> = fn(&Pool, Steps<'_, '_, M>, &mut Option<<M as Message>::Reply>) -> Walked;

/// The components that a walk calls, and their messages.
pub(crate) enum Steps<'a, 'w, M> {
    /// Every enabled component from a slot on, with the same message.
    All {
        from: usize,
        message: &'a mut M,
        sent: &'a Sent<'a>,
    },
    /// Components in any order, each with a message of its own. Only for a handler that takes no context,
    /// since nothing can change in between.
    Each(Each<'a, 'w, M>),
}

/// Messages that are due, and the walk that finds a component for each.
pub(crate) struct Each<'a, 'w, M> {
    pub(crate) items: &'a mut [Item<M>],
    pub(crate) walk: &'a mut DueWalk<'w>,
}

/// Returns the loop of a broadcast or of a batch of due messages over the components of one type.
pub(crate) const fn walk<C: Receives<M>, M: Message>() -> Walk<M> {
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

impl<M: Message> Run<M> {
    pub(crate) const fn of<C: Receives<M>>() -> Self {
        if C::ALONE {
            Self::Alone(run_alone::<C, M>)
        } else {
            Self::InContext(run_in_context::<C, M>)
        }
    }

    /// Calls the component in a slot.
    #[inline]
    pub(crate) fn call(
        self,
        pool: &Pool,
        slot: u32,
        message: &mut M,
        sent: &Sent<'_>,
        reply: &mut Option<M::Reply>,
    ) -> Ended {
        match self {
            Self::Alone(run) => run(pool, slot, message, reply),
            Self::InContext(run) => {
                let mut context = context_of(pool, slot, sent);
                run(pool.any_values(), message, &mut context, reply)
            }
        }
    }
}

/// Makes the context for the handler of the component in a slot. Compiled once.
#[inline(never)]
fn context_of<'a>(pool: &Pool, slot: u32, sent: &'a Sent<'a>) -> Context<'a> {
    let me = pool.roster().owner(slot as usize);
    Context::new(Frame::at(pool.roster(), slot, me, sent))
}

impl<M: Message> Clone for Run<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: Message> Copy for Run<M> {}

/// Calls a handler that takes no context, unless the component is busy.
fn run_alone<C: Receives<M>, M: Message>(
    pool: &Pool,
    slot: u32,
    message: &mut M,
    reply: &mut Option<M::Reply>,
) -> Ended {
    let slot = slot as usize;
    let component = match pool.values::<C>().store() {
        Store::Packed(values) => C::Access::element(values, slot),
        Store::Celled(cells) => C::Access::cell(&cells[slot]),
    };
    let Some(mut component) = component else {
        return FALL_BACK;
    };
    let outcome = C::receive_alone(C::Access::borrow(&mut component), message);
    Verdict::of(outcome, reply)
}

/// Calls a handler that takes a context, unless the component is busy. The context names the slot.
fn run_in_context<C: Receives<M>, M: Message>(
    values: &dyn AnyValues,
    message: &mut M,
    context: &mut Context<'_>,
    reply: &mut Option<M::Reply>,
) -> Ended {
    let Store::Celled(cells) = Values::<C>::of(values).store() else {
        is_packed();
    };
    let slot = context.frame.spot.slot as usize;
    let Some(mut component) = C::Access::cell(&cells[slot]) else {
        return FALL_BACK;
    };
    let outcome = C::receive(C::Access::borrow(&mut component), message, context);
    Verdict::of(outcome, reply)
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
    /// None was called: they are not packed, though their handler takes no context.
    NotPacked,
    /// None was called: all are busy.
    Busy,
    /// The component in a slot has answered, consumed the message or failed, or a message was kept for a
    /// component meanwhile.
    At(usize, Verdict, Option<Box<HandlerError>>),
    /// All were called, by a parallel handler, and some have failed or panicked.
    #[cfg(feature = "rayon")]
    All(Box<Part>),
    /// The component in a slot was not called: it is busy, or a step has to decide whether it is called.
    Before(usize),
}

/// Calls a handler that takes no context. With [`Steps::All`], calls every enabled component from a slot
/// on, in storage order, and stops at the first that answers, consumes the message or fails. With
/// [`Steps::Each`], stops at the first that fails.
fn walk_packed<C: Receives<M>, M: Message>(
    pool: &Pool,
    steps: Steps<'_, '_, M>,
    reply: &mut Option<M::Reply>,
) -> Walked {
    let Store::Packed(values) = pool.values::<C>().store() else {
        return Walked::none(WalkEnd::NotPacked);
    };
    let Some(mut values) = C::Access::all(values) else {
        return Walked::none(WalkEnd::Busy);
    };
    match steps {
        Steps::All { from, message, .. } => {
            walk_all::<C, M>(&mut values, from..pool.roster().active(), message, reply)
        }
        Steps::Each(each) => walk_each::<C, M>(&mut values, each, reply),
    }
}

/// Like [`walk_packed`], for [`Steps::All`]. A separate function, so that the fields of the message are
/// read once.
#[inline]
fn walk_all<C: Receives<M>, M: Message>(
    values: &mut <C::Access as Access>::All<'_, C>,
    slots: Range<usize>,
    message: &mut M,
    reply: &mut Option<M::Reply>,
) -> Walked {
    // Counts those that decline, because most handlers never do.
    let (mut slot, mut declined) = (slots.start, 0);
    let end = 'walk: {
        for component in C::Access::each(values, slots.clone()) {
            let ended = Verdict::of(C::receive_alone(component, message), reply);
            if let Some(end) = ending(slot, ended, &mut declined) {
                break 'walk end;
            }
            slot += 1;
        }
        WalkEnd::Through
    };
    Walked::of(slots, declined, end)
}

/// Like [`walk_packed`], for [`Steps::Each`].
#[inline]
fn walk_each<C: Receives<M>, M: Message>(
    values: &mut <C::Access as Access>::All<'_, C>,
    Each { items, walk }: Each<'_, '_, M>,
    reply: &mut Option<M::Reply>,
) -> Walked {
    while let Some((slot, message)) = walk.next(items) {
        if let Some(component) = C::Access::slot(values, slot)
            && let (verdict, error @ Some(_)) =
                Verdict::of(C::receive_alone(component, message), reply)
        {
            return Walked::none(WalkEnd::At(slot as usize, verdict, error));
        }
    }
    Walked::none(WalkEnd::Through)
}

/// Returns the end of the walk if the verdict of one component ends it. Counts a component that has
/// declined.
#[inline(always)]
#[allow(
    clippy::inline_always,
    reason = "a verdict that is known when compiling leaves nothing of it; measured"
)]
fn ending(slot: usize, (verdict, error): Ended, declined: &mut usize) -> Option<WalkEnd> {
    match verdict {
        Verdict::Received => None,
        Verdict::NotReceived => {
            *declined += 1;
            None
        }
        verdict => Some(WalkEnd::At(slot, verdict, error)),
    }
}

/// Like [`walk_packed`], for a handler that is marked `parallel`: calls every component.
#[cfg(feature = "rayon")]
fn walk_parallel<C: Receives<M>, M: Message>(
    pool: &Pool,
    steps: Steps<'_, '_, M>,
    _: &mut Option<M::Reply>,
) -> Walked {
    let parallel = const { &C::PARALLEL.expect("the walk of a parallel handler") };
    let Store::Packed(values) = pool.values::<C>().store() else {
        return Walked::none(WalkEnd::NotPacked);
    };
    let (from, message) = match steps {
        Steps::All { from, message, .. } => (from, message),
        // A batch has too few messages to pay, so they are delivered one by one.
        Steps::Each(_) => return Walked::none(WalkEnd::NotPacked),
    };
    let slots = from..pool.roster().active();
    let called = slots.len();
    let Some(part) = parallel.walk(values, slots, message) else {
        return Walked::none(WalkEnd::Busy);
    };
    Walked {
        received: called - part.not_counted(),
        end: if part.is_plain() {
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
    steps: Steps<'_, '_, M>,
    reply: &mut Option<M::Reply>,
) -> Walked {
    let Steps::All {
        from,
        message,
        sent,
    } = steps
    else {
        return Walked::none(WalkEnd::NotPacked);
    };
    let Store::Celled(cells) = pool.values::<C>().store() else {
        is_packed();
    };
    let mut stretch = Stretch::of(pool.roster(), from);
    while stretch.slot < stretch.until {
        let Some(mut component) = C::Access::cell(&cells[stretch.slot]) else {
            break;
        };
        let mut context = stretch.context(sent);
        let outcome = C::receive(C::Access::borrow(&mut component), message, &mut context);
        drop(component);
        let ended = Verdict::of(outcome, reply);
        if !stretch.goes_on(&ended, sent) {
            return stretch.end_with(ended, sent);
        }
    }
    stretch.end()
}

/// Components of a pool that are called one after the other because none of them needs a check. A loop
/// keeps it in registers, so no function that is not inlined takes a reference to it.
#[derive(Clone, Copy)]
struct Stretch<'a> {
    roster: &'a Roster,
    from: usize,
    /// The next slot.
    slot: usize,
    until: usize,
    /// The number of components that have declined.
    declined: usize,
    /// The number of marks in the roster when it began.
    marks: usize,
}

impl<'a> Stretch<'a> {
    #[inline(never)]
    fn of(roster: &'a Roster, from: usize) -> Self {
        // A component may have to receive kept messages first.
        let until = if roster.has_kept() {
            from
        } else {
            roster.ordinary_until(from)
        };
        Self {
            roster,
            from,
            slot: from,
            until,
            declined: 0,
            marks: roster.marks(),
        }
    }

    /// Makes the context for the next handler.
    #[inline]
    fn context<'s>(&self, sent: &'s Sent<'s>) -> Context<'s> {
        // A slot always fits in 32 bits.
        let slot = u32::try_from(self.slot).unwrap_or(u32::MAX);
        let me = self.roster.owner(self.slot);
        Context::new(Frame::at(self.roster, slot, me, sent))
    }

    /// Returns `true` if the next component can be called without a check.
    #[inline]
    fn goes_on(&mut self, (verdict, error): &Ended, sent: &Sent<'_>) -> bool {
        match verdict {
            Verdict::Received if error.is_none() => {}
            Verdict::NotReceived => self.declined += 1,
            _ => return false,
        }
        if sent.world.waiting.kept.any() || self.roster.marks() != self.marks {
            return false;
        }
        self.slot += 1;
        true
    }

    /// Ends before a component that needs a check or is busy.
    #[inline(never)]
    fn end(self) -> Walked {
        Walked {
            received: self.slot - self.from - self.declined,
            end: if self.slot < self.roster.active() {
                WalkEnd::Before(self.slot)
            } else {
                WalkEnd::Through
            },
        }
    }

    /// Ends with the last component that was called.
    #[inline(never)]
    fn end_with(mut self, (verdict, error): Ended, sent: &Sent<'_>) -> Walked {
        let declined = verdict == Verdict::NotReceived;
        let is_plain = declined || (verdict == Verdict::Received && error.is_none());
        if is_plain && !sent.world.waiting.kept.any() {
            self.slot += 1;
            return self.end();
        }
        Walked {
            received: self.slot - self.from - (self.declined - usize::from(declined)),
            end: WalkEnd::At(self.slot, verdict, error),
        }
    }
}

#[cold]
fn is_packed() -> ! {
    unreachable!("a component that can be busy has a cell of its own")
}
