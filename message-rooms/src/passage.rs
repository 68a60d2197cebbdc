//! The messages on their way from one room to another.

use std::collections::HashMap;
use std::hash::{Hash, Hasher};

use message_core::carrier::Carrying;
use message_core::{AnyMessage, Header, HookId, MessageId, MessageeId, Recipient};
use message_data::{
    DataError, DataType, from_bytes_with_ids, message_to_bytes, to_bytes_with_ids, type_of,
};

use crate::column::{Column, column_for};
use crate::far::{Far, RoomId, Who};

/// The messages from one room to another, in the order sent.
///
/// The sender's room adds messages during its frame. Between two frames the whole passage is swapped for an empty one,
/// and the target delivers the messages in its frame. So no room touches anything of another one during a frame.
#[derive(Debug, Default)]
pub(crate) struct Passage {
    pub(crate) rows: Vec<Row>,
    /// The number of rows that were delivered.
    pub(crate) delivered: usize,
    /// The messages that are carried typed, by the number of their type.
    columns: Vec<Option<Box<dyn Column>>>,
    written: Vec<Written>,
    headers: Vec<CarriedHeader>,
}

/// One message, without its content.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The number of the message among those that its room sends in a frame.
    pub(crate) number: u32,
    pub(crate) to: Who,
    pub(crate) from: Far,
    /// The proxy that the message was sent to, in the sender's room.
    pub(crate) proxy: MessageeId,
    /// The place of its header.
    header: Option<u32>,
    /// The component of the target's room with which it ends.
    pub(crate) until: Option<HookId>,
    content: Content,
}

#[derive(Clone, Copy, Debug, Hash)]
enum Content {
    /// The column, and the place in it.
    Typed { index: u32, at: u32 },
    /// The place among those that were written.
    Written(u32),
}

/// A message as bytes.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    of: &'static DataType,
    bytes: Vec<u8>,
    ids: Vec<Far>,
}

/// A header on its way.
#[derive(Clone, Debug)]
pub(crate) enum CarriedHeader {
    Plain(Header),
    /// The header has a key, which may be that of a messagee.
    Written(Vec<u8>, Vec<Far>),
}

/// The content of a message that is taken out of a passage.
#[derive(Debug)]
pub(crate) enum Taken {
    Typed(Box<dyn AnyMessage>),
    Written(Written),
}

impl Written {
    /// Writes a message that is on its way to another room.
    ///
    /// # Errors
    ///
    /// Returns an error if the message cannot be written.
    pub(crate) fn of(
        message: &dyn AnyMessage,
        far_of: &dyn Fn(MessageeId) -> Far,
    ) -> Result<Self, DataError> {
        let (of, mut ids) = (type_of(message)?, Vec::new());
        let bytes = message_to_bytes(message, &mut ids)?;
        let ids = ids.into_iter().map(far_of).collect();
        Ok(Self { of, bytes, ids })
    }
}

impl Taken {
    /// Returns the message with the ids of a room. `local` returns them.
    ///
    /// # Errors
    ///
    /// Returns an error if the message cannot be read.
    pub(crate) fn read(
        self,
        local: impl FnMut(Far) -> MessageeId,
    ) -> Result<Box<dyn AnyMessage>, DataError> {
        match self {
            Self::Typed(message) => Ok(message),
            Self::Written(Written { of, bytes, ids }) => {
                let ids: Vec<MessageeId> = ids.into_iter().map(local).collect();
                of.read_message(&bytes, &ids)
            }
        }
    }

    /// Replaces the addresses of messagees that have moved to another room.
    pub(crate) fn redirect(&mut self, moved: &HashMap<Far, Far>) {
        if let Self::Written(written) = self {
            redirect(&mut written.ids, moved);
        }
    }
}

/// Replaces the addresses of messagees that have moved to another room.
fn redirect(addresses: &mut [Far], moved: &HashMap<Far, Far>) {
    for address in addresses {
        if let Some(new) = moved.get(address) {
            *address = *new;
        }
    }
}

fn place(len: usize) -> u32 {
    u32::try_from(len).expect("fewer than 2^32 messages fit into memory")
}

impl Passage {
    /// Adds a message, given the number of its type. `far_of` returns the address of a messagee of the sender's room.
    ///
    /// # Errors
    ///
    /// Returns an error if the message or its header cannot leave the room.
    pub(crate) fn push(
        &mut self,
        row: (u32, Who, Far),
        carrying: Carrying<'_>,
        (index, message): (usize, &dyn AnyMessage),
        far_of: &dyn Fn(MessageeId) -> Far,
    ) -> Result<(), DataError> {
        let header = carrying.header;
        let header = header.map(|header| CarriedHeader::of(header, far_of));
        let header = header.transpose()?;
        let content = if let Some(column) = self.typed(index, message.id()) {
            let at = column.push(message);
            let index = place(index);
            Content::Typed { index, at }
        } else {
            self.written.push(Written::of(message, far_of)?);
            Content::Written(place(self.written.len() - 1))
        };
        let header = header.map(|header| self.keep_header(header));
        let (number, to, from) = row;
        self.rows.push(Row {
            number,
            to,
            from,
            proxy: carrying.proxy,
            header,
            until: None,
            content,
        });
        Ok(())
    }

    /// Returns the column of a type, if the type is carried typed.
    fn typed(&mut self, index: usize, id: MessageId) -> Option<&mut (dyn Column + 'static)> {
        if self.columns.get(index).is_none_or(Option::is_none) {
            let column = column_for(id)?;
            if self.columns.len() <= index {
                self.columns.resize_with(index + 1, || None);
            }
            self.columns[index] = Some(column);
        }
        self.columns[index].as_deref_mut()
    }

