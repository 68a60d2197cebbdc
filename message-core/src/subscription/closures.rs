//! The closures of one list of subscriptions. Their type is looked up once for a whole list, not at each call.

use std::any::Any;
use std::cell::Cell;
use std::ops::{ControlFlow, Range};

use crate::message::AnyMessage;
use crate::send::erased::ErasedMessage;
use crate::send::verdict::Verdict;
use crate::send::{Delivery, Sent, Subscribed};
use crate::subscription::listener::{Hear, Subject};
use crate::subscription::record::Subscription;

/// The closures of a list, whose type is not known here.
pub(super) trait Closures: Any + Send {
    /// Hands the message to those subscriptions at some places of the list that hear it. Breaks when nobody else shall
    /// receive the message.
    fn tell(
        &self,
        list: &[u32],
        places: Range<usize>,
        delivery: &mut Delivery<'_>,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()>;

    /// Calls the closure at a place, unless it is running.
    fn call(&self, at: usize, message: &mut dyn AnyMessage, sent: &Sent<'_>) -> Verdict;

    /// Asks the predicate of the closure at a place.
    fn passes(&self, at: usize, message: &dyn AnyMessage) -> bool;

    fn is_running(&self, at: usize) -> bool;

    /// Sets the number of switches from which on the closure at a place can be called with nothing else to ask.
    fn set_at_hand(&self, at: usize, at_hand: u64);

    /// Takes the closure at a place out. The place stays.
    fn take(&mut self, at: usize) -> Option<Box<dyn Any + Send>>;

    /// Drops the places for which `stays` returns `false`, which is asked for each in order.
    fn retain(&mut self, stays: &mut dyn FnMut() -> bool);

    fn shrink_to_fit(&mut self);
}

/// A closure with all that a usual call needs, so that the record of its subscription is not read: W7.
struct Ear<S: ?Sized> {
    /// Absent if it was taken out.
    closure: Option<Box<dyn Hear<S>>>,
    subscribed: Subscribed,
    /// The number of [switches](crate::structure::Switches) from which on the closure can be called with nothing else to
    /// ask.
    at_hand: Cell<u64>,
    /// `true` if it counts as a receiver of a message that goes on.
    counts: bool,
}

pub(super) struct Typed<S: ?Sized>(Vec<Ear<S>>);

impl<S: Subject + ?Sized> Typed<S> {
    /// Adds the closure of a subscription to those of a list, which are all of one type.
    pub(super) fn push(
        closures: &mut Option<Box<dyn Closures>>,
        it: &Subscription,
        closure: Box<dyn Hear<S>>,
    ) {
        let closures = closures.get_or_insert_with(|| Box::new(Self(Vec::new())));
        let closures = &mut **closures as &mut dyn Any;
        let Self(typed) = closures
            .downcast_mut()
            .expect("the closures of a list are of one type");
        if typed.is_empty() {
            // Most lists of those that ask for one recipient have one subscription.
            typed.reserve_exact(1);
        }
        typed.push(Ear {
            closure: Some(closure),
            subscribed: it.subscribed,
            at_hand: it.at_hand().into(),
            counts: it.counts(),
        });
    }

    fn closure(&self, at: usize) -> Option<&dyn Hear<S>> {
        self.0.get(at)?.closure.as_deref()
    }
}

impl<S: Subject + ?Sized> Closures for Typed<S> {
    fn tell(
        &self,
        list: &[u32],
        places: Range<usize>,
        delivery: &mut Delivery<'_>,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<()> {
        let sent = delivery.sent;
        let (subscriptions, kept) = (&sent.world.listen.subscriptions, &sent.world.waiting.kept);
        // None is at hand where calls are traced or caught.
        let is_clear = subscriptions.is_clear();
        let at_hand = if is_clear { delivery.begun + 1 } else { 0 };
        let (list, mut ears) = (&list[places.clone()], self.0[places].iter());
        loop {
            let typed = S::change(message);
            let mut received = 0;
            let mut unusual = None;
            for ear in &mut ears {
                if ear.at_hand.get() >= at_hand {
                    unusual = Some(None);
                    break;
                }
                let Some(closure) = &ear.closure else {
                    continue;
                };
                let verdict = closure.call(typed, sent, &ear.subscribed);
                if verdict != Verdict::Received || kept.any() {
                    unusual = Some(Some(verdict));
                    break;
                }
                received += usize::from(ear.counts);
            }
            delivery.tally.received += received;
            let Some(called) = unusual else {
                return ControlFlow::Continue(());
            };
            let record = list[list.len() - ears.len() - 1];
            match (subscriptions.at(record as usize), called) {
                (Some(it), Some(verdict)) => delivery.follow_listener(it, verdict),
                (Some(it), None) if it.hears(sent, delivery.begun) => {
                    delivery.tell_closely(it, self, message)
                }
                _ => ControlFlow::Continue(()),
            }?;
        }
    }

    fn call(&self, at: usize, message: &mut dyn AnyMessage, sent: &Sent<'_>) -> Verdict {
        match &self.0[at].closure {
            Some(closure) => closure.call(S::change(message), sent, &self.0[at].subscribed),
            None => Verdict::NotReceived,
        }
    }

    fn passes(&self, at: usize, message: &dyn AnyMessage) -> bool {
        self.closure(at)
            .is_some_and(|closure| closure.passes(S::read(message)))
    }

    fn is_running(&self, at: usize) -> bool {
        self.closure(at).is_some_and(Hear::is_running)
    }

    fn set_at_hand(&self, at: usize, at_hand: u64) {
        self.0[at].at_hand.set(at_hand);
    }

    fn take(&mut self, at: usize) -> Option<Box<dyn Any + Send>> {
        let closure: Box<dyn Hear<S>> = self.0[at].closure.take()?;
        Some(closure)
    }

    fn retain(&mut self, stays: &mut dyn FnMut() -> bool) {
        self.0.retain(|_| stays());
    }

    fn shrink_to_fit(&mut self) {
        self.0.shrink_to_fit();
    }
}
