//! Incoming messages: checks who may send what to whom, and delivers, answers or refuses them.

use message_core::{
    Absence, AnyMessage, Header, MessageManager, MessageeId, Recipient, SendError, SendErrorKind,
    Stage,
};
use message_data::ask::{Unanswered, WriteReply, check_ids};
use message_data::{DataError, MessageBuffer, from_bytes_with_ids};

use crate::name::NodeName;
use crate::node::Node;
use crate::node::accept::{Admission, Readable};
use crate::node::answering::Answering;
use crate::node::causes::{Coming, because_of};
use crate::node::entry::{Address, Answer, Entry, Say, Target};
use crate::node::error::{LONGEST_WHY, shortened};
use crate::node::peers::Place;
use crate::node::run::Way;
use crate::pack::Packer;

/// The maximum length of the header of a message.
const LONGEST_HEADER: usize = 1 << 12;

/// The receiver of a message in this manager.
#[derive(Clone, Copy)]
struct Receiver {
    to: Recipient,
    /// Whether it was addressed as an export.
    by_name: bool,
}

impl Node {
    /// Takes a message. Its route is determined if it is not known yet.
    #[inline]
    pub(crate) fn take_say(
        &mut self,
        manager: &mut MessageManager,
        peer: Place,
        say: &Say<'_>,
        way: &mut Option<Way>,
        mut cause: Option<Coming>,
    ) {
        match self.hand_in_say(manager, peer, say, way, &mut cause) {
            Ok(()) => self.peers.at_mut(peer).received(),
            Err(why) => self.refuse_say(manager, peer, say, &why, cause.as_ref()),
        }
    }

    /// Checks a message before anything is done with it, and hands it in.
    #[inline]
    fn hand_in_say(
        &mut self,
        manager: &mut MessageManager,
        peer: Place,
        say: &Say<'_>,
        way: &mut Option<Way>,
        cause: &mut Option<Coming>,
    ) -> Result<(), String> {
        let way = match way {
            Some(way) => way,
            None => way.insert(self.way_of(manager, peer, say)?),
        };
        let (known, to, from) = (way.known, way.to, way.from);
        self.count_of(from)?;
        self.check_content(&known, say.message)?;
        let ids = match &*say.ids {
            [] => Vec::new(),
            ids => self.read_ids(manager, peer, ids)?,
        };
        let most = self.config.message_memory();
        let mut left = most;
        let unreadable = |error: DataError| format!("`{}`: {error}", known.of.name());
        if say.header.is_some() || say.ask.is_some() {
            let read = known.of.read_message_within(say.message, &ids, &mut left);
            let message = read.map_err(unreadable)?;
            Coming::arrive(cause, manager, &*message, from, to);
            let cause = cause.as_ref();
            return because_of(cause, manager, |manager| {
                if let (Some(ticket), Some(write)) = (say.ask, known.write) {
                    self.answer(manager, peer, (ticket, write), way, message, cause);
                    return Ok(());
                }
                let size = say.message.len() + (most - left);
                self.guarded_say(|node| node.post(manager, peer, say, way, (message, size)))
            });
        }
        let read = way.buffer.read_within(say.message, &ids, &mut left);
        let message = read.map_err(unreadable)?;
        Coming::arrive(cause, manager, message, from, to);
        because_of(cause.as_ref(), manager, |manager| {
            self.guarded_say(|_| {
                check_group(manager, to)?;
                let mut from = manager.speak_for(from).map_err(|error| error.to_string())?;
                let sent = way.buffer.send(&mut from, to);
                sent.map(drop).map_err(|error| error.to_string())
            })
        })
    }

    /// Calls handlers with a message. A receiver whose handler panics has still received it.
    #[inline]
    fn guarded_say(
        &mut self,
        call: impl FnOnce(&mut Self) -> Result<(), String>,
    ) -> Result<(), String> {
        self.guarded(call).unwrap_or(Ok(()))
    }

