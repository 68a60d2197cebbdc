//! The naive model: the subscriptions in a list that is searched from end to end.

use message_core::Recipient::{EveryoneElse, Me};
use message_core::SubscriptionId;
use message_core::prelude::*;

use super::{GROUPS, MNEMONICS};

/// The type of a message, as the model sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Ping,
    Pong,
    /// One of the manager's own.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    Live,
    /// It waits for the one message that it receives.
    Last,
    Ended,
}

/// A subscription of the model.
#[allow(
    clippy::struct_excessive_bools,
    reason = "the terms of a filter, each as it was drawn"
)]
#[derive(Clone, Debug)]
pub(crate) struct Naive {
    pub(crate) label: usize,
    pub(crate) id: Option<SubscriptionId>,
    pub(crate) owner: Option<MessageeId>,
    /// The type that it listens to; `None` for one that listens to all.
    pub(crate) kind: Option<Kind>,
    pub(crate) from: Option<Sender>,
    pub(crate) to: Option<Recipient>,
    pub(crate) loud: bool,
    pub(crate) hidden: bool,
    pub(crate) once: bool,
    pub(crate) staged: bool,
    pub(crate) retained: bool,
    /// If it is an interceptor, whether it consumes.
    pub(crate) before: Option<bool>,
    pub(crate) state: State,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Sending {
    pub(crate) kind: Kind,
    pub(crate) sender: Sender,
    pub(crate) to: Recipient,
}

/// A small generator of random numbers: xorshift.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits fit") % end
    }

    pub(crate) fn one_in(&mut self, end: usize) -> bool {
        self.below(end) == 0
    }
}

pub(crate) struct Model {
    pub(crate) random: Random,
    pub(crate) alive: Vec<MessageeId>,
    pub(crate) bound: [Option<MessageeId>; MNEMONICS.len()],
    pub(crate) subscriptions: Vec<Naive>,
    /// The deliveries that wait for `Update`, in order: the subscription's label, and the message.
    pub(crate) staged: Vec<(usize, Kind)>,
    pub(crate) retained: Vec<Sending>,
    pub(crate) labels: usize,
    pub(crate) expected: Vec<String>,
    pub(crate) ends: Option<SubscriptionId>,
}

