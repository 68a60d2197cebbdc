//! A hash of a manager's state, part by part, to tell two states apart.

use std::fmt;

use message_core::MessageManager;
use message_core::internals::Inside as _;
use xxhash_rust::xxh3::Xxh3;

use crate::save::{STRUCTURE, is_no_component, parts_of};

/// A hash of a manager's state, part by part.
///
/// The parts are the clock; the structure; the pending, retained and published messages; the messagees that came
/// alive after retained messages that reached everyone; overhearing; the wires; the proxies with their outboxes; and
/// each component type. While changes wait that an earlier panic has left, that is a part as well.
///
/// Two managers that were given the same inputs have equal digests; ids count from where each manager began. A digest
/// covers what a save would contain. Components and messages without [data](crate::Data), and subscriptions
/// with closures, are not included.
///
/// ```
/// use message_core::prelude::*;
/// use message_data::{Data, Digest};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Data, Serialize, Deserialize)]
/// #[data(exact, name = "docs.Weighed")]
/// struct Weighed { kilos: u32 }
///
/// let [mut one, mut two] = [MessageManager::new(), MessageManager::new()];
/// let ids = [one.spawn((Weighed { kilos: 8 },)), two.spawn((Weighed { kilos: 8 },))];
/// assert_eq!(Digest::of(&one), Digest::of(&two));
/// two.get_mut::<Weighed>(ids[1])?.kilos = 9;
/// assert_eq!(Digest::of(&one).difference(&Digest::of(&two)).as_deref(), Some("docs.Weighed"));
/// # Ok::<(), MessageeError>(())
/// ```
#[derive(Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Digest {
    #[serde(rename = "f")]
    frame: u64,
    /// The name and the hash of each part. The clock and the structure come first.
    #[serde(rename = "p")]
    parts: Vec<(String, u64)>,
}

impl Digest {
    /// Hashes the state of a manager.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Digest;
    ///
    /// let [one, two] = [MessageManager::new(), MessageManager::new()];
    /// assert_eq!(Digest::of(&one), Digest::of(&two));
    /// ```
    #[must_use]
    pub fn of(manager: &MessageManager) -> Self {
        Self {
            frame: manager.clock().frame(),
            parts: parts_of(manager.world()),
        }
    }

    /// Returns the number of frames that the manager had begun.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Digest;
    ///
    /// let mut manager = MessageManager::new();
    /// manager.tick(std::time::Duration::ZERO);
    /// assert_eq!(Digest::of(&manager).frame(), 1);
    /// ```
    #[must_use]
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// Returns one number for the whole state.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Digest;
    ///
    /// let mut manager = MessageManager::new();
    /// let before = Digest::of(&manager).total();
    /// manager.spawn(());
    /// assert_ne!(Digest::of(&manager).total(), before);
    /// ```
    #[must_use]
    pub fn total(&self) -> u64 {
        let mut hash = Xxh3::new();
        for (name, part) in &self.parts {
            hash.update(name.as_bytes());
            hash.update(&part.to_le_bytes());
        }
        hash.digest()
    }

    /// Returns the first part that differs: the name of a component type, or one such as `the clock`,
    /// `the structure`, `what is pending`. `None` if the states are equal.
    ///
    /// ```
    /// use message_core::prelude::*;
    /// use message_data::Digest;
    ///
    /// let [mut one, two] = [MessageManager::new(), MessageManager::new()];
    /// assert_eq!(Digest::of(&one).difference(&Digest::of(&two)), None);
    /// one.spawn(());
    /// assert_eq!(Digest::of(&one).difference(&Digest::of(&two)).as_deref(), Some("the structure"));
    /// ```
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<String> {
        // Compares the values of components first: they say more than structure.
        let differs = |part: &&(String, u64)| {
            let same = other.parts.iter().find(|(name, _)| *name == part.0);
            same.is_none_or(|same| same.1 != part.1)
        };
        let missing = |part: &&(String, u64)| !self.parts.iter().any(|(name, _)| *name == part.0);
        let mut found = self.parts.iter().filter(differs);
        let first = found.next();
        let component = first
            .into_iter()
            .chain(found)
            .find(|(name, _)| !is_no_component(name));
        // A newcomer changes the structure and its components' parts: the structure is the cause.
        let structure = first.filter(|(name, _)| name == STRUCTURE);
        let part = structure.or(component).or(first);
        let part = part.or_else(|| other.parts.iter().find(missing));
        part.map(|(name, _)| name.clone())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({:016x} of frame {})", self.total(), self.frame)
    }
}
