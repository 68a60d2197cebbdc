//! Messages whose type is not known.
//!
//! A [delivery](super::deliver) is compiled once for all message types: audience, interceptors,
//! subscribers, keeping, tracing. It calls components through these few functions, which are compiled for
//! each type.

use std::any::Any;

use crate::address::MessageeId;
use crate::error::SharedError;
use crate::handler::routes::CellRoute;
use crate::handler::run::{WalkEnd, Walked};
use crate::handler::{Route, Typed};
use crate::message::{AnyMessage, Message};
use crate::send::callee::Callee;
use crate::send::plan::Stops;
use crate::send::verdict::{Ended, FALL_BACK, Verdict};
use crate::send::{Delivery, Sent};
use crate::storage::Pool;
use crate::world::Failures;

/// A message that can be delivered to components.
pub(crate) trait ErasedMessage: AnyMessage {
    /// Calls the next components at the stops of a messagee. Returns `None` if all were called, or how the last call
    /// ended if something follows from that. It is [`FALL_BACK`] if the component was not called, since it needs a
    /// closer look.
    fn to_stops(&mut self, delivery: &mut Delivery<'_>, stops: &mut Stops<'_>) -> Option<Ended>;

    /// Calls a component.
    fn call_one(&mut self, callee: Callee<'_>, sent: &Sent<'_>, replies: &mut Replies<'_>)
    -> Ended;

    /// Calls the enabled components of a pool from a slot on in one loop, by the functions of a route. The
    /// loop may stop early; see [`Walked`].
    fn walk(
        &mut self,
        route: &Route,
        at: (&Pool, usize),
        sent: &Sent<'_>,
        replies: &mut Replies<'_>,
    ) -> Walked;
}

impl<M: Message> ErasedMessage for M {
    // Compiled for each type, so that a stop costs one call, that of the handler's function: W1-two,
    // W8-two.
    fn to_stops(&mut self, delivery: &mut Delivery<'_>, stops: &mut Stops<'_>) -> Option<Ended> {
        let (sent, world) = (delivery.sent, delivery.sent.world);
        let (routes, mut reply) = (M::cell().routes(), None);
        while let Some(stop) = stops.next() {
            let (pool, slot) = stop.at(stops.record, &world.structure);
            let Some(CellRoute { run, .. }) = routes.route(stop.route) else {
                return Some(FALL_BACK);
            };
            if !pool.is_at_hand(slot) {
                return Some(FALL_BACK);
            }
            let ended = run.call(pool, slot, self, sent, &mut reply);
            match ended {
                (Verdict::Received, None) if !world.waiting.kept.any() => {
                    delivery.tally.received += 1;
                }
                (Verdict::NotReceived, None) if !world.waiting.kept.any() => {}
                ended => {
                    if let Some(reply) = reply {
                        let owner = pool.owner(slot as usize);
                        delivery.replies.take(owner, reply);
                    }
                    return Some(ended);
                }
            }
        }
        None
    }

    fn call_one(
        &mut self,
        Callee { route, pool, slot }: Callee<'_>,
        sent: &Sent<'_>,
        replies: &mut Replies<'_>,
    ) -> Ended {
        let known = M::cell().routes().route(route.number);
        let known = known.map(|known| known.run);
        let Some(run) = known.or_else(|| Some(Typed::of_route(route)?.run)) else {
            return FALL_BACK;
        };
        let mut reply = None;
        let ended = run.call(pool, slot, self, sent, &mut reply);
        if let Some(reply) = reply {
            replies.take(pool.owner(slot as usize), reply);
        }
        ended
    }

    fn walk(
        &mut self,
        route: &Route,
        (pool, from): (&Pool, usize),
        sent: &Sent<'_>,
        replies: &mut Replies<'_>,
    ) -> Walked {
        let Some(typed) = Typed::<M>::of_route(route) else {
            let (received, end) = (0, WalkEnd::Through);
            return Walked { received, end };
        };
        let mut reply = None;
        let walked = (typed.walk)(pool, from, self, sent, &mut reply);
        if let Some(reply) = reply
            && let WalkEnd::At(slot, ..) = walked.end
        {
            replies.take(pool.owner(slot), reply);
        }
        walked
    }
}

/// The message of a send.
pub(crate) trait OwnedMessage {
    fn get(&mut self) -> &mut dyn ErasedMessage;

    /// Takes the message to keep it for somebody who receives it later, if that is possible.
    fn take(&mut self) -> Option<Box<dyn ErasedMessage>>;
}

const THERE: &str = "a message is there until its send keeps it";

/// Compiled once.
#[cold]
fn is_taken() -> ! {
    unreachable!("{THERE}")
}

// In a debug build, each method of an option is one more function for each type.
impl<M: Message> OwnedMessage for Option<M> {
    fn get(&mut self) -> &mut dyn ErasedMessage {
        match self {
            Some(message) => message,
            None => is_taken(),
        }
    }

    fn take(&mut self) -> Option<Box<dyn ErasedMessage>> {
        match self.take() {
            Some(message) => Some(Box::new(message)),
            None => None,
        }
    }
}

impl OwnedMessage for Option<Box<dyn ErasedMessage>> {
    fn get(&mut self) -> &mut dyn ErasedMessage {
        self.as_deref_mut().expect(THERE)
    }

    fn take(&mut self) -> Option<Box<dyn ErasedMessage>> {
        self.take()
    }
}

/// A message that goes back to its lender. A clone of it is kept.
pub(crate) struct Lent<'a>(pub(crate) &'a mut dyn ErasedMessage);

impl OwnedMessage for Lent<'_> {
    fn get(&mut self) -> &mut dyn ErasedMessage {
        self.0
    }

    fn take(&mut self) -> Option<Box<dyn ErasedMessage>> {
        Some(self.0.try_clone()?.into_erased().0)
    }
}

/// The place for an answer whose type is not known.
pub(crate) struct AnyReply(pub(crate) Option<Box<dyn Any>>);

/// The policy for answers. `R` is the reply type of the message.
pub(crate) enum Replies<'a> {
    Ignore,
    /// Keep the first answer in an `Option<R>` or an [`AnyReply`] and stop there. Keep the error of the
    /// first handler that fails.
    First(&'a mut dyn Any, &'a mut Option<SharedError>),
    /// Keep all in a `Vec<(MessageeId, R)>`.
    All(&'a mut dyn Any),
}

impl Replies<'_> {
    /// Stores the error of a handler that has just failed.
    #[cold]
    pub(crate) fn take_error(&mut self, failures: &Failures) {
        if let Self::First(_, error @ None) = self {
            **error = failures.last();
        }
    }

    /// Stores an answer.
    #[cold]
    pub(crate) fn take<R: 'static>(&mut self, owner: MessageeId, reply: R) {
        match self {
            Self::Ignore => {}
            Self::First(first, _) => {
                if let Some(first) = first.downcast_mut::<Option<R>>() {
                    *first = Some(reply);
                } else if let Some(first) = first.downcast_mut::<AnyReply>() {
                    first.0 = Some(Box::new(reply));
                }
            }
            Self::All(all) => {
                if let Some(all) = all.downcast_mut::<Vec<(MessageeId, R)>>() {
                    all.push((owner, reply));
                }
            }
        }
    }
}
