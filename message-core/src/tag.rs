//! Labels of messages, and small sets of them.
//!
//! A tag is its name, as a mnemonic is. Each distinct set is made once in a process and lives as
//! long, so a set is one pointer wide: it travels in every header and every delayed message. There
//! are as many sets as the program's source has combinations, not as many as messages.

use std::collections::HashMap;
use std::fmt;
use std::ops::{BitOr, BitOrAssign};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::name::{NameRef, declared};

/// A label of messages that [subscriptions](crate::MessageManager::subscribe) filter by; declared
/// with [`tag!`](crate::tag!).
///
/// ```
/// use message_core::prelude::*;
///
/// tag!(RADIO);
///
/// #[derive(Message)]
/// #[message(tags(RADIO))]
/// struct Shout;
///
/// let mut manager = MessageManager::new();
/// manager.subscribe(Filter::any().tags(RADIO), |_, _| {});
/// assert_eq!(manager.send(Everyone, Shout)?.received, 1);
/// assert!(RADIO.name().ends_with("RADIO"));
/// # Ok::<(), SendError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag(NameRef);

declared!(Tag, by tag!, like AI);

/// Declares tags: constants of type [`Tag`](crate::Tag), named by the path of the declaration, or
/// by `= "…"`. Any crate and module may declare its own; there is no list of them.
///
/// A message type has tags by `#[message(tags(AI))]`, and a message by its
/// [header](crate::post::HeaderBuilder::tags). Tags combine with `|`.
///
/// ```
/// use message_core::prelude::*;
///
/// tag!(pub AI, COMBAT);
///
/// #[derive(Message)]
/// #[message(tags(AI))]
/// struct Thought;
///
/// let both = AI | COMBAT;
/// assert!(both.contains(AI));
/// assert_eq!(both | AI, both);
/// ```
#[macro_export]
macro_rules! tag {
    ($($declarations:tt)+) => {
        $crate::__declare_names! { Tag: $($declarations)+ }
    };
}

/// A small set of [`Tag`]s: `Copy`, one pointer wide. A tag converts into the set of itself, and
/// `|` is the union.
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
#[derive(Clone, Copy, Default)]
pub struct TagSet(Option<&'static Tags>);

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

/// The tags of a set, in order.
struct Tags(Box<[Tag]>);

impl TagSet {
    /// The empty set.
    pub const EMPTY: Self = Self(None);

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
        self.0.is_none()
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
        self.iter().any(|own| own == tag)
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
        self.iter().any(|tag| other.contains(tag))
    }

    /// The names of the tags, for a text; `last` stands before the last one.
    pub(crate) fn listed(self, last: &'static str) -> Listed {
        Listed { tags: self, last }
    }

    /// Tells sets apart, most of the time.
    pub(crate) fn address(self) -> usize {
        self.0
            .map_or(0, |tags| std::ptr::from_ref(tags).addr() >> 4)
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
        let tags = self.0.map_or::<&[Tag], _>(&[], |tags| &tags.0);
        tags.iter().copied()
    }

    /// The one set of these tags.
    fn of(mut tags: Vec<Tag>) -> Self {
        static SETS: OnceLock<Mutex<HashMap<Vec<Tag>, &'static Tags>>> = OnceLock::new();

        tags.sort_unstable();
        tags.dedup();
        if tags.is_empty() {
            return Self::EMPTY;
        }
        let sets = SETS.get_or_init(Mutex::default);
        let mut sets = sets.lock().unwrap_or_else(PoisonError::into_inner);
        let set = *sets
            .entry(tags)
            .or_insert_with_key(|tags| Box::leak(Box::new(Tags(tags.as_slice().into()))));
        Self(Some(set))
    }
}

impl From<Tag> for TagSet {
    fn from(tag: Tag) -> Self {
        Self::of(vec![tag])
    }
}

impl FromIterator<Tag> for TagSet {
    fn from_iter<I: IntoIterator<Item = Tag>>(tags: I) -> Self {
        Self::of(tags.into_iter().collect())
    }
}

impl PartialEq for TagSet {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        // There is one of each.
        let address = |set: &Self| set.0.map_or(std::ptr::null(), std::ptr::from_ref);
        std::ptr::eq(address(self), address(other))
    }
}

impl Eq for TagSet {}

impl<T: Into<TagSet>> BitOr<T> for TagSet {
    type Output = TagSet;

    fn bitor(self, other: T) -> TagSet {
        let other = other.into();
        if other.is_empty() || self == other {
            return self;
        }
        if self.is_empty() {
            return other;
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

/// Returns the set of the tags that a message type names.
#[must_use]
pub fn tags(tags: &[Tag]) -> TagSet {
    tags.iter().copied().collect()
}

impl fmt::Debug for TagSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Tag::name)).finish()
    }
}
