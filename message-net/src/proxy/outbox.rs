//! An outbox: the messages that were sent to proxies and are not yet taken.

use std::any::{Any, TypeId};
use std::collections::HashMap;
use std::ops::Range;
use std::panic::Location;
use std::ptr;

use message_core::carrier::Carrying;
use message_core::error::CarryError;
use message_core::registry::MessageIndex;
use message_core::trace::{TraceContext, TraceId};
use message_core::{AnyMessage, Header, MessageeId, Sender};
use message_data::ask::check_ids;
use message_data::{DataError, DataType, Packer, message_to_bytes, pack_message, type_of};

use crate::hash::OwnKeys;
use crate::pack::{self, Unpacker};

/// The id of an outbox of a manager.
///
/// ```
/// use message_core::prelude::*;
/// use message_net::proxy;
///
/// let mut manager = MessageManager::new();
/// assert_ne!(proxy::open_outbox(&mut manager, 1000), proxy::open_outbox(&mut manager, 1000));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OutboxId(pub(crate) u32);

/// The size that a message counts in an outbox in addition to its bytes.
const ROOM_OF_ONE: usize = 32;

/// The messages to the proxies of one outbox.
#[derive(Debug)]
pub(crate) struct Outbox {
    pub(crate) capacity: usize,
    /// Nothing can be carried now.
    pub(crate) is_blocked: bool,
    pub(crate) letters: Letters,
    /// Structs are written as lists of their fields.
    pub(crate) by_position: bool,
}

/// The types that were written to outboxes of a manager.
pub(crate) type KnownTypes = HashMap<TypeId, Known, OwnKeys>;

/// A type of messages. Determined when one of them is first written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Known {
    pub(super) of: &'static DataType,
    /// The fields that are written as a list. If there are none, fields are written with their names.
    fields: &'static [&'static str],
    pub(super) index: Option<MessageIndex>,
    /// Whether a message of the type was ever carried.
    pub(super) is_carried: bool,
}

impl Known {
    /// Returns how messages of the type of this one are written.
    pub(super) fn of(message: &dyn AnyMessage, known: &mut KnownTypes) -> Result<Self, DataError> {
        let id = (message as &dyn Any).type_id();
        if let Some(known) = known.get(&id) {
            return Ok(*known);
        }
        let of = type_of(message)?;
        let new = Self {
            of,
            fields: of.fields_by_position(),
            index: message.facts().index(),
            is_carried: false,
        };
        known.insert(id, new);
        Ok(new)
    }
}

impl Outbox {
    pub(crate) fn new(capacity: usize, by_position: bool) -> Self {
        Self {
            capacity,
            is_blocked: false,
            letters: Letters::default(),
            by_position,
        }
    }

    /// Writes a message.
    pub(super) fn write(
        &mut self,
        carrying: Carrying<'_>,
        message: &dyn AnyMessage,
        known: &mut KnownTypes,
    ) -> Result<(), CarryError> {
        if self.is_blocked {
            return Err(CarryError::Unreachable);
        }
        let begun = Known::of(message, known).and_then(|of| {
            let by_position = self.begin(of, message)?;
            if !self.letters.begun.is_empty() {
                let of = of.of.name();
                check_ids(format_args!("`{of}`"), &self.letters.begun, carrying.proxy)?;
            }
            Ok((of, by_position))
        });
        let (of, by_position) = begun.map_err(|error| {
            let error = error.to_string().into();
            CarryError::NotWritten { error }
        })?;
        // Places in an outbox have 32 bits.
        let capacity = self.capacity.min(u32::MAX as usize);
        if self.letters.used_with_begun() > capacity {
            return Err(CarryError::Backlog { capacity });
        }
        self.letters.end(carrying, of.of, by_position);
        if !of.is_carried
            && let Some(of) = known.get_mut(&(message as &dyn Any).type_id())
        {
            of.is_carried = true;
        }
        Ok(())
    }