    fn keep_header(&mut self, header: CarriedHeader) -> u32 {
        self.headers.push(header);
        place(self.headers.len() - 1)
    }

    /// Returns the header of a message.
    pub(crate) fn header(&self, row: &Row) -> Option<&CarriedHeader> {
        row.header.map(|at| &self.headers[at as usize])
    }

    /// Returns the column of a message that can be sent from it: a message without a header that is carried typed.
    pub(crate) fn plain(&mut self, row: &Row) -> Option<(&mut dyn Column, u32)> {
        let (Content::Typed { index, at }, None) = (row.content, row.header) else {
            return None;
        };
        Some((self.columns[index as usize].as_deref_mut()?, at))
    }

    /// Takes the content of a message out.
    pub(crate) fn take(&mut self, row: &Row) -> Taken {
        self.content(row, |column, at| column.take(at))
    }

    /// Copies the content of a message.
    pub(crate) fn copy(&mut self, row: &Row) -> Taken {
        self.content(row, |column, at| column.copy(at))
    }

    fn content(
        &mut self,
        row: &Row,
        typed: impl FnOnce(&mut dyn Column, u32) -> Box<dyn AnyMessage>,
    ) -> Taken {
        match row.content {
            Content::Typed { index, at } => {
                let column = self.columns[index as usize].as_deref_mut();
                Taken::Typed(typed(column.expect("it has this message"), at))
            }
            Content::Written(at) => Taken::Written(self.written[at as usize].clone()),
        }
    }

    /// Forgets all messages, and keeps the memory.
    pub(crate) fn clear(&mut self) {
        if self.rows.is_empty() {
            return;
        }
        self.rows.clear();
        self.delivered = 0;
        for column in self.columns.iter_mut().flatten() {
            column.clear();
        }
        self.written.clear();
        self.headers.clear();
    }

    /// Replaces the addresses of messagees that have moved to another room. Returns the messages that no longer belong
    /// into this passage, with their new targets.
    pub(crate) fn redirect(&mut self, room: RoomId, moved: &HashMap<Far, Far>) -> Vec<(Far, Row)> {
        for written in &mut self.written {
            redirect(&mut written.ids, moved);
        }
        for header in &mut self.headers {
            if let CarriedHeader::Written(_, ids) = header {
                redirect(ids, moved);
            }
        }
        let new = |far: Far| moved.get(&far).copied().unwrap_or(far);
        let mut gone = Vec::new();
        self.rows.retain_mut(|row| {
            row.from = new(row.from);
            let to = Far { room, who: row.to };
            let now = new(to);
            row.to = now.who;
            if now.room != room {
                gone.push((now, *row));
            }
            now.room == room
        });
        gone
    }

    /// Moves a message of another passage here. [`put_in_order`](Self::put_in_order) is to be called afterwards.
    pub(crate) fn adopt(&mut self, from: &mut Self, row: &Row, to: Who) {
        let content = match (row.content, from.take(row)) {
            (Content::Typed { index, .. }, Taken::Typed(message)) => {
                let column = self.typed(index as usize, message.id());
                let at = column.expect("its type is carried typed").adopt(message);
                Content::Typed { index, at }
            }
            (_, Taken::Written(written)) => {
                self.written.push(written);
                Content::Written(place(self.written.len() - 1))
            }
            _ => unreachable!("a message is taken in the form in which it was carried"),
        };
        let header = from.header(row).cloned();
        let header = header.map(|header| self.keep_header(header));
        self.rows.push(Row {
            to,
            header,
            content,
            ..*row
        });
    }

    /// Sorts the messages by the order in which they were sent.
    pub(crate) fn put_in_order(&mut self) {
        self.rows.sort_by_key(|row| row.number);
    }

    /// Hashes the addresses of the messages and the bytes of those that are written.
    pub(crate) fn hash(&self, to: &mut impl Hasher) {
        for row in &self.rows {
            (row.from, row.to, row.content).hash(to);
        }
        for Written { of, bytes, ids } in &self.written {
            (of.name(), bytes, ids).hash(to);
        }
    }
}

impl CarriedHeader {
    /// Returns a header that is on its way to another room.
    pub(crate) fn of(
        header: &Header,
        far_of: &dyn Fn(MessageeId) -> Far,
    ) -> Result<Self, DataError> {
        if header.ends_with().is_some() {
            return Err(DataError::new(
                "its header ends with a component of this room; expected none with `until_unhooked`",
            ));
        }
        if header.key().is_none() {
            return Ok(Self::Plain(*header));
        }
        let mut ids = Vec::new();
        let header = header.with_recipient(Recipient::Everyone);
        let bytes = to_bytes_with_ids(&header, &mut ids)?;
        Ok(Self::Written(bytes, ids.into_iter().map(far_of).collect()))
    }

    /// Returns the header for a recipient of the target. `local` returns the ids of the target's room.
    ///
    /// # Errors
    ///
    /// Returns an error if the header cannot be read.
    pub(crate) fn read(
        &self,
        to: Recipient,
        local: impl FnMut(Far) -> MessageeId,
    ) -> Result<Header, DataError> {
        let header = match self {
            Self::Plain(header) => *header,
            Self::Written(bytes, ids) => {
                let ids: Vec<MessageeId> = ids.iter().copied().map(local).collect();
                from_bytes_with_ids(bytes, &ids)?
            }
        };
        Ok(header.with_recipient(to))
    }
}
