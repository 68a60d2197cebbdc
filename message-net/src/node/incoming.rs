//! Incoming entries of batches, from nodes that cannot be trusted.

use message_core::trace::{BackFrom, TraceId};
use message_core::{AnyMessage, MessageManager, MessageeId, Sender};
use message_data::ask::{AnswerCame, Asks, Reply, Unanswered};

use crate::content::Content;
use crate::name::NodeName;
use crate::node::Node;
use crate::node::accept::Readable;
use crate::node::entry::{Address, Answer, Entry, LONGEST_NAME, Say, Target};
use crate::node::error::{LONGEST_WHY, shortened};
use crate::node::exports::split;
use crate::node::hello::Comparing;
use crate::node::ledger::{Sum, Taken};
use crate::node::origin::Back;
use crate::node::peer::State;
use crate::node::peers::Place;
use crate::node::run::Way;
use crate::pack::Unpacker;
use crate::session::{Refusal, SessionEvent};

/// Received data that has not been handed in yet.
#[derive(Debug)]
pub(crate) enum Arrived {
    Event(SessionEvent),
    /// A batch, handed in up to `at`. The last message with an entry began at `said`.
    Batch {
        peer: NodeName,
        bytes: Content,
        at: usize,
        said: usize,
    },
}

impl Arrived {
    pub(crate) fn of(event: SessionEvent) -> Self {
        match event {
            SessionEvent::Batch { peer, bytes } => Self::Batch {
                peer,
                bytes,
                at: 0,
                said: 0,
            },
            event => Self::Event(event),
        }
    }

    /// Returns `true` if it is of that node.
    pub(crate) fn is_of(&self, node: &NodeName) -> bool {
        match self {
            Self::Batch { peer, .. } => peer == node,
            Self::Event(event) => event.peer() == Some(node),
        }
    }
}

impl Node {
    /// Hands in everything that has arrived. If a handler panics, the rest stays.
    pub(crate) fn hand_in(&mut self, manager: &mut MessageManager) {
        loop {
            match self.arrived.front() {
                None => return self.let_panic(),
                Some(Arrived::Event(_)) => {
                    if let Some(Arrived::Event(event)) = self.arrived.pop_front() {
                        self.session_changed(manager, event);
                    }
                    self.let_panic();
                }
                Some(Arrived::Batch {
                    peer,
                    bytes,
                    at,
                    said,
                }) => {
                    let (bytes, places) = (bytes.clone(), (*at, *said));
                    // `None` if there were too many nodes when the batch arrived, which has been reported. What arrived
                    // behind a hello that was not accepted counts as lost at the other node.
                    let peer = self.peers.place(peer);
                    let is_there = |peer: &Place| self.peers.at(*peer).state != State::Away;
                    if let Some(peer) = peer.filter(is_there) {
                        self.hand_in_batch(manager, peer, &bytes, places);
                    }
                    self.arrived.pop_front();
                    if let Some(memory) = bytes.into_memory() {
                        self.link.give_memory(memory);
                    }
                }
            }
        }
    }

    /// Hands in the first batch, from a position on. Behind a panic, messages can follow the one that began at `said_at`.
    fn hand_in_batch(
        &mut self,
        manager: &mut MessageManager,
        peer: Place,
        bytes: &[u8],
        (at, mut said_at): (usize, usize),
    ) {
        let mut from = Unpacker::new(bytes);
        let (mut said, mut way, mut cause) = (None, None, None);
        if said_at < at {
            from.skip_to(said_at);
            // It was read before.
            let _ = Entry::next(&mut from, &mut said);
        }
        from.skip_to(at);
        while !from.is_at_end() {
            if from.is_at_bin()
                && let Some(say) = &mut said
                && let Ok(message) = from.bin()
            {
                say.message = message;
                self.goes_on_at(from.at(), said_at);
                if way.as_ref().is_some_and(|way: &Way| !way.holds(manager)) {
                    way = None;
                }
                self.take_say(manager, peer, say, &mut way, cause.take());
                self.let_panic();
                continue;
            }
            let begin = from.at();
            let entry = match Entry::next(&mut from, &mut said) {
                Ok(entry) => entry,
                Err(error) => {
                    let what = || format!("a batch that cannot be read: {error}");
                    return self.trouble(manager, peer, Refusal::Batch, what);
                }
            };
            if let Entry::Say(_) = entry {
                said_at = begin;
            }
            self.goes_on_at(from.at(), said_at);
            if let Entry::Cause(of) = &entry {
                cause = Some(self.take_cause(peer, of));
                continue;
            }
            way = None;
            if let Entry::Say(say) = &entry {
                self.take_say(manager, peer, say, &mut way, cause.take());
            } else {
                self.take_entry(manager, peer, entry);
            }
            self.let_panic();
        }
    }

