//! Outgoing messages: the letters of an outbox are written into batches.

use std::time::Duration;

use crate::proxy::{self, Letter};
use message_core::{Header, Message, MessageManager, MessageeId, Recipient, Sender};
use message_data::ask::{AnswerCame, Asked, Unanswered};
use message_data::{DataType, from_bytes_with_ids, to_bytes_with_ids};

use crate::node::Node;
use crate::node::entries::{Batch, Entries};
use crate::node::entry::{Address, Entry, Say, Target};
use crate::node::incoming::Arrived;
use crate::node::ledger::Sum;
use crate::node::peer::{Peer, State};
use crate::node::peers::Place;
use crate::session::SessionEvent;

/// The usual overhead in bytes of an entry with a message.
const ROOM_OF_ENTRY: usize = 16;

impl Node {
    /// Notifies the other nodes of messagees that have ended, and forgets proxies that have ended.
    pub(crate) fn tell_ends(&mut self, manager: &mut MessageManager) {
        let mut proxies = std::mem::take(&mut self.replaced);
        let ended = proxy::take_ended(manager);
        for id in ended {
            for name in self.exports.forget(id) {
                for peer in self.peers.values_mut() {
                    if peer.wanted.contains(&name) {
                        peer.tell_first(&Entry::Exported {
                            name: &name,
                            handle: None,
                        });
                    }
                }
            }
            if self.forget_proxy(id) {
                proxies.push(id);
                continue;
            }
            for peer in self.peers.values_mut() {
                if let Some(handle) = peer.handle_of(id) {
                    peer.tell(&Entry::Ended { handle });
                }
            }
        }
        // These are the proxies that the program has despawned.
        self.tell_ended(manager, &proxies);
    }

    /// Forgets a proxy that has ended. Returns `false` if it is not one of this node, or was forgotten with its node.
    fn forget_proxy(&mut self, id: MessageeId) -> bool {
        let Some(place) = self.peers.ended(id) else {
            return false;
        };
        let most = self.config.max_proxies;
        let peer = self.peers.at_mut(place);
        for handle in peer.forget_proxy(id, most).into_iter().flatten() {
            peer.tell(&Entry::Released { handle });
        }
        true
    }

    /// Passes everything that waits for another node to the session.
    pub(crate) fn flush_to(&mut self, place: Place, manager: &mut MessageManager) {
        loop {
            self.queue_ready(place);
            self.give_up_too_long(manager, place);
            let peer = self.peers.at(place);
            if peer.state == State::Away || !peer.ready.is_empty() {
                return;
            }
            self.write_batches(place, manager);
            if self.peers.at(place).ready.is_empty() {
                return;
            }
        }
    }

    /// Passes the batches that are ready to the session, as far as there is room.
    fn queue_ready(&mut self, place: Place) {
        let peer = self.peers.at_mut(place);
        let name = &peer.name;
        while let Some(batch) = peer.ready.front() {
            let (len, messages) = (batch.bytes.len(), batch.messages);
            if self.sessions.longest(name).is_some_and(|most| len > most) {
                // It would wait forever, and block everything behind it.
                peer.too_long.extend(peer.ready.pop_front());
                continue;
            }
            if self.sessions.room(name) < len {
                return;
            }
            let batch = peer.ready.pop_front().expect("it was there a moment ago");
            let count = messages.all();
            peer.counts.sent += count;
            peer.ledger.send(messages);
            // A message has some bytes, and a batch has fewer than 2^32.
            let queued = u32::try_from(count).unwrap_or(u32::MAX);
            if let Err(error) = self.sessions.queue(name, batch.bytes, queued) {
                // There was room, so the session must have ended.
                debug_assert!(!self.sessions.is_up(name), "{error}");
                if count > 0 {
                    let (peer, messages) = (name.clone(), count);
                    let lost = SessionEvent::Lost {
                        peer,
                        messages,
                        exact: true,
                    };
                    // The next `receive` reports it.
                    self.arrived.push_back(Arrived::of(lost));
                }
                return;
            }
        }
    }

