//! Incoming entries of batches, from nodes that cannot be trusted.

use crate::proxy;
use message_core::{MessageManager, MessageeId, Sender};

use crate::ask::Unanswered;
use crate::content::Content;
use crate::name::NodeName;
use crate::net::{AnswerCame, Net};
use crate::node::Node;
use crate::node::accept::Readable;
use crate::node::entry::{Address, Answer, Entry, LONGEST_NAME, Target};
use crate::node::error::{LONGEST_WHY, shortened};
use crate::node::hello::Comparing;
use crate::node::peers::Place;
use crate::node::run::ComingRun;
use crate::pack::Unpacker;
use crate::session::{Refusal, SessionEvent};

/// Received data that has not been handed in yet.
#[derive(Debug)]
pub(crate) enum Arrived {
    Event(SessionEvent),
    /// A batch, handed in up to `at`.
    Batch {
        peer: NodeName,
        bytes: Content,
        at: usize,
    },
}

impl Arrived {
    pub(crate) fn of(event: SessionEvent) -> Self {
        match event {
            SessionEvent::Batch { peer, bytes } => Self::Batch { peer, bytes, at: 0 },
            event => Self::Event(event),
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
                Some(Arrived::Batch { peer, bytes, at }) => {
                    let (bytes, at) = (bytes.clone(), *at);
                    // `None` if there were too many nodes when the batch arrived, which has been reported.
                    if let Some(peer) = self.peers.place(peer) {
                        self.hand_in_batch(manager, peer, &bytes, at);
                    }
                    self.arrived.pop_front();
                    if let Some(memory) = bytes.into_memory() {
                        self.link.give_memory(memory);
                    }
                }
            }
        }
    }

    /// Hands in the first batch, from a position on.
    fn hand_in_batch(
        &mut self,
        manager: &mut MessageManager,
        peer: Place,
        bytes: &[u8],
        at: usize,
    ) {
        let mut from = Unpacker::new(bytes);
        from.skip_to(at);
        let mut run: Option<ComingRun<'_>> = None;
        while !from.is_at_end() {
            let begin = from.at();
            if let Some(run) = &run
                && let Some(message) = run.next(&mut from, manager)
            {
                self.goes_on_at(from.at());
                self.take_next(manager, peer, run.way, (message, from.since(begin)));
                self.let_panic();
                continue;
            }
            let entry = match Entry::read(&mut from) {
                Ok(entry) => entry,
                Err(error) => {
                    let what = || format!("a batch that cannot be read: {error}");
                    return self.trouble(manager, peer, Refusal::Batch, what);
                }
            };
            self.goes_on_at(from.at());
            let raw = from.since(begin);
            run = if let Entry::Say(say) = &entry {
                let way = self.take_say(manager, peer, say, raw);
                way.and_then(|way| ComingRun::begin(way, raw, &from))
            } else {
                self.take_entry(manager, peer, entry);
                None
            };
            self.let_panic();
        }
    }

    /// Sets the position in the first batch at which to continue after a panic.
    #[inline]
    fn goes_on_at(&mut self, place: usize) {
        if let Some(Arrived::Batch { at, .. }) = self.arrived.front_mut() {
            *at = place;
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
            Entry::Say(_) => {}
            Entry::Refused { say, why } => self.take_refused(manager, peer, say, why),
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
                self.peers.at_mut(peer).exported(name, handle);
            }
            Entry::Group { name, open } => self.take_group(manager, peer, name, open),
            Entry::Answer { ticket, answer } => self.take_answer(manager, peer, ticket, answer),
            Entry::Released { handle } => self.peers.at_mut(peer).take_back(handle),
            Entry::Holds { handle } => {
                let of = self.peers.at_mut(peer);
                of.hold(handle);
                let lives = of.given(handle).is_some_and(|id| manager.is_alive(id));
                if !lives {
                    self.tell_back(manager, peer, &Entry::Ended { handle });
                }
            }
            Entry::HoldsNoOther => self.peers.at_mut(peer).hold_no_other(),
            Entry::RefusedSoFar { messages } => self.take_refused_so_far(manager, peer, messages),
        }
    }

    fn take_answer(
        &mut self,
        manager: &mut MessageManager,
        peer: Place,
        ticket: u64,
        answer: Answer<'_>,
    ) {
        let net = manager.get::<Net>(self.net).ok();
        let asked = net.and_then(|net| net.asked(ticket));
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
            of.refusals.of_ours += 1;
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
                Ok(ids) => Ok((bytes.to_vec(), ids)),
                Err(why) => Err(Unanswered::Unreadable { why }),
            },
            Answer::None { why, text } => {
                Err(Unanswered::of_parts(why, shortened(text, LONGEST_WHY)))
            }
        };
        let _ = manager.send(self.net, AnswerCame { ticket, answer });
    }

    /// Answers a question that did not reach the node that was asked.
    fn answer_unreachable(&mut self, manager: &mut MessageManager, peer: Place, ticket: u64) {
        let net = manager.get::<Net>(self.net).ok();
        let asked = net.and_then(|net| net.asked(ticket));
        let of = self.peers.at_mut(peer);
        if asked.is_some_and(|proxy| of.proxies.target_of(proxy).is_some()) {
            let answer = Err(Unanswered::Unreachable);
            self.guarded(|node| drop(manager.send(node.net, AnswerCame { ticket, answer })));
        }
    }

    /// Takes a refused message of this node, which becomes a dead letter.
    fn take_refused(&mut self, manager: &mut MessageManager, peer: Place, say: &[u8], why: &str) {
        // Every refused message was sent to that node, so there cannot be more refusals than messages. Only the
        // other node knows the content of its refusals.
        let mut from = Unpacker::new(say);
        let is_say = matches!(Entry::read(&mut from), Ok(Entry::Say(_))) && from.is_at_end();
        let of = self.peers.at_mut(peer);
        if !is_say || of.counts.unaccounted() == 0 {
            let what = || "it refuses a message that was not sent to it".to_owned();
            return self.trouble(manager, peer, Refusal::NotSent, what);
        }
        of.counts.refused_there += 1;
        of.refusals.of_ours += 1;
        self.give_up_batch(manager, peer, say, shortened(why, LONGEST_WHY));
    }

    /// Takes the number of this run's messages that another node has refused. It is larger than the number of
    /// refusals received here if some of these were lost.
    fn take_refused_so_far(&mut self, manager: &mut MessageManager, peer: Place, messages: u64) {
        let of = self.peers.at_mut(peer);
        let untold = messages.saturating_sub(of.refusals.of_ours);
        let untold = untold.min(of.counts.unaccounted());
        of.refusals.of_ours = messages;
        of.counts.refused_there += untold;
        if untold > 0 {
            let what =
                "it has refused messages of this node, and what told which ones and why was lost";
            let name = self.peers.at(peer).name.clone();
            self.tell_trouble(manager, Some(&name), what.to_owned(), untold);
        }
    }

    /// Turns messages of this node that did not arrive into dead letters.
    pub(crate) fn give_up_batch(
        &mut self,
        manager: &mut MessageManager,
        peer: Place,
        batch: &[u8],
        why: &str,
    ) {
        let mut from = Unpacker::new(batch);
        while !from.is_at_end() {
            // It was written here, unless the other node lies; then there is nothing to report.
            let Ok(entry) = Entry::read(&mut from) else {
                return;
            };
            let Entry::Say(say) = entry else { continue };
            if let Some(ticket) = say.ask {
                self.answer_unreachable(manager, peer, ticket);
                continue;
            }
            let of = self.peers.at_mut(peer);
            let proxy = of.proxies.find(say.to);
            let sender = match say.from {
                Some(Address::Mine(handle)) => of.given(handle),
                _ => None,
            };
            let ids: Option<Vec<MessageeId>> = say
                .ids
                .iter()
                .map(|address| match address {
                    Address::Mine(handle) => of.given(*handle),
                    Address::Yours(target) => of.proxies.find(*target),
                    Address::Export(_) => None,
                })
                .collect();
            let (Some(proxy), Some(ids)) = (proxy, ids) else {
                continue;
            };
            let Some(ty) = self.types.get(say.of) else {
                continue;
            };
            if let Ok(message) = ty.read_message(say.message, &ids) {
                let sender = sender.map_or(Sender::Outside, Sender::Messagee);
                self.guarded(|_| proxy::tell_undelivered(manager, proxy, sender, message, why));
            }
        }
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
