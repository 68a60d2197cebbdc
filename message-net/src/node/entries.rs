//! What is told to another node, as batches.

use crate::node::entry::{Entry, Say};
use crate::pack::Packer;

/// A piece of a batch ends when it is longer than this.
const BATCH: usize = 1 << 20;

/// Entries in pieces, each of which fits into a batch.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    pieces: Vec<Piece>,
}

/// A piece of a batch, and the number of messages in it.
#[derive(Debug, Default)]
struct Piece {
    bytes: Packer,
    messages: u32,
}

impl Entries {
    pub(crate) fn push(&mut self, entry: &Entry<'_>) {
        let last = self.last();
        entry.write(&mut last.bytes);
        last.messages += u32::from(matches!(entry, Entry::Say(_)));
    }

    /// The same as an entry with a message.
    pub(crate) fn push_say(&mut self, say: &Say<'_>) {
        let last = self.last();
        say.write(&mut last.bytes);
        last.messages += 1;
    }

    /// The same for one of which the head is written already.
    #[inline]
    pub(crate) fn push_plain(&mut self, head: &[u8], message: &[u8]) {
        let last = self.last();
        last.bytes.0.extend_from_slice(head);
        last.bytes.bin(message);
        last.messages += 1;
    }

    /// Makes room for so many bytes, as far as they fit into one piece: in other memory, if nothing is written.
    pub(crate) fn reserve(&mut self, bytes: usize, memory: impl FnOnce() -> Vec<u8>) {
        let last = &mut self.last().bytes.0;
        if last.is_empty() {
            *last = memory();
        }
        last.reserve(bytes.min(BATCH));
    }

    /// The piece to which the next entry goes.
    fn last(&mut self) -> &mut Piece {
        let is_full = |last: &Piece| last.bytes.0.len() >= BATCH;
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
            && last.bytes.0.len() < BATCH
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