    /// Sets the position in the first batch at which to continue after a panic, and that of the last message with an
    /// entry.
    #[inline]
    fn goes_on_at(&mut self, place: usize, said_at: usize) {
        if let Some(Arrived::Batch { at, said, .. }) = self.arrived.front_mut() {
            (*at, *said) = (place, said_at);
        }
    }

    /// Compares the message types of another node with the types of this one.
    pub(crate) fn compare_types(
        &mut self,
        manager: &mut MessageManager,
        name: &NodeName,
        hello: &[u8],
    ) -> Result<(), String> {
        let comparing = Comparing {
            own: &self.types,
            here: &self.name,
            there: name,
            most: self.config.max_types,
        };
        let compared = comparing.read(hello, |of, is_same| {
            let accepted = self.config.accepted.get(of.name()).map(AsRef::as_ref);
            Readable::new(of, accepted, name, is_same)
        });
        let compared =
            compared.map_err(|error| shortened(&error.to_string(), LONGEST_WHY).to_owned())?;
        self.peer(name, manager).types = compared;
        Ok(())
    }

    /// Takes an entry that is not a message.
    fn take_entry(&mut self, manager: &mut MessageManager, peer: Place, entry: Entry<'_>) {
        match entry {
            Entry::Say(_) | Entry::Cause(_) => {}
            Entry::Refused { say, why, back } => self.take_refused(manager, peer, say, why, back),
            Entry::Ended { handle } => {
                let of = self.peers.at_mut(peer);
                if let Some(known) = of.proxies.find(Target::Handle(handle)) {
                    self.end_proxies(manager, vec![known]);
                } else {
                    // The entry that introduced the handle was lost.
                    of.proxies.passed(handle);
                    of.tell(&Entry::Released { handle });
                }
            }
            Entry::Wants { name } => self.take_wants(manager, peer, name),
            Entry::Exported { name, handle } => {
                let most = self.config.max_proxies;
                self.peers.at_mut(peer).exported(name, handle, most);
            }
            Entry::Group { name, open } => self.take_group(manager, peer, name, open),
            Entry::Answer {
                ticket,
                answer,
                back,
            } => self.take_answer(manager, peer, ticket, answer, back),
            Entry::Released { handle } => {
                let most = self.config.max_proxies;
                self.peers.at_mut(peer).take_back(handle, most);
            }
            Entry::Holds { handle } => {
                let of = self.peers.at_mut(peer);
                of.hold(handle);
                let lives = of.given(handle).is_some_and(|id| manager.is_alive(id));
                if !lives {
                    self.tell_back(manager, peer, &Entry::Ended { handle });
                }
            }
            Entry::HoldsNoOther => {
                let most = self.config.max_proxies;
                self.peers.at_mut(peer).hold_no_other(most);
            }
            Entry::Taken(taken) => self.take_taken(manager, peer, taken),
        }
    }

    fn take_answer(
        &mut self,
        manager: &mut MessageManager,
        peer: Place,
        ticket: u64,
        answer: Answer<'_>,
        back: Option<Back<'_>>,
    ) {
        let asks = manager.get::<Asks>(self.net).ok();
        let asked = asks.and_then(|asks| asks.asked(ticket));
        // Only the node that was asked may answer.
        if matches!(
            answer,
            Answer::None {
                why: Unanswered::REFUSED,
                ..
            }
        ) {
            let of = self.peers.at_mut(peer);
            of.counts.refused_there += 1;
            of.ledger.refused.count(true);
        }
        let Some(proxy) = asked else {
            // The answer comes too late.
            return;
        };
        if self.peers.at(peer).proxies.target_of(proxy).is_none() {
            let what = || format!("an answer to question {ticket}, which it was not asked");
            return self.trouble(manager, peer, Refusal::NotAsked, what);
        }
        let answer = match answer {
            Answer::Reply { ids, bytes } => match self.read_ids(manager, peer, &ids) {
                Ok(ids) => Ok(Reply {
                    bytes: bytes.to_vec(),
                    ids,
                    memory: self.config.message_memory(),
                }),
                Err(why) => Err(Unanswered::Unreadable { why }),
            },
            Answer::None { why, text } => {
                Err(Unanswered::of_parts(why, shortened(text, LONGEST_WHY)))
            }
        };
        let why = answer.as_ref().err().map(ToString::to_string);
        let back = back.and_then(|back| self.back_from(peer, &back, why.as_deref()));
        let came = AnswerCame { ticket, answer };
        let cause =
            back.and_then(|back| manager.trace_return(&came, Sender::Outside, self.net, back));
        let _ = manager.with_cause(cause, |manager| manager.send(self.net, came));
    }

