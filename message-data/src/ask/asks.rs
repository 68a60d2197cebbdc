//! The pending questions of a manager.
//!
//! They are a component of a messagee that is bound to [`ASKS`]. Answers reach it as messages from outside, and handlers
//! act on them. So the questions are saved with the manager, and a replayed log repeats them.

use std::collections::BTreeMap;
use std::time::Duration;

use message_core::internals::FirstPanic;
use message_core::{Context, Header, Message, MessageeId, PostKey, Recipient, handlers, mnemonic};
use serde::{Deserialize, Serialize};

use crate::Data;
use crate::ask::answers::{Reply, tell};
use crate::ask::{AskTicket, Unanswered};

mnemonic! {
    /// The messagee with the [`Asks`] of this manager.
    pub ASKS
}

/// Begins a question. The reply is its ticket, and who takes the answer.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "message_data.NewAsk", reply = (u64, MessageeId))]
#[data(name = "message_data.NewAsk", exact)]
pub struct NewAsk {
    pub(super) of: u64,
    pub(super) proxy: MessageeId,
    pub(super) within: Duration,
}

/// Withdraws a question that was not sent after all.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "message_data.NotAsked")]
#[data(name = "message_data.NotAsked", exact)]
pub struct NotAsked {
    pub(super) ticket: u64,
}

/// The time limit of a question has passed.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "message_data.AskExpired")]
#[data(name = "message_data.AskExpired", exact)]
struct AskExpired {
    ticket: u64,
}

/// An answer that has arrived.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "message_data.AnswerCame")]
#[data(name = "message_data.AnswerCame", exact)]
pub struct AnswerCame {
    /// Its number.
    pub ticket: u64,
    /// The reply, or the reason why there is none.
    pub answer: Result<Reply, Unanswered>,
}

/// Notifies those who have asked a proxy that it has ended.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "message_data.AskedEnded")]
#[data(name = "message_data.AskedEnded", exact)]
pub struct AskedEnded {
    /// The proxy.
    pub proxy: MessageeId,
}

/// A messagee has left the manager, and receives the answers to its questions by its proxy.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "message_data.AskerMoved")]
#[data(name = "message_data.AskerMoved", exact)]
pub struct AskerMoved {
    /// The id that it had.
    pub from: MessageeId,
    /// Its proxy.
    pub to: MessageeId,
}

/// An answer on its way to a messagee that has asked and has left the manager since.
#[derive(Message, Data, Serialize, Deserialize, Clone, Debug)]
#[message(name = "message_data.Told")]
#[data(name = "message_data.Told", exact)]
pub struct Told {
    asker: MessageeId,
    of: u64,
    ticket: AskTicket,
    from: MessageeId,
    answer: Result<Reply, Unanswered>,
}

/// The pending questions of a manager.
#[derive(Data, Serialize, Deserialize, Clone, Debug, Default)]
#[serde(default)]
#[data(name = "message_data.Asks")]
pub struct Asks {
    next_ticket: u64,
    pending: BTreeMap<u64, Pending>,
}

#[derive(Serialize, Deserialize, Clone, Debug)]
struct Pending {
    asker: MessageeId,
    proxy: MessageeId,
    of: u64,
}

impl Asks {
    /// Returns no questions. Their tickets begin with this number.
    #[must_use]
    pub fn numbered_from(next_ticket: u64) -> Self {
        let pending = BTreeMap::new();
        Self {
            next_ticket,
            pending,
        }
    }

    /// Returns the proxy that was asked, if an answer is expected.
    #[must_use]
    pub fn asked(&self, ticket: u64) -> Option<MessageeId> {
        self.pending.get(&ticket).map(|pending| pending.proxy)
    }

    /// Returns the proxies that were asked.
    pub fn proxies(&self) -> impl Iterator<Item = MessageeId> {
        self.pending.values().map(|pending| pending.proxy)
    }