    /// Writes batches with the letters of the outbox and with other entries.
    fn write_batches(&mut self, place: Place, manager: &mut MessageManager) {
        let mut peer = self.peers.take_out(place);
        let mut letters = std::mem::take(&mut peer.letters);
        proxy::take_outbox_into(manager, peer.outbox, &mut letters);
        let mut undelivered = Vec::new();
        let mut entries = std::mem::take(&mut peer.told_first);
        entries.limit(self.sessions.longest_piece());
        if !letters.is_empty() {
            let bytes = letters.bytes() + letters.len() * ROOM_OF_ENTRY;
            entries.reserve(bytes, || self.sessions.memory());
        }
        let mut at = 0;
        while at < letters.len() {
            let letter = letters.at(at);
            at += 1;
            match self.write_letter(&mut peer, letter, manager, &mut entries) {
                Ok(true) => at += entries.push_more(&letters, at, self.config.max_message),
                Ok(false) => {}
                Err(why) => {
                    peer.counts.undelivered += 1;
                    undelivered.push((letter, why));
                }
            }
        }
        // The number goes along with something else, or alone after a while.
        let is_alone = entries.is_empty() && peer.told.is_empty();
        let wait = if is_alone && !self.is_leaving {
            self.config.session.heartbeat
        } else {
            Duration::ZERO
        };
        if peer.owes_taken(self.now, wait) {
            peer.tell_taken(self.now);
        }
        entries.append(std::mem::take(&mut peer.told));
        peer.ready.extend(entries.into_batches());
        self.peers.put_back(place, peer);
        let mut unknown = 0;
        for (letter, why) in undelivered {
            let unanswered = Unanswered::Refused { why: why.clone() };
            unknown += self.tell_undelivered(manager, letter, &why, unanswered);
        }
        self.tell_unknown(manager, place, unknown);
        self.peers.at_mut(place).letters = letters;
    }

    /// Turns batches that are too long for the other node into dead letters.
    fn give_up_too_long(&mut self, manager: &mut MessageManager, place: Place) {
        let peer = self.peers.at_mut(place);
        if peer.too_long.is_empty() {
            return;
        }
        let too_long = std::mem::take(&mut peer.too_long);
        let name = &peer.name;
        let most = self.sessions.longest(name).unwrap_or_default();
        let why = format!(
            "node `{name}` accepts batches of at most {most} bytes, but this one is longer"
        );
        for batch in too_long {
            self.give_up_ready(manager, place, &batch, &why);
        }
    }

    /// Writes a message for another node. Returns `true` if those that differ from it only in their contents can follow it
    /// without an entry.
    ///
    /// # Errors
    ///
    /// Returns the reason if the message cannot be sent there.
    fn write_letter(
        &mut self,
        peer: &mut Peer,
        letter: Letter<'_>,
        manager: &mut MessageManager,
        to: &mut Entries,
    ) -> Result<bool, String> {
        let target = peer.proxies.target_of(letter.proxy());
        let target = target.ok_or("the proxy has ended")?;
        self.check_length(letter.bytes())?;
        if target == Target::Outside {
            return Err("the outside of another manager receives no messages".to_owned());
        }
        let asked = asked(letter)?;
        let (of, ids, message) = match &asked {
            Some(asked) => {
                let missing = || format!("there is no message type `{}`", asked.of);
                let of = self.types.named(&asked.of).ok_or_else(missing)?;
                (of, &asked.ids[..], &asked.bytes[..])
            }
            None => (letter.message_type(), letter.ids(), letter.bytes()),
        };
        let of = self.number_for(peer, of)?;
        let named = match &asked {
            // It was written with field names.
            Some(_) => None,
            None => self.named_bytes(peer, letter, of)?,
        };
        let header = letter.header().map(header_bytes).transpose()?;
        let from = match letter.sender() {
            Sender::Messagee(id) => Some(Address::Mine(peer.give(id, manager))),
            _ => None,
        };
        let ids = self.addresses(peer, ids, manager)?;
        let target = peer.proxies.target_of(letter.proxy());
        let say = Say {
            to: target.ok_or("the proxy has ended")?,
            from,
            of,
            message: named.as_deref().unwrap_or(message),
            ids: ids.iter().map(Address::borrowed).collect(),
            header: header.as_deref(),
            ask: asked.as_ref().map(|asked| asked.ticket),
        };
        let len = say.message.len();
        let lines = &mut peer.lines;
        lines.with_cause(letter, |cause| to.push_cause(cause, len));
        to.push_say(&say);
        Ok(named.is_none() && say.may_repeat())
    }

    /// Returns the message with field names, if the other node needs them.
    fn named_bytes(
        &mut self,
        peer: &Peer,
        letter: Letter<'_>,
        of: u32,
    ) -> Result<Option<Vec<u8>>, String> {
        if peer.takes_lists(of) || !letter.is_by_position() {
            return Ok(None);
        }
        // This runs the program's own code for reading and writing the message.
        let named = self.guarded(|_| letter.to_named_bytes());
        let named = named.ok_or("the code that reads or writes it panicked")?;
        let named = named.map_err(|error| error.to_string())?;
        self.check_length(&named)?;
        Ok(Some(named))
    }

    fn check_length(&self, message: &[u8]) -> Result<(), String> {
        let (len, most) = (message.len(), self.config.max_message);
        if len > most {
            return Err(format!(
                "it has {len} bytes, but a message to another node can have at most {most}; \
                 `NodeConfig::max_message` can allow more"
            ));
        }
        Ok(())
    }

