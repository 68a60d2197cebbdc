//! The entries for another node, collected into batches.

use crate::node::entry::{Entry, Say};
use crate::node::ledger::Sum;
use crate::pack::Packer;
use crate::proxy::Letters;

/// The maximum length of a piece of a batch.
const LONGEST: usize = 1 << 20;
/// The smallest limit for a piece: a longer piece is split for links with shorter frames.
const SHORTEST: usize = 1 << 10;
/// The approximate overhead in bytes of an entry, apart from its content.
const AROUND: usize = 32;

/// Entries in pieces, each of which fits into a batch.
#[derive(Debug)]
pub(crate) struct Entries {
    pieces: Vec<Piece>,
    /// The maximum length of a piece: an entry that would exceed it begins a new piece.
    most: usize,
    /// Whether the next entry must be in the last piece, because it belongs to the entry before.
    continues: bool,
}

impl Default for Entries {
    fn default() -> Self {
        Self {
            pieces: Vec::new(),
            most: LONGEST,
            continues: false,
        }
    }
}

/// A piece of a batch, and the number of messages in it.
#[derive(Debug, Default)]
struct Piece {
    bytes: Packer,
    messages: Sum,
}

/// A batch for another node.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) bytes: Vec<u8>,
    /// The number of messages in it.
    pub(crate) messages: Sum,
}

impl Entries {
    pub(crate) fn push(&mut self, entry: &Entry<'_>) {
        let last = self.last(AROUND);
        entry.write(&mut last.bytes);
        if let Entry::Say(say) = entry {
            last.messages.count(say.ask.is_some());
        }
    }

    /// Adds the cause of the next message, which is in the same piece. `len` is the length of the message.
    pub(crate) fn push_cause(&mut self, cause: &Entry<'_>, len: usize) {
        // The name of a line is bounded.
        let last = self.last(len + 16 * AROUND);
        cause.write(&mut last.bytes);
        self.continues = true;
    }

    /// Like [`push`](Self::push), but takes a message.
    pub(crate) fn push_say(&mut self, say: &Say<'_>) {
        let last = self.last(say.message.len() + AROUND);
        say.write(&mut last.bytes);
        last.messages.count(say.ask.is_some());
    }

    /// Adds the messages from an index on that follow the last entry without one of their own: as many as its piece can
    /// hold. Returns their number.
    pub(crate) fn push_more(&mut self, letters: &Letters, from: usize, longest: usize) -> usize {
        let Some(last) = self.pieces.last_mut() else {
            return 0;
        };
        let room = self.most.saturating_sub(last.bytes.0.len());
        let (more, count) = letters.more(from, longest, room);
        last.bytes.0.extend_from_slice(more);
        last.messages.messages += count as u64;
        count
    }

    /// Reserves room for the given number of bytes, up to one piece. If nothing is written yet, `memory`
    /// supplies the buffer.
    pub(crate) fn reserve(&mut self, bytes: usize, memory: impl FnOnce() -> Vec<u8>) {
        let most = self.most;
        let last = &mut self.last(0).bytes.0;
        if last.is_empty() {
            *last = memory();
        }
        last.reserve(bytes.min(most));
    }

    /// Limits the length of pieces from now on. With the capacity of a frame of the link, the other node finds
    /// each piece in one frame.
    pub(crate) fn limit(&mut self, most: usize) {
        self.most = most.clamp(SHORTEST, LONGEST);
    }

    /// Returns the piece for the next entry, which has about the given length.
    #[inline]
    fn last(&mut self, len: usize) -> &mut Piece {
        let (most, continues) = (self.most, std::mem::take(&mut self.continues));
        let is_full = |last: &Piece| {
            let has = last.bytes.0.len();
            !continues && has > 0 && has + len > most
        };
        if self.pieces.last().is_none_or(is_full) {
            self.pieces.push(Piece::default());
        }
        self.pieces.last_mut().expect("there is one now")
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.pieces.iter().all(|piece| piece.bytes.0.is_empty())
    }

    pub(crate) fn len(&self) -> usize {
        self.pieces.iter().map(|piece| piece.bytes.0.len()).sum()
    }

    /// Appends other entries.
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

    /// Returns the pieces that are not empty, as batches.
    pub(crate) fn into_batches(self) -> impl Iterator<Item = Batch> {
        let pieces = self.pieces.into_iter();
        let pieces = pieces.filter(|piece| !piece.bytes.0.is_empty());
        pieces.map(|piece| Batch {
            bytes: piece.bytes.0,
            messages: piece.messages,
        })
    }
}
