//! One message on its way to another room, without its content, and its header.

use std::collections::HashMap;

use message_core::{Header, MessageManager, MessageeId, Recipient};
use message_data::{DataError, from_bytes_with_ids, to_bytes_with_ids};
use serde::{Deserialize, Serialize};

use crate::far::{Far, Who, redirect};
use crate::gateway::local;

/// One message, without its content.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    /// The number of the message among those that its room sends in a frame.
    pub(crate) number: u32,
    /// The number of its type in this process, and its place among the messages of this type.
    #[serde(skip)]
    pub(crate) column: u32,
    #[serde(skip)]
    pub(crate) at: u32,
    pub(crate) to: Who,
    pub(crate) from: Far,
    /// The proxy that the message was sent to, in the sender's room.
    pub(crate) proxy: MessageeId,
}

impl Row {
    /// Returns `true` if the message has the type and the sender of another one.
    #[inline]
    pub(crate) fn continues(&self, first: &Self) -> bool {
        self.column == first.column && self.from == first.from
    }
}

/// Returns a place in a list that is longer than this.
pub(crate) fn place(at: usize) -> u32 {
    u32::try_from(at).expect("fewer than 2^32 messages fit into memory")
}

/// A header on its way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum CarriedHeader {
    Plain(Header),
    /// The header has a key, which may be that of a messagee.
    Written(Vec<u8>, Vec<Far>),
}

impl CarriedHeader {
    /// Returns a header that is on its way to another room.
    pub(crate) fn of(
        header: &Header,
        far_of: &dyn Fn(MessageeId) -> Far,
    ) -> Result<Self, DataError> {
        if header.ends_with().is_some() {
            return Err(DataError::new(
                "its header is tied to a component of this room: expected no `until_unhooked`",
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

    /// Returns the header for a recipient of the target.
    ///
    /// # Errors
    ///
    /// Returns an error if the header cannot be read.
    pub(crate) fn read(
        &self,
        to: Recipient,
        target: &mut MessageManager,
    ) -> Result<Header, DataError> {
        let header = match self {
            Self::Plain(header) => *header,
            Self::Written(bytes, ids) => {
                let ids: Vec<MessageeId> = ids.iter().map(|&far| local(target, far)).collect();
                from_bytes_with_ids(bytes, &ids)?
            }
        };
        Ok(header.with_recipient(to))
    }

    /// Replaces the addresses of messagees that have moved to another room.
    pub(crate) fn redirect(&mut self, moved: &HashMap<Far, Far>) {
        if let Self::Written(_, ids) = self {
            redirect(ids, moved);
        }
    }
}
