//! The short way to two: to one messagee, with a message that two component types handle and nobody listens
//! to. The messagee may have a component of each, or of one of them.
//!
//! Both are found by their pools' sparse sets, and their order by the messagee's list; then they are called
//! by one function for each message type. Where a delivery turns out not to be plain, the long way goes on
//! from there.

use std::ops::ControlFlow;

use crate::address::MessageeId;
use crate::handler::RouteTable;
use crate::handler::run::{At, Run};
use crate::message::{Message, MessageIndex};
use crate::send::Sent;
use crate::send::call::Tally;
use crate::send::erased::Replies;
use crate::send::plain::Progress;
use crate::send::verdict::{Ended, Verdict, count};
use crate::storage::Pool;
use crate::world::World;

/// Stands where the messagee has no component of a type. No slot has this number.
const MISSING: u32 = u32::MAX;

/// The components of a messagee that handle a message, of two types. So small that it is returned in
/// registers.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    /// The slot of the one that the first route leads to, or [`MISSING`].
    one: u32,
    /// That of the other.
    other: u32,
    /// The other comes first.
    swapped: bool,
}

/// What a pair is called with.
pub(super) struct Calls<'a> {
    pub(super) to: MessageeId,
    pub(super) pair: Pair,
    /// How many messages had been kept, and how often components had been switched, when it began.
    pub(super) begun: [u64; 2],
    pub(super) sent: &'a Sent<'a>,
}

/// The component that has been called, or is about to be.
#[derive(Clone, Copy)]
struct Place<'a> {
    of_other: bool,
    slot: u32,
    pool: &'a Pool,
}

impl World {
    /// Returns `true` if two component types handle a message, and nothing stands in the way of the short
    /// way.
    #[inline]
    pub(super) fn takes_pair(&self, message: MessageIndex) -> bool {
        self.subscriptions.fast_routes.is_pair(message) && self.is_calm()
    }

    /// How many messages have been kept, and how often components have been switched.
    #[inline]
    pub(super) fn counts(&self) -> [u64; 2] {
        [self.kept.count(), self.switches.count()]
    }

    /// Finds the components of a messagee that handle a message. `None` if it has none, or if their order is
    /// not known.
    #[inline(never)]
    pub(super) fn pair(&self, table: &RouteTable, to: MessageeId) -> Option<Pair> {
        let [one, other] = table.all() else {
            return None;
        };
        let (first, second) = (self.pool_at(one.component), self.pool_at(other.component));
        let slot = |pool: Option<&Pool>| match pool {
            Some(pool) => pool.roster().slot_or_several(to),
            None => None,
        };
        let (one, other) = match (slot(first), slot(second)) {
            // It has several of a type, or none.
            (Some(MISSING), _) | (_, Some(MISSING)) | (None, None) => return None,
            (Some(one), Some(other)) => (one, other),
            (Some(one), None) => (one, MISSING),
            (None, Some(other)) => (MISSING, other),
        };
        let mut pair = Pair {
            one,
            other,
            swapped: false,
        };
        if let (Some(first), Some(second)) = (first, second)
            && one != MISSING
            && other != MISSING
        {
            let [one, other] = [(first, one), (second, other)]
                .map(|(pool, slot)| pool.roster().hook(slot as usize));
            let (one, other) = (one?, other?);
            let hooks = self.messagees.hooks(self.messagees.get(to)?);
            let before = hooks.iter().find(|&&hook| hook == one || hook == other)?;
            pair.swapped = *before == other;
        }
        Some(pair)
    }

    #[inline(always)]
    #[allow(clippy::inline_always, reason = "asked twice for each send to two")]
    fn pool_at(&self, component: u32) -> Option<&Pool> {
        self.pools.get(component as usize)?.as_deref()
    }
}

/// Calls the components of a pair, up to the one behind which the long way goes on: then what is to be known
/// of it is in `rest`. `None` and nothing there if nobody was called.
#[inline(never)]
pub(super) fn call_pair<M: Message>(
    calls: &Calls<'_>,
    runs: &[(u32, Run<M>); 2],
    message: &mut M,
    replies: &mut Replies<'_>,
    rest: &mut Option<Progress>,
) -> Option<Tally> {
    let Calls { to, pair, sent, .. } = *calls;
    let mut tally = Tally::default();
    for second in [false, true] {
        let of_other = pair.swapped != second;
        let slot = if of_other { pair.other } else { pair.one };
        if slot == MISSING {
            continue;
        }
        let (component, run) = &runs[usize::from(of_other)];
        let pool = sent.world.pool_at(*component)?;
        if !pool.roster().is_at_hand(slot) {
            let place = Place {
                of_other,
                slot,
                pool,
            };
            if second && calls.has_both() {
                calls.leave_rest(place, false, tally, rest);
            }
            return None;
        }
        let mut reply = None;
        let ended = run.call(pool, At::of(to, slot), message, sent, &mut reply);
        if let (Some(Verdict::Received), None) = ended
            && sent.world.is_calm()
        {
            tally.received += 1;
            continue;
        }
        if let Some(reply) = reply {
            replies.take(to, reply);
        }
        let place = Place {
            of_other,
            slot,
            pool,
        };
        if !calls.meet(place, ended, replies, &mut tally, rest) {
            return rest.is_none().then_some(tally);
        }
    }
    Some(tally)
}

impl Calls<'_> {
    fn has_both(&self) -> bool {
        self.pair.one != MISSING && self.pair.other != MISSING
    }

    /// What follows from a delivery of which more is to be said than that the component has received the
    /// message. Returns `true` if the next one can be called.
    #[inline(never)]
    fn meet(
        &self,
        place: Place<'_>,
        (verdict, error): Ended,
        replies: &mut Replies<'_>,
        tally: &mut Tally,
        rest: &mut Option<Progress>,
    ) -> bool {
        let world = self.sent.world;
        let Some(verdict) = verdict else {
            self.leave_rest(place, false, *tally, rest);
            return false;
        };
        let goes_on = error.is_none() && world.is_calm();
        if !goes_on
            && let Some(table) = self.sent.facts.table()
            && let Some(route) = table.all().get(usize::from(place.of_other))
        {
            let at = (place.pool, At::of(self.to, place.slot));
            world.finish_at(at, route, error, self.sent);
        }
        match count(verdict, world, replies, tally) {
            ControlFlow::Break(()) => false,
            ControlFlow::Continue(()) if goes_on => true,
            ControlFlow::Continue(()) => {
                self.leave_rest(place, true, *tally, rest);
                false
            }
        }
    }

    /// Leaves those from a component on to the long way, with that one itself unless it was `called`.
    #[cold]
    #[inline(never)]
    fn leave_rest(
        &self,
        place: Place<'_>,
        called: bool,
        tally: Tally,
        rest: &mut Option<Progress>,
    ) {
        let world = self.sent.world;
        let hook = place.pool.roster().hook(place.slot as usize);
        let record = world.messagees.get(self.to);
        let mut hooks = record.into_iter().flat_map(|it| world.messagees.hooks(it));
        let passed = hooks.position(|&it| Some(it) == hook);
        let [kept, switches] = self.begun;
        *rest = Some(Progress {
            passed: passed.map_or(usize::MAX, |passed| passed + usize::from(called)),
            tally,
            kept,
            switches,
        });
    }
}