    /// Answers a question that did not reach the node that was asked. `cause` is the send of the question.
    fn answer_unreachable(
        &mut self,
        manager: &mut MessageManager,
        peer: Place,
        ticket: u64,
        cause: Option<TraceId>,
    ) {
        let asks = manager.get::<Asks>(self.net).ok();
        let asked = asks.and_then(|asks| asks.asked(ticket));
        let of = self.peers.at_mut(peer);
        if asked.is_some_and(|proxy| of.proxies.target_of(proxy).is_some()) {
            let answer = Err(Unanswered::Unreachable);
            self.come_back(manager, AnswerCame { ticket, answer }, cause);
        }
    }

    /// Answers a question of this node on behalf of the one that was asked. `cause` is the send of the question.
    pub(crate) fn come_back(
        &mut self,
        manager: &mut MessageManager,
        came: AnswerCame,
        cause: Option<TraceId>,
    ) {
        let net = self.net;
        self.guarded(|_| drop(manager.with_cause(cause, |manager| manager.send(net, came))));
    }

    /// Takes a refused message of this node, which becomes a dead letter.
    fn take_refused(
        &mut self,
        manager: &mut MessageManager,
        peer: Place,
        say: &[u8],
        why: &str,
        back: Option<Back<'_>>,
    ) {
        // Every refused message was sent to that node, so there cannot be more refusals than messages. Only the
        // other node knows the content of its refusals.
        let mut from = Unpacker::new(say);
        let is_say = matches!(Entry::read(&mut from), Ok(Entry::Say(_))) && from.is_at_end();
        let of = self.peers.at_mut(peer);
        if !is_say || of.counts.unaccounted() == 0 {
            let what = || "it refuses a message that was not sent to it".to_owned();
            return self.trouble(manager, peer, Refusal::NotSent, what);
        }
        of.ledger.refused.count(false);
        let why = shortened(why, LONGEST_WHY);
        let back = back.and_then(|back| self.back_from(peer, &back, Some(why)));
        let unknown = self.give_up_batch(manager, peer, say, why, back.as_ref());
        self.peers.at_mut(peer).counts.refused_there += 1 - unknown;
        let lost = Sum {
            messages: unknown,
            questions: 0,
        };
        self.tell_lost(manager, peer, lost);
    }

    /// Takes the number of messages that another node has taken. If it has refused more of them than has arrived here,
    /// the notices of these refusals are lost.
    fn take_taken(&mut self, manager: &mut MessageManager, peer: Place, taken: Taken) {
        let of = self.peers.at_mut(peer);
        let mut lost = of.ledger.take(taken);
        let lost = lost.take(of.counts.unaccounted());
        of.past.settle(of.ledger.front());
        self.tell_lost(manager, peer, lost);
    }

    /// Turns messages of this node that did not arrive into dead letters. Returns the number of those that cannot be
    /// shown: what is in them is known here no more. `back` says where they were refused.
    pub(crate) fn give_up_batch(
        &mut self,
        manager: &mut MessageManager,
        peer: Place,
        batch: &[u8],
        why: &str,
        back: Option<&BackFrom>,
    ) -> u64 {
        let (mut unknown, mut cause, mut said) = (0, None, None);
        let mut from = Unpacker::new(batch);
        while !from.is_at_end() {
            // It was written here, unless the other node lies; then there is nothing to report.
            let Ok(entry) = Entry::next(&mut from, &mut said) else {
                break;
            };
            let say = match entry {
                Entry::Say(say) => say,
                Entry::Cause(of) => {
                    cause = TraceId::new(of.send);
                    continue;
                }
                _ => continue,
            };
            let cause = cause.take();
            if let Some(ticket) = say.ask {
                self.answer_unreachable(manager, peer, ticket, cause);
                continue;
            }
            let Some((proxy, sender, message)) = self.read_own(peer, &say) else {
                unknown += 1;
                continue;
            };
            let back = back.cloned();
            let back = back.and_then(|back| manager.trace_return(&*message, sender, proxy, back));
            self.bury(manager, proxy, sender, message, why, back.or(cause));
        }
        unknown
    }

