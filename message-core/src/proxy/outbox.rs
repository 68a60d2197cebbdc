//! An outbox: the messages that were sent to proxies and are not yet taken.

use std::ops::Range;
use std::panic::Location;

use crate::address::{MessageeId, Sender};
use crate::data::{DataType, Packer};
use crate::post::Header;

/// Which outbox of a manager it is.
///
/// ```
/// use message_core::prelude::*;
///
/// let mut manager = MessageManager::new();
/// assert_ne!(manager.open_outbox(1000), manager.open_outbox(1000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OutboxId(pub(crate) u32);

/// What a message counts in an outbox besides its bytes.
pub(crate) const ROOM_OF_ONE: usize = 32;

/// The messages to the proxies of one outbox.
#[derive(Debug)]
pub(crate) struct Outbox {
    pub(crate) capacity: usize,
    /// Nothing can be carried now.
    pub(crate) is_blocked: bool,
    pub(crate) letters: Letters,
}

impl Outbox {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            capacity,
            is_blocked: false,
            letters: Letters::default(),
        }
    }
}

/// One message, without its bytes.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) proxy: MessageeId,
    pub(crate) sender: Sender,
    /// What its header says besides the recipient; nothing for a plain send.
    pub(crate) header: Option<Box<Header>>,
    pub(crate) of: &'static DataType,
    pub(crate) bytes: Range<u32>,
    pub(crate) ids: Range<u32>,
    pub(crate) place: &'static Location<'static>,
}

/// What was taken out of an outbox, in the order sent.
///
/// ```
/// use message_core::prelude::*;
///
/// let mut manager = MessageManager::new();
/// let out = manager.open_outbox(1000);
/// assert!(manager.take_outbox(out).is_empty());
/// ```
#[derive(Debug, Default)]
pub struct Letters {
    rows: Vec<Row>,
    /// The messages, one behind the other. Behind the last one stands what was begun and could not be
    /// written, until the next one is.
    packer: Packer,
    ids: Vec<MessageeId>,
    /// The ids of the message that was begun last.
    begun: Vec<MessageeId>,
}

/// Where a message is written.
pub(crate) struct Begun<'l> {
    pub(crate) packer: &'l mut Packer,
    pub(crate) ids: &'l mut Vec<MessageeId>,
}

/// The messages of an outbox have less bytes, and less ids.
const FITS: &str = "the messages of an outbox have less than 4 GiB";

impl Letters {
    /// Where the last message ends.
    fn end_of_last(&self) -> u32 {
        self.rows.last().map_or(0, |row| row.bytes.end)
    }

    /// Begins a message. It is there once it was [ended](Self::end).
    pub(crate) fn begin(&mut self) -> Begun<'_> {
        let end = self.end_of_last();
        self.packer.begin_behind(end as usize);
        self.begun.clear();
        Begun {
            packer: &mut self.packer,
            ids: &mut self.begun,
        }
    }

    /// How much of the outbox is used, with the message that was begun.
    pub(crate) fn used_with_begun(&self) -> usize {
        self.packer.bytes.len() + (self.rows.len() + 1) * ROOM_OF_ONE
    }

    /// Ends the message that was begun.
    pub(crate) fn end(&mut self, row: impl FnOnce(Range<u32>, Range<u32>) -> Row) {
        let number = |number| u32::try_from(number).expect(FITS);
        let bytes = self.end_of_last()..number(self.packer.bytes.len());
        let ids_at = number(self.ids.len());
        self.ids.append(&mut self.begun);
        self.rows.push(row(bytes, ids_at..number(self.ids.len())));
    }

    /// Appends a message that was written elsewhere.
    pub(crate) fn push(
        &mut self,
        bytes: &[u8],
        ids: &[MessageeId],
        row: impl FnOnce(Range<u32>, Range<u32>) -> Row,
    ) {
        let begun = self.begin();
        begun.packer.bytes.extend_from_slice(bytes);
        begun.ids.extend_from_slice(ids);
        self.end(row);
    }

    /// Returns the number of messages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns `true` if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns how many bytes the messages have together.
    ///
    /// ```
    /// use message_core::proxy::Letters;
    ///
    /// assert_eq!(Letters::default().bytes(), 0);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.end_of_last() as usize
    }

    /// Forgets them, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.packer.begin_behind(0);
        self.ids.clear();
        self.begun.clear();
    }

    /// Returns the messages, in the order sent.
    #[must_use]
    pub fn letters(&self) -> impl ExactSizeIterator<Item = Letter<'_>> {
        self.rows.iter().map(|row| Letter { row, all: self })
    }
}

/// A message that was sent to a proxy.
#[derive(Clone, Copy, Debug)]
pub struct Letter<'a> {
    row: &'a Row,
    all: &'a Letters,
}

impl<'a> Letter<'a> {
    /// Returns the proxy that it was sent to, by whatever recipient.
    #[must_use]
    pub fn proxy(&self) -> MessageeId {
        self.row.proxy
    }

    /// Returns who sent it: a messagee of this manager, or `Outside`.
    #[must_use]
    pub fn sender(&self) -> Sender {
        self.row.sender
    }

    /// Returns what its header says; `None` for a send without one. The recipient in it is the proxy.
    #[must_use]
    pub fn header(&self) -> Option<&'a Header> {
        self.row.header.as_deref()
    }

    /// Returns the type of the message.
    #[must_use]
    pub fn message_type(&self) -> &'static DataType {
        self.row.of
    }

    /// Returns the message, as [`message_to_bytes`](crate::data::message_to_bytes) writes it.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        &self.all.packer.bytes[self.row.bytes.start as usize..self.row.bytes.end as usize]
    }

    /// Returns the ids that stand in the bytes, by their places.
    #[must_use]
    pub fn ids(&self) -> &'a [MessageeId] {
        &self.all.ids[self.row.ids.start as usize..self.row.ids.end as usize]
    }

    /// Returns the place in the source where it was sent.
    #[must_use]
    pub fn place(&self) -> &'static Location<'static> {
        self.row.place
    }
}
