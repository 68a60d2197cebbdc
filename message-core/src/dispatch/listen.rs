//! Subscribers: the one place where their closures are called is [`World::call_listener`].

use std::iter::Peekable;
use std::ops::ControlFlow;
use std::slice::Iter;

use crate::address::SubscriptionId;
use crate::dispatch::attend::{Heard, attend_listener};
use crate::dispatch::call::{Call, Frame, Sent, Spot, Staging};
use crate::dispatch::{Context, SubscriberContext};
use crate::message::{Message, MessageIndex};
use crate::subscription::{Judgement, Subscriber};
use crate::world::World;

/// A subscriber of one list or the other: of those that listen to one type, or to all.
enum Either<T, A> {
    OfType(T),
    OfAny(A),
}

/// The subscribers of two lists, in the order subscribed.
struct Merged<'l, T: ?Sized, A: ?Sized> {
    typed: Peekable<Iter<'l, Subscriber<T>>>,
    any: Peekable<Iter<'l, Subscriber<A>>>,
}

impl<'l, T: ?Sized, A: ?Sized> Merged<'l, T, A> {
    fn new(typed: &'l [Subscriber<T>], any: &'l [Subscriber<A>]) -> Self {
        Self {
            typed: typed.iter().peekable(),
            any: any.iter().peekable(),
        }
    }
}

impl<'l, T: ?Sized, A: ?Sized> Iterator for Merged<'l, T, A> {
    type Item = Either<&'l Subscriber<T>, &'l Subscriber<A>>;

    fn next(&mut self) -> Option<Self::Item> {
        let typed = self.typed.peek().map(|subscriber| subscriber.number);
        let any = self.any.peek().map(|subscriber| subscriber.number);
        if any.is_none() || typed.is_some_and(|typed| Some(typed) < any) {
            self.typed.next().map(Either::OfType)
        } else {
            self.any.next().map(Either::OfAny)
        }
    }
}

impl World {
    /// Runs the interceptors of a message. Breaks when nobody else shall receive it now: one of
    /// them has consumed it, or is busy.
    pub(super) fn intercept<M: Message>(
        &self,
        of: MessageIndex,
        call: &mut Call<'_, M::Reply>,
        message: &mut M,
    ) -> ControlFlow<()> {
        let any = &self.subscriptions.to_any().before;
        let typed = self.subscriptions.to_type::<M>(of);
        let typed = typed.map_or(&[][..], |typed| &typed.before);
        Merged::new(typed, any).try_for_each(|subscriber| match subscriber {
            Either::OfType(subscriber) => {
                self.intercept_by(subscriber, call, |before, cx| before(message, cx))
            }
            Either::OfAny(subscriber) => {
                self.intercept_by(subscriber, call, |before, cx| before(message, cx))
            }
        })
    }