    /// Turns a message of this node into a dead letter. `cause` is the send of the message, or its return.
    pub(crate) fn bury(
        &mut self,
        manager: &mut MessageManager,
        proxy: MessageeId,
        sender: Sender,
        message: Box<dyn AnyMessage>,
        why: &str,
        cause: Option<TraceId>,
    ) {
        self.guarded(|_| {
            manager.with_cause(cause, |manager| {
                message_data::tell_undelivered(manager, proxy, sender, message, why);
            });
        });
    }

    /// Reads a message of this node that comes back: its receiver, its sender and its content. Returns `None` if they
    /// are not known here any more.
    fn read_own(
        &mut self,
        peer: Place,
        say: &Say<'_>,
    ) -> Option<(MessageeId, Sender, Box<dyn AnyMessage>)> {
        let of = self.peers.at(peer);
        let proxy = of.proxy_of(say.to)?;
        let sender = match say.from {
            Some(Address::Mine(handle)) => Sender::Messagee(of.sender_of(handle)?),
            _ => Sender::Outside,
        };
        let ids = say.ids.iter().map(|address| match address {
            Address::Mine(handle) => of.sender_of(*handle),
            Address::Yours(target) => of.proxy_of(*target),
            Address::Export(name) => {
                let (node, own) = split(name).ok()?;
                self.peers.get(&node)?.proxy_of(Target::Export(own))
            }
        });
        let ids: Vec<MessageeId> = ids.collect::<Option<_>>()?;
        let of = self.types.get(say.of)?;
        let read = self.guarded(|_| of.read_message(say.message, &ids));
        Some((proxy, sender, read?.ok()?))
    }

    fn take_wants(&mut self, manager: &mut MessageManager, peer: Place, name: &str) {
        let (most, id) = (self.config.max_names, self.exports.find(name));
        let of = self.peers.at_mut(peer);
        let is_new = !of.wanted.contains(name);
        if name.len() > LONGEST_NAME || is_new && of.wanted.len() >= most {
            let what = || {
                format!(
                    "it asks for more than {most} names, or for one of more than {LONGEST_NAME} bytes"
                )
            };
            return self.trouble(manager, peer, Refusal::Names, what);
        }
        if is_new {
            of.wanted.insert(name.to_owned());
        }
        if let Some(id) = id {
            let handle = Some(of.give(id, manager));
            self.tell_back_first(manager, peer, &Entry::Exported { name, handle });
        }
    }

    fn take_group(&mut self, manager: &mut MessageManager, peer: Place, name: &str, open: bool) {
        let most = self.config.max_names;
        let own = self.exports.group(name);
        let of = self.peers.at_mut(peer);
        if !open {
            of.groups.remove(name);
            let target = Target::Group(name);
            if let (Some(group), Some(proxy)) = (own, of.proxies.find(target)) {
                let _ = manager.leave(group, proxy);
            }
            return;
        }
        let is_new = !of.groups.contains(name);
        if name.len() > LONGEST_NAME || is_new && of.groups.len() >= most {
            let what = || {
                format!(
                    "it exports more than {most} groups, or one whose name has more than \
                     {LONGEST_NAME} bytes"
                )
            };
            return self.trouble(manager, peer, Refusal::Names, what);
        }
        if is_new {
            of.groups.insert(name.to_owned());
        }
        if let Some(group) = own {
            self.join_group(manager, peer, group);
        }
    }

    /// Queues an entry in response to an entry of another node. If there is no room, drops it and returns
    /// `false`.
    pub(crate) fn tell_back(
        &mut self,
        manager: &mut MessageManager,
        peer: Place,
        entry: &Entry<'_>,
    ) -> bool {
        let may = self.may_tell_back(manager, peer);
        if may {
            self.peers.at_mut(peer).tell(entry);
        }
        may
    }

    /// Like [`tell_back`](Self::tell_back), but puts the entry before the messages of this flush.
    fn tell_back_first(&mut self, manager: &mut MessageManager, peer: Place, entry: &Entry<'_>) {
        if self.may_tell_back(manager, peer) {
            self.peers.at_mut(peer).tell_first(entry);
        }
    }

    /// Returns `false` if too many responses wait for the other node, because it sends without reading.
    fn may_tell_back(&mut self, manager: &mut MessageManager, peer: Place) -> bool {
        let most = self.config.session.window_bytes;
        if self.peers.at_mut(peer).told_len() <= most {
            return true;
        }
        let what = || format!("more than {most} bytes of answers wait for it: this one is dropped");
        self.trouble(manager, peer, Refusal::Unread, what);
        false
    }
}
