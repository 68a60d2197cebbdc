//! Hashes of the state of all rooms.

use std::fmt;
use std::hash::Hash;
use std::sync::Arc;

use message_data::Digest;
use xxhash_rust::xxh3::Xxh3;

use crate::room::Room;
use crate::rooms::Rooms;

/// A hash of the state of each room, with its proxies and the messages that leave it.
///
/// Equal states have equal digests, in any process and on any number of threads. A message without data counts with its
/// addresses and its type. See [`message_data::Digest`] for what a digest of a room leaves out.
///
/// ```
/// use message_core::prelude::*;
/// use message_rooms::Rooms;
/// use std::time::Duration;
///
/// let mut rooms = Rooms::new();
/// let north = rooms.add("north", MessageManager::new())?;
/// let before = rooms.digest();
/// assert_eq!(before, rooms.digest());
/// rooms.manager_mut(north).spawn(());
/// assert_eq!(before.difference(&rooms.digest()).as_deref(), Some("room `north`: the structure"));
/// # Ok::<(), message_rooms::RoomError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct RoomsDigest {
    rooms: Vec<(Arc<str>, Digest)>,
}

impl RoomsDigest {
    /// Returns one hash of everything.
    ///
    /// ```
    /// use message_rooms::Rooms;
    ///
    /// assert_eq!(Rooms::new().digest().total(), Rooms::new().digest().total());
    /// ```
    #[must_use]
    pub fn total(&self) -> u64 {
        let mut hash = Xxh3::new();
        for (name, digest) in &self.rooms {
            (name, digest.total()).hash(&mut hash);
        }
        hash.digest()
    }

    /// Returns the first part that differs, or `None` if the digests are equal.
    ///
    /// ```
    /// use message_rooms::Rooms;
    ///
    /// assert_eq!(Rooms::new().digest().difference(&Rooms::new().digest()), None);
    /// ```
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<String> {
        if self.rooms.len() != other.rooms.len() {
            return Some("the number of rooms".to_owned());
        }
        let mut pairs = self.rooms.iter().zip(&other.rooms);
        pairs.find_map(|((name, one), (_, other))| {
            let part = one.difference(other)?;
            Some(format!("room `{name}`: {part}"))
        })
    }
}

impl fmt::Debug for RoomsDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RoomsDigest({:016x})", self.total())
    }
}

impl Rooms {
    /// Returns a digest of all rooms.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_rooms::Rooms;
    ///
    /// let mut rooms = Rooms::new();
    /// rooms.add("north", MessageManager::new())?;
    /// assert_eq!(rooms.digest().total(), rooms.digest().total());
    /// # Ok::<(), message_rooms::RoomError>(())
    /// ```
    #[must_use]
    pub fn digest(&self) -> RoomsDigest {
        let of = |room: &Room| (Arc::clone(&room.name), Digest::of(&room.manager));
        let rooms = self.all.iter().map(of).collect();
        RoomsDigest { rooms }
    }
}
