//! Sets of tags, in a word.
//!
//! A set is a [`Form`]: the word is zero for the empty set and a bit for each tag if all of them are
//! among the first that the process has numbered. Otherwise it holds the numbers of few tags, or that
//! of a set which is kept. Each set has one form, so two sets are equal when their words are. The first
//! form is the fast one, and only the last takes memory.

use std::fmt;
use std::ops::{BitOr, BitOrAssign};

use smallvec::SmallVec;

use crate::sort::sort_numbers;
use crate::tag::Tag;
use crate::tag::interner::Interner;

/// A small set of [`Tag`]s: `Copy`, eight bytes wide. A tag converts into the set of itself, and
/// `|` is the union.
///
/// Comparing sets and asking what they contain takes no lock. A set takes no memory besides its own bytes, with one
/// exception: a set is kept, once, until the process ends, if it has a tag beyond the first 63 that the process has
/// used, and more than four tags or a tag beyond the first 32 767. So is each tag.
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

/// The tags with a lower number than this are early ones: a set of them has a bit for each.
const EARLY: u32 = u64::BITS - 1;
/// The bit of all other sets.
const NOT_EARLY: u64 = 1 << EARLY;
/// The bit of a kept set, with that bit. The bits below are the set's number.
const KEPT: u64 = 1 << (EARLY - 1);
/// The maximum number of tags in a set of few.
const FEW: usize = 4;
/// The bits of the number of each of them, and one; zero where there is none.
const FEW_BITS: u32 = 15;
const FEW_MASK: u64 = (1 << FEW_BITS) - 1;

/// The contents of a set's word.
enum Form {
    /// A bit for each tag.
    Early(u64),
    /// The numbers of at most [`FEW`] tags, ascending.
    Few(u64),
    /// The tags, ascending.
    Kept(&'static [Tag]),
}

/// The sets that are neither of early tags nor of few.
static SETS: Interner<Box<[Tag]>> = Interner::new();

/// Returns the numbers of few tags, one after the other from the low end.
fn few(word: u64) -> impl Iterator<Item = u32> {
    let numbers = (0..FEW).scan(word, |rest, _| {
        let number = *rest & FEW_MASK;
        *rest >>= FEW_BITS;
        Some(number)
    });
    numbers.filter_map(|number| u32::try_from(number).ok()?.checked_sub(1))
}

/// Returns the numbers whose bits are set.
fn early(mut bits: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let number = bits.trailing_zeros();
        bits &= bits.checked_sub(1)?;
        Some(number)
    })
}

/// Prints the tags of a set, as `` `a`, `b` or `c` ``.
pub(crate) struct Listed {
    tags: TagSet,
    last: &'static str,
}

impl fmt::Display for Listed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tags = self.tags.iter().peekable();
        let mut first = true;
        while let Some(tag) = tags.next() {
            match tags.peek() {
                _ if first => {}
                Some(_) => f.write_str(", ")?,
                None => write!(f, " {} ", self.last)?,
            }
            write!(f, "`{}`", tag.name())?;
            first = false;
        }
        Ok(())
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
        match self.form() {
            Form::Early(bits) => {
                let number = tag.known_number().filter(|&number| number < EARLY);
                number.is_some_and(|number| bits >> number & 1 == 1)
            }
            Form::Few(word) => {
                let number = tag.known_number();
                number.is_some_and(|number| few(word).any(|own| own == number))
            }
            Form::Kept(tags) => tags.binary_search(&tag).is_ok(),
        }
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
        if (self.0 | other.0) < NOT_EARLY {
            return self.0 & other.0 != 0;
        }
        self.shares_a_tag(other)
    }

    /// Returns the names of the tags, for a text; `last` is put before the last one.
    pub(crate) fn listed(self, last: &'static str) -> Listed {
        Listed { tags: self, last }
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
        let mut tags: SmallVec<[Tag; 8]> = match self.form() {
            Form::Early(bits) => early(bits).map(Tag::numbered).collect(),
            Form::Few(word) => few(word).map(Tag::numbered).collect(),
            Form::Kept(tags) => tags.into(),
        };
        tags.sort_unstable();
        tags.into_iter()
    }

    fn form(self) -> Form {
        if self.0 & NOT_EARLY == 0 {
            Form::Early(self.0)
        } else if self.0 & KEPT == 0 {
            Form::Few(self.0 & !NOT_EARLY)
        } else {
            let number = u32::try_from(self.0 & !(NOT_EARLY | KEPT));
            Form::Kept(SETS.get(number.expect("the number of a set has 32 bits")))
        }
    }

    #[cold]
    fn shares_a_tag(self, other: Self) -> bool {
        self.iter().any(|tag| other.contains(tag))
    }

    #[cold]
    fn united(self, other: Self) -> Self {
        if other.is_empty() || self == other {
            return self;
        }
        if self.is_empty() {
            return other;
        }
        Self::of(self.iter().chain(other.iter()))
    }

    /// Returns the set of these tags, in its one form.
    fn of(tags: impl Iterator<Item = Tag>) -> Self {
        let tags: SmallVec<[Tag; 8]> = tags.collect();
        let numbers = tags.iter().map(|tag| u64::from(tag.number()));
        let mut sorted: SmallVec<[(u64, usize); 8]> = numbers.zip(0..).collect();
        sort_numbers(&mut sorted);
        sorted.dedup_by_key(|(number, _)| *number);
        let numbers = sorted.iter().map(|(number, _)| *number);
        match sorted.last() {
            Some((last, _)) if *last >= u64::from(EARLY) => {
                if sorted.len() > FEW || *last >= FEW_MASK {
                    return Self::kept(sorted.iter().map(|(_, at)| tags[*at]).collect());
                }
                let few = numbers
                    .rev()
                    .fold(0, |word, number| word << FEW_BITS | (number + 1));
                Self(NOT_EARLY | few)
            }
            _ => Self(numbers.fold(0, |bits, number| bits | 1 << number)),
        }
    }

    #[cold]
    fn kept(mut tags: Box<[Tag]>) -> Self {
        tags.sort_unstable();
        let hashes = tags.iter().map(|tag| tag.hash());
        let hash = hashes.fold(0, |hash: u64, tag| hash.rotate_left(5) ^ tag);
        Self(NOT_EARLY | KEPT | u64::from(SETS.intern(hash, tags)))
    }
}

impl From<Tag> for TagSet {
    fn from(tag: Tag) -> Self {
        Self::of(std::iter::once(tag))
    }
}

impl FromIterator<Tag> for TagSet {
    fn from_iter<I: IntoIterator<Item = Tag>>(tags: I) -> Self {
        Self::of(tags.into_iter())
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
        if (self.0 | other.0) < NOT_EARLY {
            return Self(self.0 | other.0);
        }
        self.united(other)
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
