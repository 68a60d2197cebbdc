//! The short way to two: to one messagee, with a message that two component types handle and nobody listens
//! to. The messagee may have a component of each, or of one of them.
//!
//! Both are found by their pools' sparse sets, and their order by the messagee's list. Where a delivery turns
//! out not to be plain, the long way goes on from there.

use std::ops::ControlFlow;

use crate::address::MessageeId;
use crate::handler::{Route, RouteTable};
use crate::send::Sent;
use crate::send::call::Tally;
use crate::send::erased::{ErasedMessage, Replies};
use crate::send::fast_routes::FastRoutes;
use crate::send::plain::{After, Progress};
use crate::send::verdict::Verdict;
use crate::storage::{Messagees, Pool, Pools};
use crate::world::World;

/// A message that is delivered to two.
pub(super) struct Delivery<'a, 'r> {
    sent: &'a Sent<'a>,
    message: &'a mut dyn ErasedMessage,
    replies: &'a mut Replies<'r>,
    /// From where the long way goes on, if it does.
    pub(super) rest: Option<Progress>,
}

impl<'a, 'r> Delivery<'a, 'r> {
    #[inline]
    pub(super) fn of(
        sent: &'a Sent<'a>,
        message: &'a mut dyn ErasedMessage,
        replies: &'a mut Replies<'r>,
    ) -> Self {
        Self {
            sent,
            message,
            replies,
            rest: None,
        }
    }
}

/// A component that is to be called.
#[derive(Clone, Copy)]
struct Callee<'a> {
    route: &'a Route,
    pool: &'a Pool,
    slot: u32,
}

impl<'a> Callee<'a> {
    /// The only component of a messagee that a route leads to, if it can be called without a further question.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "asked twice for each send to two")]
    fn of(pools: &'a Pools, route: &'a Route, to: MessageeId) -> Option<Self> {
        let pool = pools.get(route.component)?;
        let slot = pool.roster().at_hand(to)?;
        Some(Self { route, pool, slot })
    }

    /// The place of its hook.
    #[inline]
    fn hook(self) -> Option<u32> {
        self.pool.roster().hook(self.slot as usize)
    }

    /// Returns `true` if it comes before another component of the messagee.
    #[inline]
    fn is_hooked_before(
        self,
        other: Self,
        messagees: &Messagees,
        messagee: MessageeId,
    ) -> Option<bool> {
        let (one, other) = (self.hook()?, other.hook()?);
        let mut hooks = messagees.hooks(messagees.of_live(messagee)?);
        let first = hooks.find(|&hook| hook == one || hook == other)?;
        Some(first == one)
    }
}

/// Returns `true` if a messagee has no component that a route leads to.
fn has_none(pools: &Pools, route: &Route, to: MessageeId) -> bool {
    match pools.get(route.component) {
        Some(pool) => pool.roster().slot_or_several(to).is_none(),
        None => true,
    }
}

/// How far a delivery to two has come. Handed on by value, so that it stays in registers.
#[derive(Clone, Copy)]
struct Way {
    to: MessageeId,
    tally: Tally,
    /// How many messages had been kept, and how often components had been switched, when it began.
    begun: [u64; 2],
}

impl World {
    /// Returns `true` if that fast way leads to two, and can be taken now.
    #[inline]
    pub(super) fn leads_to_pair(&self, way: u32) -> bool {
        way == FastRoutes::PAIR && !self.switches.any()
    }