    /// Counts a message of a sender, if their number is limited.
    #[inline]
    fn count_of(&mut self, sender: MessageeId) -> Result<(), String> {
        let Some(most) = self.config.max_per_sender else {
            return Ok(());
        };
        if self.peers.may_send(sender, self.round, most) {
            return Ok(());
        }
        Err(format!(
            "its sender has sent more than {most} messages at once; `NodeConfig::max_per_sender` can allow more"
        ))
    }

    /// Checks the bytes of a message.
    #[inline]
    fn check_content(&self, known: &Readable, message: &[u8]) -> Result<(), String> {
        if message.len() > self.config.max_message {
            return Err(self.is_too_long(known, message.len()));
        }
        if known.needs_names && is_list(message) {
            return Err(self.has_no_names(known));
        }
        Ok(())
    }

    #[cold]
    fn is_too_long(&self, known: &Readable, len: usize) -> String {
        let (name, most) = (known.of.name(), self.config.max_message);
        format!("`{name}` has {len} bytes: at most {most} are accepted")
    }

    #[cold]
    fn has_no_names(&self, known: &Readable) -> String {
        let (name, own, shape) = (known.of.name(), &self.name, known.of.shape());
        format!(
            "`{name}` came without the names of its fields, but they differ: node `{own}` has `{shape}`"
        )
    }

    /// Reports to the other node that its message was refused. If there is no room for the notice, the other node
    /// learns of the number of refusals.
    #[cold]
    fn refuse_say(
        &mut self,
        manager: &mut MessageManager,
        peer: Place,
        say: &Say<'_>,
        why: &str,
        cause: Option<&Coming>,
    ) {
        let of = self.peers.at_mut(peer);
        of.counts.refused_here += 1;
        of.taken.messages += 1;
        of.taken.refused.count(say.ask.is_some());
        let why = shortened(why, LONGEST_WHY);
        let back = cause.map(|cause| cause.back(manager, None, None));
        let mut own = Packer::default();
        let entry = match say.ask {
            None => {
                say.write(&mut own);
                let say = &own.0;
                Entry::Refused { say, why, back }
            }
            Some(ticket) => {
                let (why, text) = (Unanswered::REFUSED, why);
                let answer = Answer::None { why, text };
                Entry::Answer {
                    ticket,
                    answer,
                    back,
                }
            }
        };
        self.tell_back(manager, peer, &entry);
    }

    /// Returns the route of a message, if it is admitted.
    fn way_of(
        &mut self,
        manager: &mut MessageManager,
        peer: Place,
        say: &Say<'_>,
    ) -> Result<Way, String> {
        let known = self.type_of(peer, say.of)?;
        let of = known.of;
        let admission = match say.ask {
            None => known.plain,
            Some(_) => known.asked,
        };
        if admission == Admission::NotAtAll {
            let (own, name) = (&self.name, of.name());
            return Err(format!("node `{own}` does not accept `{name}`"));
        }
        let receiver = self.receiver(manager, peer, say.to)?;
        let is_exported = || match receiver.to {
            _ if receiver.by_name => true,
            Recipient::Id(id) => self.exports.is_exported(id),
            _ => false,
        };
        if let Some(why) = admission.refuses(is_exported) {
            let (own, name) = (&self.name, of.name());
            return Err(format!("node `{own}` refused `{name}`: {why}"));
        }
        if let Some(len) = say
            .header
            .map(<[u8]>::len)
            .filter(|&len| len > LONGEST_HEADER)
        {
            return Err(format!(
                "its header has {len} bytes: at most {LONGEST_HEADER} are accepted"
            ));
        }
        let from = match &say.from {
            None => self.proxy_at(manager, peer, Target::Outside),
            Some(Address::Mine(handle)) => self.proxy_at(manager, peer, Target::Handle(*handle)),
            Some(_) => {
                return Err(
                    "the sender of a message does not belong to the node that sent it".into(),
                );
            }
        };
        let from = from.map_err(|error| error.to_string())?;
        Ok(Way {
            known,
            to: receiver.to,
            from,
            buffer: MessageBuffer::new(of),
        })
    }

