//! The two numbers of a message type.

use std::fmt;

use crate::hash::fnv1a;

/// The id of a message type: 64 bits, the same in every build and on every machine.
///
/// It is the 64-bit [FNV-1a](http://www.isthe.com/chongo/tech/comp/fnv/) hash of the type's name, so
/// that a program in another language can compute it too. Zero is never the id of a type and means an
/// unknown type.
///
/// ```
/// use message_core::MessageId;
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// #[message(name = "game.ping")]
/// struct Ping;
///
/// assert_eq!(Ping::ID, MessageId::of_name("game.ping"));
/// assert_eq!(MessageId::from_bits(Ping::ID.to_bits()), Ping::ID);
/// assert_ne!(Ping::ID, MessageId::UNKNOWN);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MessageId(pub(crate) u64);

impl MessageId {
    /// The id of no known message type.
    pub const UNKNOWN: Self = Self(0);

    /// Creates the id of the message type with that name, whether or not there is such a type.
    ///
    /// ```
    /// use message_core::MessageId;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// #[message(name = "lamp.on")]
    /// struct On;
    ///
    /// const LAMP_ON: MessageId = MessageId::of_name("lamp.on");
    /// assert_eq!(LAMP_ON, On::ID);
    /// ```
    #[must_use]
    pub const fn of_name(name: &str) -> Self {
        match fnv1a(name) {
            // The one name in 2^64 that hashes to the reserved value.
            0 => Self(1),
            hash => Self(hash),
        }
    }

    /// Creates the id with these bits, as read from a file or the network.
    ///
    /// ```
    /// use message_core::MessageId;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct On;
    ///
    /// let frame: [u8; 8] = On::ID.to_bits().to_le_bytes(); // What came over a wire.
    /// let id = MessageId::from_bits(u64::from_le_bytes(frame));
    /// assert_eq!(message_core::registry().message(id).map(|info| info.name), Some(On::NAME));
    /// ```
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Returns the 64 bits, for a file or the network.
    ///
    /// ```
    /// use message_core::MessageId;
    ///
    /// let id = MessageId::of_name("lamp.on");
    /// assert_eq!(format!("{:016x}", id.to_bits()), id.to_string());
    /// assert_eq!(MessageId::UNKNOWN.to_bits(), 0);
    /// ```
    #[must_use]
    pub const fn to_bits(self) -> u64 {
        self.0
    }
}

impl fmt::Debug for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MessageId({self})")
    }
}

/// Prints the sixteen hexadecimal digits.
impl fmt::Display for MessageId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The dense index of a message type in this process: 0, 1, 2, … for tables.
///
/// Numbered from the sorted list of names, so it does not depend on the order of linking; but it
/// changes when a message type is added, so it is not for files or the network.
///
/// ```
/// use message_core::prelude::*;
///
/// #[derive(Message)]
/// struct Ping;
///
/// let registry = message_core::registry();
/// let index = Ping::index().expect("the registry is published");
/// assert!(index.get() < registry.messages().len());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MessageIndex(pub(crate) u32);

impl MessageIndex {
    /// The index of a type that is not in the registry. No table is that long.
    pub(crate) const UNKNOWN: Self = Self(u32::MAX);

    /// Returns the index as a `usize`, less than the number of message types.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Ping;
    ///
    /// let registry = message_core::registry();
    /// let mut seen = vec![0; registry.messages().len()]; // A table by message type.
    /// let index = Ping::index().expect("it was linked in");
    /// seen[index.get()] += 1;
    /// assert_eq!(seen.iter().sum::<u32>(), 1);
    /// ```
    #[must_use]
    pub fn get(self) -> usize {
        self.0 as usize
    }
}