    /// Returns the number of a type, if the other node can read it.
    fn number_for(&self, peer: &Peer, of: &DataType) -> Result<u32, String> {
        let number = self.types.number(of);
        let number = number.ok_or_else(|| format!("`{}` is not a message with data", of.name()))?;
        if let Some(why) = peer.types.unreadable.get(&number) {
            return Err(self.differs(why, &peer.name));
        }
        Ok(number)
    }

    /// Returns the addresses by which another node knows the messagees in a message or an answer.
    pub(crate) fn addresses(
        &self,
        peer: &mut Peer,
        ids: &[MessageeId],
        manager: &mut MessageManager,
    ) -> Result<Vec<Address<String>>, String> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let ids = ids.iter().map(|&id| self.address_of(peer, id, manager));
        ids.collect()
    }

    /// Returns the address by which another node knows a messagee.
    fn address_of(
        &self,
        peer: &mut Peer,
        id: MessageeId,
        manager: &mut MessageManager,
    ) -> Result<Address<String>, String> {
        if let Some(target) = peer.proxies.target_of(id) {
            return Ok(Address::Yours(target.owned()));
        }
        if manager.is_proxy(id) {
            let export = self.peers.of_proxy(id).and_then(|other| {
                let name = other.proxies.export_of(id)?;
                Some(format!("{}/{name}", other.name))
            });
            return export.map(Address::Export).ok_or_else(|| {
                format!(
                    "messagee {id} in it belongs to a third node and was not imported by name, so node `{}` \
                     cannot know it",
                    peer.name
                )
            });
        }
        Ok(Address::Mine(peer.give(id, manager)))
    }

    /// Turns the messages that wait for a node that has gone into dead letters.
    pub(crate) fn give_up_outbox(&mut self, manager: &mut MessageManager, place: Place, why: &str) {
        let peer = self.peers.at_mut(place);
        let ready = std::mem::take(&mut peer.ready);
        let letters = proxy::take_outbox(manager, peer.outbox);
        peer.counts.undelivered += letters.len() as u64;
        let mut unknown = 0;
        for letter in letters.letters() {
            let unanswered = Unanswered::Unreachable;
            unknown += self.tell_undelivered(manager, letter, why, unanswered);
        }
        self.tell_unknown(manager, place, unknown);
        for batch in ready {
            self.give_up_ready(manager, place, &batch, why);
        }
    }

    /// Turns the messages of a batch that was not handed over into dead letters.
    fn give_up_ready(
        &mut self,
        manager: &mut MessageManager,
        place: Place,
        batch: &Batch,
        why: &str,
    ) {
        self.peers.at_mut(place).counts.undelivered += batch.messages.all();
        let unknown = self.give_up_batch(manager, place, &batch.bytes, why, None);
        self.tell_unknown(manager, place, unknown);
    }

    /// Reports messages that were not handed over and cannot be shown in a dead letter: they count as sent and lost.
    fn tell_unknown(&mut self, manager: &mut MessageManager, place: Place, messages: u64) {
        let counts = &mut self.peers.at_mut(place).counts;
        counts.undelivered = counts.undelivered.saturating_sub(messages);
        counts.sent += messages;
        let questions = 0;
        let lost = Sum {
            messages,
            questions,
        };
        self.tell_lost(manager, place, lost);
    }

    /// Turns a message that cannot be sent into a dead letter, and answers it if it is a question. Returns the number
    /// of messages that cannot be shown: 1 if this one cannot be read again, or 0.
    pub(crate) fn tell_undelivered(
        &mut self,
        manager: &mut MessageManager,
        letter: Letter<'_>,
        why: &str,
        unanswered: Unanswered,
    ) -> u64 {
        if let Ok(Some(Asked { ticket, .. })) = asked(letter) {
            let answer = Err(unanswered);
            self.come_back(manager, AnswerCame { ticket, answer }, letter.trace_id());
            return 0;
        }
        let of = letter.message_type();
        let read = self.guarded(|_| of.read_message(letter.bytes(), letter.ids()));
        let Some(Ok(message)) = read else {
            return 1;
        };
        let (proxy, sender) = (letter.proxy(), letter.sender());
        self.bury(manager, proxy, sender, message, why, letter.trace_id());
        0
    }
}

/// Returns the question that a letter contains, if it is one.
fn asked(letter: Letter<'_>) -> Result<Option<Asked>, String> {
    if letter.message_type().message_id() != Some(Asked::ID) {
        return Ok(None);
    }
    let asked = from_bytes_with_ids(letter.bytes(), letter.ids());
    asked.map(Some).map_err(|error| error.to_string())
}

/// Writes the header of a post, without its recipient.
fn header_bytes(header: &Header) -> Result<Vec<u8>, String> {
    let mut ids = Vec::new();
    let header = header.with_recipient(Recipient::Everyone);
    let bytes = to_bytes_with_ids(&header, &mut ids).map_err(|error| error.to_string())?;
    if !ids.is_empty() {
        return Err("a key for a certain messagee cannot be used in another world".into());
    }
    Ok(bytes)
}
