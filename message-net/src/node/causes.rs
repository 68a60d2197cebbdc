//! The causes of messages between two traced nodes, and of the answers and refusals that come back.

use std::collections::HashMap;
use std::panic::Location;
use std::sync::Arc;

use message_core::trace::{BackFrom, SentElsewhere, TraceId};
use message_core::{AnyMessage, MessageManager, MessageeId, Recipient, Sender};

use crate::hash::OwnKeys;
use crate::name::NodeName;
use crate::node::Node;
use crate::node::answering::Handled;
use crate::node::entry::Entry;
use crate::node::error::shortened;
use crate::node::origin::{Back, Cause};
use crate::node::peers::Place;
use crate::proxy::{Letter, Traced};

/// The number of lines that have a number in a session. Further ones are named in each cause.
const MOST: usize = 256;
/// The maximum length of a line's name, in bytes.
const LONGEST: usize = 256;

/// The lines of source that were named in a session.
#[derive(Debug, Default)]
pub(crate) struct Lines {
    /// The numbers of the own lines, by their addresses.
    own: HashMap<usize, u32, OwnKeys>,
    /// The other node's lines, by their numbers.
    theirs: Vec<Option<Arc<str>>>,
}

impl Lines {
    /// Calls `write` with the cause of a letter, if it was traced.
    #[inline]
    pub(crate) fn with_cause(&mut self, letter: Letter<'_>, write: impl FnOnce(&Entry<'_>)) {
        if let Some(traced) = letter.traced() {
            self.name_cause(traced, letter.place(), write);
        }
    }

    #[cold]
    fn name_cause(
        &mut self,
        traced: &Traced,
        line: &'static Location<'static>,
        write: impl FnOnce(&Entry<'_>),
    ) {
        let (place, is_new) = self.number(line);
        let named = is_new.then(|| line.to_string());
        let cause = Cause {
            send: traced.send.get(),
            place,
            named: named.as_deref().map(|named| shortened(named, LONGEST)),
            context: traced.context,
        };
        write(&Entry::Cause(cause));
    }

    /// Returns the number of an own line, and `true` if the line is to be named.
    fn number(&mut self, line: &'static Location<'static>) -> (Option<u32>, bool) {
        let next = self.own.len();
        let address = std::ptr::from_ref(line).addr();
        if let Some(known) = self.own.get(&address) {
            return (Some(*known), false);
        }
        let number = u32::try_from(next).ok().filter(|_| next < MOST);
        if let Some(number) = number {
            self.own.insert(address, number);
        }
        (number, true)
    }

    /// Returns the number of bytes that are kept of the other node's lines.
    #[cfg(test)]
    pub(crate) fn kept(&self) -> usize {
        let lines = self.theirs.iter().flatten();
        lines.map(|line| line.len()).sum()
    }

    /// Returns the line of a cause of the other node, and keeps it if it is named with a number.
    fn line(&mut self, cause: &Cause<'_>) -> Arc<str> {
        let at = cause.place.map(|place| place as usize);
        let at = at.filter(|&at| at < MOST);
        match (cause.named, at) {
            (Some(named), at) => {
                let line: Arc<str> = shortened(named, LONGEST).into();
                if let Some(at) = at {
                    self.theirs.resize(self.theirs.len().max(at + 1), None);
                    self.theirs[at] = Some(Arc::clone(&line));
                }
                line
            }
            (None, at) => {
                let known = at.and_then(|at| self.theirs.get(at).cloned().flatten());
                known.unwrap_or_else(|| "an unknown line".into())
            }
        }
    }
}

/// The send at another node that the next message comes from.
#[derive(Debug)]
pub(crate) struct Coming {
    of: SentElsewhere,
    /// The number of the message's arrival here, once it is traced.
    arrived: Option<TraceId>,
}

impl Node {
    /// Takes note of the cause of the next message.
    pub(crate) fn take_cause(&mut self, peer: Place, cause: &Cause<'_>) -> Coming {
        let of = self.peers.at_mut(peer);
        let of = SentElsewhere {
            manager: NodeName::shared(&of.name),
            send: cause.send,
            place: of.lines.line(cause),
            context: cause.context,
        };
        let arrived = None;
        Coming { of, arrived }
    }

    /// Returns what the trace shows of an answer or a refusal. `why` is the reason, unless it was answered.
    pub(crate) fn back_from(
        &self,
        peer: Place,
        back: &Back<'_>,
        why: Option<&str>,
    ) -> Option<BackFrom> {
        Some(BackFrom {
            manager: NodeName::shared(&self.peers.at(peer).name),
            sent: TraceId::new(back.sent)?,
            frame: back.frame,
            number: back.number,
            place: back.line.map(|line| shortened(line, LONGEST).into()),
            why: why.map(Into::into),
        })
    }
}

impl Coming {
    /// Traces the arrival of a message that has a cause, if this manager is traced.
    #[inline]
    pub(crate) fn arrive(
        cause: &mut Option<Self>,
        manager: &MessageManager,
        message: &dyn AnyMessage,
        from: MessageeId,
        to: Recipient,
    ) {
        if let Some(cause) = cause {
            let from = Sender::Messagee(from);
            cause.arrived = manager.trace_arrival(message, from, to, cause.of.clone());
        }
    }

    /// Returns `true` if the arrival was traced.
    pub(crate) fn is_traced(&self) -> bool {
        self.arrived.is_some()
    }

    /// Returns the part of an answer or a refusal that says where it comes from. `line` is that of the handler.
    pub(crate) fn back<'b>(
        &self,
        manager: &MessageManager,
        handled: Option<Handled>,
        line: Option<&'b str>,
    ) -> Back<'b> {
        let number = handled.map(|handled| handled.delivery).or(self.arrived);
        Back {
            sent: self.of.send,
            frame: manager.clock().frame(),
            number: number.map(TraceId::get),
            line: line.map(|line| shortened(line, LONGEST)),
        }
    }
}

/// Delivers a message from another node. If it has a cause, it is the cause of what is sent meanwhile.
#[inline]
pub(crate) fn because_of<T>(
    cause: Option<&Coming>,
    manager: &mut MessageManager,
    deliver: impl FnOnce(&mut MessageManager) -> T,
) -> T {
    match cause {
        Some(cause) => manager.with_cause(cause.arrived, deliver),
        None => deliver(manager),
    }
}
