//! Random subscriptions, compared with a list that is searched from end to end: who hears what, in
//! which order, and what counts as received.

mod naive;

use std::ops::ControlFlow;
use std::sync::{Arc, Mutex, PoisonError};

use crate::common::Log;
use message_core::Recipient::Me;
use message_core::prelude::*;
use message_core::{AnyMessage, subscription::Listen};
use message_core::{Group, Mnemonic, SubscriptionId};
use naive::{Kind, Model, Naive, Sending, State};

mnemonic!(SUN, MOON);
group!(STARS, STONES);
tag!(LOUD);

const MNEMONICS: [Mnemonic; 2] = [SUN, MOON];
const GROUPS: [Group; 2] = [STARS, STONES];

#[derive(Message, Debug, Clone)]
#[message(tags(LOUD))]
struct Ping;

#[derive(Message, Debug, Clone)]
struct Pong;

/// The subscription that the next subscriber that runs shall end.
type ToEnd = Arc<Mutex<Option<SubscriptionId>>>;

/// Returns a filter on the terms of a subscription of the model.
fn filter<S: ?Sized>(mut filter: Filter<S>, it: &Naive) -> Filter<S> {
    if let Some(from) = it.from {
        filter = filter.from(from);
    }
    if let Some(to) = it.to {
        filter = filter.to(to);
    }
    if it.loud {
        filter = filter.tagged(LOUD);
    }
    if it.hidden {
        filter = filter.hidden();
    }
    if it.once {
        filter = filter.once();
    }
    if it.staged {
        filter = filter.stage(Stage::Update);
    }
    if it.retained {
        filter = filter.with_retained();
    }
    filter
}

fn kind_of(message: &dyn AnyMessage) -> Kind {
    if message.downcast_ref::<Ping>().is_some() {
        Kind::Ping
    } else if message.downcast_ref::<Pong>().is_some() {
        Kind::Pong
    } else {
        Kind::Other
    }
}

fn subscribe(
    manager: &mut MessageManager,
    it: &Naive,
    log: &Log,
    to_end: &ToEnd,
) -> SubscriptionId {
    fn enter<F: Send + 'static>(
        manager: &mut MessageManager,
        owner: Option<MessageeId>,
        filter: impl Listen<F>,
        closure: F,
    ) -> SubscriptionId {
        match owner {
            Some(owner) => {
                let made = manager.subscribe_for(owner, filter, closure);
                made.expect("the owner is alive")
            }
            None => manager.subscribe(filter, closure),
        }
    }
    let (label, consumes, owner) = (it.label, it.before.unwrap_or(false), it.owner);
    let (log, to_end) = (log.clone(), Arc::clone(to_end));
    let run = move |kind: Kind, cx: &mut SubscriberContext<'_>| {
        log.add(format!("{label} {kind:?}"));
        let end = to_end.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(end) = end {
            log.add(format!("ended: {}", cx.unsubscribe(end)));
        }
        if consumes {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let intercepts = it.before.is_some();
    match it.kind {
        Some(Kind::Ping) => {
            let filter = filter(Filter::of::<Ping>(), it);
            if intercepts {
                let filter = filter.before();
                enter(manager, owner, filter, move |_: &mut Ping, cx| {
                    run(Kind::Ping, cx)
                })
            } else {
                let hear = move |_: &Ping, cx: &mut SubscriberContext<'_>| {
                    let _ = run(Kind::Ping, cx);
                };
                enter(manager, owner, filter, hear)
            }
        }
        Some(_) => {
            let filter = filter(Filter::of::<Pong>(), it);
            if intercepts {
                let intercept =
                    move |_: &mut Pong, cx: &mut SubscriberContext<'_>| run(Kind::Pong, cx);
                enter(manager, owner, filter.before(), intercept)
            } else {
                let hear = move |_: &Pong, cx: &mut SubscriberContext<'_>| {
                    let _ = run(Kind::Pong, cx);
                };
                enter(manager, owner, filter, hear)
            }
        }
        None => {
            let filter = filter(Filter::all(), it);
            if intercepts {
                let intercept =
                    move |message: &mut dyn AnyMessage, cx: &mut SubscriberContext<'_>| {
                        run(kind_of(message), cx)
                    };
                enter(manager, owner, filter.before(), intercept)
            } else {
                let hear = move |message: &dyn AnyMessage, cx: &mut SubscriberContext<'_>| {
                    let _ = run(kind_of(message), cx);
                };
                enter(manager, owner, filter, hear)
            }
        }
    }
}

struct Run {
    manager: MessageManager,
    model: Model,
    log: Log,
    to_end: ToEnd,
    ended: Vec<SubscriptionId>,
}

impl Run {
    fn new(seed: u64) -> Self {
        Self {
            manager: MessageManager::new(),
            model: Model::new(seed),
            log: Log::default(),
            to_end: ToEnd::default(),
            ended: Vec::new(),
        }
    }

    fn step(&mut self) {
        match self.model.random.below(20) {
            0 => self.model.alive.push(self.manager.spawn(())),
            1 => self.despawn(),
            2 => self.bind(),
            3..=7 if self.model.subscriptions.len() < 40 => self.subscribe(),
            8..=9 => self.unsubscribe(),
            10 => {
                self.manager.run_stage(Stage::Update);
                self.model.run_stage();
            }
            _ => self.send(),
        }
        let heard = self.log.take();
        assert_eq!(heard, std::mem::take(&mut self.model.expected));
        *self.to_end.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.model.ends = None;
    }

