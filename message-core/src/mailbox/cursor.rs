//! How far a reader has read.

use std::marker::PhantomData;

use crate::key::ManagerNumber;

/// How far a reader has read the mail of one type, for [`Inbox::since`](crate::Inbox::since).
///
/// A new cursor begins with the oldest message that can still be found, and has missed nothing. So
/// does one that was last used with another manager. One that begins with what can be found from the
/// next frame on is made by [`Inbox::cursor`](crate::Inbox::cursor).
///
/// It is `Copy`: what is read by a copy is not read by the other.
pub struct Cursor<M> {
    pub(super) mark: Bookmark,
    message: PhantomData<fn() -> M>,
}

/// How far a reader has read the mail of all types, for
/// [`AnyInbox::since`](crate::AnyInbox::since). It begins as a [`Cursor`] does.
#[derive(Clone, Copy, Debug, Default)]
pub struct AnyCursor {
    pub(super) mark: Bookmark,
}

/// A place in the mail of a manager.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bookmark {
    /// The manager, and what is read next there.
    next: Option<(ManagerNumber, u64)>,
    missed: u64,
}

impl Bookmark {
    /// Moves to the end, and returns from where on is to be read. `missed_since` tells how many of
    /// those from one on are gone.
    pub(super) fn advance(
        &mut self,
        manager: ManagerNumber,
        end: u64,
        missed_since: impl FnOnce(u64) -> u64,
    ) -> u64 {
        let next = match self.next {
            Some((known, next)) if known == manager => Some(next),
            _ => None,
        };
        self.next = Some((manager, end));
        self.missed = next.map_or(0, missed_since);
        next.unwrap_or(0)
    }
}

impl<M> Cursor<M> {
    /// A cursor that has read nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            mark: Bookmark {
                next: None,
                missed: 0,
            },
            message: PhantomData,
        }
    }

    /// How many messages of the type, to whomever, were dropped between the last two reads, so that
    /// no reader with this cursor has found them.
    #[must_use]
    pub fn missed(&self) -> u64 {
        self.mark.missed
    }
}

impl AnyCursor {
    /// A cursor that has read nothing.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            mark: Bookmark {
                next: None,
                missed: 0,
            },
        }
    }

    /// How many messages of all types, to whomever, were dropped between the last two reads, so
    /// that no reader with this cursor has found them.
    #[must_use]
    pub fn missed(&self) -> u64 {
        self.mark.missed
    }
}

impl<M> Default for Cursor<M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<M> Clone for Cursor<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M> Copy for Cursor<M> {}

impl<M> std::fmt::Debug for Cursor<M> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cursor")
            .field("message", &std::any::type_name::<M>())
            .field("mark", &self.mark)
            .finish_non_exhaustive()
    }
}