impl Model {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            random: Random(seed),
            alive: Vec::new(),
            bound: [None; MNEMONICS.len()],
            subscriptions: Vec::new(),
            staged: Vec::new(),
            retained: Vec::new(),
            labels: 0,
            expected: Vec::new(),
            ends: None,
        }
    }

    pub(crate) fn resolve(&self, to: Recipient, sender: Sender) -> Recipient {
        let id = match (to, sender) {
            (Me, Sender::Messagee(id)) => Some(id),
            (Recipient::Mnemonic(mnemonic), _) => {
                let at = MNEMONICS.iter().position(|it| *it == mnemonic);
                self.bound[at.expect("it is one of them")]
            }
            _ => None,
        };
        id.map_or(to, Recipient::Id)
    }

    pub(crate) fn passes(&self, it: &Naive, sending: &Sending) -> bool {
        let Sending { kind, sender, to } = *sending;
        it.state == State::Live
            && it.kind.is_none_or(|it| it == kind)
            && it.from.is_none_or(|from| from == sender)
            && (!it.loud || kind == Kind::Ping)
            && it
                .to
                .is_none_or(|it| self.resolve(it, sender) == self.resolve(to, sender))
    }

    pub(crate) fn can_be_sent(&self, sending: &Sending) -> bool {
        match sending.to {
            Me | EveryoneElse => sending.sender.id().is_some(),
            Recipient::Id(id) | Recipient::Up(id) | Recipient::Down(id) => self.alive.contains(&id),
            to @ Recipient::Mnemonic(_) => self.resolve(to, sending.sender) != to,
            _ => true,
        }
    }

    /// Calls the subscription at that index.
    pub(crate) fn call(&mut self, at: usize, kind: Kind) {
        let it = &mut self.subscriptions[at];
        self.expected.push(format!("{} {kind:?}", it.label));
        if it.once {
            it.state = State::Ended;
        }
        if let Some(id) = self.ends.take() {
            let ended = self.end(id);
            self.expected.push(format!("ended: {ended}"));
        }
    }

    pub(crate) fn end(&mut self, id: SubscriptionId) -> bool {
        let it = self.subscriptions.iter_mut().find(|it| it.id == Some(id));
        it.is_some_and(|it| std::mem::replace(&mut it.state, State::Ended) != State::Ended)
    }

    pub(crate) fn settle(&mut self) {
        self.subscriptions.retain(|it| it.state != State::Ended);
    }

    /// Delivers a message. How many have received it and how many will, and whether it was
    /// intercepted.
    pub(crate) fn deliver(&mut self, sending: &Sending) -> (usize, usize, bool) {
        let mut received = 0;
        for at in 0..self.subscriptions.len() {
            let it = self.subscriptions[at].clone();
            let Some(consumes) = it.before else { continue };
            if self.passes(&it, sending) {
                self.call(at, sending.kind);
                if consumes {
                    return (usize::from(!it.hidden), 0, true);
                }
            }
        }
        let mut waiting = Vec::new();
        for at in 0..self.subscriptions.len() {
            let it = self.subscriptions[at].clone();
            if it.before.is_none() && self.passes(&it, sending) {
                if it.staged {
                    waiting.push(at);
                } else {
                    self.call(at, sending.kind);
                    received += usize::from(!it.hidden);
                }
            }
        }
        let mut pending = 0;
        for at in waiting {
            let it = &mut self.subscriptions[at];
            if it.state != State::Live {
                // It has ended meanwhile, or waits for the one message that it wanted.
                continue;
            }
            if it.once {
                it.state = State::Last;
            }
            pending += usize::from(!it.hidden);
            self.staged.push((it.label, sending.kind));
        }
        (received, pending, false)
    }

    pub(crate) fn run_stage(&mut self) {
        for (label, kind) in std::mem::take(&mut self.staged) {
            let mut subscriptions = self.subscriptions.iter();
            let at = subscriptions.position(|it| it.label == label && it.state != State::Ended);
            if let Some(at) = at {
                self.call(at, kind);
            }
            self.settle();
        }
    }

    pub(crate) fn anybody(&mut self) -> Option<MessageeId> {
        let count = self.alive.len();
        (count > 0).then(|| self.alive[self.random.below(count)])
    }

    pub(crate) fn some_recipient(&mut self) -> Recipient {
        let which = self.random.below(2);
        match (self.random.below(10), self.anybody()) {
            (0..=3, Some(id)) => id.into(),
            (4, Some(id)) => Up(id),
            (5, Some(id)) => Down(id),
            (6, _) => MNEMONICS[which].into(),
            (7, _) => GROUPS[which].into(),
            (8, _) => [Everyone, EveryoneElse][which],
            _ => Me,
        }
    }

    pub(crate) fn some_sender(&mut self) -> Sender {
        match self.anybody() {
            Some(id) if !self.random.one_in(3) => id.into(),
            _ => Sender::Outside,
        }
    }

    pub(crate) fn some_kind(&mut self) -> Kind {
        [Kind::Ping, Kind::Pong][self.random.below(2)]
    }

    pub(crate) fn some_subscription(&mut self) -> Naive {
        self.labels += 1;
        let intercepts = self.random.one_in(4);
        Naive {
            label: self.labels,
            id: None,
            owner: self.anybody().filter(|_| self.random.one_in(2)),
            kind: Some(self.some_kind()).filter(|_| !self.random.one_in(4)),
            from: Some(self.some_sender()).filter(|_| self.random.one_in(5)),
            to: Some(self.some_recipient()).filter(|_| !self.random.one_in(3)),
            loud: self.random.one_in(6),
            hidden: self.random.one_in(4),
            once: self.random.one_in(4),
            staged: self.random.one_in(5) && !intercepts,
            retained: self.random.one_in(5) && !intercepts,
            before: intercepts.then(|| self.random.one_in(6)),
            state: State::Live,
        }
    }
}
