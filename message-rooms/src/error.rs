//! The errors of rooms.

use std::sync::Arc;

use message_core::{MessageeError, MessageeId};

use crate::far::RoomId;

/// Why something could not be done with rooms.
///
/// ```
/// use message_core::prelude::*;
/// use message_rooms::Rooms;
///
/// let mut rooms = Rooms::new();
/// rooms.add("north", MessageManager::new())?;
/// let error = rooms.add("north", MessageManager::new()).expect_err("there is one");
/// assert_eq!(error.to_string(), "there is already a room called `north`: room 0");
/// # Ok::<(), message_rooms::RoomError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RoomError {
    /// Another room has this name.
    #[error("there is already a room called `{name}`: room {room}")]
    Twin {
        /// The name.
        name: String,
        /// The room that has it.
        room: RoomId,
    },
    /// There is no room with this number.
    #[error("there is no room {room}: there are {len}")]
    NoRoom {
        /// The number.
        room: RoomId,
        /// The number of rooms.
        len: usize,
    },
    /// A messagee is not alive in the room in which it is expected.
    #[error("in room `{name}`: {error}")]
    Messagee {
        /// The name of the room.
        name: Arc<str>,
        /// The error of its manager.
        error: MessageeError,
    },
}

/// Why a messagee did not move to another room. Nothing has changed then, but that an id may have been used up.
///
/// ```
/// use message_core::prelude::*;
/// use message_rooms::{MoveError, Rooms};
///
/// struct Secret;
///
/// let mut rooms = Rooms::new();
/// let north = rooms.add("north", MessageManager::new())?;
/// let south = rooms.add("south", MessageManager::new())?;
/// let spy = rooms.manager_mut(north).spawn((Secret,));
/// let error = rooms.move_to(north, spy, south).expect_err("it has no data");
/// assert!(matches!(&error, MoveError::NotExported { types, .. } if types.len() == 1));
/// assert!(rooms.manager(north).is_alive(spy));
/// # Ok::<(), message_rooms::RoomError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveError {
    /// The room does not exist, or the messagee is not in it.
    #[error(transparent)]
    Room(#[from] RoomError),
    /// The messagee is a proxy.
    #[error("messagee {id} is a proxy: expected the messagee itself, which is in room {room}")]
    Proxy {
        /// The proxy.
        id: MessageeId,
        /// The room of the messagee that it represents.
        room: RoomId,
    },
    /// Components or pending messages of the messagee cannot be written or read.
    #[error("messagee {id} cannot leave its room: {}", types.join("; "))]
    NotExported {
        /// The messagee.
        id: MessageeId,
        /// The types, each with the reason.
        types: Vec<String>,
    },
    /// Others are bound to mnemonics of the messagee in the room that it would move to.
    #[error("messagee {id} cannot move: other messagees there are bound to {}", mnemonics.join(", "))]
    Bound {
        /// The messagee.
        id: MessageeId,
        /// The names of the mnemonics.
        mnemonics: Vec<&'static str>,
    },
}

/// The panic of a room in its frame. [`FrameError`] lists them.
///
/// ```
/// use message_core::prelude::*;
/// use message_rooms::Rooms;
///
/// let mut rooms = Rooms::new();
/// let hall = rooms.add("hall", MessageManager::new())?;
/// let error = rooms.frame_with(|_, _| panic!("no light")).map(|_: Vec<()>| ()).expect_err("it panics");
/// assert_eq!((error.panics[0].room, &*error.panics[0].text), (hall, "no light"));
/// # Ok::<(), message_rooms::RoomError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("room `{name}` panicked in its frame: {text}")]
#[non_exhaustive]
pub struct RoomPanic {
    /// The room.
    pub room: RoomId,
    /// The name of the room.
    pub name: Arc<str>,
    /// The text of the panic.
    pub text: String,
}

/// Some rooms have panicked in a frame. The others have finished it.
///
/// ```
/// use message_core::prelude::*;
/// use message_rooms::Rooms;
///
/// let mut rooms = Rooms::new();
/// rooms.add("north", MessageManager::new())?;
/// let south = rooms.add("south", MessageManager::new())?;
/// let frame = rooms.frame_with(|room, _| assert!(room != south, "flooded"));
/// let error = frame.expect_err("a room has panicked");
/// assert_eq!(error.to_string(), "room `south` panicked in its frame: flooded");
/// # Ok::<(), message_rooms::RoomError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", panics.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
#[non_exhaustive]
pub struct FrameError {
    /// The first panic of each of these rooms, in the order of the rooms.
    pub panics: Vec<RoomPanic>,
}