    /// Delivers a message that two component types handle, without an order among them, to the components of
    /// a messagee, while nothing is kept or switched. `None` if nobody was called, or if the long way goes on
    /// with it.
    #[inline(never)]
    pub(super) fn deliver_to_pair(
        &self,
        table: &RouteTable,
        to: MessageeId,
        delivery: &mut Delivery<'_, '_>,
    ) -> Option<Tally> {
        let ([one, other], false) = (table.all(), table.ranked) else {
            return None;
        };
        let Some(one) = Callee::of(&self.pools, one, to) else {
            return self.deliver_to_half(table, to, delivery);
        };
        let Some(other) = Callee::of(&self.pools, other, to) else {
            return self.deliver_to_half(table, to, delivery);
        };
        let [first, second] = if one.is_hooked_before(other, &self.messagees, to)? {
            [one, other]
        } else {
            [other, one]
        };
        let mut way = self.way(to);
        if self.call_on_way(first, &mut way, delivery).is_break() {
            return delivery.rest.is_none().then_some(way.tally);
        }
        // The first handler may have changed that.
        if second.pool.roster().is_at_hand(second.slot) {
            let _ = self.call_on_way(second, &mut way, delivery);
        } else {
            self.leave_rest(second, false, way, delivery);
        }
        delivery.rest.is_none().then_some(way.tally)
    }

    /// As [`deliver_to_pair`](Self::deliver_to_pair), to a messagee with a component of one of the types.
    #[inline(never)]
    fn deliver_to_half(
        &self,
        table: &RouteTable,
        to: MessageeId,
        delivery: &mut Delivery<'_, '_>,
    ) -> Option<Tally> {
        let [one, other] = table.all() else {
            return None;
        };
        let callee = match (
            Callee::of(&self.pools, one, to),
            Callee::of(&self.pools, other, to),
        ) {
            (Some(callee), None) if has_none(&self.pools, other, to) => callee,
            (None, Some(callee)) if has_none(&self.pools, one, to) => callee,
            _ => return None,
        };
        let mut way = self.way(to);
        let _ = self.call_on_way(callee, &mut way, delivery);
        delivery.rest.is_none().then_some(way.tally)
    }

    #[inline]
    fn way(&self, to: MessageeId) -> Way {
        Way {
            to,
            tally: Tally::default(),
            begun: [self.kept.count(), self.switches.count()],
        }
    }

    /// Calls a component. Breaks if nobody behind it is to be called here.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "two calls are all of such a send")]
    fn call_on_way(
        &self,
        callee: Callee<'_>,
        way: &mut Way,
        delivery: &mut Delivery<'_, '_>,
    ) -> ControlFlow<()> {
        let Callee { route, pool, slot } = callee;
        let Delivery {
            sent,
            message,
            replies,
            ..
        } = delivery;
        let ended = message.call_one(route, pool, slot, sent, replies);
        if ended.1.is_none() && self.is_calm() {
            match ended.0 {
                Some(Verdict::Received) => {
                    way.tally.received += 1;
                    return ControlFlow::Continue(());
                }
                Some(Verdict::NotReceived) => return ControlFlow::Continue(()),
                Some(Verdict::Answered) => {
                    way.tally.received += 1;
                    return match replies {
                        Replies::First(..) => ControlFlow::Break(()),
                        Replies::Ignore | Replies::All(_) => ControlFlow::Continue(()),
                    };
                }
                _ => {}
            }
        }
        let (at, mut tally) = ((pool, slot), way.tally);
        let after = self.finish_plainly(sent, route, at, ended, replies, &mut tally);
        way.tally = tally;
        match after {
            After::NextOne => return ControlFlow::Continue(()),
            After::Nobody => {}
            After::LongWay { called } => self.leave_rest(callee, called, *way, delivery),
        }
        ControlFlow::Break(())
    }

    /// Leaves those from a component on to the long way, with that one itself unless it `was_called`.
    #[cold]
    #[inline(never)]
    fn leave_rest(
        &self,
        callee: Callee<'_>,
        was_called: bool,
        way: Way,
        delivery: &mut Delivery<'_, '_>,
    ) {
        // Of the world, though it asks the messagees alone: handed to it, they take a register of the caller.
        let hook = callee.hook();
        let mut hooks = self.messagees.hooks_of(way.to);
        let passed = hooks.position(|it| Some(it) == hook);
        let [kept, switches] = way.begun;
        delivery.rest = Some(Progress {
            passed: passed.map_or(usize::MAX, |passed| passed + usize::from(was_called)),
            tally: way.tally,
            kept,
            switches,
        });
    }
}
