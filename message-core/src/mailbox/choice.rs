//! Which letters are meant, by what is written on them.

use super::covers::Covers;
use crate::address::{MessageeId, Recipient, Sender};
use crate::world::{Presence, World};

/// A choice among letters, by recipient and sender.
#[derive(Clone, Copy)]
pub(crate) struct Choice<'a> {
    pub(super) world: &'a World,
    /// Who asks.
    me: Option<MessageeId>,
    pub(super) whose: Whose,
    pub(super) from: Option<Sender>,
}

/// Whose letters are meant.
#[derive(Clone, Copy)]
pub(super) enum Whose {
    Anybodys,
    Nobodys,
    /// Those for one messagee alone.
    Own(MessageeId),
    /// Those that were written to exactly that.
    Written(Recipient),
    /// Those by which a messagee is meant, among others perhaps.
    Reaching(MessageeId),
}

impl<'a> Choice<'a> {
    /// Every letter, as somebody sees it.
    pub(crate) fn all(world: &'a World, me: Option<MessageeId>) -> Self {
        Self {
            world,
            me,
            whose: Whose::Anybodys,
            from: None,
        }
    }

    pub(super) fn to(&mut self, recipient: Recipient) {
        let own = |id: Option<MessageeId>| id.map_or(Whose::Nobodys, Whose::Own);
        self.whose = match self.world.resolve_mnemonic(recipient) {
            Recipient::Id(id) => Whose::Own(id),
            Recipient::Me => own(self.me),
            Recipient::Mnemonic(_) | Recipient::UpFrom(_) | Recipient::DownFrom(_) => {
                Whose::Nobodys
            }
            Recipient::Everyone
            | Recipient::EveryoneElse
            | Recipient::Group(_)
            | Recipient::Up(_)
            | Recipient::Down(_)
            | Recipient::Hook(_) => Whose::Written(recipient),
        };
    }

    pub(super) fn reaching(&mut self, id: MessageeId) {
        self.whose = match self.world.presence(id) {
            Presence::Foreign => Whose::Nobodys,
            _ => Whose::Reaching(id),
        };
    }

    pub(super) fn from(&mut self, sender: Sender) {
        self.from = Some(sender);
    }

    /// Returns `true` if a letter that was written to many is for that messagee, too.
    pub(super) fn reaches(
        &self,
        id: MessageeId,
        covers: &Covers,
        &(at, written): &(u32, Recipient),
    ) -> bool {
        // What is for one messagee alone is found by its address.
        !covers.is_for_one(at) && self.world.is_meant(id, written, covers.mark(at).sender)
    }
}

/// The methods that every selection with a `choice` has: by which it is narrowed down, and what they
/// find.
macro_rules! selecting {
    ($mail:ty) => {
        /// Keeps only what was written to this recipient. An id stands for that messagee, however
        /// it was written to alone: by its id, by `Me`, or by a mnemonic that was bound to it then.
        /// A mnemonic stands for the messagee that is bound to it now, and `Me` for the one that
        /// asks, whose handler is running: from outside it finds nothing. `Everyone`, a group, a hook
        /// and the other recipients find what was written to exactly that.
        ///
        /// If both `to` and [`reaching`](Self::reaching) are called, the last call wins.
        pub fn to(mut self, recipient: impl Into<$crate::address::Recipient>) -> Self {
            self.choice.to(recipient.into());
            self
        }

        /// Keeps only what a send would have delivered to this messagee: what is for it alone, for
        /// `Everyone`, for `EveryoneElse` unless it is the sender, for a group that it belongs to
        /// now, and for a family that it belongs to now. For a messagee that is gone, this is what
        /// was for it alone and for everyone; for one of another manager, nothing.
        pub fn reaching(mut self, id: $crate::address::MessageeId) -> Self {
            self.choice.reaching(id);
            self
        }

        /// Keeps only what this sender published: a [`MessageeId`](crate::MessageeId), or a
        /// [`Sender`](crate::Sender).
        pub fn from(mut self, sender: impl Into<$crate::address::Sender>) -> Self {
            self.choice.from(sender.into());
            self
        }

        /// Returns `true` if no mail is selected.
        #[must_use]
        pub fn is_empty(&self) -> bool {
            self.first().is_none()
        }

        /// Returns the number of selected letters, by walking through them.
        #[must_use]
        pub fn count(&self) -> usize {
            self.iter().count()
        }

        /// Returns the selected letter that was published first.
        #[must_use]
        pub fn first(&self) -> Option<$mail> {
            self.iter().next()
        }

        /// Returns the selected letter that was published last, by walking through all of them.
        #[must_use]
        pub fn last(&self) -> Option<$mail> {
            self.iter().last()
        }
    };
}

pub(super) use selecting;