    /// Returns the type that another node means by a number.
    #[inline]
    fn type_of(&self, peer: Place, number: u32) -> Result<Readable, String> {
        let of = self.peers.at(peer);
        match of.types.theirs.get(number as usize) {
            Some(Ok(of)) => Ok(*of),
            Some(Err(why)) => Err(self.differs(why, &of.name)),
            None => {
                let len = of.types.theirs.len();
                Err(format!(
                    "there is no message type {number}: {len} were named"
                ))
            }
        }
    }

    /// Returns the reason why a type cannot be read, also if it was not kept.
    #[cold]
    pub(crate) fn differs(&self, why: &str, there: &NodeName) -> String {
        if !why.is_empty() {
            return why.to_owned();
        }
        let here = &self.name;
        format!(
            "nodes `{here}` and `{there}` differ in this type, and in too many others to keep all reasons"
        )
    }

    fn receiver(
        &self,
        manager: &MessageManager,
        peer: Place,
        target: Target<&str>,
    ) -> Result<Receiver, String> {
        let exported = |to: Recipient| Receiver { to, by_name: true };
        match target {
            Target::Handle(handle) => {
                let id = self.peers.at(peer).given(handle);
                let id = id.ok_or_else(|| {
                    format!("node `{}` has not announced handle {handle}", self.name)
                })?;
                if manager.is_alive(id) {
                    Ok(Receiver {
                        to: Recipient::Id(id),
                        by_name: false,
                    })
                } else {
                    Err("the messagee has ended".to_owned())
                }
            }
            Target::Export(name) => {
                let id = self.exports.find(name);
                let id = id.filter(|&id| manager.is_alive(id));
                id.map(|id| exported(Recipient::Id(id))).ok_or_else(|| {
                    let (own, listed) = (&self.name, self.exports.listed());
                    format!("node `{own}` exports no `{name}`: {listed}")
                })
            }
            Target::Mnemonic(name) => {
                let known = self.exports.mnemonic(name);
                let own = &self.name;
                let missing = || format!("node `{own}` does not export the mnemonic `{name}`");
                known.map(|it| exported(it.into())).ok_or_else(missing)
            }
            Target::Group(name) => {
                let known = self.exports.group(name);
                let own = &self.name;
                let missing = || format!("node `{own}` does not export the group `{name}`");
                known.map(|it| exported(it.into())).ok_or_else(missing)
            }
            Target::Outside => {
                Err("the outside of another manager receives no messages".to_owned())
            }
        }
    }

    /// Returns the messagees in a message, as this manager knows them.
    pub(crate) fn read_ids(
        &mut self,
        manager: &mut MessageManager,
        peer: Place,
        ids: &[Address<&str>],
    ) -> Result<Vec<MessageeId>, String> {
        let mut read = Vec::new();
        for address in ids {
            read.push(match address {
                Address::Mine(handle) => self
                    .proxy_at(manager, peer, Target::Handle(*handle))
                    .map_err(|error| error.to_string())?,
                Address::Yours(Target::Handle(handle)) => {
                    let known = self.peers.at_mut(peer).given(*handle);
                    known.ok_or_else(|| {
                        format!("node `{}` has not announced handle {handle}", self.name)
                    })?
                }
                Address::Yours(target) => match self.receiver(manager, peer, *target)?.to {
                    Recipient::Id(id) => id,
                    Recipient::Mnemonic(mnemonic) => manager
                        .bound(mnemonic)
                        .ok_or_else(|| format!("nobody is bound to `{}`", mnemonic.name()))?,
                    _ => return Err("a message cannot contain a group".to_owned()),
                },
                Address::Export(name) => self.import_for(manager, peer, name)?,
            });
        }
        Ok(read)
    }

