//! The content of a message on its way to another room, and whatever else is written there.

use std::collections::HashMap;

use message_core::{AnyMessage, Header, MessageManager, MessageeId, Recipient};
use message_data::{
    DataError, DataType, find, from_bytes_with_ids, message_to_bytes, to_bytes_with_ids, type_of,
};
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::column::{cloned, column_of};
use crate::far::Far;
use crate::gateway::{Gateway, local};

/// Bytes that were written in a room, and the addresses of the messagees whose ids they contain.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Written {
    bytes: Vec<u8>,
    ids: Vec<Far>,
}

impl Written {
    /// Writes something in a room, with a function that writes its bytes and lists the ids in it.
    pub(crate) fn of(
        room: &Gateway,
        write: impl FnOnce(&mut Vec<MessageeId>) -> Result<Vec<u8>, DataError>,
    ) -> Result<Self, DataError> {
        let mut ids = Vec::new();
        let bytes = write(&mut ids)?;
        let ids = ids.into_iter().map(|id| room.far_of(id)).collect();
        Ok(Self { bytes, ids })
    }

    /// Reads it in another room, with a function that reads the bytes with the ids in that room.
    pub(crate) fn read<T>(
        &self,
        room: &mut MessageManager,
        read: impl FnOnce(&[u8], &[MessageeId]) -> Result<T, DataError>,
    ) -> Result<T, DataError> {
        let ids: Vec<MessageeId> = self.ids.iter().map(|&far| local(room, far)).collect();
        read(&self.bytes, &ids)
    }

    /// Replaces the addresses of messagees that have moved to another room.
    pub(crate) fn redirect(&mut self, moved: &HashMap<Far, Far>) {
        for id in &mut self.ids {
            *id = moved.get(id).copied().unwrap_or(*id);
        }
    }
}

/// A message that was written.
#[derive(Clone, Debug)]
pub(crate) struct WrittenMessage {
    of: &'static DataType,
    pub(crate) written: Written,
}

impl WrittenMessage {
    /// Writes a message in a room.
    pub(crate) fn of(message: &dyn AnyMessage, room: &Gateway) -> Result<Self, DataError> {
        let of = type_of(message)?;
        let written = Written::of(room, |ids| message_to_bytes(message, ids))?;
        Ok(Self { of, written })
    }

    /// Reads the message in another room.
    pub(crate) fn read(&self, room: &mut MessageManager) -> Result<Box<dyn AnyMessage>, DataError> {
        let read = |bytes: &[u8], ids: &[MessageeId]| self.of.read_message(bytes, ids);
        self.written.read(room, read)
    }
}

/// The content of a message.
#[derive(Debug)]
pub(crate) enum Content {
    /// A message of a type that is carried by value.
    Typed(Box<dyn AnyMessage>),
    Written(WrittenMessage),
}

impl Clone for Content {
    fn clone(&self) -> Self {
        match self {
            Self::Typed(message) => {
                Self::Typed(cloned(&**message).expect("only such messages are typed"))
            }
            Self::Written(message) => Self::Written(message.clone()),
        }
    }
}

impl Content {
    /// Takes a message that leaves its room.
    ///
    /// # Errors
    ///
    /// Returns an error if the message is not carried by value and cannot be written.
    pub(crate) fn of(message: &dyn AnyMessage, room: &Gateway) -> Result<Self, DataError> {
        match cloned(message) {
            Some(message) => Ok(Self::Typed(message)),
            None => WrittenMessage::of(message, room).map(Self::Written),
        }
    }

    /// Returns the message with the ids of a room.
    ///
    /// # Errors
    ///
    /// Returns an error if the message cannot be read.
    pub(crate) fn read(self, room: &mut MessageManager) -> Result<Box<dyn AnyMessage>, DataError> {
        match self {
            Self::Typed(message) => Ok(message),
            Self::Written(message) => message.read(room),
        }
    }

    /// Returns the addresses of the ids in the message.
    pub(crate) fn ids(&self) -> &[Far] {
        match self {
            Self::Typed(_) => &[],
            Self::Written(message) => &message.written.ids,
        }
    }

    /// Replaces the addresses of messagees that have moved to another room.
    pub(crate) fn redirect(&mut self, moved: &HashMap<Far, Far>) {
        if let Self::Written(message) = self {
            message.written.redirect(moved);
        }
    }
}

/// Written as the full name of the type and the message as bytes. A message without data has its name only, and cannot be
/// read again.
impl Serialize for Content {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Written(WrittenMessage { of, written }) => {
                (of.name(), Some(written)).serialize(serializer)
            }
            Self::Typed(message) => match type_of(&**message) {
                Err(_) => (message.name(), None::<Written>).serialize(serializer),
                Ok(of) => {
                    let bytes = message_to_bytes(&**message, &mut Vec::new());
                    let bytes = bytes.map_err(S::Error::custom)?;
                    let written = Written {
                        bytes,
                        ids: Vec::new(),
                    };
                    (of.name(), Some(written)).serialize(serializer)
                }
            },
        }
    }
}

impl<'d> Deserialize<'d> for Content {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Self, D::Error> {
        let (name, written) = <(String, Option<Written>)>::deserialize(deserializer)?;
        let of = find(&name).map_err(D::Error::custom)?;
        let no_data = || D::Error::custom(format_args!("`{name}` was saved without its data"));
        let written = written.ok_or_else(no_data)?;
        if of.message_id().and_then(column_of).is_none() {
            return Ok(Self::Written(WrittenMessage { of, written }));
        }
        let message = of.read_message(&written.bytes, &[]);
        message.map(Self::Typed).map_err(D::Error::custom)
    }
}

/// A header on its way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum CarriedHeader {
    Plain(Header),
    /// The header has a key, which may be that of a messagee, or names who began the chain of wires that has posted it.
    Written(Written),
}

impl CarriedHeader {
    /// Takes a header that leaves its room.
    pub(crate) fn of(header: &Header, room: &Gateway) -> Result<Self, DataError> {
        if header.ends_with().is_some() {
            return Err(DataError::new(
                "its header is tied to a component of this room: expected no `until_unhooked`",
            ));
        }
        if header.key().is_none() && header.activator().is_none() {
            return Ok(Self::Plain(*header));
        }
        let header = header.with_recipient(Recipient::Everyone);
        Written::of(room, |ids| to_bytes_with_ids(&header, ids)).map(Self::Written)
    }

    /// Returns the header for a recipient in another room.
    ///
    /// # Errors
    ///
    /// Returns an error if the header cannot be read.
    pub(crate) fn read(
        &self,
        to: Recipient,
        room: &mut MessageManager,
    ) -> Result<Header, DataError> {
        let header = match self {
            Self::Plain(header) => *header,
            Self::Written(written) => written.read(room, from_bytes_with_ids)?,
        };
        Ok(header.with_recipient(to))
    }

    /// Replaces the addresses of messagees that have moved to another room.
    pub(crate) fn redirect(&mut self, moved: &HashMap<Far, Far>) {
        if let Self::Written(written) = self {
            written.redirect(moved);
        }
    }
}