    /// Begins a message: writes it behind the others. Returns `true` if it is a list of its fields.
    pub(crate) fn begin(
        &mut self,
        known: Known,
        message: &dyn AnyMessage,
    ) -> Result<bool, DataError> {
        self.letters.begin();
        let Letters { begun, packer, .. } = &mut self.letters;
        let fields = if self.by_position { known.fields } else { &[] };
        pack_message(known.of, fields, message, begun, packer)
    }
}

/// A message, or several of them that differ only in their contents and where they were sent.
#[derive(Debug)]
struct Row {
    proxy: MessageeId,
    sender: Sender,
    /// The header, apart from the recipient; `None` for a plain send.
    header: Option<Box<Header>>,
    of: &'static DataType,
    /// The bytes are a list of its fields.
    by_position: bool,
    ids: Range<u32>,
    /// Its number, while its manager is traced.
    traced: Option<Box<Traced>>,
}

impl Row {
    /// Returns `true` if a plain message can be another one of the row.
    #[inline]
    fn holds(&self, carrying: &Carrying<'_>, of: &'static DataType, by_position: bool) -> bool {
        self.proxy == carrying.proxy
            && self.sender == carrying.sender
            && ptr::eq(self.of, of)
            && self.by_position == by_position
            && self.is_plain()
    }

    /// Returns `true` if it has neither ids nor a header, and was not traced.
    #[inline]
    fn is_plain(&self) -> bool {
        self.ids.is_empty() && self.header.is_none() && self.traced.is_none()
    }
}

/// One message of a row.
#[derive(Clone, Copy, Debug)]
struct One {
    row: u32,
    /// The end of its bytes.
    end: u32,
    place: &'static Location<'static>,
}

/// A message that was sent while its manager was traced.
#[derive(Debug)]
pub(crate) struct Traced {
    /// The number of the send.
    pub(crate) send: TraceId,
    /// The ids by which other programs know the send.
    pub(crate) context: Option<TraceContext>,
}

/// The messages taken out of an outbox, in the order sent.
///
/// ```
/// use message_core::prelude::*;
/// use message_net::proxy;
///
/// let mut manager = MessageManager::new();
/// let out = proxy::open_outbox(&mut manager, 1000);
/// assert!(proxy::take_outbox(&mut manager, out).is_empty());
/// ```
#[derive(Debug, Default)]
pub struct Letters {
    rows: Vec<Row>,
    all: Vec<One>,
    /// The messages, one behind the other, each as a batch has it: the header of a byte string, then its bytes. A message
    /// that was begun and could not be written stays behind the last one until the next one is begun.
    packer: Packer,
    /// The number of bytes of the messages.
    len: usize,
    /// The end of the last message.
    end: usize,
    ids: Vec<MessageeId>,
    /// The ids of the message that was begun last.
    pub(super) begun: Vec<MessageeId>,
}

impl Letters {
    /// Returns the end of the message before this one.
    #[inline]
    fn end_before(&self, at: usize) -> usize {
        let before = at.checked_sub(1).and_then(|before| self.all.get(before));
        before.map_or(0, |before| before.end as usize)
    }

    /// Begins a message. It is there once it was [ended](Self::end).
    #[inline]
    fn begin(&mut self) {
        let bytes = self.packer.bytes_mut();
        bytes.truncate(self.end);
        bytes.extend_from_slice(&pack::SHORT_BIN);
        self.begun.clear();
    }

    /// Begins a message that was written elsewhere.
    pub(super) fn begin_as(&mut self, bytes: &[u8], ids: &[MessageeId]) {
        self.begin();
        self.packer.bytes_mut().extend_from_slice(bytes);
        self.begun.extend_from_slice(ids);
    }

    /// Returns the number of bytes of the message that was begun.
    #[inline]
    fn len_of_begun(&self) -> usize {
        self.packer.bytes().len() - self.end - pack::SHORT_BIN.len()
    }

    /// Returns how much of the outbox is used, including the message that was begun.
    fn used_with_begun(&self) -> usize {
        self.len + self.len_of_begun() + (self.all.len() + 1) * ROOM_OF_ONE
    }