    fn answer(&mut self, ticket: u64, answer: Result<Reply, Unanswered>, cx: &mut Context<'_>) {
        let Some(Pending { asker, proxy, of }) = self.pending.remove(&ticket) else {
            // The answer came too late, and the asker already knows.
            return;
        };
        cx.cancel(PostKey::from((EXPIRES, ticket)));
        let told = Told {
            asker,
            of,
            ticket: AskTicket(ticket),
            from: proxy,
            answer,
        };
        if cx.is_proxy(asker) {
            // The asker receives the answer in the manager where it lives.
            let _ = cx.send(asker, told);
        } else {
            told.deliver(cx);
        }
    }
}

impl Told {
    /// Tells the asker, unless it is gone: then nobody waits for the answer.
    fn deliver(self, cx: &mut Context<'_>) {
        if let Some(answered) = tell(self.of, self.ticket, self.from, self.answer) {
            let _ = cx.send_any(Recipient::Id(self.asker), answered);
        }
    }
}

/// The key of the post that ends a question.
const EXPIRES: &str = "message_data.ask";

#[handlers]
impl Asks {
    #[on_receive]
    fn new_ask(&mut self, ask: &NewAsk, cx: &mut Context<'_>) -> Option<(u64, MessageeId)> {
        let asker = cx.sender().id()?;
        if !cx.is_proxy(ask.proxy) {
            return None;
        }
        let ticket = self.next_ticket;
        let expires = Header::to(Recipient::Me)
            .after(ask.within)
            .unscaled()
            .key((EXPIRES, ticket));
        cx.post(expires, AskExpired { ticket }).ok()?;
        self.next_ticket += 1;
        let (proxy, of) = (ask.proxy, ask.of);
        self.pending.insert(ticket, Pending { asker, proxy, of });
        Some((ticket, cx.me()))
    }

    #[on_receive]
    fn not_asked(&mut self, ask: &NotAsked, cx: &mut Context<'_>) {
        let asked_by = self.pending.get(&ask.ticket).map(|pending| pending.asker);
        if asked_by.is_some() && asked_by == cx.sender().id() {
            self.pending.remove(&ask.ticket);
            cx.cancel(PostKey::from((EXPIRES, ask.ticket)));
        }
    }

    #[on_receive]
    fn expired(&mut self, expired: &AskExpired, cx: &mut Context<'_>) {
        self.answer(expired.ticket, Err(Unanswered::TimedOut), cx);
    }

    #[on_receive]
    fn answer_came(&mut self, came: &AnswerCame, cx: &mut Context<'_>) {
        if is_from_elsewhere(cx) {
            self.answer(came.ticket, came.answer.clone(), cx);
        }
    }

    #[on_receive]
    fn asked_ended(&mut self, ended: &AskedEnded, cx: &mut Context<'_>) {
        if !is_from_elsewhere(cx) {
            return;
        }
        let asked = self.pending.iter();
        let asked = asked.filter(|(_, pending)| pending.proxy == ended.proxy);
        let tickets: Vec<u64> = asked.map(|(&ticket, _)| ticket).collect();
        // An asker may panic: the others receive their answers nevertheless.
        let mut panicked = FirstPanic::default();
        for ticket in tickets {
            panicked.catch(|| self.answer(ticket, Err(Unanswered::Gone), cx));
        }
        panicked.resume();
    }

    #[on_receive]
    fn told(&mut self, told: &Told, cx: &mut Context<'_>) {
        if is_from_elsewhere(cx) {
            told.clone().deliver(cx);
        }
    }

    #[on_receive]
    fn asker_moved(&mut self, moved: &AskerMoved, cx: &mut Context<'_>) {
        if is_from_elsewhere(cx) {
            let pending = self.pending.values_mut();
            let of_it = pending.filter(|pending| pending.asker == moved.from);
            of_it.for_each(|pending| pending.asker = moved.to);
        }
    }
}

/// Returns `true` if no other messagee of this manager has sent the message.
fn is_from_elsewhere(cx: &Context<'_>) -> bool {
    let sender = cx.sender().id();
    sender.is_none_or(|sender| sender == cx.me() || cx.is_proxy(sender))
}
