//! Rooms, and addresses that mean the same in every room.

use std::fmt;

use message_core::{Group, MessageManager, MessageeId, Recipient, Sender};
use message_data::MessageeNumber;
use serde::{Deserialize, Serialize};

/// The number of a room of [`Rooms`](crate::Rooms), in the order in which they were added.
///
/// ```
/// use message_core::prelude::*;
/// use message_rooms::{RoomId, Rooms};
///
/// let mut rooms = Rooms::new();
/// let north = rooms.add("north", MessageManager::new())?;
/// assert_eq!(north, RoomId::new(0));
/// assert_eq!(north.to_string(), "0");
/// # Ok::<(), message_rooms::RoomError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct RoomId(u32);

impl RoomId {
    /// Returns the id of the room with this number.
    ///
    /// ```
    /// use message_rooms::RoomId;
    ///
    /// assert_eq!(RoomId::new(3).number(), 3);
    /// ```
    #[must_use]
    pub fn new(number: u32) -> Self {
        Self(number)
    }

    /// Returns the number of the room.
    ///
    /// ```
    /// use message_rooms::RoomId;
    ///
    /// assert!(RoomId::new(1) < RoomId::new(2));
    /// assert_eq!(RoomId::new(2).number(), 2);
    /// ```
    #[must_use]
    pub fn number(self) -> u32 {
        self.0
    }

    pub(crate) fn at(self) -> usize {
        self.0 as usize
    }

    pub(crate) fn of_place(place: usize) -> Self {
        Self(u32::try_from(place).expect("there are fewer than 2^32 rooms"))
    }
}

impl fmt::Display for RoomId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The target of a proxy, in its room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Who {
    Messagee(MessageeNumber),
    /// The members of a group that spans the rooms.
    Group(Group),
    /// The sender of messages that no messagee has sent.
    Outside,
}

impl Who {
    /// Returns it as the sender of a message, in its room.
    pub(crate) fn sender(self, room: &MessageManager) -> Sender {
        match self {
            Self::Messagee(number) => Sender::Messagee(number.id_in(room)),
            _ => Sender::Outside,
        }
    }

    /// Returns the number of the messagee, if it is one.
    pub(crate) fn number(self) -> Option<MessageeNumber> {
        match self {
            Self::Messagee(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the recipient of a message to it, in its room.
    #[inline]
    pub(crate) fn recipient(self, room: &MessageManager) -> Recipient {
        match self {
            Self::Messagee(number) => Recipient::Id(number.id_in(room)),
            Self::Group(group) => Recipient::Group(group),
            Self::Outside => unreachable!("the gateway refuses messages to it"),
        }
    }
}

/// A target, and the room that it is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) struct Far {
    pub(crate) room: RoomId,
    pub(crate) who: Who,
}

impl Far {
    pub(crate) fn messagee(room: RoomId, id: MessageeId) -> Self {
        let who = Who::Messagee(MessageeNumber::of(id));
        Self { room, who }
    }
}