    /// Ends the message that was begun.
    pub(crate) fn end(&mut self, carrying: Carrying<'_>, of: &'static DataType, by_position: bool) {
        let number =
            |number| u32::try_from(number).expect("the messages of an outbox have less than 4 GiB");
        self.len += self.len_of_begun();
        pack::end_bin(self.packer.bytes_mut(), self.end);
        self.end = self.packer.bytes().len();
        let is_plain =
            carrying.header.is_none() && carrying.send.is_none() && self.begun.is_empty();
        let holds = |row: &Row| row.holds(&carrying, of, by_position);
        if !(is_plain && self.rows.last().is_some_and(holds)) {
            let ids_at = number(self.ids.len());
            self.ids.append(&mut self.begun);
            self.rows.push(Row {
                proxy: carrying.proxy,
                sender: carrying.sender,
                header: carrying.header.map(|header| Box::new(*header)),
                of,
                by_position,
                ids: ids_at..number(self.ids.len()),
                traced: carrying.send.map(|send| {
                    let context = carrying.context;
                    Box::new(Traced { send, context })
                }),
            });
        }
        self.all.push(One {
            row: number(self.rows.len() - 1),
            end: number(self.end),
            place: carrying.place,
        });
    }

    /// Returns the number of messages.
    #[must_use]
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns `true` if there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Returns how many bytes the messages have together.
    ///
    /// ```
    /// use message_net::proxy::Letters;
    ///
    /// assert_eq!(Letters::default().bytes(), 0);
    /// ```
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.len
    }

    /// Forgets them, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.rows.clear();
        self.all.clear();
        self.packer.bytes_mut().clear();
        (self.len, self.end) = (0, 0);
        self.ids.clear();
    }

    /// Returns the messages, in the order sent.
    #[must_use]
    pub fn letters(&self) -> impl ExactSizeIterator<Item = Letter<'_>> {
        (0..self.all.len()).map(|at| self.at(at))
    }

    /// Returns the message with this index.
    #[inline]
    pub(crate) fn at(&self, at: usize) -> Letter<'_> {
        let row = &self.rows[self.all[at].row as usize];
        let all = self;
        Letter { row, at, all }
    }

    /// Returns the messages from this index on that have the receiver, the sender and the type of the one before, as a
    /// batch has them, and their number: as many as have at most `most` bytes each, and `room` bytes together.
    pub(crate) fn more(&self, from: usize, most: usize, room: usize) -> (&[u8], usize) {
        let row = self.all[from - 1].row;
        let begin = self.end_before(from);
        let mut end = begin;
        let is_more = |one: &&One| {
            let next = one.end as usize;
            let fits = next - end <= most && next - begin <= room;
            let is_more = fits && one.row == row;
            end = if is_more { next } else { end };
            is_more
        };
        let count = self.all[from..].iter().take_while(is_more).count();
        (&self.packer.bytes()[begin..end], count)
    }
}

/// A message that was sent to a proxy.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::Data;
/// use message_net::proxy;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Message, Data, Serialize, Deserialize)]
/// #[data(name = "docs.Toll", exact)]
/// struct Toll { times: u32 }
///
/// let mut manager = MessageManager::new();
/// let out = proxy::open_outbox(&mut manager, 1 << 20);
/// let bell = proxy::spawn_proxy(&mut manager, out)?;
/// manager.send(bell, Toll { times: 2 })?;
/// let letters = proxy::take_outbox(&mut manager, out);
/// let letter = letters.letters().next().expect("it was carried");
/// assert_eq!((letter.proxy(), letter.sender()), (bell, Sender::Outside));
/// assert_eq!(letter.message_type().name(), "docs.Toll");
/// assert_eq!(letter.bytes(), b"\x81\xa5times\x02");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Letter<'a> {
    row: &'a Row,
    at: usize,
    all: &'a Letters,
}

impl<'a> Letter<'a> {
    /// Returns the proxy that it was sent to, by any recipient.
    #[must_use]
    pub fn proxy(&self) -> MessageeId {
        self.row.proxy
    }

