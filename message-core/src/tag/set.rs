//! Sets of tags, in a word.
//!
//! The word is zero for the empty set, and has a bit for each tag if all of them are among the first that the
//! process has used. Otherwise it is the number of a set which is kept. Each set has one form, so two sets
//! are equal when their words are.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::{BitOr, BitOrAssign};
use std::sync::{OnceLock, PoisonError, RwLock};

use smallvec::SmallVec;

use crate::tag::Tag;

/// A small set of [`Tag`]s: `Copy`, eight bytes wide. A tag converts into the set of itself, and
/// `|` is the union.
///
/// Comparing sets and asking what they contain takes no lock, and a set takes no memory besides its own bytes, with one
/// exception: a set is kept, once, until the process ends, if it has a tag beyond the first 63 that the process has
/// used. To make such a set or to ask what it contains takes a lock.
///
/// ```
/// use message_core::TagSet;
/// use message_core::prelude::*;
///
/// tag!(AI, RADIO);
///
/// let both = AI | RADIO;
/// assert!(both.contains(AI) && both.contains(RADIO));
/// assert!(!TagSet::from(AI).contains(RADIO));
/// assert!(TagSet::EMPTY.is_empty());
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct TagSet(u64);

/// The number of tags that have a bit.
const FIRST: usize = u64::BITS as usize - 1;
/// The bit of the sets that have other tags, too. The bits below are the set's number.
const KEPT: u64 = 1 << FIRST;

/// The tags that have a bit, in the order in which they came.
static PLACES: [OnceLock<Tag>; FIRST] = [const { OnceLock::new() }; FIRST];

/// The sets that have other tags, too. The tags of each are sorted.
static SETS: RwLock<Sets> = RwLock::new(Sets {
    by_number: Vec::new(),
    numbers: BTreeMap::new(),
});

struct Sets {
    by_number: Vec<&'static [Tag]>,
    numbers: BTreeMap<&'static [Tag], u64>,
}

impl Tag {
    /// Returns the bit of the tag, or `None` if all are taken by others.
    fn make_bit(self) -> Option<u64> {
        let mut places = PLACES.iter();
        let place = places.position(|place| *place.get_or_init(|| self) == self);
        place.map(|place| 1 << place)
    }

    /// Returns the bit of the tag, if it has one.
    fn bit(self) -> Option<u64> {
        let mut taken = PLACES.iter().map_while(OnceLock::get);
        let place = taken.position(|tag| *tag == self);
        place.map(|place| 1 << place)
    }
}

impl TagSet {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// Returns `true` if the set is empty.
    ///
    /// ```
    /// use message_core::TagSet;
    /// use message_core::prelude::*;
    ///
    /// tag!(RADIO);
    ///
    /// assert!(TagSet::EMPTY.is_empty());
    /// assert!(!TagSet::from(RADIO).is_empty());
    /// ```
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns `true` if the set contains the tag.
    ///
    /// ```
    /// use message_core::TagSet;
    /// use message_core::prelude::*;
    ///
    /// tag!(AI, COMBAT, RADIO);
    ///
    /// let set: TagSet = AI | RADIO;
    /// assert!(set.contains(RADIO));
    /// assert!(!set.contains(COMBAT));
    /// ```
    #[must_use]
    pub fn contains(self, tag: Tag) -> bool {
        if let Some(tags) = self.kept_tags() {
            return tags.binary_search(&tag).is_ok();
        }
        tag.bit().is_some_and(|bit| self.0 & bit != 0)
    }

    /// Returns `true` if the two sets have a tag in common; with a [`Tag`] as the other, if the set
    /// contains it. The empty set intersects nothing.
    ///
    /// ```
    /// use message_core::TagSet;
    /// use message_core::prelude::*;
    ///
    /// tag!(AI, COMBAT, RADIO);
    ///
    /// let loud = COMBAT | RADIO;
    /// assert!(loud.intersects(RADIO | AI));
    /// assert!(!loud.intersects(AI));
    /// assert!(!loud.intersects(TagSet::EMPTY));
    /// ```
    #[must_use]
    pub fn intersects(self, other: impl Into<Self>) -> bool {
        let other = other.into();
        if (self.0 | other.0) < KEPT {
            return self.0 & other.0 != 0;
        }
        self.iter().any(|tag| other.contains(tag))
    }

    /// Returns the tags, in an order that is the same in every build and otherwise means nothing.
    ///
    /// ```
    /// use message_core::prelude::*;
    ///
    /// tag!(AI = "ai", RADIO = "radio");
    ///
    /// let mut names: Vec<&str> = (AI | RADIO).iter().map(|tag| tag.name()).collect();
    /// names.sort();
    /// assert_eq!(names, ["ai", "radio"]);
    /// ```
    pub fn iter(self) -> impl Iterator<Item = Tag> {
        let mut tags: SmallVec<[Tag; 8]> = if let Some(tags) = self.kept_tags() {
            tags.into()
        } else {
            let bits = (0..FIRST).filter(|place| self.0 >> place & 1 == 1);
            bits.filter_map(|place| PLACES[place].get().copied())
                .collect()
        };
        tags.sort_unstable();
        tags.into_iter()
    }

    /// Returns the tags of a set that is kept.
    fn kept_tags(self) -> Option<&'static [Tag]> {
        let number = usize::try_from(self.0.checked_sub(KEPT)?).ok()?;
        let sets = SETS.read().unwrap_or_else(PoisonError::into_inner);
        sets.by_number.get(number).copied()
    }

    #[cold]
    fn kept(mut tags: Vec<Tag>) -> Self {
        tags.sort_unstable();
        tags.dedup();
        let mut sets = SETS.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(number) = sets.numbers.get(&tags[..]) {
            return Self(KEPT | number);
        }
        let number = sets.by_number.len() as u64;
        let tags: &[Tag] = tags.leak();
        sets.by_number.push(tags);
        sets.numbers.insert(tags, number);
        Self(KEPT | number)
    }
}

impl From<Tag> for TagSet {
    fn from(tag: Tag) -> Self {
        std::iter::once(tag).collect()
    }
}

impl FromIterator<Tag> for TagSet {
    fn from_iter<I: IntoIterator<Item = Tag>>(tags: I) -> Self {
        let tags: SmallVec<[Tag; 8]> = tags.into_iter().collect();
        let mut bits = tags.iter().map(|tag| tag.make_bit());
        let bits = bits.try_fold(0, |bits, bit| Some(bits | bit?));
        bits.map_or_else(|| Self::kept(tags.into_vec()), Self)
    }
}

impl Extend<Tag> for TagSet {
    fn extend<I: IntoIterator<Item = Tag>>(&mut self, tags: I) {
        *self = self.iter().chain(tags).collect();
    }
}

impl<T: Into<TagSet>> BitOr<T> for TagSet {
    type Output = TagSet;

    fn bitor(self, other: T) -> TagSet {
        let other = other.into();
        if (self.0 | other.0) < KEPT {
            return Self(self.0 | other.0);
        }
        self.iter().chain(other.iter()).collect()
    }
}

impl<T: Into<TagSet>> BitOr<T> for Tag {
    type Output = TagSet;

    fn bitor(self, other: T) -> TagSet {
        TagSet::from(self) | other
    }
}

impl<T: Into<TagSet>> BitOrAssign<T> for TagSet {
    fn bitor_assign(&mut self, other: T) {
        *self = *self | other;
    }
}

impl fmt::Debug for TagSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Tag::name)).finish()
    }
}
