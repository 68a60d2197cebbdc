//! The closures of one list of subscriptions. Their type is looked up once for a whole list, not at each call.

use std::any::Any;
use std::ops::ControlFlow;

use crate::message::AnyMessage;
use crate::send::erased::ErasedMessage;
use crate::send::verdict::Verdict;
use crate::send::{Delivery, Sent, Subscribed};
use crate::subscription::listener::{Hear, Overhearer, Subject};

/// The closures of a list, whose type is not known here.
pub(super) trait Closures: Any + Send {
    /// Hands the message to the subscriptions of the list that hear it, from a place on and up to the subscription with
    /// a number. Returns the place of that, and breaks when nobody else shall receive the message.
    fn tell(
        &self,
        list: &[u32],
        range: (usize, u64),
        delivery: &mut Delivery<'_>,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<(), usize>;

    /// Calls the closure at a place, unless it is running.
    fn call(
        &self,
        at: usize,
        message: &mut dyn AnyMessage,
        sent: &Sent<'_>,
        subscribed: &Subscribed,
    ) -> Verdict;

    /// Asks the predicate of the closure at a place.
    fn passes(&self, at: usize, message: &dyn AnyMessage) -> bool;

    fn is_running(&self, at: usize) -> bool;

    /// Returns the number of places.
    fn len(&self) -> usize;

    /// Adds a place without a closure.
    fn push_none(&mut self);

    /// Takes the closure at a place out. The place stays.
    fn take(&mut self, at: usize) -> Box<dyn Any + Send>;

    /// Drops the places for which `stays` returns `false`, which is asked for each in order.
    fn retain(&mut self, stays: &mut dyn FnMut() -> bool);

    fn shrink_to_fit(&mut self);
}

pub(super) struct Typed<S: ?Sized>(Vec<Box<dyn Hear<S>>>);

impl<S: ?Sized> Default for Typed<S> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<S: Subject + ?Sized> Typed<S> {
    /// Adds a closure to those of a list. They become closures of its type with the first one: up to then, the places
    /// of the list are without closures.
    pub(super) fn push(closures: &mut Option<Box<dyn Closures>>, closure: Box<dyn Hear<S>>) {
        let closures = closures.get_or_insert_with(|| Box::new(Self::default()));
        let any = &mut **closures as &mut dyn Any;
        if let Some(Self(typed)) = any.downcast_mut() {
            return typed.push(closure);
        }
        let mut typed = Self::default();
        (0..closures.len()).for_each(|_| typed.push_none());
        typed.0.push(closure);
        *closures = Box::new(typed);
    }
}

impl<S: Subject + ?Sized> Closures for Typed<S> {
    fn tell(
        &self,
        list: &[u32],
        (from, until): (usize, u64),
        delivery: &mut Delivery<'_>,
        message: &mut dyn ErasedMessage,
    ) -> ControlFlow<(), usize> {
        let (sent, begun) = (delivery.sent, delivery.begun);
        let (subscriptions, kept) = (&sent.world.listen.subscriptions, &sent.world.waiting.kept);
        let (records, end) = (
            subscriptions.records(),
            subscriptions.end_in(list, from, until),
        );
        // None is at hand where calls are traced or caught.
        let instrumented = delivery.traced || delivery.catches;
        let at_hand = if instrumented { 0 } else { begun + 1 };
        let mut at = from;
        loop {
            let typed = S::change(message);
            let mut received = 0;
            let unusual = 'plain: {
                for (&record, closure) in list[at..end].iter().zip(&self.0[at..end]) {
                    at += 1;
                    let Some(Some(it)) = records.get(record as usize) else {
                        continue;
                    };
                    if it.at_hand() < at_hand {
                        let verdict = closure.call(typed, sent, &it.subscribed);
                        if verdict != Verdict::Received || kept.any() {
                            break 'plain Some((it, Some(verdict)));
                        }
                        received += usize::from(it.counts());
                    } else if it.hears(sent, begun) {
                        break 'plain Some((it, None));
                    }
                }
                None
            };
            delivery.tally.received += received;
            match unusual {
                None => return ControlFlow::Continue(end),
                Some((it, Some(verdict))) => delivery.follow_listener(it, verdict),
                Some((it, None)) => delivery.tell_closely(it, self, message),
            }?;
        }
    }

    fn call(
        &self,
        at: usize,
        message: &mut dyn AnyMessage,
        sent: &Sent<'_>,
        subscribed: &Subscribed,
    ) -> Verdict {
        self.0[at].call(S::change(message), sent, subscribed)
    }

    fn passes(&self, at: usize, message: &dyn AnyMessage) -> bool {
        self.0[at].passes(S::read(message))
    }

    fn is_running(&self, at: usize) -> bool {
        self.0[at].is_running()
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn push_none(&mut self) {
        self.0.push(Box::new(Overhearer(())));
    }

    fn take(&mut self, at: usize) -> Box<dyn Any + Send> {
        let none: Box<dyn Hear<S>> = Box::new(Overhearer(()));
        let closure: Box<dyn Hear<S>> = std::mem::replace(&mut self.0[at], none);
        closure
    }

    fn retain(&mut self, stays: &mut dyn FnMut() -> bool) {
        self.0.retain(|_| stays());
    }

    fn shrink_to_fit(&mut self) {
        self.0.shrink_to_fit();
    }
}