    /// Returns who sent it: a messagee of this manager, or `Outside`.
    #[must_use]
    pub fn sender(&self) -> Sender {
        self.row.sender
    }

    /// Returns its header, or `None` for a send without one. The recipient in it is the proxy.
    #[must_use]
    pub fn header(&self) -> Option<&'a Header> {
        self.row.header.as_deref()
    }

    /// Returns the type of the message.
    #[must_use]
    pub fn message_type(&self) -> &'static DataType {
        self.row.of
    }

    /// Returns the message, as [`message_to_bytes`](message_data::message_to_bytes) writes it; or as a list of
    /// its fields, if it is [by position](Self::is_by_position).
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        let framed = self.all.end_before(self.at)..self.all.end_before(self.at + 1);
        let mut content = Unpacker::new(&self.all.packer.bytes()[framed]);
        content.bin().unwrap_or_default()
    }

    /// Returns `true` if the bytes are a list of the message's fields, without their names: see
    /// [`open_outbox_by_position`](crate::proxy::open_outbox_by_position).
    #[must_use]
    pub fn is_by_position(&self) -> bool {
        self.row.by_position
    }

    /// Returns the message with the names of its fields, which a program with another shape of the type can
    /// read. The [ids](Self::ids) are the same.
    ///
    /// # Errors
    ///
    /// If the message cannot be read, or not be written again.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Data;
    /// use message_net::proxy;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[data(name = "docs.Peal", exact)]
    /// struct Peal { times: u32 }
    ///
    /// let mut manager = MessageManager::new();
    /// let out = proxy::open_outbox_by_position(&mut manager, 1 << 20);
    /// let bell = proxy::spawn_proxy(&mut manager, out)?;
    /// manager.send(bell, Peal { times: 2 })?;
    /// let letters = proxy::take_outbox(&mut manager, out);
    /// let letter = letters.letters().next().expect("it was carried");
    /// assert_eq!((letter.is_by_position(), letter.bytes()), (true, &[0x91, 2][..]));
    /// assert_eq!(letter.to_named_bytes()?, b"\x81\xa5times\x02");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn to_named_bytes(&self) -> Result<Vec<u8>, DataError> {
        if !self.is_by_position() {
            return Ok(self.bytes().to_vec());
        }
        let message = self.message_type().read_message(self.bytes(), self.ids())?;
        // Those that are there keep their places.
        let mut ids = self.ids().to_vec();
        message_to_bytes(&*message, &mut ids)
    }

    /// Returns the ids in the bytes, by their places.
    #[must_use]
    pub fn ids(&self) -> &'a [MessageeId] {
        &self.all.ids[self.row.ids.start as usize..self.row.ids.end as usize]
    }

    /// Returns the number of its send and the ids by which other programs know it, if its manager was traced.
    #[inline]
    pub(crate) fn traced(&self) -> Option<&'a Traced> {
        self.row.traced.as_deref()
    }

    /// Returns the number of its send, or `None` if its manager was not traced.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Data;
    /// use message_net::proxy;
    /// use message_trace::Recorder;
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Message, Data, Serialize, Deserialize)]
    /// #[data(name = "docs.Curfew", exact)]
    /// struct Curfew;
    ///
    /// let mut manager = MessageManager::new();
    /// let out = proxy::open_outbox(&mut manager, 1000);
    /// let bell = proxy::spawn_proxy(&mut manager, out)?;
    /// Recorder::new(10).start(&mut manager);
    /// manager.send(bell, Curfew)?;
    /// let letters = proxy::take_outbox(&mut manager, out);
    /// let number = letters.letters().next().and_then(|letter| letter.trace_id());
    /// assert_eq!(number, Recorder::stop(&mut manager).and_then(|it| it.events().next()?.send));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn trace_id(&self) -> Option<TraceId> {
        Some(self.traced()?.send)
    }

    /// Returns the place in the source where it was sent.
    #[must_use]
    pub fn place(&self) -> &'static Location<'static> {
        self.all.all[self.at].place
    }
}
