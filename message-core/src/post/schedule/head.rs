//! The head of a pending message.

use std::num::NonZeroU64;

use crate::address::MessageeId;
use crate::key::Key;

/// The data of a pending message besides its [stamp](super::stamp), which many share.
///
/// Ids are kept in halves, and number and due time count from those of the stamp, so that a head has 28
/// bytes and the alignment of most messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Head {
    /// The place and the life of the messagee it is for. A life of zero is none.
    to: [u32; 2],
    /// The messagee that posted it. A life of zero if none did.
    sender: [u32; 2],
    pub(in crate::post) stamp: u32,
    /// The number of its posting, counted from that of the stamp.
    pub(super) number: u32,
    /// When it is due, counted from the due time of the stamp.
    pub(super) due: u32,
}

/// Instead of a messagee: the recipient is in a [record](super::Record), or the sender is outside.
const NONE: [u32; 2] = [0, 0];

impl Head {
    /// Makes the head of a message for one messagee, or of one whose recipient is a rare thing.
    #[inline]
    pub(super) fn new(to: Option<MessageeId>, sender: Option<MessageeId>, stamp: u32) -> Self {
        let halves = |id: MessageeId| [id.0.place(), id.0.life_bits()];
        Self {
            to: to.map_or(NONE, halves),
            sender: sender.map_or(NONE, halves),
            stamp,
            number: 0,
            due: 0,
        }
    }

    /// Returns the messagee that it is for, unless the recipient is a rare thing.
    #[inline]
    pub(crate) fn to(&self) -> Option<MessageeId> {
        Key::from_halves(self.to[0], self.to[1]).map(MessageeId)
    }

    #[inline]
    pub(super) fn sender(&self) -> Option<MessageeId> {
        Key::from_halves(self.sender[0], self.sender[1]).map(MessageeId)
    }
}

/// The number of a posting. Those of a manager begin above zero.
pub(super) fn posting(number: u64) -> NonZeroU64 {
    NonZeroU64::new(number).expect("the first post of a manager has a number above zero")
}
