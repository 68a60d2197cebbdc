//! What is told to another node, as batches.

use crate::node::entry::{Entry, Say};
use crate::pack::Packer;

/// How long a piece of a batch can be.
const LONGEST: usize = 1 << 20;
/// However short the frames of a link are, a piece can be so long: it is cut for them.
const SHORTEST: usize = 1 << 10;
/// What an entry has besides its content, roughly.
const AROUND: usize = 32;

/// Entries in pieces, each of which fits into a batch.
#[derive(Debug)]
pub(crate) struct Entries {
    pieces: Vec<Piece>,
    /// A piece ends before an entry with which it would be longer.
    most: usize,
}

impl Default for Entries {
    fn default() -> Self {
        Self {
            pieces: Vec::new(),
            most: LONGEST,
        }
    }
}

/// A piece of a batch, and the number of messages in it.
#[derive(Debug, Default)]
struct Piece {
    bytes: Packer,
    messages: u32,
}

impl Entries {
    pub(crate) fn push(&mut self, entry: &Entry<'_>) {
        let last = self.last(AROUND);
        entry.write(&mut last.bytes);
        last.messages += u32::from(matches!(entry, Entry::Say(_)));
    }

    /// The same as an entry with a message.
    pub(crate) fn push_say(&mut self, say: &Say<'_>) {
        let last = self.last(say.message.len() + AROUND);
        say.write(&mut last.bytes);
        last.messages += 1;
    }

    /// The same for one of which the head is written already.
    #[inline]
    pub(crate) fn push_plain(&mut self, head: &[u8], message: &[u8]) {
        let last = self.last(head.len() + message.len() + AROUND);
        last.bytes.0.extend_from_slice(head);
        last.bytes.bin(message);
        last.messages += 1;
    }

    /// Makes room for so many bytes, as far as they fit into one piece: in other memory, if nothing is written.
    pub(crate) fn reserve(&mut self, bytes: usize, memory: impl FnOnce() -> Vec<u8>) {
        let most = self.most;
        let last = &mut self.last(0).bytes.0;
        if last.is_empty() {
            *last = memory();
        }
        last.reserve(bytes.min(most));
    }

    /// Lets pieces be so long at most, from now on: as long as what a frame of the link carries, so that the other
    /// node finds each of them in one frame.
    pub(crate) fn limit(&mut self, most: usize) {
        self.most = most.clamp(SHORTEST, LONGEST);
    }

    /// The piece to which the next entry goes, which is about so long.
    #[inline]
    fn last(&mut self, len: usize) -> &mut Piece {
        let most = self.most;
        let is_full = |last: &Piece| {
            let has = last.bytes.0.len();
            has > 0 && has + len > most
        };
        if self.pieces.last().is_none_or(is_full) {
            self.pieces.push(Piece::default());
        }
        self.pieces.last_mut().expect("there is one now")
    }

    pub(crate) fn len(&self) -> usize {
        self.pieces.iter().map(|piece| piece.bytes.0.len()).sum()
    }

    /// Puts others behind these.
    pub(crate) fn append(&mut self, mut others: Self) {
        if let (Some(last), [first, ..]) = (self.pieces.last_mut(), &mut *others.pieces)
            && last.bytes.0.len() + first.bytes.0.len() <= self.most
        {
            last.bytes.0.append(&mut first.bytes.0);
            last.messages += first.messages;
            others.pieces.remove(0);
        }
        self.pieces.append(&mut others.pieces);
    }

    /// The pieces that have something, with the number of messages in each.
    pub(crate) fn into_pieces(self) -> impl Iterator<Item = (Vec<u8>, u32)> {
        let pieces = self.pieces.into_iter();
        let pieces = pieces.filter(|piece| !piece.bytes.0.is_empty());
        pieces.map(|piece| (piece.bytes.0, piece.messages))
    }
}
