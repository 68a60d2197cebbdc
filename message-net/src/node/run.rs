//! Runs of messages of one type, from one sender to one receiver.
//!
//! Most messages of a batch belong to such a run. Findings about the first one hold for the others, as long as
//! both messagees are alive: nothing that a handler can do changes what the node knows of another one.

use std::ptr;

use crate::proxy::Letter;
use message_core::{MessageManager, MessageeId, Recipient, Sender};
use message_data::DataType;

use crate::node::accept::Readable;
use crate::node::entry::Say;
use crate::pack::{Packer, Unpacker};

/// The first byte of a plain message: a list of five parts.
const PLAIN: u8 = 0x95;

/// The route of a plain message that was accepted: it has no ids, no header, and asks nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) known: Readable,
    pub(crate) to: Recipient,
    /// The proxy of its sender.
    pub(crate) from: MessageeId,
}

impl Way {
    #[inline]
    fn holds(&self, manager: &MessageManager) -> bool {
        let is_there = match self.to {
            Recipient::Id(id) => manager.is_alive(id),
            _ => true,
        };
        is_there && manager.is_alive(self.from)
    }
}

/// The messages of a batch that take the same route.
#[derive(Debug)]
pub(crate) struct ComingRun<'b> {
    /// The beginning of each entry, up to its content.
    head: &'b [u8],
    pub(crate) way: Way,
}

impl<'b> ComingRun<'b> {
    /// Begins a run with an entry. Returns `None` if the next entry does not match it.
    #[inline]
    pub(crate) fn begin(way: Way, entry: &'b [u8], behind: &Unpacker<'b>) -> Option<Self> {
        // Other programs may encode a list of five differently, or add an empty list of ids after the content.
        if entry.first() != Some(&PLAIN) || entry.get(..4) != behind.left().get(..4) {
            return None;
        }
        let head = Say::head_of(entry).ok()?;
        Some(Self { head, way })
    }

    /// Returns the content of the next entry and advances past it, if it belongs to the run.
    #[inline]
    pub(crate) fn next(
        &self,
        from: &mut Unpacker<'b>,
        manager: &MessageManager,
    ) -> Option<&'b [u8]> {
        if !from.left().starts_with(self.head) || !self.way.holds(manager) {
            return None;
        }
        let mut behind = *from;
        behind.skip_to(from.at() + self.head.len());
        let content = behind.bin().ok()?;
        *from = behind;
        Some(content)
    }
}

/// The messages of a flush that take the same route.
#[derive(Debug, Default)]
pub(crate) struct GoingRun {
    last: Option<Last>,
    /// The beginning of each entry.
    head: Packer,
}

#[derive(Debug)]
struct Last {
    proxy: MessageeId,
    sender: Sender,
    of: &'static DataType,
    takes_lists: bool,
}

impl GoingRun {
    /// Begins a run with a plain message. Returns the beginning of its entry.
    pub(crate) fn begin(
        &mut self,
        letter: Letter<'_>,
        takes_lists: bool,
        write: impl FnOnce(&mut Packer),
    ) -> &[u8] {
        self.head.0.clear();
        write(&mut self.head);
        self.last = Some(Last {
            proxy: letter.proxy(),
            sender: letter.sender(),
            of: letter.message_type(),
            takes_lists,
        });
        &self.head.0
    }

    /// Returns the beginning of the entry for the next message, if it takes the same route.
    #[inline]
    pub(crate) fn next(&self, letter: Letter<'_>) -> Option<&[u8]> {
        let last = self.last.as_ref()?;
        let is_same = last.proxy == letter.proxy()
            && last.sender == letter.sender()
            && ptr::eq(last.of, letter.message_type())
            && (last.takes_lists || !letter.is_by_position())
            && is_plain(letter);
        is_same.then_some(&self.head.0)
    }
}

/// Returns `true` if a message has neither ids nor a header.
#[inline]
fn is_plain(letter: Letter<'_>) -> bool {
    letter.ids().is_empty() && letter.header().is_none()
}