    fn intercept_by<F: ?Sized, R>(
        &self,
        subscriber: &Subscriber<F>,
        call: &mut Call<'_, R>,
        run: impl FnOnce(&mut F, &mut SubscriberContext<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let resumed = call.sent.resumed;
        if resumed.is_some_and(|resumed| subscriber.number < resumed.intercepted)
            || (!subscriber.is_plain() && subscriber.judge(call.sent) == Judgement::Pass)
        {
            return ControlFlow::Continue(());
        }
        match self.call_listener(subscriber, call.sent, run) {
            None => {
                let busy = (Spot::subscription(subscriber.id()), subscriber.number);
                call.waiting().intercepting = Some(busy);
                ControlFlow::Break(())
            }
            Some(ControlFlow::Continue(())) => ControlFlow::Continue(()),
            Some(ControlFlow::Break(())) => {
                call.tally.consumed = true;
                call.tally.received += usize::from(!subscriber.is_hidden());
                ControlFlow::Break(())
            }
        }
    }

    /// Tells the subscribers of a message that the addressed have received.
    pub(super) fn tell_listeners<M: Message>(
        &self,
        of: MessageIndex,
        call: &mut Call<'_, M::Reply>,
        message: &M,
    ) {
        let any = &self.subscriptions.to_any().after;
        let typed = self.subscriptions.to_type::<M>(of);
        let typed = typed.map_or(&[][..], |typed| &typed.after);
        if any.is_empty() && !self.is_attended() {
            // Counted apart from the call, which is elsewhere in memory.
            let mut received = 0;
            for subscriber in typed {
                if subscriber.is_plain()
                    && self
                        .call_plain(subscriber, call.sent, |after, cx| after(message, cx))
                        .is_some()
                {
                    received += 1;
                } else {
                    self.notify(subscriber, call, |after, cx| after(message, cx));
                }
            }
            call.tally.received += received;
            return;
        }
        for subscriber in Merged::new(typed, any) {
            match subscriber {
                Either::OfType(subscriber) => {
                    self.notify(subscriber, call, |after, cx| after(message, cx));
                }
                Either::OfAny(subscriber) => {
                    self.notify(subscriber, call, |after, cx| after(message, cx));
                }
            }
        }
    }

    fn notify<F: ?Sized, R>(
        &self,
        subscriber: &Subscriber<F>,
        call: &mut Call<'_, R>,
        run: impl FnOnce(&mut F, &mut SubscriberContext<'_>),
    ) {
        let mut counts = true;
        if !subscriber.is_plain() {
            match subscriber.judge(call.sent) {
                Judgement::Pass => return,
                Judgement::Hear => counts = !subscriber.is_hidden(),
                Judgement::HearIn(stage) => {
                    call.waiting().staged.push(Staging {
                        spot: Spot::subscription(subscriber.id()),
                        stage,
                        counts: !subscriber.is_hidden(),
                    });
                    return;
                }
            }
        }
        if self.call_listener(subscriber, call.sent, run).is_some() {
            call.tally.received += usize::from(counts);
        } else {
            let waiting = call.waiting();
            waiting.hidden += usize::from(!counts);
            waiting.busy.push(Spot::subscription(subscriber.id()));
        }
    }

    /// Calls a subscriber's closure, unless it is running already.
    fn call_listener<F: ?Sized, T: Heard>(
        &self,
        subscriber: &Subscriber<F>,
        sent: &Sent<'_>,
        run: impl FnOnce(&mut F, &mut SubscriberContext<'_>) -> T,
    ) -> Option<T> {
        self.call_plain(subscriber, sent, |closure, cx| {
            if !subscriber.is_plain() && subscriber.use_up() {
                self.remove_later(subscriber.id());
            }
            if self.is_attended() {
                attend_listener(subscriber, sent, || run(closure, cx))
            } else {
                run(closure, cx)
            }
        })
    }

    /// As [`call_listener`](Self::call_listener), a subscriber that is plain, unattended.
    #[inline]
    fn call_plain<F: ?Sized, T>(
        &self,
        subscriber: &Subscriber<F>,
        sent: &Sent<'_>,
        run: impl FnOnce(&mut F, &mut SubscriberContext<'_>) -> T,
    ) -> Option<T> {
        let mut closure = subscriber.closure.try_borrow_mut().ok()?;
        let frame = Frame::of_subscription(sent, subscriber.subscribed);
        let returned = run(&mut **closure, &mut Context::new(frame));
        drop(closure);
        if self.kept.any() {
            self.deliver_kept(sent.parent, Spot::subscription(subscriber.id()));
        }
        Some(returned)
    }

    /// Removes a subscription that has received all that it wanted.
    fn remove_later(&self, id: SubscriptionId) {
        self.later(move |world| {
            // Whoever has ended it meanwhile removes it: it may have panicked.
            if !world.subscriptions.has_ended(id) {
                drop(world.subscriptions.remove(id));
            }
        });
    }

    /// A subscriber that would receive a message now and is running already.
    pub(super) fn find_busy_listener<M: Message>(
        &self,
        of: MessageIndex,
        sent: &Sent<'_>,
    ) -> Option<Spot> {
        fn find<F: ?Sized>(list: &[Subscriber<F>], sent: &Sent<'_>) -> Option<Spot> {
            let mut list = list.iter();
            let busy = list.find(|subscriber| {
                subscriber.is_busy() && subscriber.judge(sent) == Judgement::Hear
            });
            busy.map(|subscriber| Spot::subscription(subscriber.id()))
        }
        let any = self.subscriptions.to_any();
        let typed = self.subscriptions.to_type::<M>(of);
        typed
            .and_then(|typed| find(&typed.before, sent).or_else(|| find(&typed.after, sent)))
            .or_else(|| find(&any.before, sent))
            .or_else(|| find(&any.after, sent))
    }

    /// Whether a subscriber that counts as a receiver could have received the message: one to its
    /// type, whatever its filter, or one to all types whose filter it passes.
    pub(super) fn has_listener<M: Message>(&self, sent: &Sent<'_>) -> bool {
        fn any_counts<F: ?Sized>(list: &[Subscriber<F>]) -> bool {
            list.iter().any(|subscriber| !subscriber.is_hidden())
        }
        let any = self.subscriptions.to_any();
        let typed = M::index().and_then(|of| self.subscriptions.to_type::<M>(of));
        count(&any.before, sent) + count(&any.after, sent) > 0
            || typed.is_some_and(|typed| any_counts(&typed.before) || any_counts(&typed.after))
    }

    /// How many subscribers that count as receivers would receive the message.
    pub(super) fn count_listeners<M: Message>(&self, sent: &Sent<'_>) -> usize {
        let typed = M::index().and_then(|of| self.subscriptions.to_type::<M>(of));
        count(&self.subscriptions.to_any().after, sent)
            + typed.map_or(0, |typed| count(&typed.after, sent))
    }

    /// Delivers a message that was kept for a subscriber, or retained before it subscribed: then
    /// it is one of those it may pass.
    pub(super) fn tell_kept<M: Message>(
        &self,
        sent: &Sent<'_>,
        at: usize,
        message: &M,
        retained: bool,
    ) {
        let Some(listed) = self.subscriptions.listed(at) else {
            return;
        };
        let id = listed.id();
        if listed.message().is_some() {
            let Some(of) = M::index() else { return };
            let typed = self.subscriptions.to_type::<M>(of);
            let mut typed = typed.into_iter().flat_map(|typed| &typed.after);
            if let Some(subscriber) = typed.find(|subscriber| subscriber.id() == id) {
                self.tell_one(subscriber, sent, retained, |after, cx| after(message, cx));
            }
        } else {
            let mut any = self.subscriptions.to_any().after.iter();
            if let Some(subscriber) = any.find(|subscriber| subscriber.id() == id) {
                self.tell_one(subscriber, sent, retained, |after, cx| after(message, cx));
            }
        }
    }

    fn tell_one<F: ?Sized>(
        &self,
        subscriber: &Subscriber<F>,
        sent: &Sent<'_>,
        retained: bool,
        run: impl FnOnce(&mut F, &mut SubscriberContext<'_>),
    ) {
        let hears = if retained {
            subscriber.judge(sent) != Judgement::Pass
        } else {
            subscriber.still_hears()
        };
        if hears {
            // Whoever calls this has made sure that it is free.
            let _ = self.call_listener(subscriber, sent, run);
        }
    }

    /// Whether the component or the subscriber is running.
    pub(super) fn is_running(&self, spot: Spot) -> bool {
        match spot.as_subscription() {
            None => self.pool(spot.component).is_busy(spot.slot as usize, false),
            Some(at) => self.subscriptions.is_running(at),
        }
    }
}

/// How many of a list count as receivers, and would receive the message.
fn count<F: ?Sized>(list: &[Subscriber<F>], sent: &Sent<'_>) -> usize {
    let hears = |subscriber: &&Subscriber<F>| {
        !subscriber.is_hidden() && subscriber.judge(sent) != Judgement::Pass
    };
    list.iter().filter(hears).count()
}