    /// Posts a message on behalf of a proxy.
    fn post(
        &mut self,
        manager: &mut MessageManager,
        peer: Place,
        say: &Say<'_>,
        way: &Way,
        (message, size): (Box<dyn AnyMessage>, usize),
    ) -> Result<(), String> {
        check_group(manager, way.to)?;
        let header = say.header.unwrap_or_default();
        let header = from_bytes_with_ids::<Header>(header, &[]);
        let header = header.map_err(|error| format!("its header: {error}"))?;
        if header.key().is_some_and(|key| key == key.shared()) {
            // It would replace posts of others.
            return Err("a shared key cannot be used from another world".to_owned());
        }
        let is_at_once = header.stage() == Stage::Immediate;
        if !is_at_once {
            let posted = &mut self.peers.at_mut(peer).posted;
            let now = (self.round, &*manager);
            posted.check(&header, size, &self.config.posts, now)?;
        }
        let mut from = manager
            .speak_for(way.from)
            .map_err(|error| error.to_string())?;
        let posted = from.post_any(header.with_recipient(way.to), message);
        let ticket = posted.map_err(|error| error.to_string())?;
        if !is_at_once {
            self.peers.at_mut(peer).posted.add(ticket, &header, size);
        }
        Ok(())
    }

    /// Asks here on behalf of the proxy, and sends the answer back.
    fn answer(
        &mut self,
        manager: &mut MessageManager,
        peer: Place,
        (ticket, write): (u64, WriteReply),
        &Way { to, from, .. }: &Way,
        message: Box<dyn AnyMessage>,
        cause: Option<&Coming>,
    ) {
        let asked = message.name();
        let is_traced = cause.is_some_and(Coming::is_traced);
        if is_traced {
            self.guarded(|_| Answering::begin(manager, message.id()));
        }
        let reply = self.guarded(|_| match manager.speak_for(from) {
            Ok(mut from) => from.request_any(to, message),
            Err(_) => Err(SendError::new(
                message.name(),
                from,
                SendErrorKind::Absent(Absence::Gone),
            )),
        });
        let handled = is_traced.then(|| self.guarded(|_| Answering::end(manager)));
        let handled = handled.flatten().flatten();
        let line = handled.and_then(|handled| handled.place);
        let line = line.map(|line| line.to_string());
        let mut ids = Vec::new();
        let written = match reply {
            Some(Ok(reply)) => write(reply, &mut ids)
                .and_then(|bytes| {
                    check_ids(format_args!("the reply to `{asked}`"), &ids, self.net)?;
                    Ok(bytes)
                })
                .map_err(Unanswered::from),
            Some(Err(error)) => Err(Unanswered::from(&error)),
            None => Err(Unanswered::panicked()),
        };
        let told = written.and_then(|bytes| {
            let mut of = self.peers.take_out(peer);
            let ids = self.addresses(&mut of, &ids, manager);
            self.peers.put_back(peer, of);
            let ids = ids.map_err(|why| Unanswered::Unreadable { why })?;
            Ok((bytes, ids))
        });
        let answer = match &told {
            Ok((bytes, ids)) => Answer::Reply {
                ids: ids.iter().map(Address::borrowed).collect(),
                bytes,
            },
            Err(why) => {
                let (why, text) = why.parts();
                Answer::None { why, text }
            }
        };
        let back = cause.map(|cause| cause.back(manager, handled, line.as_deref()));
        let entry = Entry::Answer {
            ticket,
            answer,
            back,
        };
        self.tell_back(manager, peer, &entry);
    }
}

/// Checks that there are others in a group than proxies.
#[inline]
fn check_group(manager: &MessageManager, to: Recipient) -> Result<(), String> {
    if let Recipient::Group(group) = to
        && manager.members(group).all(|id| manager.is_proxy(id))
    {
        return Err(format!("nobody there is in the group `{}`", group.name()));
    }
    Ok(())
}

/// Returns `true` if the bytes begin with a list.
#[inline]
fn is_list(message: &[u8]) -> bool {
    matches!(message.first(), Some(0x90..=0x9f | 0xdc | 0xdd))
}