    fn despawn(&mut self) {
        let Some(id) = self.model.anybody() else {
            return;
        };
        self.manager.despawn(id).expect("it is alive");
        let model = &mut self.model;
        for it in &mut model.subscriptions {
            if it.owner == Some(id) {
                it.state = State::Ended;
            }
        }
        model.deliver(&Sending {
            kind: Kind::Other,
            sender: Sender::Manager,
            to: id.into(),
        });
        model.settle();
        model.alive.retain(|it| *it != id);
        for bound in &mut model.bound {
            bound.take_if(|bound| *bound == id);
        }
        let goes = |to: &Recipient| [id.into(), Up(id), Down(id)].contains(to);
        model
            .retained
            .retain(|it| !(goes(&it.to) || it.to == Me && it.sender.id() == Some(id)));
    }

    fn bind(&mut self) {
        let at = self.model.random.below(MNEMONICS.len());
        let mnemonic = MNEMONICS[at];
        match (self.model.bound[at], self.model.anybody()) {
            (Some(id), _) => {
                assert_eq!(self.manager.unbind(mnemonic, id), Ok(()));
                self.model.bound[at] = None;
            }
            (None, Some(id)) => {
                assert_eq!(self.manager.bind(mnemonic, id), Ok(()));
                self.model.bound[at] = Some(id);
            }
            (None, None) => {}
        }
    }

    fn subscribe(&mut self) {
        let mut it = self.model.some_subscription();
        let id = subscribe(&mut self.manager, &it, &self.log, &self.to_end);
        it.id = Some(id);
        let model = &mut self.model;
        model.subscriptions.push(it.clone());
        let at = model.subscriptions.len() - 1;
        if it.retained {
            for sending in model.retained.clone() {
                if model.passes(&model.subscriptions[at], &sending) {
                    model.call(at, sending.kind);
                }
            }
        }
        model.settle();
        self.ended.push(id);
    }

    /// Returns a subscription that was made at any time.
    fn some_id(&mut self) -> Option<SubscriptionId> {
        let model = &mut self.model;
        let listed = model.subscriptions.len();
        let (of, count) = if model.random.one_in(5) || listed == 0 {
            (None, self.ended.len())
        } else {
            (Some(()), listed)
        };
        if count == 0 {
            return None;
        }
        let at = model.random.below(count);
        of.map_or(Some(self.ended[at]), |()| model.subscriptions[at].id)
    }

    fn unsubscribe(&mut self) {
        if let Some(id) = self.some_id() {
            assert_eq!(self.manager.unsubscribe(id), self.model.end(id));
            self.model.settle();
        }
    }

    fn send(&mut self) {
        let sending = Sending {
            kind: self.model.some_kind(),
            sender: self.model.some_sender(),
            to: self.model.some_recipient(),
        };
        if self.model.random.one_in(4) {
            let end = self.some_id();
            *self.to_end.lock().unwrap_or_else(PoisonError::into_inner) = end;
            self.model.ends = end;
        }
        let retains = self.model.random.one_in(6);
        let sent = self.send_real(&sending, retains);
        if !self.model.can_be_sent(&sending) {
            assert_eq!(sent, None, "{sending:?}");
            return;
        }
        let (received, pending, intercepted) = self.model.deliver(&sending);
        let expected = if retains { (0, 0) } else { (received, pending) };
        assert_eq!(sent, Some(expected), "{sending:?}");
        let model = &mut self.model;
        model.settle();
        if retains && !intercepted {
            let own = |it: &Sending| match (it.to, it.sender) {
                (Me, Sender::Messagee(id)) => id.into(),
                (to, _) => to,
            };
            let same = |it: &Sending| it.kind == sending.kind && own(it) == own(&sending);
            model.retained.retain(|it| !same(it));
            model.retained.push(sending);
        }
    }

    /// Returns how many have received it and how many will, if that is known; `None` after an error.
    fn send_real(&mut self, sending: &Sending, retains: bool) -> Option<(usize, usize)> {
        let Sending { kind, sender, to } = *sending;
        if retains {
            let header = Header::to(to).retain().build().expect("it is whole");
            let posted = match (sender.id(), kind) {
                (Some(id), Kind::Ping) => self.manager.speak_for(id).ok()?.post(&header, Ping),
                (Some(id), _) => self.manager.speak_for(id).ok()?.post(&header, Pong),
                (None, Kind::Ping) => self.manager.post(&header, Ping),
                (None, _) => self.manager.post(&header, Pong),
            };
            return posted.ok().map(|_| (0, 0));
        }
        let sent = match (sender.id(), kind) {
            (Some(id), Kind::Ping) => self.manager.speak_for(id).ok()?.send(to, Ping),
            (Some(id), _) => self.manager.speak_for(id).ok()?.send(to, Pong),
            (None, Kind::Ping) => self.manager.send(to, Ping),
            (None, _) => self.manager.send(to, Pong),
        };
        let receipt = sent.ok()?;
        Some((receipt.received as usize, receipt.pending.into()))
    }
}

// holds: subscriptions.every-message, subscriptions.order, subscriptions.filter-all, subscriptions.to-id,
// subscriptions.failed-unheard, subscriptions.hidden, subscriptions.once, subscriptions.stage, subscriptions.before,
// subscriptions.before-counts, subscriptions.ended-in-handler, subscriptions.retain, subscriptions.with-retained,
// messagees.despawn-ends
#[test]
fn a_subscription_receives_what_passes_its_filter_in_the_order_subscribed_across_all_of_them() {
    for seed in 1..=150 {
        let mut run = Run::new(u64::wrapping_mul(seed, 0x9e37_79b9_7f4a_7c15));
        for _ in 0..400 {
            run.step();
        }
    }
}
