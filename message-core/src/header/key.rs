//! Names that a pending message can be found by, and of which there is never a second.

use std::fmt;

use crate::address::MessageeId;

/// A text that lives as long as the process. `data` reads it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Text(pub(crate) &'static str);

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.0, f)
    }
}

/// The key of a pending message, by which it can be cancelled. Posting again under a key replaces the
/// message that is pending under it.
///
/// A key is a name, plus a number if there are several of that name. Each messagee has its own keys,
/// and so has the outside: one name is a different key for each of them. A name alone is the key of its
/// user: in a handler, the key of its messagee; otherwise, the key of the outside. [`of`](Self::of)
/// makes the key of a given messagee, and [`shared`](Self::shared) makes a key that is the same for
/// all.
///
/// ```
/// use message_core::PostKey;
/// use message_core::prelude::*;
///
/// let mut manager = MessageManager::new();
/// let orc = manager.spawn(());
/// assert_eq!(PostKey::from("autosave"), PostKey::from("autosave"));
/// assert_ne!(PostKey::from("autosave"), PostKey::from("autosave").shared());
/// assert_ne!(PostKey::from(("reload", 1)), PostKey::from(("reload", 2)));
/// assert_eq!(PostKey::from(("reload", orc)), PostKey::from("reload").of(orc));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[must_use]
pub struct PostKey {
    pub(crate) name: Text,
    pub(crate) number: Option<u64>,
    pub(crate) whose: To,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) enum To {
    /// The key of its user; for a pending message, the key of the outside.
    Own,
    Of(MessageeId),
    Shared,
}

impl PostKey {
    /// Returns the key of that messagee, also when another one uses it.
    ///
    /// ```
    /// use message_core::PostKey;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Reload;
    ///
    /// let mut manager = MessageManager::new();
    /// let gun = manager.spawn(());
    /// let soon = Header::to(Everyone).after_frames(3).key("reload").build()?;
    /// manager.speak_for(gun)?.post(&soon, Reload)?;
    /// assert!(!manager.has_pending("reload")); // That is the key from outside.
    /// assert_eq!(manager.cancel(PostKey::from("reload").of(gun)), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of(mut self, id: MessageeId) -> Self {
        self.whose = To::Of(id);
        self
    }

    /// Returns a key that is the same for all: of everybody who posts under it, only the last message
    /// is pending.
    ///
    /// ```
    /// use message_core::PostKey;
    /// use message_core::prelude::*;
    ///
    /// #[derive(Message)]
    /// struct Save;
    ///
    /// let mut manager = MessageManager::new();
    /// let editor = manager.spawn(());
    /// let autosave = PostKey::from("autosave").shared();
    /// let later = Header::to(Everyone).after_frames(60).key(autosave).build()?;
    /// manager.post(&later, Save)?;
    /// manager.speak_for(editor)?.post(&later, Save)?;
    /// assert_eq!(manager.pending_posts(autosave).len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shared(mut self) -> Self {
        self.whose = To::Shared;
        self
    }

    /// Returns the key as its own messagee writes it: the opposite of [`seen_from`](Self::seen_from).
    pub(crate) fn told_by(mut self, user: Option<MessageeId>) -> Self {
        if user.is_some_and(|id| self.whose == To::Of(id)) {
            self.whose = To::Own;
        }
        self
    }

    /// Returns the key that is meant when that messagee uses it, or the outside.
    #[inline]
    pub(crate) fn seen_from(self, user: Option<MessageeId>) -> Self {
        match (self.whose, user) {
            (To::Own, Some(id)) => self.of(id),
            _ => self,
        }
    }
}

impl From<&'static str> for PostKey {
    fn from(name: &'static str) -> Self {
        Self {
            name: Text(name),
            number: None,
            whose: To::Own,
        }
    }
}

impl From<(&'static str, u64)> for PostKey {
    fn from((name, number): (&'static str, u64)) -> Self {
        Self {
            number: Some(number),
            ..Self::from(name)
        }
    }
}

/// The key of that name of that messagee.
impl From<(&'static str, MessageeId)> for PostKey {
    fn from((name, id): (&'static str, MessageeId)) -> Self {
        Self::from(name).of(id)
    }
}

/// Prints name and number, and whose key it is: `reload 2 of messagee 7v0`, `doors (shared)`.
impl fmt::Display for PostKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name.0)?;
        if let Some(number) = self.number {
            write!(f, " {number}")?;
        }
        match self.whose {
            To::Own => Ok(()),
            To::Of(id) => write!(f, " of messagee {id}"),
            To::Shared => f.write_str(" (shared)"),
        }
    }
}
